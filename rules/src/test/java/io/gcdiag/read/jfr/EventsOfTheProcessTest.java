package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.FinalizableObjects;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.NativeMemory;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.units.Bytes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Event;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events of the process as a whole that a JVM rarely writes. Figures of the samples are those that
 * {@code jfr print} of JDK 25 shows.
 */
class EventsOfTheProcessTest {

  private static final Timeline MEMORY =
      Recordings.read(SampleFiles.file("recordings/jdk25-memory.jfr.gz"));

  @TempDir private Path folder;

  /** {@code jdk.NativeMemoryUsage}: 162 events of 27 parts; of them one grows by 8 MiB a second. */
  @Test
  void partsOfTheJvmThatGrowAreRead() {
    assertEquals(
        List.of(3_180_544L, 11_579_392L, 21_016_576L, 27_308_032L, 35_696_640L, 43_001_856L),
        MEMORY.samples(NativeMemory.class).stream()
            .filter(part -> part.part().equals("Other"))
            .map(part -> part.committed().value())
            .toList());
  }

  /** {@code jdk.ContainerMemoryUsage}: six events, with and without swap the same. */
  @Test
  void whatAContainerUsesIsRead() {
    List<SwapSpace> swap = MEMORY.samples(SwapSpace.class);
    assertEquals(6, swap.size());
    assertTrue(swap.stream().allMatch(one -> one.used().equals(Bytes.ZERO)), swap::toString);
    assertTrue(swap.get(0).source().toString().contains("jdk.ContainerMemoryUsage"));
    assertEquals(
        List.of(Bytes.ofMebi(320)),
        MEMORY.samples(MemoryLimit.class).stream().map(MemoryLimit::limit).toList());
    assertEquals(
        Bytes.of(114_724_864),
        MEMORY.samples(ResidentMemory.class).get(5).inUse(),
        "the last of six");
  }

  /** {@code jdk.FinalizerStatistics}. */
  @Test
  void objectsThatWaitForTheirFinalizersAreRead() {
    List<FinalizableObjects> objects = MEMORY.samples(FinalizableObjects.class);
    assertEquals(1, objects.size());
    assertEquals("Keeper$Page", objects.get(0).type());
    assertEquals(718, objects.get(0).objects());
    assertEquals(102, objects.get(0).finalized());
  }

  /** {@code jdk.Shutdown} and {@code jdk.DumpReason} of a JVM that ended for want of heap. */
  @Test
  void aCrashIsNoted() {
    assertNote(
        Recordings.read(SampleFiles.file("recordings/jdk25-crash.jfr.gz")),
        "the JVM ended at 2026-11-25T23:01:56.948",
        "(CrashOnOutOfMemoryError, at Filler.main)");
  }

  @Name("jdk.DumpReason")
  private static final class Dumped extends Event {
    private final String reason = "Crash";
  }

  /** A crash of the JVM itself has no {@code jdk.Shutdown}. */
  @Test
  void aDumpAfterACrashIsNotedWithoutAShutdown() {
    Path file =
        Recordings.record(
            folder.resolve("dumped.jfr"),
            recording -> recording.enable(Dumped.class),
            () -> new Dumped().commit());
    assertNote(Recordings.read(file), "the JVM ended at ", "(Crash)");
  }

  @Name("jdk.DataLoss")
  private static final class Lost extends Event {
    private final long amount;

    Lost(long amount) {
      this.amount = amount;
    }
  }

  /** No JVM loses events when it is asked to: these are written by hand. 3 KiB and 5 KiB. */
  @Test
  void eventsThatTheJvmLostAreNoted() {
    Path file =
        Recordings.record(
            folder.resolve("lost.jfr"),
            recording -> recording.enable(Lost.class),
            () -> {
              new Lost(3 * 1024).commit();
              new Lost(5 * 1024).commit();
            });
    assertNote(Recordings.read(file), "the JVM lost 8 KiB of events from ", "(jdk.DataLoss)");
  }

  private static void assertNote(Timeline timeline, String... parts) {
    Optional<String> note =
        timeline.coverage().notes().stream().filter(one -> one.contains(parts[0])).findFirst();
    assertTrue(note.isPresent(), timeline.coverage().notes()::toString);
    for (String part : parts) {
      assertTrue(note.get().contains(part), note::get);
    }
  }
}
