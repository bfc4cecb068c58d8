package io.gcdiag.cli.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that are written beside their place and moved there, so that none is ever half written. */
public final class WholeFile {

  private WholeFile() {}

  /** What is written. */
  @FunctionalInterface
  public interface Content {
    void write(Writer out) throws IOException;
  }

  /**
   * Writes a file, or replaces it.
   *
   * @param beside where it is written; nothing is left there unless the process ends
   * @param how the file there is opened; to be made, or made empty, if nothing is said
   */
  public static void write(Path file, Path beside, Content content, OpenOption... how)
      throws IOException {
    try {
      try (Writer out = Files.newBufferedWriter(beside, how)) {
        content.write(out);
      }
      move(beside, file);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
