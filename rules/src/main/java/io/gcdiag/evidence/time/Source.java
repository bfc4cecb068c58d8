package io.gcdiag.evidence.time;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * Where a fact was read, so that a reader of the report can look it up.
 *
 * <p>A line number is formatted only on demand, because a log may have a million of them.
 */
public final class Source {

  /** The line number of a source that is no line. */
  public static final long NO_LINE = -1;

  /** The place in a file of traces. */
  public static final String SPANS = "spans";

  private final String file;
  private final String place;
  private final long line;

  private Source(String file, String place, long line) {
    if (file.isBlank()) {
      throw new IllegalArgumentException("a source needs a file");
    }
    this.file = file;
    this.place = place;
    this.line = line;
  }

  /**
   * A place in a file.
   *
   * @param file the file's name as the user knows it, or {@code command line}; not blank
   * @param place the line, event type or field inside that file; may be empty
   */
  public Source(String file, String place) {
    this(file, Objects.requireNonNull(place), NO_LINE);
  }

  /** A line of a text file, counted from 1. */
  public static Source line(String file, long line) {
    return new Source(file, "", line);
  }

  public String file() {
    return file;
  }

  /** The place inside the file, or an empty text. */
  public String place() {
    return line == NO_LINE ? place : Long.toString(line);
  }

  /** The line number; empty if the place is no line, or was given as a text. */
  public OptionalLong line() {
    return line == NO_LINE ? OptionalLong.empty() : OptionalLong.of(line);
  }

  /** Whether it is spans, all of them or a part. */
  public boolean isOfSpans() {
    return place.startsWith(SPANS);
  }

  /** Whether the place is a line number. */
  public boolean isLine() {
    return line != NO_LINE || !place.isEmpty() && Character.isDigit(place.charAt(0));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Source source
        && file.equals(source.file)
        && place().equals(source.place());
  }

  @Override
  public int hashCode() {
    return Objects.hash(file, place());
  }

  /** {@code gc.log:1204} for a line, {@code recording.jfr jdk.CPULoad} for anything else. */
  @Override
  public String toString() {
    String where = place();
    if (where.isEmpty()) {
      return file;
    }
    return isLine() ? file + ":" + where : file + " " + where;
  }
}
