package io.gcdiag.evidence;

/**
 * Where a fact was read, so that a reader of the report can look it up.
 *
 * @param file the file's name as the user knows it, or {@code command line}
 * @param place the line, event type or field inside that file; may be empty
 */
public record Source(String file, String place) {

  /** Checks that a file is named. */
  public Source {
    if (file.isBlank()) {
      throw new IllegalArgumentException("a source needs a file");
    }
  }

  /** A line of a text file, counted from 1. */
  public static Source line(String file, long line) {
    return new Source(file, Long.toString(line));
  }

  /** {@code gc.log:1204} for a line, {@code recording.jfr jdk.CPULoad} for anything else. */
  @Override
  public String toString() {
    if (place.isEmpty()) {
      return file;
    }
    return Character.isDigit(place.charAt(0)) ? file + ":" + place : file + " " + place;
  }
}
