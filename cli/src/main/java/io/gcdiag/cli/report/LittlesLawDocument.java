package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.queueing.StallImpact;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
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
    ObjectNode root = JsonText.document();
    ObjectNode asked = root.putObject("question");
    asked.set("arrivalsPerSecond", JsonText.number(rate()));
    asked.set("holdSeconds", seconds(Optional.of(question.hold())));
    asked.put("holdIsUpperBound", question.holdIsBound());
    asked.set("poolSize", whole(question.pool()));
    asked.set("pauseSeconds", seconds(question.pause()));
    asked.set("targetWaitSeconds", seconds(question.target().map(t -> t.limit())));
    asked.set(
        "targetPercentile", JsonText.number(Numbers.of(question.target(), t -> t.percentile())));
    ArrayNode origins = asked.putArray("origins");
    question.origins().forEach(origin -> origins.add(JsonText.text(origin)));
    root.set("connectionsNeeded", JsonText.number(demand().concurrency()));
    root.putNull("pool");
    root.putNull("pause");
    if (question.pool().isPresent()) {
      putPool(root.putObject("pool"), question.pool().getAsInt());
    }
    if (question.pause().isPresent()) {
      putPause(root.putObject("pause"));
    }
    root.set("smallestPool", whole(smallestPool()));
    return root;
  }

  private void putPool(ObjectNode node, int size) {
    ErlangC queue = queue(size);
    node.put("keepsUp", queue.isStable());
    node.set("utilisation", JsonText.number(demand().utilisationOf(size)));
    node.set("servedPerSecondAtMost", JsonText.number(servedPerSecond(size)));
    node.set("waitProbability", JsonText.number(queue.waitProbability()));
    node.set("meanWaitSeconds", seconds(queue.meanWait()));
    node.set("p99WaitSeconds", seconds(queue.waitQuantile(P99)));
  }

  private void putPause(ObjectNode node) {
    StallImpact idle = pauseMeeting(0);
    StallImpact usual = pauseMeeting(usuallyBusy());
    node.set("arrivals", JsonText.number(idle.arrivals()));
    putStall(node.putObject("poolIdle"), idle);
    putStall(node.putObject("poolAsUsual"), usual);
  }

  private void putStall(ObjectNode node, StallImpact impact) {
    node.set("busyConnections", JsonText.number(impact.busyAtStart()));
    node.set("mustWait", JsonText.number(impact.backlog()));
    node.set("drainSeconds", seconds(impact.drainTime()));
    node.set("longestPoolWaitSeconds", seconds(Optional.of(impact.longestPoolWait())));
  }

  private static JsonNode seconds(Optional<Duration> duration) {
    return JsonText.number(Numbers.of(duration, d -> Durations.seconds(d)));
  }

  private static JsonNode whole(OptionalInt value) {
    return JsonText.number(
        value.isPresent() ? OptionalDouble.of(value.getAsInt()) : OptionalDouble.empty());
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
