package io.gcdiag.prediction;

import io.gcdiag.accounts.stops.PausesAlone;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.requests.LatencyBound;
import io.gcdiag.prediction.Prediction.Quantity;
import io.gcdiag.prediction.Prediction.Range;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the predictions of latencies have in common. */
final class Latency {

  static final String NOT_KNOWN =
      "the inputs do not say how long requests take: add the raw results of a load test, or scrapes"
          + " of a latency histogram";

  static final String MIXED =
      "a summary of the whole load test does not separate the baseline's requests from the others: add its"
          + " raw results, or scrapes of a latency histogram, that include the baseline";

  static final String NO_CALM = "there is no baseline that shows how long requests normally take";

  /** A range wider than tenfold is of no use. */
  private static final double WIDEST = 10;

  /** Two runs of one service under one load differ by as much. */
  private static final double RUNS_DIFFER = 0.05;

  private static final double WHOLE = 100;

  private Latency() {}

  /** The 99th percentile in the incident, in nanoseconds; of the whole test where that is all. */
  static OptionalDouble now(Incident incident) {
    OptionalDouble ofIncident = ofIncident(incident);
    return ofIncident.isPresent()
        ? ofIncident
        : nanos(
            incident
                .timeline()
                .mainRequestStats()
                .flatMap(test -> test.percentile(PausesAlone.TAIL * WHOLE)));
  }

  /** The same of the incident alone; empty where a summary tells of the whole test only. */
  static OptionalDouble ofIncident(Incident incident) {
    return nanos(
        incident
            .timeline()
            .mainRequestSeries()
            .map(series -> series.within(incident.windows().incident()).latencies())
            .flatMap(latencies -> latencies.percentile(PausesAlone.TAIL * WHOLE))
            .flatMap(LatencyBound::value));
  }

  private static OptionalDouble nanos(Optional<Duration> latency) {
    return latency.isPresent()
        ? OptionalDouble.of(latency.get().toNanos())
        : OptionalDouble.empty();
  }

  /** A prediction of the 99th percentile, or none if the range would say nothing. */
  static Prediction prediction(
      Hypothesis hypothesis,
      String change,
      OptionalDouble now,
      Range expected,
      String basis,
      List<String> assumptions) {
    Range range =
        new Range(
            (1 - RUNS_DIFFER) * expected.low(),
            (1 + RUNS_DIFFER) * expected.high(),
            expected.middle());
    boolean tooWide = expected.high() > WIDEST * expected.low();
    return new Prediction(
        hypothesis,
        change,
        Quantity.LATENCY_P99,
        now,
        tooWide ? Optional.empty() : Optional.of(range),
        tooWide
            ? "the inputs bound it only to within a factor of more than ten: latencies over time that"
                + " include the baseline would narrow it"
            : basis,
        assumptions);
  }
}
