package io.gcdiag.measures.effects;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.machine.CpuLoad;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.cores.CpuUse;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.units.Rate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What requests compute: CPU time of the work that users wait for, by the recording, per request,
 * by the load test. It can be compared where both are known over time; more requests that each cost
 * as much as before are no more computing in this sense.
 *
 * @param duringSeconds CPU time per request in the incident
 * @param beforeSeconds the same in the baseline
 * @param rate requests per second in the incident
 */
public record CpuPerRequest(double duringSeconds, double beforeSeconds, double rate) {

  /** Fewer requests than this in a window make no mean. */
  private static final double FEWEST_REQUESTS = 30;

  /** Costs that differ by less may owe it to another mix of requests. */
  private static final double CLEARLY_MORE = 1.5;

  /** Absent without a calm, or if the rate or the CPU load of either window is not known. */
  public static Optional<CpuPerRequest> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    Optional<Window> calm = incident.windows().baseline();
    if (calm.isEmpty()) {
      return Optional.empty();
    }
    double rate = rate(timeline, window);
    double rateBefore = rate(timeline, calm.get());
    if (rate * window.seconds() < FEWEST_REQUESTS
        || rateBefore * calm.get().seconds() < FEWEST_REQUESTS) {
      return Optional.empty();
    }
    Optional<CpuUse> during = CpuUse.of(timeline, window);
    Optional<CpuUse> before = CpuUse.of(timeline, calm.get());
    if (during.isEmpty() || before.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new CpuPerRequest(
            cores(timeline, window, during.get()) / rate,
            cores(timeline, calm.get(), before.get()) / rateBefore,
            rate));
  }

  /** The rate inside a window as the files say it over time; 0 if they do not. */
  private static double rate(Timeline timeline, Window window) {
    return timeline
        .mainRequestSeries()
        .filter(series -> series.span().filter(span -> covers(span, window)).isPresent())
        .flatMap(series -> series.rate(window))
        .map(Rate::perSecond)
        .orElse(0.0);
  }

  private static boolean covers(Window span, Window window) {
    return 2 * span.overlap(window.from(), window.length()).toNanos() >= window.length().toNanos();
  }

  private static double cores(Timeline timeline, Window window, CpuUse use) {
    return use.jvm() * MachineLoad.cores(timeline) * CoreQueue.users(timeline, window);
  }

  /** In seconds, the collector's included; empty if CPU load, cores or rate are not known. */
  private static OptionalDouble seconds(Timeline timeline, Window window) {
    OptionalDouble share = timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).average();
    double rate = RequestRate.of(timeline, window).map(known -> known.perSecond()).orElse(0.0);
    int cores = timeline.jvm().cpus().orElse(0);
    return share.isEmpty() || rate <= 0 || cores == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(share.getAsDouble() * cores / rate);
  }

  /** Whether a request costs clearly more than in the baseline, as far as both are known. */
  public static boolean grew(Incident incident) {
    OptionalDouble during = seconds(incident.timeline(), incident.windows().incident());
    return incident.windows().baseline().isPresent()
        && during.isPresent()
        && during.getAsDouble()
            >= CLEARLY_MORE
                * seconds(incident.timeline(), incident.windows().baseline().get())
                    .orElse(Double.POSITIVE_INFINITY);
  }
}
