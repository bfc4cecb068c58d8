package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;
import java.util.Set;

/**
 * How one input file was read.
 *
 * @param file its name as the user knows it
 * @param format the format it was recognised as, or {@code unknown}
 * @param status how much of it could be read
 * @param note what was lost and what to do, one line; may be empty
 * @param remark what the note is about, where more follows from it than a line to read
 */
public record InputReport(String file, String format, Status status, String note, Remark remark) {

  /** A file whose note is for reading only. */
  public InputReport(String file, String format, Status status, String note) {
    this(file, format, status, note, Remark.NONE);
  }

  /** Whether any of it is used. */
  public boolean isUsed() {
    return status == Status.OK || status == Status.PARTIAL;
  }

  /** Whether some of it was lost, all of it left out, or it may have been misread. */
  public boolean isAffected() {
    return status == Status.PARTIAL
        || status == Status.UNREADABLE
        || status == Status.LEFT_OUT
        || remark == Remark.UNSURE;
  }

  /** What a note is about. */
  public enum Remark {
    NONE,
    /** No rule uses any data of the file. */
    NOT_USED,
    /** The same, unless {@code --map} says what the data means. */
    NEEDS_MEANING,
    /** The same, of an access log that has none. */
    NO_DURATIONS,
    /** The file may be meant in another way as well, which the note names. */
    UNSURE,
    /** The file does not have what the user named. */
    ABSENT
  }

  /** Whether no rule uses any of it. */
  public boolean isUseless() {
    return Set.of(Remark.NOT_USED, Remark.NEEDS_MEANING, Remark.NO_DURATIONS).contains(remark);
  }

  /** Between the parts of a file that no rule uses, and why. */
  public static final String NOT_USED = ": read, not used: ";

  /** The format of a flight recording. */
  public static final String RECORDING = "jfr";

  /** How much of a file could be read. */
  public enum Status implements Named {
    /** All of it. */
    OK,
    /** Part of it; the note says what was lost. */
    PARTIAL,
    UNREADABLE,
    /** Not used, because it is of another process or another time than the other files. */
    LEFT_OUT,
    /** Its format is unknown, and the user did not name it explicitly. */
    UNUSED;
  }
}
