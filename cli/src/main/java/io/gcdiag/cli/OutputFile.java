package io.gcdiag.cli;

import io.gcdiag.cli.fleet.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Output files. A file that cannot be written is wrong usage, not an internal error. */
final class OutputFile {

  /** Ends the name of a file that is being written. */
  private static final String UNFINISHED = ".part";

  /**
   * Fails if the file cannot be written, or is an input.
   *
   * @param force whether a file that is there may be replaced
   */
  static void check(Path file, List<Path> inputs, boolean force) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw CommandFailure.usage(file + " is a folder; name a file to write to");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw CommandFailure.usage(file + " cannot be written: its folder does not exist");
    }
    for (Path input : inputs) {
      if (overwrites(file, input)) {
        throw CommandFailure.usage(
            file + " would be overwritten, and it is an input; name another file");
      }
    }
    if (Files.isRegularFile(file) && !force) {
      throw CommandFailure.usage(
          file + " is there already; name another file, or replace it with --force");
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw CommandFailure.usage(file + " cannot be written: permission denied");
    }
  }

  private static boolean overwrites(Path file, Path input) {
    try {
      return Files.exists(file)
          && Files.exists(input)
          && (Files.isSameFile(file, input)
              || Files.isDirectory(input) && file.toRealPath().startsWith(input.toRealPath()));
    } catch (IOException e) {
      throw CommandFailure.unwritable(file, e);
    }
  }

  /** Fails if the same file is named twice: one report would be lost. */
  static void checkDistinct(List<Path> files) {
    Set<Path> seen = new HashSet<>();
    for (Path file : files) {
      if (!seen.add(file.toAbsolutePath().normalize())) {
        throw CommandFailure.usage(file + " is named twice; name another file for each report");
      }
    }
  }

  /**
   * Writes the whole file or nothing: the text goes to a file beside it, which then takes its name.
   * Devices and pipes are written to as they are.
   */
  static void write(Path file, String text) {
    write(file, out -> out.write(text));
  }

  /** The same of a text that is not in memory as a whole. */
  static void write(Path file, WholeFile.Content content) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        try (Writer out = Files.newBufferedWriter(file)) {
          content.write(out);
        }
        return;
      }
      // A link stays a link; what it points to is replaced.
      Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path beside =
          target.resolveSibling(
              target.getFileName() + "." + ProcessHandle.current().pid() + UNFINISHED);
      WholeFile.write(
          target, beside, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (UncheckedIOException e) {
      throw CommandFailure.unwritable(file, e.getCause());
    } catch (IOException e) {
      throw CommandFailure.unwritable(file, e);
    }
  }
}
