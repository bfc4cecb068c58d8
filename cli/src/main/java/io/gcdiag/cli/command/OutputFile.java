package io.gcdiag.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that the user names to be written. What cannot be written is wrong usage, not an internal
 * error: it is put right on the command line.
 */
final class OutputFile {

  private OutputFile() {}

  /** Fails if the file cannot be written, or is an input. */
  static void check(Path file, List<Path> inputs) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw CommandFailure.usage(file + " is a folder; name a file to write to");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw CommandFailure.usage(file + " cannot be written: its folder does not exist");
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw CommandFailure.usage(file + " cannot be written: permission denied");
    }
    for (Path input : inputs) {
      if (overwrites(file, input)) {
        throw CommandFailure.usage(
            file + " would be overwritten, and it is an input; name another file");
      }
    }
  }

  private static boolean overwrites(Path file, Path input) {
    try {
      return Files.exists(file)
          && Files.exists(input)
          && (Files.isSameFile(file, input)
              || Files.isDirectory(input) && file.toRealPath().startsWith(input.toRealPath()));
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static CommandFailure unwritable(Path file, IOException e) {
    return CommandFailure.usage(
        file + " cannot be written: " + (e.getMessage() == null ? e : e.getMessage()), e);
  }
}
