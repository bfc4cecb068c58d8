package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.jfr.WaitEvents.OpenedStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What comes from another process is waited for, and no file is slow. */
@Tag("slow")
class PipeEventsTest {

  @TempDir private Path folder;

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void theOutputOfAChildProcessIsNoFile() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "read me");
    Path file =
        Recordings.record(
            folder.resolve("pipe.jfr"),
            recording -> recording.enable("jdk.FileRead").withoutThreshold().withStackTrace(),
            () -> {
              readAll(text);
              readChild();
            });
    for (JfrReader reader : JfrReader.values()) {
      Timeline timeline = Recordings.read(file, reader);
      assertTrue(
          timeline.waits(WaitKind.FILE).stream()
              .allMatch(series -> series.site().name().startsWith("/")),
          reader::name);
      assertTrue(
          timeline.waits(WaitKind.FILE).stream()
              .anyMatch(series -> series.site().name().equals(text.toString())),
          reader::name);
      assertTrue(
          timeline.waits(WaitKind.OTHER).stream()
              .anyMatch(series -> series.site().name().equals("pipe or standard input")),
          reader::name);
    }
  }

  private static void readAll(Path text) {
    try (InputStream in = new java.io.FileInputStream(text.toFile())) {
      assertEquals(7, in.readAllBytes().length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readChild() {
    try {
      Process child = new ProcessBuilder("sh", "-c", "sleep 0.1; echo done").start();
      try (InputStream out = child.getInputStream()) {
        assertEquals("done", new String(out.readAllBytes()).strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void whatWasHandedOpenToTheProcessIsNamedWhereItIsWritten() throws IOException {
    Path text = folder.resolve("written");
    Path file =
        Recordings.record(
            folder.resolve("writes.jfr"),
            recording -> recording.enable("jdk.FileWrite").withoutThreshold().withStackTrace(),
            () -> write(text));
    for (JfrReader reader : JfrReader.values()) {
      Set<String> names =
          Recordings.read(file, reader).waits(WaitKind.FILE).stream()
              .map(series -> series.site().name())
              .collect(Collectors.toSet());
      assertTrue(names.contains(WaitSite.STANDARD_OUTPUT), names::toString);
      assertTrue(names.contains(text.toString()), names::toString);
    }
  }

  private static void write(Path text) {
    try (OutputStream file = new FileOutputStream(text.toFile())) {
      file.write(1);
      Process child = new ProcessBuilder("cat").start();
      try (OutputStream in = child.getOutputStream()) {
        in.write(1);
      }
      child.destroy();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatTheJdkOpensItselfHasAPath() {
    assertTrue(OpenedStream.isPipe(Optional.empty()));
    assertTrue(OpenedStream.isPipe(Optional.of("/dev/stdin")));
    assertTrue(OpenedStream.isPipe(Optional.of("/proc/self/fd/0")));
    assertFalse(OpenedStream.isPipe(Optional.of("/var/lib/data.bin")));
    assertFalse(OpenedStream.isPipe(Optional.of("/dev/random")));
    assertTrue(OpenedStream.isEntropy(Optional.of("/dev/random")));
    assertFalse(OpenedStream.isEntropy(Optional.of("/var/lib/random")));
    assertFalse(OpenedStream.isEntropy(Optional.empty()));
  }
}
