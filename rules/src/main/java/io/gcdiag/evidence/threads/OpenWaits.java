package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

  private OpenWaits() {}

  /**
   * The recorded waits with those that had not ended. Waits for a lock are believed to be open if a
   * recorded one of it lasted longer than the time from the last dump to the end: shorter ones
   * would have events, or are too short for any.
   *
   * @param waits recorded ones
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
    return mayLast && main ? one.withOpen(starts(alike, dumps), end) : one;
  }

  private static boolean isSameLock(WaitSite one, WaitSite other) {
    return other.kind() == WaitKind.LOCK
        && other.name().equals(one.name())
        && other.onRequestThread() == one.onRequestThread();
  }

  /**
   * When they began. One that is open at a dump is open at each later dump, so a dump has at most
   * as many as the next one; those that it lacks are spread evenly over the time between the two.
   */
  private static List<Instant> starts(List<WaitSeries> recorded, List<ThreadSnapshot> dumps) {
    List<Instant> starts = new ArrayList<>();
    int later = 0;
    for (int i = dumps.size() - 1; i >= 0; i--) {
      Instant at = at(dumps.get(i));
      boolean last = i == dumps.size() - 1;
      int open = Math.min(last ? Integer.MAX_VALUE : later, open(recorded, dumps.get(i)));
      Duration gap = last ? Duration.ZERO : Duration.between(at, at(dumps.get(i + 1)));
      int begun = later - open;
      for (int k = 0; k < begun; k++) {
        starts.add(at.plus(gap.multipliedBy(2L * k + 1).dividedBy(2L * begun)));
      }
      later = open;
    }
    for (int k = 0; k < later; k++) {
      starts.add(at(dumps.get(0)));
    }
    return starts;
  }

  /** Threads that wait in a dump, less those whose waits have events. */
  private static int open(List<WaitSeries> recorded, ThreadSnapshot dump) {
    WaitSite site = recorded.get(0).site();
    long waiting =
        dump.threads().stream()
            .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_LOCK))
            .filter(thread -> thread.requestThread() == site.onRequestThread())
            .filter(thread -> thread.subject().equals(site.name()))
            .count();
    Window moment = new Window(at(dump), at(dump).plus(STAMP));
    double seen = recorded.stream().mapToDouble(series -> series.peakWaiting(moment)).sum();
    return (int) Math.max(0, waiting - Math.ceil(seen));
  }

  private static Instant at(ThreadSnapshot dump) {
    return dump.at().orElseThrow();
  }
}
