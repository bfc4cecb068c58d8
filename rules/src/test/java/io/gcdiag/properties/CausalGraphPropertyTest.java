package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.books.CausalLink;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The causal graph of every incident is the ledger's account of it: what leads to latency is what
 * the ledger's lines hold, no effect hands on more than it has, each cause has what its steps
 * carry, and what is left over stays unexplained. So nothing is told twice and nothing left out.
 */
@Tag("slow")
@Tag("incidents")
class CausalGraphPropertyTest {

  /** Time that goes round in a circle is followed until a millionth of the loss is left of it. */
  private static final double ROUNDING = 1e-5;

  /** Shares below half of the last digit that reports show are not among the judgements. */
  private static final double LEAST_SHOWN = 0.0005;

  @Test
  void theStepsOfEveryIncidentAreItsLedger() {
    assertEquals(List.of(), ofEach(CausalGraphPropertyTest::broken));
  }

  @Test
  void everyStepOfEveryIncidentSaysHowMuchAndWhy() {
    assertEquals(List.of(), ofEach(diagnosis -> links(diagnosis).filter(step -> !isWhole(step))));
  }

  @Test
  void everySuspectWithAShareHasAChainFromItToLatency() {
    assertEquals(List.of(), ofEach(CausalGraphPropertyTest::withoutChain));
  }

  private static List<String> ofEach(Function<Diagnosis, Stream<?>> what) {
    return Incidents.recorded().parallelStream()
        .flatMap(
            incident ->
                what.apply(IncidentDiagnoses.of(incident)).map(w -> incident.name() + ": " + w))
        .sorted()
        .toList();
  }

  private static Stream<CausalLink> links(Diagnosis diagnosis) {
    return Stream.concat(
        diagnosis.lostTime().causes().chain().stream(),
        diagnosis.lostTime().causes().beside().stream());
  }

  private static boolean isWhole(CausalLink step) {
    boolean measured = step.to().equals(CausalLink.LATENCY);
    return step.seconds() > 0
        && step.share() > 0
        && !step.statement().isEmpty()
        && measured == step.rule().isEmpty()
        && measured == step.sources().isEmpty();
  }

  private static Stream<String> withoutChain(Diagnosis diagnosis) {
    boolean has =
        diagnosis.primarySuspect().filter(cause -> share(diagnosis, cause.id()) > 0).isPresent();
    List<CausalLink> chain = diagnosis.lostTime().causes().chain();
    boolean told =
        !chain.isEmpty()
            && chain.get(0).from().equals(diagnosis.primarySuspect().orElseThrow().id())
            && chain.get(chain.size() - 1).to().equals(CausalLink.LATENCY);
    return has == told ? Stream.empty() : Stream.of("chain " + chain);
  }

  private static double share(Diagnosis diagnosis, String cause) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.hypothesis().id().equals(cause))
        .mapToDouble(judgement -> judgement.share().explained().orElse(0))
        .sum();
  }

  private static Stream<String> broken(Diagnosis diagnosis) {
    if (links(diagnosis).findAny().isEmpty()) {
      return Stream.empty();
    }
    List<String> broken = new ArrayList<>();
    Map<String, Double> given =
        links(diagnosis)
            .filter(step -> !step.to().equals(CausalLink.LATENCY))
            .collect(
                Collectors.groupingBy(CausalLink::to, Collectors.summingDouble(CausalLink::share)));
    Map<String, Double> taken =
        links(diagnosis)
            .collect(
                Collectors.groupingBy(
                    CausalLink::from, Collectors.summingDouble(CausalLink::share)));
    double left = 0;
    for (Effect effect : Effect.values()) {
      double rest = taken.getOrDefault(effect.id(), 0.0) - given.getOrDefault(effect.id(), 0.0);
      left += rest;
      if (rest < -ROUNDING) {
        broken.add(effect.id() + " hands on more than it has: " + -rest);
      }
      double felt =
          links(diagnosis)
              .filter(step -> step.from().equals(effect.id()))
              .filter(step -> step.to().equals(CausalLink.LATENCY))
              .mapToDouble(CausalLink::share)
              .sum();
      double booked =
          diagnosis.lostTime().ledger().stream()
              .filter(entry -> entry.effect() == effect && !entry.atMost())
              .mapToDouble(LedgerEntry::share)
              .sum();
      if (Math.abs(felt - booked) > ROUNDING) {
        broken.add(effect.id() + " is felt " + felt + " and booked " + booked);
      }
    }
    if (Math.abs(left - diagnosis.lostTime().unexplainedShare()) > ROUNDING) {
      broken.add(left + " is left and " + diagnosis.lostTime().unexplainedShare() + " unexplained");
    }
    for (Judgement judgement : diagnosis.judgements()) {
      String id = judgement.hypothesis().id();
      double share = judgement.share().explained().orElse(0);
      if (Math.abs(taken.getOrDefault(id, 0.0) - share) > LEAST_SHOWN) {
        broken.add(id + " has " + share + " and its steps carry " + taken.get(id));
      }
    }
    return broken.stream();
  }
}
