package io.gcdiag.read.bytes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * A file to read.
 *
 * @param name its name in reports, free of control characters
 */
public record InputFile(Stored bytes, String name) {

  public InputFile(Path path, String name) {
    this(Stored.in(path), name);
  }

  /** A file named in reports by the last part of its path. */
  public static InputFile of(Path path) {
    Path last = path.getFileName();
    String name = last == null ? path.toString() : last.toString();
    return new InputFile(path, printable(name));
  }

  /**
   * A file named by the last part of its path, or by as many parts as distinguish it from the files
   * already named: findings name their sources by file, and two runs both write a gc.log.
   */
  public static InputFile of(Path path, Set<String> taken) {
    Path whole = path.toAbsolutePath().normalize();
    int parts = whole.getNameCount();
    for (int from = parts - 1; from >= 0; from--) {
      String name = printable(whole.subpath(from, parts).toString());
      if (!taken.contains(name)) {
        return new InputFile(path, name);
      }
    }
    // Only names that differ in unprintable characters get here.
    String name = of(path).name();
    int number = 2;
    while (taken.contains(name + " (" + number + ")")) {
      number++;
    }
    return new InputFile(path, name + " (" + number + ")");
  }

  /** Opens it, unpacking it if it is compressed. */
  public Unpacked open(Progress progress) throws IOException {
    long size = bytes.size();
    return Unpacked.open(bytes, read -> progress.at(name, read, size));
  }

  /** The real path without links; the path as written if it cannot be resolved. */
  public static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** Replaces what could move a terminal's cursor or break a table. */
  public static String printable(String text) {
    String clean = text.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?");
    return clean.isBlank() ? "?" : clean;
  }
}
