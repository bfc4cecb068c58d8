package io.gcdiag.ingest.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.ProcessList;
import io.gcdiag.ingest.JfrReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessEventsTest {

  @TempDir private Path folder;
  private Process other;

  /** Another program: a JVM that runs until its input ends. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws IOException {
      System.in.read();
    }
  }

  @BeforeEach
  void anotherProgramRuns() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    other =
        new ProcessBuilder(
                java.toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Reader.class.getName(),
                "two words")
            .start();
  }

  @AfterEach
  void theOtherProgramEnds() {
    other.destroyForcibly();
  }

  private Path recording() {
    return Recordings.record(
        folder.resolve("a.jfr"),
        recording -> {
          // The JVM lists nothing where a process ends while it looks: it is asked several times.
          recording.enable("jdk.SystemProcess").withPeriod(Duration.ofMillis(100));
          recording.enable("jdk.JVMInformation").with("period", "beginChunk");
        },
        () -> LockSupport.parkNanos(Duration.ofMillis(1_500).toNanos()));
  }

  @ParameterizedTest
  @EnumSource(JfrReader.class)
  void theOtherProgramsAreListedByNameAlone(JfrReader reader) {
    Path file = recording();
    List<ProcessList> lists = Recordings.read(file, reader).samples(ProcessList.class);
    assertFalse(lists.isEmpty());
    assertFalse(lists.toString().contains("words"), lists.toString());
    lists.forEach(list -> assertEquals(javasBeside(file, list), javas(list)));
    assertTrue(javas(lists.get(0)) >= 1);
  }

  private static int javas(ProcessList list) {
    return list.programs().stream()
        .filter(program -> program.name().equals("java"))
        .mapToInt(ProcessList.Program::processes)
        .sum();
  }

  /** Counted in the events: all that run java but the JVM of this test. */
  private static long javasBeside(Path file, ProcessList list) {
    String own = Long.toString(ProcessHandle.current().pid());
    return Recordings.events(file, "jdk.SystemProcess").stream()
        .filter(event -> event.getStartTime().equals(list.at()))
        .filter(event -> !event.getString("pid").equals(own))
        .filter(event -> event.getString("commandLine").split(" ")[0].endsWith("/java"))
        .count();
  }
}
