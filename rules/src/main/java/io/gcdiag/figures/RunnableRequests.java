package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.util.Comparator;
import java.util.Optional;

/**
 * Request threads that run or want to run, in the dump of a window that has most of them: a dump
 * does not show which of them has a core.
 *
 * @param threads how many
 * @param source the dump
 */
record RunnableRequests(long threads, Source source) {

  /** Absent without a dump in the window that has request threads. */
  static Optional<RunnableRequests> of(Timeline timeline, Window window) {
    return timeline.dumps(window).stream()
        .filter(ThreadSnapshot::showsRequests)
        .map(dump -> new RunnableRequests(dump.runningRequests(), dump.source()))
        .max(Comparator.comparingLong(RunnableRequests::threads));
  }
}
