package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.gcdiag.evidence.jvm.CpuSample.ProcessList;
import io.gcdiag.read.bytes.JfrReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class ProcessEventsTest {

  private static final int MOST_ATTEMPTS = 10;

  @TempDir private static Path folder;
  private static Process other;
  private static Path file;

  /** Another program: a JVM that runs until its input ends. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws IOException {
      System.in.read();
    }
  }

  @BeforeAll
  static void anotherProgramRuns() throws IOException {
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
    file = recording();
  }

  @AfterAll
  static void theOtherProgramEnds() {
    other.destroyForcibly();
  }

  /** The JVM lists nothing where a process ends while it looks: it is asked again and again. */
  private static Path recording() {
    for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      Path made = recording("a" + attempt + ".jfr");
      if (!Recordings.events(made, "jdk.SystemProcess").isEmpty()) {
        return made;
      }
    }
    return abort("this JVM lists no processes");
  }

  private static Path recording(String name) {
    return Recordings.record(
        folder.resolve(name),
        recording -> {
          recording.enable("jdk.SystemProcess").withPeriod(Duration.ofMillis(100));
          recording.enable("jdk.JVMInformation").with("period", "beginChunk");
        },
        () -> LockSupport.parkNanos(Duration.ofMillis(1_500).toNanos()));
  }

  @ParameterizedTest
  @EnumSource(JfrReader.class)
  void theOtherProgramsAreListedByNameAlone(JfrReader reader) {
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
        .filter(event -> ("/" + event.getString("commandLine").split(" ")[0]).endsWith("/java"))
        .count();
  }
}
