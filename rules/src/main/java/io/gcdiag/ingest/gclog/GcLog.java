package io.gcdiag.ingest.gclog;

import java.util.Collections;
import java.util.List;

/**
 * A log of a collector, as read.
 *
 * @param origin which JVM wrote it
 * @param extent how much there is
 * @param pauses all stop-the-world pauses, in the order in which they ended
 * @param stalls all safepoints, if the log has them
 * @param concurrent what is told of work beside the pauses: cycles, and waits for memory
 * @param notes what a reader of the result has to know: cut files, several runs, doubtful counts;
 *     each a lower-case sentence without a final period
 */
public record GcLog(
    LogOrigin origin,
    LogExtent extent,
    List<LoggedPause> pauses,
    List<LoggedStall> stalls,
    LoggedConcurrency concurrent,
    List<String> notes) {

  /** Wraps the long lists, which are not objects, and copies the short one. */
  public GcLog {
    pauses = Collections.unmodifiableList(pauses);
    stalls = Collections.unmodifiableList(stalls);
    notes = List.copyOf(notes);
  }
}
