package io.gcdiag.windows;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.waits.UnendedWaits;
import io.gcdiag.policy.Policy;
import java.time.Instant;
import java.util.List;

/**
 * Whether thread dumps from outside a stretch that stands out show more waiting than the stretch
 * itself, which no event records. Where no recording sees waits, pauses are all that can stand out:
 * those of a start, say, while the queue that the dumps were taken for stands all the time. Where
 * one does, waits that never ended are in none of its events, and the time before them, in which
 * the service still worked, is what stands out.
 */
final class DumpsElsewhere {

  private DumpsElsewhere() {}

  /**
   * Looks at the dumps. One within a bucket after the stretch is of its end: the recorder takes its
   * last one in the second that is not whole, of which nothing is in the stretch.
   *
   * @param threads that wait or are stopped in the stretch on average, by events
   */
  static boolean showMore(Timeline timeline, Window stretch, double threads) {
    Instant from = stretch.from();
    Instant to = stretch.to().plus(LostTime.bucket(timeline.span()));
    List<ThreadSnapshot> outside =
        timeline.dumps().stream()
            .filter(dump -> dump.at().isPresent())
            .filter(dump -> dump.at().get().isBefore(from) || !dump.at().get().isBefore(to))
            .toList();
    double waiting =
        outside.stream()
            .mapToDouble(dump -> UnendedWaits.hidden(timeline, dump))
            .average()
            .orElse(0);
    return waiting >= Math.max(Policy.FEWEST_QUEUED, threads);
  }
}
