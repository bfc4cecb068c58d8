package io.gcdiag.ingest;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.StreamSupport;

/** Names such as {@code gc.log*} that no shell has expanded, because they were quoted. */
final class FilePattern {

  private FilePattern() {}

  /** The files that the pattern names, by name; empty if it is no pattern, or fits none. */
  static List<Path> files(Path pattern) {
    Path name = pattern.getFileName();
    Path folder = pattern.toAbsolutePath().getParent();
    if (name == null || folder == null || !name.toString().matches(".*[*?\\[{].*")) {
      return List.of();
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name.toString())) {
      return StreamSupport.stream(files.spliterator(), false)
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (IOException | DirectoryIteratorException | PatternSyntaxException e) {
      // It will be said that there is no such file.
      return List.of();
    }
  }
}
