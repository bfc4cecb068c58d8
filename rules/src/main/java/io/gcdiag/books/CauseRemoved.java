package io.gcdiag.books;

import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Prediction.Range;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Latency once a cause is gone, whatever was done about it: the figures of the baseline. */
public final class CauseRemoved {

  /** What such a prediction takes for granted. */
  public static final List<String> ASSUMPTIONS =
      List.of("the load is that of the incident", "there is no other cause");

  /** With more than this left, the figures of the baseline promise too much. */
  private static final double MOST = 0.75;

  /**
   * With this many times the requests, a queue at 50 % utilisation reaches 75 %: negligible waits
   * become as long as the service time.
   */
  private static final double FAR_MORE_ASKED = 1.5;

  /**
   * By such factors the 99th percentile with the cause removed differs from the baseline's beyond
   * what that is known to: eight of ten of the fixes of the first two blind tests ({@code
   * docs/predictions.md}) are within these. It is rather more than less, as what came with the
   * cause, such as more work in each request, stays.
   */
  private static final double LESS_IN_ANOTHER_RUN = 0.84;

  private static final double MORE_IN_ANOTHER_RUN = 1.67;

  private final Case incident;
  private final Cause cause;

  public CauseRemoved(Case incident, Cause cause) {
    this.incident = incident;
    this.cause = cause;
  }

  /** What is changed, for people. */
  public static String change(Cause cause) {
    return cause.hypothesis().id() + " removed";
  }

  /**
   * Latency once a cause is gone that may not be the only one.
   *
   * @param share how much of what was lost it explains, if that is known
   */
  Prediction latency(OptionalDouble share) {
    return share.isPresent() && share.getAsDouble() < MOST
        ? refused("it explains only " + new Ratio(share.getAsDouble()) + " of the lost time")
        : latency();
  }

  /** The same of a cause that is the only one. */
  public Prediction latency() {
    boolean byPauses = cause.is(Trait.BY_PAUSES);
    double touched = byPauses ? incident.pausesAlone().map(PausesAlone::touched).orElse(1.0) : 1;
    Optional<UndisturbedLatency> latency = UndisturbedLatency.of(incident, touched);
    if (latency.isEmpty()) {
      return refused(Latency.notKnown(incident));
    }
    if (!byPauses && !latency.get().isMeasured()) {
      return refused(Latency.notSeparated(incident));
    }
    if (latency.get().isMeasured() && RequestRate.busier(incident) >= FAR_MORE_ASKED) {
      return refused("the baseline had far fewer requests than the incident");
    }
    if (latency.get().isMeasured() && cause.mayStay(incident)) {
      return refused("the live set is larger than in the baseline");
    }
    Prediction asBefore =
        Latency.prediction(
            incident,
            cause.hypothesis(),
            change(cause),
            Latency.now(incident),
            Range.of(
                latency.get().atLeast(PausesAlone.TAIL).toNanos(),
                latency.get().atMost(PausesAlone.TAIL).toNanos()),
            latency.get().basis(),
            ASSUMPTIONS);
    return asBefore.withRange(asBefore.range().map(CauseRemoved::inAnotherRun));
  }

  private static Range inAnotherRun(Range range) {
    return new Range(
        LESS_IN_ANOTHER_RUN * range.low(), MORE_IN_ANOTHER_RUN * range.high(), range.middle());
  }

  /** No latency, for that reason. */
  public Prediction refused(String why) {
    return new Prediction(
        cause.hypothesis(),
        change(cause),
        Quantity.LATENCY_P99,
        Latency.now(incident),
        Optional.empty(),
        why,
        ASSUMPTIONS);
  }
}
