package io.gcdiag.verdict;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.HiddenWaits;
import io.gcdiag.figures.HiddenWaits.Step;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.FasterOutside;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
          Step.LATENCIES);

  private static final Step FROM_BEFORE =
      Step.of(
          "Record from before the incident on, or give a recording of a normal time to gcdiag compare");

  private UnseenTime() {}

  /** Noticeable waits may be normal service time; only a baseline of latencies can decide. */
  static Optional<HiddenWaits> unbounded(MeasuredIncident incident) {
    if (incident.timeline().areRequestsMeasured()) {
      return UserImpact.areSpreadAsBefore(incident)
          ? Optional.empty()
          : uncompared(incident).or(() -> inLatency(incident));
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
                    Step.LATENCIES))
        .or(() -> uncompared(incident))
        .or(() -> incident.hidden().isEmpty() ? Optional.of(OF_LOOPS) : Optional.empty());
  }

  /** What may be the incident itself, as no baseline says that it is normal. */
  static Optional<HiddenWaits> uncompared(MeasuredIncident incident) {
    if (incident.baseline().isPresent()) {
      return Optional.empty();
    }
    return incident.timeline().areRequestsMeasured()
        ? fasterOutside(incident).or(() -> longTail(incident))
        : MachineLoad.mean(incident.timeline(), incident.window()).stream()
            .filter(load -> load >= Policy.FULL)
            .mapToObj(load -> "the CPUs are full (%s)".formatted(new Ratio(load)))
            .findFirst()
            .or(() -> incident.stations().stream().flatMap(UnseenTime::occupied).findFirst())
            .map(
                full ->
                    new HiddenWaits(
                        full + ", and neither a baseline nor a latency shows whether requests wait",
                        Step.LATENCIES));
  }

  private static Optional<HiddenWaits> fasterOutside(MeasuredIncident incident) {
    return FasterOutside.of(incident.timeline(), incident.window(), incident.window())
        .map(
            other ->
                new HiddenWaits(
                    "%s of the requests took over %s, and from %s, of which nothing else is known, over %s"
                        .formatted(
                            other.percentile() == Percentiles.MEDIAN ? "half" : "one in a hundred",
                            Durations.format(other.now()),
                            UtcText.span(other.rest().from(), other.rest().to()),
                            Durations.format(other.usual())),
                    FROM_BEFORE));
  }

  /**
   * Some requests take long, and many times as long as most do, and nothing says that it is normal.
   */
  private static Optional<HiddenWaits> longTail(MeasuredIncident incident) {
    double looks = incident.effects().observerSeconds() / incident.window().seconds();
    return TestedRequests.ofIncident(incident)
        .filter(any -> looks < Policy.LEAST_THREADS_FELT)
        .flatMap(
            stats ->
                stats
                    .percentile(Percentiles.MEDIAN)
                    .flatMap(
                        median ->
                            stats
                                .percentile(Percentiles.TAIL)
                                .filter(LoadTestDelays::isLong)
                                .filter(
                                    tail ->
                                        LoadTestDelays.multiplies(
                                            Durations.seconds(tail.minus(median)),
                                            Durations.seconds(median)))
                                .map(
                                    tail ->
                                        new HiddenWaits(
                                            "half of the requests took at most %s, and one in a hundred over %s, with no baseline that shows whether it always does"
                                                .formatted(
                                                    Durations.format(median),
                                                    Durations.format(tail)),
                                            FROM_BEFORE))));
  }

  private static Stream<String> occupied(Station station) {
    double threads = station.during().inIt();
    return Stream.of(station)
        .filter(
            one ->
                one.kind() == Station.Kind.WORKERS
                    && one.servers().orElse(0) > Policy.FEWEST_QUEUED)
        .filter(one -> threads > Policy.MAJORITY * one.servers().orElseThrow())
        .map(
            one ->
                "%s of %s threads %s are at work on average"
                    .formatted(
                        Numbers.threeDigits(threads),
                        Math.round(one.servers().orElseThrow()),
                        one.name()));
  }

  /** Noticeable request time in a state that no sensor shows. */
  private static Optional<HiddenWaits> inLatency(MeasuredIncident incident) {
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
                    Step.of(
                        "Take "
                            + Signal.THREAD_DUMPS.howToRecord()
                            + ", and look at the clients' own meters of calls")));
  }

  /** Repeated waits of request threads, most of them noticeably long. */
  private static Optional<WaitSeries> noticed(MeasuredIncident incident) {
    Window window = incident.window();
    List<WaitSeries> all =
        Arrays.stream(WaitKind.values())
            .filter(kind -> kind != WaitKind.IDLE)
            .flatMap(kind -> UserWaits.of(incident.timeline(), kind).stream())
            .filter(series -> isNoticed(series.within(window)))
            .filter(series -> !isUsual(series, incident))
            .toList();
    return WaitSeries.longest(all, window);
  }

  /** Whether requests waited as long each before: then they need that. */
  private static boolean isUsual(WaitSeries series, Incident incident) {
    double now = Durations.seconds(series.within(incident.window()).mean());
    return incident.baseline().map(series::within).stream()
        .filter(before -> before.count() >= Policy.RECURRING)
        .anyMatch(before -> now < Policy.CLEARLY_MORE * Durations.seconds(before.mean()));
  }

  private static boolean isNoticed(WaitSeries.Totals waits) {
    return waits.count() >= Policy.RECURRING
        && waits.longest().compareTo(Policy.LEAST_TAIL) >= 0
        && waits.mean().compareTo(Policy.FELT_DELAY) >= 0;
  }
}
