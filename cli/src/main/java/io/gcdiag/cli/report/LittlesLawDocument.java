package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.cli.report.PoolQuestion.TargetWait;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.queueing.StallImpact;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
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
    return Json.document(
        new Document(
            new Asked(
                rate(),
                question.hold(),
                question.holdIsBound(),
                question.pool(),
                question.pause(),
                question.target().map(TargetWait::limit),
                Numbers.of(question.target(), TargetWait::percentile),
                question.origins()),
            demand().concurrency(),
            question.pool().stream().mapToObj(this::pool).findFirst(),
            question.pause().map(any -> pause()),
            smallestPool()));
  }

  private record Document(
      Asked question,
      double connectionsNeeded,
      Optional<Pool> pool,
      Optional<Pause> pause,
      OptionalInt smallestPool) {}

  private record Asked(
      double arrivalsPerSecond,
      Duration holdSeconds,
      boolean holdIsUpperBound,
      OptionalInt poolSize,
      Optional<Duration> pauseSeconds,
      Optional<Duration> targetWaitSeconds,
      OptionalDouble targetPercentile,
      List<String> origins) {}

  private record Pool(
      boolean keepsUp,
      double utilisation,
      double servedPerSecondAtMost,
      double waitProbability,
      Optional<Duration> meanWaitSeconds,
      Optional<Duration> p99WaitSeconds) {}

  private Pool pool(int size) {
    ErlangC queue = queue(size);
    return new Pool(
        queue.isStable(),
        demand().utilisationOf(size),
        servedPerSecond(size),
        queue.waitProbability(),
        queue.meanWait(),
        queue.waitQuantile(P99));
  }

  private record Pause(double arrivals, Met poolIdle, Met poolAsUsual) {}

  private Pause pause() {
    StallImpact idle = pauseMeeting(0);
    return new Pause(idle.arrivals(), Met.of(idle), Met.of(pauseMeeting(usuallyBusy())));
  }

  private record Met(
      double busyConnections,
      double mustWait,
      Optional<Duration> drainSeconds,
      Duration longestPoolWaitSeconds) {

    static Met of(StallImpact impact) {
      return new Met(
          impact.busyAtStart(), impact.backlog(), impact.drainTime(), impact.longestPoolWait());
    }
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
