package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;

/**
 * How one input file was read.
 *
 * @param file its name as the user knows it
 * @param format the format it was recognised as, or {@code unknown}
 * @param status how much of it could be read
 * @param note what was lost and what to do, one line; may be empty
 */
public record InputReport(String file, String format, Status status, String note) {

  /** Whether any of it is used. */
  public boolean isUsed() {
    return status == Status.OK || status == Status.PARTIAL;
  }

  /** Whether some of it was lost, all of it left out, or it may have been misread. */
  public boolean isAffected() {
    return status == Status.PARTIAL
        || status == Status.UNREADABLE
        || status == Status.LEFT_OUT
        || isUnsure();
  }

  /** Whether it can be read in another way as well, which the note names. */
  public boolean isUnsure() {
    return note.contains(UNSURE);
  }

  /** In the note of a known file without any data that a rule uses. */
  public static final String NOT_USED = ": read, not used: ";

  /** In the note between how a file was read and how else it may be meant. */
  public static final String UNSURE = "; not sure: ";

  /** In the note of an access log that has none. */
  public static final String NO_DURATIONS = "no durations of requests";

  /** Before what the user named and the file has not. */
  public static final String ABSENT = "not there: ";

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
