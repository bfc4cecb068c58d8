package io.gcdiag.ingest.gclog.store;

import java.util.List;

/**
 * A log of a collector, as read.
 *
 * @param origin which JVM wrote it
 * @param extent how much there is
 * @param pauses all stop-the-world pauses, in the order in which they ended
 * @param stalls all safepoints, if the log has them
 * @param concurrent work beside the pauses: cycles, and waits for memory
 * @param humongous regions of large objects, of each second the collection that met most of them;
 *     collections that met none are left out
 * @param young young collections whose young generation is printed, those of one second as one
 * @param phases the longer phases inside pauses, in the order of these
 * @param notes what a reader of the result has to know: cut files, several runs, doubtful counts;
 *     each a lower-case sentence without a final period
 */
public record GcLog(
    LogOrigin origin,
    LogExtent extent,
    LoggedPauses pauses,
    LoggedStalls stalls,
    LoggedConcurrency concurrent,
    List<LoggedRegions> humongous,
    List<LoggedYoung> young,
    List<LoggedPhase> phases,
    List<String> notes) {

  /** Copies the short lists. */
  public GcLog {
    humongous = List.copyOf(humongous);
    young = List.copyOf(young);
    phases = List.copyOf(phases);
    notes = List.copyOf(notes);
  }
}
