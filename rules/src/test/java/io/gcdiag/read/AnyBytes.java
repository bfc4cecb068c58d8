package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Diagnoser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What holds of every reader whatever bytes it is given: it reads some of them or says in one line
 * why not, a timeline can be made of what it read, and nothing is left on the disk. That it ends in
 * time and memory is for the caller to watch.
 */
public final class AnyBytes {

  private final Path folder;
  private final Path file;

  /** Works in a folder that holds nothing else. */
  public AnyBytes(Path folder) {
    this.folder = folder;
    this.file = folder.resolve("input");
  }

  /** Reads as one format, whether or not the bytes look like it. */
  public void asFormat(InputFormat format, byte[] bytes) {
    asFormat(format, bytes, ReadOptions.STANDARD);
  }

  /** The same, with choices of how to read. */
  public void asFormat(InputFormat format, byte[] bytes, ReadOptions options) {
    write(bytes);
    IngestContext intake = new IngestContext(Redactor.hiding(), options);
    try {
      format.read(new InputFile(file, "input"), intake);
    } catch (IOException e) {
      assertOneLine(e.getMessage());
    }
    intake.align();
    intake.timeline().build();
    assertUntouched(bytes);
  }

  /** Reads as a file that a user names, of a format that the bytes tell. */
  Timeline asInput(byte[] bytes) {
    write(bytes);
    Timeline timeline =
        Ingest.read(
            List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);
    assertFalse(timeline.inputs().isEmpty());
    timeline.inputs().stream()
        .filter(i -> !i.note().isEmpty())
        .forEach(i -> assertOneLine(i.note()));
    assertUntouched(bytes);
    return timeline;
  }

  /** Makes a diagnosis of what was read. */
  static void diagnose(Timeline timeline) {
    Diagnoser.diagnose(timeline, Optional.empty(), Optional.empty());
  }

  private void write(byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertUntouched(byte[] bytes) {
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(file), left.toList());
      assertEquals(bytes.length, Files.size(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void assertOneLine(String message) {
    assertTrue(message != null && !message.isBlank(), "a refusal without a reason");
    assertTrue(InputFile.printable(message).length() < 2_000, "a reason as long as a page");
  }
}
