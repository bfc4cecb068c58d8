package io.gcdiag.measures.waits;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.AnsweringGroup;
import io.gcdiag.evidence.waits.SampledTime;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.requests.LoadTestDelays;
import java.util.List;

/** Which of the recorded waits keep users waiting. */
public final class UserWaits {

  private UserWaits() {}

  /** The waits that measure an effect; none if no kind of waits does. */
  public static List<WaitSeries> of(Timeline timeline, Effect effect) {
    return effect.waitsFor().map(kind -> of(timeline, kind)).orElse(List.of());
  }

  /**
   * Waits that keep users waiting: on request threads, or all where none is recognised as one.
   * Where request threads are there and were not seen waiting, waits of other threads count if
   * several threads share the work: what one thread does alone is a timer's or a loader's round.
   * Calls of such threads count as well where some were seen to hand requests their answers.
   * Borrowers of connections count on any thread.
   */
  public static List<WaitSeries> of(Timeline timeline, WaitKind kind) {
    if (kind == WaitKind.POOL) {
      return timeline.waits(kind);
    }
    if (kind == WaitKind.SLEEP) {
      return sleeps(timeline);
    }
    boolean answered =
        kind == WaitKind.DOWNSTREAM && !timeline.samples(AnsweringGroup.class).isEmpty();
    if (!answered
        && timeline.waits().stream().anyMatch(series -> series.site().onRequestThread())) {
      return timeline.waits(kind).stream()
          .filter(series -> series.site().onRequestThread())
          .toList();
    }
    boolean served =
        timeline.samples(SampledTime.class).stream().anyMatch(SampledTime::onRequestThread);
    return timeline.waits(kind).stream()
        .filter(
            series -> !served || !series.oneThread() || answered && series.site().onRequestThread())
        .toList();
  }

  /**
   * Sleeps of request threads; what else sleeps does so between two rounds of its own. Where all
   * requests wait by the load test and no request thread sleeps, those of several threads in a
   * limiter count: they have the requests' work.
   */
  private static List<WaitSeries> sleeps(Timeline timeline) {
    List<WaitSeries> all = timeline.waits(WaitKind.SLEEP);
    List<WaitSeries> requests =
        all.stream().filter(series -> series.site().onRequestThread()).toList();
    return requests.isEmpty() && LoadTestDelays.everybodyWaits(timeline)
        ? all.stream().filter(series -> series.site().isNamed() && !series.oneThread()).toList()
        : requests;
  }

  /** Threads on average that wait in a limiter for their turn, which is a queue like any other. */
  public static double inLimiters(Timeline timeline, Window window) {
    double seconds =
        of(timeline, WaitKind.SLEEP).stream()
            .filter(series -> series.site().isNamed())
            .mapToDouble(series -> series.within(window).waitedSeconds())
            .sum();
    return seconds / window.seconds();
  }
}
