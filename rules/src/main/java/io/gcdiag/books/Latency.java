package io.gcdiag.books;

import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.requests.RequestsOverTime;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Common parts of the predictions of latency. */
public final class Latency {

  /** A range wider than tenfold is not printed. */
  private static final double WIDEST = 10;

  /** Run-to-run variation of one service under one load. */
  private static final double RUNS_DIFFER = 0.05;

  private static final double WHOLE = 100;

  private Latency() {}

  /** Why the latency without the cause is unknown, if there are no usable latencies. */
  public static String notKnown(Incident incident) {
    return tooFew(incident).orElseGet(() -> notRecorded(incident));
  }

  /** The latencies over time are there, and those of the baseline are too few. */
  private static Optional<String> tooFew(Incident incident) {
    return incident
        .timeline()
        .mainRequestSeries()
        .flatMap(series -> incident.baseline().map(series::within))
        .map(requests -> requests.latencies().count())
        .filter(count -> count > 0 && count < Policy.FEWEST_FOR_A_TAIL)
        .map(
            count ->
                "the baseline has only %s, and a P99 needs %d"
                    .formatted(Numbers.counted(count, "request"), Policy.FEWEST_FOR_A_TAIL));
  }

  private static String notRecorded(Incident incident) {
    boolean means =
        incident.timeline().mainRequestSeries().filter(RequestSeries::hasMeansAlone).isPresent();
    if (!incident.timeline().metrics(MetricMeaning.LATENCY).isEmpty()) {
      return "of request latencies these files have percentiles that the service computed alone";
    }
    return means
        ? "of request latencies these files have the mean and no percentile"
        : "request latencies are not in these files" + overTime(incident);
  }

  /** The same if there are latencies of a whole run. */
  static String notSeparated(Incident incident) {
    return isOnlySummed(incident)
        ? "the load test has no latencies over time" + overTime(incident)
        : tooFew(incident).orElse("no baseline shows the normal latency");
  }

  private static String overTime(Incident incident) {
    return " (" + RequestsOverTime.howToRecord(incident.timeline()) + ")";
  }

  /** Whether latencies over time would show those of the baseline. */
  private static boolean isOnlySummed(Incident incident) {
    return incident.baseline().isPresent() && incident.timeline().mainRequestSeries().isEmpty();
  }

  /**
   * The 99th percentile in the incident, in nanoseconds; of the whole test if only that is known.
   */
  public static OptionalDouble now(Incident incident) {
    OptionalDouble ofIncident = ofIncident(incident);
    return ofIncident.isPresent()
        ? ofIncident
        : nanos(
            incident
                .timeline()
                .mainRequestStats()
                .flatMap(test -> test.percentile(PausesAlone.TAIL * WHOLE)));
  }

  /** The same for the incident only; empty if there is only a summary of the whole test. */
  public static OptionalDouble ofIncident(Incident incident) {
    return nanos(
        incident
            .timeline()
            .mainRequestSeries()
            .map(series -> series.within(incident.window()).latencies())
            .flatMap(latencies -> latencies.percentile(PausesAlone.TAIL * WHOLE))
            // Histogram classes are one percent wide and may end above the longest latency, which
            // is known exactly.
            .map(bound -> longest(incident).map(bound::upTo).orElse(bound))
            .flatMap(LatencyBound::value));
  }

  private static Optional<Duration> longest(Incident incident) {
    return incident.timeline().mainRequestStats().flatMap(RequestStats::longest);
  }

  private static OptionalDouble nanos(Optional<Duration> latency) {
    return Numbers.of(latency, known -> known.toNanos());
  }

  /** A prediction of the 99th percentile, without a range if that would be too wide. */
  public static Prediction prediction(
      Incident incident,
      Hypothesis hypothesis,
      String change,
      OptionalDouble now,
      Estimate bounds,
      String basis,
      List<String> assumptions) {
    Estimate expected = bounds.stated();
    Estimate range =
        new Estimate(
            (1 - RUNS_DIFFER) * expected.low(),
            expected.likely(),
            (1 + RUNS_DIFFER) * expected.high());
    boolean tooWide = expected.high() > WIDEST * expected.low();
    return new Prediction(
        hypothesis,
        change,
        Quantity.LATENCY_P99,
        now,
        tooWide ? Optional.empty() : Optional.of(range),
        tooWide
            ? "the estimate spans more than a factor of ten"
                + (isOnlySummed(incident)
                    ? "; with latencies over time it is narrower" + overTime(incident)
                    : "")
            : basis,
        assumptions);
  }
}
