package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Waits for locks that had not ended when a recording ended. An event is written when a wait ends,
 * so the last seconds of a recording show less waiting than there was, and recordings are often
 * taken while threads wait. A thread dump shows all of them: those that it has beyond the events of
 * its moment ended after the recording.
 */
public final class OpenWaits {

  /** Dumps have timestamps in whole seconds. */
  private static final Duration STAMP = Duration.ofSeconds(1);

  /** Dumps may be years apart. */
  private static final int MOST_MOMENTS = 600;

  private OpenWaits() {}

  /**
   * The recorded waits with those that had not ended. Waits for a lock are believed to be open if a
   * recorded one of it lasted longer than the time from the last dump to the end: shorter ones
   * would have events, or are too short for any.
   *
   * @param waits recorded ones, in order of their sites
   * @param dumps in order of time
   * @param recording the recording's span
   */
  public static List<WaitSeries> added(
      List<WaitSeries> waits, List<ThreadSnapshot> dumps, Window recording) {
    List<ThreadSnapshot> inside =
        dumps.stream().filter(dump -> dump.at().filter(recording::contains).isPresent()).toList();
    return waits.stream().map(one -> with(one, waits, inside, recording.to())).toList();
  }

  private static WaitSeries with(
      WaitSeries one, List<WaitSeries> waits, List<ThreadSnapshot> dumps, Instant end) {
    if (one.site().kind() != WaitKind.LOCK || dumps.isEmpty()) {
      return one;
    }
    // Several stacks lead to one lock. Dumps are compared with all of them, and what is open is
    // added to the most frequent.
    List<WaitSeries> alike =
        waits.stream().filter(other -> isSameLock(one.site(), other.site())).toList();
    Duration rest = Duration.between(at(dumps.get(dumps.size() - 1)), end);
    boolean mayLast = alike.stream().anyMatch(each -> each.length(1).compareTo(rest) >= 0);
    boolean main =
        alike.stream().max(Comparator.comparingLong(WaitSeries::count)).orElseThrow() == one;
    List<Instant> open = mayLast && main ? starts(alike, dumps) : List.of();
    return open.isEmpty() ? one : one.withOpen(open, end);
  }

  private static boolean isSameLock(WaitSite one, WaitSite other) {
    return other.kind() == WaitKind.LOCK
        && other.name().equals(one.name())
        && other.onRequestThread() == one.onRequestThread();
  }

  /**
   * When they began. Between two dumps the number of all that wait is taken to change evenly, and
   * what events show of them is known. One that is open is open at each later moment, so a moment
   * has at most as many as the next.
   */
  private static List<Instant> starts(List<WaitSeries> recorded, List<ThreadSnapshot> dumps) {
    List<Instant> starts = new ArrayList<>();
    Instant at = at(dumps.get(dumps.size() - 1));
    int later = open(recorded, dumps, at);
    Instant first = at(dumps.get(0));
    Duration part = Duration.between(first, at).dividedBy(MOST_MOMENTS);
    Duration step = part.compareTo(STAMP) > 0 ? part : STAMP;
    while (later > 0 && at.isAfter(first)) {
      Instant before = at.minus(step).isBefore(first) ? first : at.minus(step);
      int open = Math.min(later, open(recorded, dumps, before));
      starts.addAll(Collections.nCopies(later - open, at));
      later = open;
      at = before;
    }
    starts.addAll(Collections.nCopies(later, at));
    return starts;
  }

  /** All that wait at a moment, less those whose waits have events. */
  private static int open(List<WaitSeries> recorded, List<ThreadSnapshot> dumps, Instant moment) {
    int next = 0;
    while (at(dumps.get(next)).isBefore(moment)) {
      next++;
    }
    WaitSite site = recorded.get(0).site();
    double waiting = waiting(site, dumps.get(next));
    if (next > 0) {
      Instant from = at(dumps.get(next - 1));
      double part =
          Durations.seconds(Duration.between(from, moment))
              / Durations.seconds(Duration.between(from, at(dumps.get(next))));
      waiting = part * waiting + (1 - part) * waiting(site, dumps.get(next - 1));
    }
    Window around = new Window(moment, moment.plus(STAMP));
    double seen = recorded.stream().mapToDouble(series -> series.peakWaiting(around)).sum();
    return (int) Math.max(0, waiting - Math.ceil(seen));
  }

  private static long waiting(WaitSite site, ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_LOCK))
        .filter(thread -> thread.requestThread() == site.onRequestThread())
        .filter(thread -> thread.subject().equals(site.name()))
        .count();
  }

  private static Instant at(ThreadSnapshot dump) {
    return dump.at().orElseThrow();
  }
}
