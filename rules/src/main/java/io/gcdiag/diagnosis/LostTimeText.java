package io.gcdiag.diagnosis;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lost time, in words. */
final class LostTimeText {

  private LostTimeText() {}

  /** Only what the inputs could show: an unseen loss is not a loss of nothing. */
  static String of(Timeline timeline, double lost, Optional<Rate> rate, double stopped) {
    List<String> parts = new ArrayList<>();
    if (timeline.sees(Signal.THREAD_PARKS)) {
      parts.add(
          Numbers.threads(lost).startsWith("0 ")
              ? "no recorded wait delayed requests"
              : rate.map(
                      r ->
                          "waits and pauses took "
                              + Durations.format(lost / r.perSecond())
                              + " per request on average")
                  .orElse("on average, " + requestThreads(lost) + " were waiting or paused"));
    } else {
      latencies(timeline).ifPresent(parts::add);
    }
    if (timeline.sees(Signal.GC_PAUSES)) {
      parts.add(
          stopped == 0
              ? "no GC pauses"
              : "GC pauses and other safepoints took "
                  + new Ratio(stopped).share()
                  + " of the time");
    }
    return parts.isEmpty()
        ? "neither waits nor dated pauses are in these inputs"
        : String.join("; ", parts);
  }

  private static Optional<String> latencies(Timeline timeline) {
    return timeline
        .mainRequestStats()
        .filter(
            stats ->
                stats.percentile(Percentiles.MEDIAN).isPresent()
                    && stats.percentile(Percentiles.TAIL).isPresent())
        .map(
            stats ->
                "half of the requests took at most "
                    + Durations.format(stats.percentile(Percentiles.MEDIAN).get())
                    + ", 99 in 100 at most "
                    + Durations.format(stats.percentile(Percentiles.TAIL).get()));
  }

  /** What a reader of the load test's figures finds in them and not in these. */
  static String ofLooks(Incident incident, EffectTimes times) {
    double perSecond = times.observerSeconds() / incident.window().seconds();
    return perSecond < Policy.LEAST_THREADS_NAMED
        ? ""
        : "; delays by thread dumps and the recorder itself are not counted ("
            + Numbers.threads(perSecond)
            + " on average)";
  }

  private static String requestThreads(double number) {
    return Numbers.threads(number).replace(" thread", " request thread");
  }
}
