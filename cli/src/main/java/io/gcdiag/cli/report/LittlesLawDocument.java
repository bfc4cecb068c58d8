package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.cli.report.PoolQuestion.TargetWait;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.queueing.StallImpact;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How many connections a load needs, and what a pool and a pause make of it.
 *
 * @param question what was asked
 */
public record LittlesLawDocument(PoolQuestion question) implements Printable {

  static final double P99 = 0.99;

  @Override
  public Report report() {
    return LittlesLawReport.of(this);
  }

  @Override
  public JsonNode json() {
    return JsonFields.document()
        .put(
            "question",
            new JsonFields()
                .number("arrivalsPerSecond", rate())
                .number("holdSeconds", Durations.seconds(question.hold()))
                .flag("holdIsUpperBound", question.holdIsBound())
                .number("poolSize", question.pool())
                .seconds("pauseSeconds", question.pause())
                .seconds("targetWaitSeconds", question.target().map(TargetWait::limit))
                .number("targetPercentile", Numbers.of(question.target(), TargetWait::percentile))
                .texts("origins", question.origins()))
        .number("connectionsNeeded", demand().concurrency())
        .put("pool", question.pool().stream().mapToObj(this::pool).findFirst())
        .put("pause", question.pause().map(any -> pause()))
        .number("smallestPool", smallestPool())
        .node();
  }

  private JsonFields pool(int size) {
    ErlangC queue = queue(size);
    return new JsonFields()
        .flag("keepsUp", queue.isStable())
        .number("utilisation", demand().utilisationOf(size))
        .number("servedPerSecondAtMost", servedPerSecond(size))
        .number("waitProbability", queue.waitProbability())
        .seconds("meanWaitSeconds", queue.meanWait())
        .seconds("p99WaitSeconds", queue.waitQuantile(P99));
  }

  private JsonFields pause() {
    StallImpact idle = pauseMeeting(0);
    return new JsonFields()
        .number("arrivals", idle.arrivals())
        .put("poolIdle", fields(idle))
        .put("poolAsUsual", fields(pauseMeeting(usuallyBusy())));
  }

  private static JsonFields fields(StallImpact impact) {
    return new JsonFields()
        .number("busyConnections", impact.busyAtStart())
        .number("mustWait", impact.backlog())
        .seconds("drainSeconds", impact.drainTime())
        .number("longestPoolWaitSeconds", Durations.seconds(impact.longestPoolWait()));
  }

  double rate() {
    return question.rate().perSecond();
  }

  LittlesLaw demand() {
    return new LittlesLaw(rate(), question.hold());
  }

  ErlangC queue(int size) {
    return ErlangC.of(rate(), question.hold(), size);
  }

  double servedPerSecond(int size) {
    return LittlesLaw.sustainableRatePerSecond(size, question.hold());
  }

  /** Connections in use on average, without pauses. */
  double usuallyBusy() {
    return Math.min(question.pool().getAsInt(), demand().concurrency());
  }

  StallImpact pauseMeeting(double busy) {
    return new StallImpact(
        rate(),
        question.pause().orElse(Duration.ZERO),
        question.pool().getAsInt(),
        question.hold(),
        busy);
  }

  OptionalInt smallestPool() {
    return question
        .target()
        .map(t -> ErlangC.smallestPoolFor(rate(), question.hold(), t.limit(), t.probability()))
        .orElse(OptionalInt.empty());
  }
}
