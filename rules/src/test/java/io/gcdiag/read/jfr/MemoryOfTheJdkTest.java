package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM of its own, whose RMI requests collections and whose direct buffers are page-aligned. */
@Tag("slow")
class MemoryOfTheJdkTest {

  private static final Duration MOST = Duration.ofMinutes(1);

  @TempDir private static Path folder;
  private static Path file;

  /** Exports an object and keeps buffers, until RMI has requested a collection. */
  static final class Server {
    private Server() {}

    private static final class Answers implements Remote {}

    public static void main(String[] arguments) throws IOException {
      List<ByteBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        buffers.add(ByteBuffer.allocateDirect(100));
      }
      try (Recording recording = new Recording()) {
        recording.enable("jdk.SystemGC").withoutThreshold().withStackTrace();
        recording.enable("jdk.DirectBufferStatistics").withPeriod(Duration.ofMillis(20));
        recording.start();
        Answers answers = new Answers();
        UnicastRemoteObject.exportObject(answers, 0);
        long end = System.nanoTime() + MOST.toNanos();
        while (collections() == 0 && System.nanoTime() < end) {
          LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        UnicastRemoteObject.unexportObject(answers, true);
        recording.stop();
        recording.dump(Path.of(arguments[0]));
      }
      System.exit(buffers.size() == 10 ? 0 : 1);
    }

    private static long collections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }
  }

  @BeforeAll
  static void recordAServer() throws IOException, InterruptedException {
    file = folder.resolve("server.jfr");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process server =
        new ProcessBuilder(
                java.toString(),
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-Dsun.rmi.dgc.server.gcInterval=200",
                "-Dsun.nio.PageAlignDirectMemory=true",
                "-cp",
                System.getProperty("java.class.path"),
                Server.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.log").toFile())
            .start();
    assertTrue(server.waitFor(2 * MOST.toSeconds(), TimeUnit.SECONDS));
    assertEquals(0, server.exitValue(), Files.readString(folder.resolve("server.log")));
  }

  /** All its frames are of the JDK. */
  @Test
  void aCollectionThatRmiRequestsHasItsThreadAsCaller() {
    List<ExplicitCollection> calls = Recordings.read(file).samples(ExplicitCollection.class);
    assertFalse(calls.isEmpty());
    for (ExplicitCollection call : calls) {
      assertEquals("sun.rmi.transport.GC$Daemon.run", call.caller());
    }
  }

  /** Each of the buffers takes a page more than it holds. */
  @Test
  void theLimitOfDirectBuffersHoldsForWhatTheyHold() {
    List<DirectBuffers> buffers = Recordings.read(file).samples(DirectBuffers.class);
    List<RecordedEvent> events = Recordings.events(file, "jdk.DirectBufferStatistics");
    assertNotEquals(events.get(0).getLong("totalCapacity"), events.get(0).getLong("memoryUsed"));
    assertEquals(
        events.stream().map(event -> event.getLong("totalCapacity")).toList(),
        buffers.stream().map(reading -> reading.inUse().value()).toList());
  }
}
