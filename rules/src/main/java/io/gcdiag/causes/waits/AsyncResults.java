package io.gcdiag.causes.waits;

import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;

/**
 * Waits for the result of a reactive chain. A request may wait there for an answer, or for a
 * connection before its call has begun, for which no thread waits: the clients' own timers or spans
 * tell which.
 */
final class AsyncResults {

  private static final String EXPERIMENT =
      "record the pool's meters (connections in use and threads or subscribers that wait), or the"
          + " client's timers or spans: if its calls take no longer, the requests wait for a"
          + " connection";

  /** Of two causes that are not separated, the one that the calls speak for comes first. */
  private static final double LIKELIER = 0.51;

  private AsyncResults() {}

  /**
   * Books the time of these waits.
   *
   * @param lost share of it that is lost, 0 to 1
   */
  static void attribute(
      Case incident, DownstreamCalls during, FindingBuilder finding, double lost) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<CallMeters> timed = CallMeters.of(timeline, window);
    double inCalls = timed.stream().mapToDouble(CallMeters::inProgress).sum();
    double waiting = during.count() * during.meanSeconds() / window.seconds();
    if (timeline.metrics(MetricMeaning.CALL_SECONDS).isEmpty()) {
      // As long as each other to a hundredth: a time limit ended them, whatever they waited for.
      boolean byLimit =
          DownstreamCalls.spread(timeline, window).orElse(Double.MAX_VALUE) <= 1 + Policy.TAIL;
      finding.sum("a request waits so for an answer, or for a connection before its call");
      if (byLimit) {
        finding.sum(
            "half of them take %s, and 99 %% no longer: a time limit ends them"
                .formatted(Durations.format(during.busiest().length(Percentiles.MEDIAN / 100.0))));
        finding.supports(Hypothesis.SLOW_DOWNSTREAM).supports(Hypothesis.CONNECTION_LEAK);
      } else {
        finding.explainsEither(
            Hypothesis.SLOW_DOWNSTREAM,
            Hypothesis.CONNECTION_POOL_UNDERSIZED,
            Effect.DOWNSTREAM_WAIT,
            lost,
            EXPERIMENT);
      }
    } else if (inCalls >= Policy.MAJORITY * waiting) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, lost);
    } else {
      double now = timed.stream().mapToDouble(CallMeters::perSecond).sum();
      double usual =
          incident
              .baseline()
              .map(before -> CallMeters.of(timeline, before))
              .orElse(List.of())
              .stream()
              .mapToDouble(CallMeters::perSecond)
              .sum();
      finding.sum(
          "by the client's own timers %s calls a second (before: %s) and %s requests in them: the others wait before their call"
              .formatted(
                  Numbers.threeDigits(now),
                  Numbers.threeDigits(usual),
                  Numbers.threeDigits(inCalls)));
      Hypothesis first =
          now < (1 - Policy.MAJORITY) * usual
              ? Hypothesis.CONNECTION_LEAK
              : Hypothesis.CONNECTION_POOL_UNDERSIZED;
      Hypothesis other =
          first == Hypothesis.CONNECTION_LEAK
              ? Hypothesis.CONNECTION_POOL_UNDERSIZED
              : Hypothesis.CONNECTION_LEAK;
      finding
          .explains(first, Effect.DOWNSTREAM_WAIT, LIKELIER * lost)
          .explains(other, Effect.DOWNSTREAM_WAIT, (1 - LIKELIER) * lost)
          .inseparable(first, other, EXPERIMENT);
    }
  }
}
