package io.gcdiag.verdict;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.HiddenWaits;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reasons why the absence of findings does not prove health although every sensor was recorded:
 * requests spend long in a state that no sensor shows, or latencies are unknown and the sensors do
 * not limit them.
 */
final class UnseenTime {

  private static final HiddenWaits OF_LOOPS =
      new HiddenWaits(
          "no delay found in these files, but no latency is in them, and they do not show all that"
              + " request threads did: requests on event loops can wait for an answer without a"
              + " thread",
          "Give a load test's results, or a latency metric");

  private UnseenTime() {}

  /** Noticeable waits may be normal service time; only a baseline of latencies can decide. */
  static Optional<HiddenWaits> unbounded(Case incident) {
    if (incident.timeline().areRequestsMeasured()) {
      return inLatency(incident);
    }
    return noticed(incident)
        .map(
            waits ->
                new HiddenWaits(
                    ("request threads waited for %s for up to %s, and no file shows whether requests"
                            + " need that")
                        .formatted(
                            waits.site().label(),
                            Durations.format(waits.within(incident.window()).longest())),
                    OF_LOOPS.howToSee()))
        .or(() -> incident.hidden().isEmpty() ? Optional.of(OF_LOOPS) : Optional.empty());
  }

  /** Noticeable request time in a state that no sensor shows. */
  private static Optional<HiddenWaits> inLatency(Case incident) {
    Timeline timeline = incident.timeline();
    double rate = RequestRate.of(timeline, incident.window()).map(Rate::perSecond).orElse(0.0);
    double computing = CpuPerRequest.seconds(incident, incident.window()).orElse(0) * rate;
    double unknown = incident.effects().during(Effect.UNACCOUNTED) - computing;
    return incident
        .requests()
        .or(incident::run)
        .filter(
            requests ->
                rate > 0
                    && unknown >= Policy.NOTABLE * requests.inSystem()
                    && unknown >= rate * Durations.seconds(Policy.FELT_DELAY))
        .map(
            requests ->
                new HiddenWaits(
                    "requests take %s on average, and for %s of it (%s) nothing recorded shows what they do"
                        .formatted(
                            Durations.format(requests.inSystem() / rate),
                            Durations.format(unknown / rate),
                            new Ratio(unknown / requests.inSystem())),
                    "Take "
                        + Signal.THREAD_DUMPS.howToRecord()
                        + ", and look at the clients' own meters of calls"));
  }

  /** Repeated waits of request threads, most of them noticeably long. */
  private static Optional<WaitSeries> noticed(Case incident) {
    Window window = incident.window();
    List<WaitSeries> all =
        Arrays.stream(WaitKind.values())
            .filter(kind -> kind != WaitKind.IDLE)
            .flatMap(kind -> UserWaits.of(incident.timeline(), kind).stream())
            .filter(series -> isNoticed(series.within(window)))
            .toList();
    return WaitSeries.longest(all, window);
  }

  private static boolean isNoticed(WaitSeries.Totals waits) {
    return waits.count() >= Policy.RECURRING
        && waits.longest().compareTo(Policy.LEAST_TAIL) >= 0
        && waits.mean().compareTo(Policy.FELT_DELAY) >= 0;
  }
}
