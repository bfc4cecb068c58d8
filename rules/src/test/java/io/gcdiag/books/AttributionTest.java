package io.gcdiag.books;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.verdict.Ledger;
import io.gcdiag.verdict.Scene;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** In all scenes but the last two threads wait for a connection all the time: 60 s x 2 = 120. */
class AttributionTest {

  private static final double EXACT = 1e-9;

  private static FindingBuilder finding(String statement) {
    return Finding.of("some-rule", statement).from(new Source("recording.jfr", "jdk.ThreadPark"));
  }

  private static MeasuredIncident twoWait() {
    return Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).incident();
  }

  private static Attribution attribute(MeasuredIncident incident, Finding... findings) {
    return new Attribution(incident.effects(), List.of(findings));
  }

  private static double sum(Attribution attribution) {
    double shares = 0;
    for (Hypothesis cause : Hypothesis.catalogue()) {
      shares += attribution.share(cause);
    }
    return shares;
  }

  @Test
  void aClaimIsAShareOfTheTimeAndTheRestIsUnexplained() {
    Attribution attribution =
        attribute(
            twoWait(),
            finding("the pool is small")
                .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.6)
                .build());
    assertEquals(0.6, attribution.share(Hypothesis.CONNECTION_POOL_UNDERSIZED), EXACT);
    assertEquals(0.4, attribution.unexplained(), EXACT);
    assertEquals(0.4, attribution.left(Effect.POOL_WAIT), EXACT);
  }

  @Test
  void claimsOnMoreThanAllTheTimeAreCutInProportion() {
    Attribution attribution =
        attribute(
            twoWait(),
            finding("the pool is small")
                .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.9)
                .build(),
            finding("the database is slow")
                .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT, 0.3)
                .build());
    // 0.9 and 0.3 of 1.2.
    assertEquals(0.75, attribution.share(Hypothesis.CONNECTION_POOL_UNDERSIZED), EXACT);
    assertEquals(0.25, attribution.share(Hypothesis.SLOW_DOWNSTREAM), EXACT);
    assertEquals(0, attribution.unexplained(), EXACT);
  }

  @Test
  void timeIsHandedOnToTheEffectThatCausedItAndExplainedThere() {
    Attribution attribution =
        attribute(
            twoWait(),
            finding("half of the waiting follows pauses")
                .passes(Effect.POOL_WAIT, Effect.STOPPED, 0.5, "pauses pile up borrowers")
                .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.5)
                .build(),
            finding("the heap is short of room")
                .explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 0.8)
                .build());
    // 0.5 x 0.8 of the time goes on to the heap; 0.5 x 0.2 stays where it was handed to.
    assertEquals(0.5, attribution.share(Hypothesis.CONNECTION_POOL_UNDERSIZED), EXACT);
    assertEquals(0.4, attribution.share(Hypothesis.MEMORY_PRESSURE), EXACT);
    assertEquals(0.1, attribution.unexplained(), EXACT);
  }

  @Test
  void theTimeOfACauseIsTheSumOfWhatRequestsSpentInEachState() {
    Map<Effect, Double> excess = new EnumMap<>(Effect.class);
    List.of(Effect.values()).forEach(effect -> excess.put(effect, 0.0));
    excess.put(Effect.POOL_WAIT, 100.0);
    excess.put(Effect.STOPPED, 50.0);
    excess.put(Effect.LOCK_WAIT, 10.0);
    Attribution attribution =
        new Attribution(
            excess,
            List.of(
                finding("some of the waiting follows pauses")
                    .passes(Effect.POOL_WAIT, Effect.STOPPED, 0.4, "pauses pile up borrowers")
                    .build(),
                finding("the heap is short of room")
                    .explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 0.8)
                    .build()));
    Map<Effect, Double> parts = attribution.parts(Hypothesis.MEMORY_PRESSURE);
    // 0.8 x 50 s in pauses, 0.4 x 0.8 x 100 s waiting; of the lock it has nothing.
    assertEquals(Set.of(Effect.STOPPED, Effect.POOL_WAIT), parts.keySet());
    assertEquals(40, parts.get(Effect.STOPPED), EXACT);
    assertEquals(32, parts.get(Effect.POOL_WAIT), EXACT);
    assertEquals(72, attribution.seconds(Hypothesis.MEMORY_PRESSURE), EXACT);
  }

  @Test
  void aWaitDuringAPauseIsStoppedTimeAndNotWaitingAsWell() {
    MeasuredIncident incident =
        Scene.of(60)
            .waiting(WaitKind.POOL, "HikariCP", 0, 60, 2)
            .pause(Scene.RECORDING, 10.05, 100)
            .incident();
    EffectTimes times = incident.effects();
    // 0.1 s x 2 threads move from waiting to stopped; the one other piece of work that is assumed
    // where the request rate is unknown adds 0.1 s, stretched by the 1/600 of the time stopped.
    double other = 0.1 * 600 / 599;
    assertEquals(119.8, times.excessSeconds(Effect.POOL_WAIT), 1e-6);
    assertEquals(0.2 + other, times.excessSeconds(Effect.STOPPED), 1e-6);
    assertEquals(120 + other, times.totalExcessSeconds(), 1e-6);
    List<LedgerEntry> ledger = Ledger.of(incident, times);
    assertEquals(
        120 + other, ledger.stream().mapToDouble(LedgerEntry::excessThreadSeconds).sum(), 1e-6);
    assertEquals(1, ledger.stream().mapToDouble(LedgerEntry::share).sum(), EXACT);
  }

  @Test
  void onlyWhatExceedsTheBaselineIsIncident() {
    MeasuredIncident incident =
        Scene.of(60)
            .waiting(WaitKind.POOL, "HikariCP", 0, 60, 1)
            .waiting(WaitKind.POOL, "HikariCP", 40, 60, 3)
            .incidentFrom(40);
    // 20 s x (4 - 1) threads.
    assertEquals(60, incident.effects().totalExcessSeconds(), 1e-6);
    LedgerEntry entry = Ledger.of(incident, incident.effects()).get(0);
    assertEquals(1, entry.baselineThreads().orElseThrow(), 1e-6);
    assertEquals(4, entry.incidentThreads(), 1e-6);
  }

  @Test
  void withoutIncidentNothingIsExplainedAndNothingUnexplained() {
    Attribution attribution =
        attribute(
            Scene.of(60).incident(),
            finding("idle talk").explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1).build());
    assertEquals(0, sum(attribution));
    assertEquals(0, attribution.unexplained());
    assertEquals(List.of(), attribution.flows());
  }

  @Test
  void sharesAndTheUnexplainedRestAreAlwaysTheWhole() {
    Random random = new Random(20_011);
    Effect[] effects = Effect.values();
    Hypothesis[] causes = Hypothesis.values();
    for (int i = 0; i < 500; i++) {
      List<Finding> findings = new ArrayList<>();
      for (int f = 0; f < 8; f++) {
        FindingBuilder finding = finding("finding " + f);
        finding.explains(
            causes[random.nextInt(causes.length)],
            effects[random.nextInt(effects.length)],
            random.nextDouble());
        int from = random.nextInt(effects.length);
        int to = (from + 1 + random.nextInt(effects.length - 1)) % effects.length;
        finding.passes(effects[from], effects[to], random.nextDouble(), "flow " + f);
        findings.add(finding.build());
      }
      MeasuredIncident incident =
          Scene.of(60)
              .waiting(WaitKind.POOL, "HikariCP", 0, 60, random.nextInt(4))
              .waiting(WaitKind.LOCK, "com.example.Cache", 0, 30, random.nextInt(4))
              .waiting(WaitKind.FILE, "/var/log/app.log", 10, 20, 1)
              .pauses(0, 60, 5, random.nextInt(300))
              .incident();
      Attribution attribution = new Attribution(incident.effects(), findings);
      assertEquals(1, sum(attribution) + attribution.unexplained(), 1e-6);
      assertTrue(sum(attribution) <= 1 + EXACT);
    }
  }

  /** Thread-seconds waited for a connection and stopped, and none in any other effect. */
  private static Attribution attribute(double waited, double stopped, Finding... findings) {
    Map<Effect, Double> excess = new EnumMap<>(Effect.class);
    for (Effect effect : Effect.values()) {
      excess.put(effect, 0.0);
    }
    excess.put(Effect.POOL_WAIT, waited);
    excess.put(Effect.STOPPED, stopped);
    return new Attribution(excess, List.of(findings));
  }

  private static Finding halfOfTheWaitingIsStopped() {
    return finding("half of the waiting follows pauses")
        .passes(Effect.POOL_WAIT, Effect.STOPPED, 0.5, "pauses pile up borrowers")
        .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.5)
        .build();
  }

  private static Finding theHeapIsShort() {
    return finding("the heap is short of room")
        .explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1)
        .build();
  }

  @Test
  void aCauseWhoseTimeMostlyCameFromElsewhereSaysWhoHandedItOn() {
    // 50 of 100 arrive where 10 are spent: 50 of 60.
    Attribution mostly = attribute(100, 10, halfOfTheWaitingIsStopped(), theHeapIsShort());
    assertEquals(
        Optional.of(halfOfTheWaitingIsStopped()), mostly.handedBy(Hypothesis.MEMORY_PRESSURE));
    assertEquals(60, mostly.seconds(Hypothesis.MEMORY_PRESSURE), EXACT);
  }

  @Test
  void aCauseWhoseTimeWasMostlySpentThereWasHandedItByNobody() {
    // 50 arrive where 50 are spent: half, and not most. Nothing arrives where connections are
    // waited for.
    Attribution half = attribute(100, 50, halfOfTheWaitingIsStopped(), theHeapIsShort());
    assertEquals(Optional.empty(), half.handedBy(Hypothesis.MEMORY_PRESSURE));
    assertEquals(Optional.empty(), half.handedBy(Hypothesis.CONNECTION_POOL_UNDERSIZED));
    assertEquals(Optional.empty(), half.handedBy(Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void timeThatGoesRoundIsAddedUpAlongEachEdge() {
    Attribution round =
        attribute(
            90,
            0,
            halfOfTheWaitingIsStopped(),
            finding("half of the stops await a borrower")
                .passes(Effect.STOPPED, Effect.POOL_WAIT, 0.5, "a borrower reaches no safepoint")
                .build());
    // Of what waits, half is explained, and a quarter comes back: 90 x 0.5 / (1 - 0.25) = 60.
    assertEquals(60, round.seconds(Hypothesis.CONNECTION_POOL_UNDERSIZED), 1e-3);
    assertEquals(30.0 / 90, round.unexplained(), 1e-4);
    assertEquals(90, round.booked(Effect.POOL_WAIT));
    assertEquals(0, round.booked(Effect.STOPPED));
    Map<String, Double> secondsTo = new TreeMap<>();
    round.flows().forEach(flow -> secondsTo.put(flow.to(), flow.seconds()));
    assertEquals(3, secondsTo.size());
    assertEquals(60, secondsTo.get(Hypothesis.CONNECTION_POOL_UNDERSIZED.id()), 1e-3);
    assertEquals(60, secondsTo.get(Effect.STOPPED.id()), 1e-3);
    assertEquals(30, secondsTo.get(Effect.POOL_WAIT.id()), 1e-3);
  }

  @Test
  void thereIsLostTimeOnlyWhereSomeExceedsTheBaseline() {
    assertTrue(attribute(0.5, 0).anyLost());
    assertFalse(attribute(0, 0).anyLost());
  }

  @Test
  void whatIsPassedOnIsAFractionAndNeverLessThanItsLeast() {
    assertEquals(1, transfer(1, 1).fraction());
    assertEquals(0, transfer(0, 0).least());
    for (double[] wrong : new double[][] {{1.01, 1}, {-0.01, -0.01}, {0.5, 0.51}, {0.5, -0.01}}) {
      assertThrows(IllegalArgumentException.class, () -> transfer(wrong[0], wrong[1]));
    }
  }

  private static Finding.Transfer transfer(double fraction, double least) {
    return new Finding.Transfer(Effect.POOL_WAIT, Effect.STOPPED, fraction, least, "pauses");
  }
}
