package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs that are started here, recorded, and end. */
@Tag("slow")
@Tag("reading")
class EndEventsTest {

  @TempDir private Path folder;

  private List<String> notesOn(String program) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("Ends.java"), program);
    Path recording = folder.resolve("end.jfr");
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:StartFlightRecording=settings=default,filename=" + recording,
                source.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out.txt").toFile())
            .start();
    jvm.waitFor();
    Timeline timeline = Recordings.read(recording);
    return timeline.coverage().notes().stream()
        .filter(note -> note.contains("the JVM ended"))
        .toList();
  }

  @Test
  void aCallOfExitIsToldWithItsPlace() throws IOException, InterruptedException {
    List<String> notes =
        notesOn("class Ends { public static void main(String[] a) { System.exit(3); } }");
    assertEquals(1, notes.size());
    assertTrue(
        notes.get(0).endsWith("(Shutdown requested from Java, at Ends.main)"), notes::toString);
  }

  @Test
  void theEndOfMainIsNotWorthAWord() throws IOException, InterruptedException {
    assertEquals(List.of(), notesOn("class Ends { public static void main(String[] a) {} }"));
  }
}
