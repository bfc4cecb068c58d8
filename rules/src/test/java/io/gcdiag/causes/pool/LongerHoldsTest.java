package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.pool.LongerHolds.Cause;
import io.gcdiag.causes.waits.DownstreamTimeRule;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Time;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LongerHoldsTest {

  private static final Doing QUERY = new Doing(Kind.OWN_CALL, "db:5432");
  private static final Doing PARTNER = new Doing(Kind.OTHER_CALL, "partner:8080");
  private static final Doing LOCK = new Doing(Kind.LOCK, "com.shop.Cart");
  private static final Doing SLEEP = new Doing(Kind.SLEEP, "Shop.retry");

  /**
   * Fifty requests a second. In each second of the incident ten holds began, a tenth of a second
   * each, and 600 waits of half a second stood before the pool.
   */
  private static IncidentBuilder held(Map<Doing, Double> millisPerHold) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .recorded(Signal.SOCKET_READS, 20)
            .waits(600, 60, 120, WaitKind.POOL, "HikariCP", 500)
            .requests(50, 50);
    for (int second = 60; second < 120; second++) {
      Map<Doing, Time> timed = new HashMap<>();
      millisPerHold.forEach((doing, millis) -> timed.put(doing, new Time(10, millis / 100)));
      builder.sample(
          new PoolHold(
              at(second), "HikariCP", 10, 1, timed, Map.of(), new Source("recording.jfr", "")));
    }
    return builder;
  }

  private static Finding byEvents(IncidentBuilder builder) {
    return new PoolInEvents("pool-wait").finding(builder.build()).orElseThrow();
  }

  private static LongerHolds longer(IncidentBuilder builder) {
    var incident = builder.build();
    return LongerHolds.of(incident, HoldersTime.of(incident).orElseThrow());
  }

  private static double millis(LongerHolds longer, Cause cause) {
    return 1e3 * longer.seconds().getOrDefault(cause, 0.0);
  }

  @Test
  void aLockThatHoldersWaitForIsWhatTheBorrowersWaitForToo() {
    IncidentBuilder builder = held(Map.of(QUERY, 20.0, LOCK, 70.0));
    assertEquals(70, millis(longer(builder), Cause.LOCKS), 1e-6);
    Finding finding = byEvents(builder);
    // Too little is known to simulate; of each hold of 100 ms 70 ms are the lock's.
    assertEquals(0.7, passes(finding, Effect.POOL_WAIT, Effect.LOCK_WAIT), 1e-6);
    assertTrue(
        finding
            .arithmetic()
            .contains(
                "600 holds of HikariCP connections, each after a wait, of at least 100 ms on"
                    + " average: 70.0 % waiting for a lock (com.shop.Cart), 20.0 %"
                    + " in calls on them (db:5432)"),
        () -> finding.arithmetic().toString());
  }

  @Test
  void howLongConnectionsAreHeldIsLeftOutWhereOneCallTakesLongerThanAHold() {
    // Events are samples: of 600 holds of 100 ms 60 show a call, of 293 ms.
    HoldersTime holders =
        new HoldersTime(
            "HikariCP",
            600,
            0.1,
            Map.of(QUERY, new PoolHold.Time(60, 60 * 0.293 / 600)),
            Map.of(QUERY, 0.09),
            List.of());
    assertEquals(0.293, holders.ownCallSeconds(), 1e-9);
    assertEquals(
        "600 holds of HikariCP connections, each after a wait: 90.0 % in calls on "
            + "them (db:5432)",
        HoldersText.of(holders));
  }

  @Test
  void whatRequestsOfTheBaselineDidAsLongIsNotLonger() {
    // 3,000 requests of the baseline waited 60 s for that lock: 20 ms each.
    IncidentBuilder builder =
        held(Map.of(LOCK, 70.0)).waits(3_000, 0, 60, WaitKind.LOCK, "com.shop.Cart", 20);
    assertEquals(50, millis(longer(builder), Cause.LOCKS), 0.1);
  }

  @Test
  void aPartnerThatIsAskedWithoutTheConnectionDoesNotMakeTheHoldLonger() {
    // Queries fill both connections, 100/s x 20 ms = 2; a partner is then asked for 180 ms.
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 10)
            .recorded(Signal.SOCKET_READS, 10)
            .waits(3_000, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
            .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 20)
            .waits(3_000, 0, 60, WaitKind.DOWNSTREAM, "partner:8080", 20)
            .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "partner:8080", 180)
            .waits(600, 60, 120, WaitKind.POOL, "HikariCP", 500);
    for (int second = 60; second < 120; second++) {
      builder.sample(
          new PoolHold(
              at(second),
              "HikariCP",
              100,
              20,
              Map.of(QUERY, new Time(100, 2), PARTNER, new Time(100, 18)),
              Map.of(),
              new Source("recording.jfr", "")));
    }
    Finding finding = byEvents(builder);
    assertEquals(
        1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT), 0.02);
  }

  @Test
  void anAnswerOfSomebodyElseThatBecameSlowerCountsForWhatItIsSlower() {
    // 60 ms where the baseline's calls took 30 ms.
    IncidentBuilder builder =
        held(Map.of(PARTNER, 60.0))
            .waits(600, 60, 120, WaitKind.DOWNSTREAM, "partner:8080", 60)
            .waits(3_000, 0, 60, WaitKind.DOWNSTREAM, "partner:8080", 30);
    assertEquals(30, millis(longer(builder), Cause.ANSWERS), 0.1);
  }

  /** Holds of a tenth of a second in calls that no event shows; threads in calls by samples. */
  private static IncidentBuilder inShortCalls(IncidentBuilder builder, double before) {
    for (int second = 0; second < 120; second++) {
      builder.sample(CallSamples.at(second, 10, second < 60 ? before : 10));
      if (second >= 60) {
        builder.sample(
            new PoolHold(
                at(second),
                "HikariCP",
                10,
                0.01,
                Map.of(),
                Map.of(new Doing(Kind.OWN_CALL, "PostgreSQL"), 1.0),
                new Source("recording.jfr", "")));
      }
    }
    return builder;
  }

  private static IncidentBuilder borrowers() {
    return incident()
        .recorded(Signal.THREAD_PARKS, 20)
        .recorded(Signal.SOCKET_READS, 20)
        .waits(600, 60, 120, WaitKind.POOL, "HikariCP", 500);
  }

  @Test
  void aCallForEachRowLengthensAHoldThoughNoEventShowsIt() {
    // As many requests as before are in calls for ten times as long.
    IncidentBuilder builder = inShortCalls(borrowers().requests(50, 50), 1);
    assertEquals(0.9, longer(builder).share(Cause.ANSWERS), 1e-6);
    assertTrue(
        explained(new DownstreamTimeRule(), builder, Hypothesis.SLOW_DOWNSTREAM) > 0.9,
        "what borrowers wait for ends nowhere");
    Finding waits = byEvents(builder);
    assertTrue(refutes(waits, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void withoutALoadTestMoreTimeInShortCallsMayBeMoreTraffic() {
    // Ten threads against one and a half: traffic may have grown by as much.
    assertEquals(Map.of(), longer(inShortCalls(borrowers(), 1.5)).seconds());
    // Against a tenth: hardly by a hundred.
    Finding finding = only(new DownstreamTimeRule(), inShortCalls(borrowers(), 0.1));
    assertEquals(
        "threads in calls that each take less than 20 ms: 0.1 -> 10 on average by "
            + "samples; each connection hold has more of them, or slower ones",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  private static double explained(Rule rule, IncidentBuilder builder, Hypothesis hypothesis) {
    return rule.examine(builder.build()).stream()
        .mapToDouble(finding -> explains(finding, hypothesis, Effect.DOWNSTREAM_WAIT))
        .sum();
  }

  @Test
  void callsThatTakeAsLongAsEverDoNotLengthenAHold() {
    IncidentBuilder builder =
        held(Map.of(PARTNER, 60.0))
            .waits(600, 60, 120, WaitKind.DOWNSTREAM, "partner:8080", 60)
            .waits(3_000, 0, 60, WaitKind.DOWNSTREAM, "partner:8080", 60);
    assertEquals(Map.of(), longer(builder).seconds());
  }

  @Test
  void callsThatTheBaselineDidNotMakeDoNotBelongInAHoldHoweverLongTheyTake() {
    // 400 ms each; a baseline's 12,000 samples of 5 ms, none of them in such a call, leave no room
    // for
    // any: 3 x 5 ms / 3,000 calls.
    IncidentBuilder builder =
        held(Map.of(PARTNER, 90.0)).waits(3_000, 60, 120, WaitKind.DOWNSTREAM, "partner:8080", 400);
    for (int second = 0; second < 60; second++) {
      builder.sample(CallSamples.at(second, 200, 1));
    }
    assertEquals(90, millis(longer(builder), Cause.UNRELATED), 1e-6);
  }

  @Test
  void sleepingWithAConnectionInHandKeepsItFromOthers() {
    IncidentBuilder builder = held(Map.of(QUERY, 10.0, SLEEP, 80.0));
    Finding finding = byEvents(builder);
    assertEquals(0.8, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-6);
  }

  @Test
  void withoutABaselineNobodyKnowsHowLongTheyUseToSleep() {
    IncidentBuilder builder = held(Map.of(QUERY, 60.0, SLEEP, 30.0)).withoutBaseline();
    assertEquals(Map.of(), longer(builder).seconds());
  }

  @Test
  void connectionsHeldMostlyForCallsToOthersAreKeptWhateverTheBaselineWas() {
    // 80 ms of each hold of 100 ms need no connection; the other 20 ms need one.
    IncidentBuilder builder =
        held(Map.of(QUERY, 20.0, PARTNER, 70.0, SLEEP, 10.0)).withoutBaseline();
    assertEquals(80, millis(longer(builder), Cause.UNRELATED), 1e-6);
    Finding finding = byEvents(builder);
    assertEquals(0.8, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-6);
    // A larger pool would help as well: that is not ruled out, and said.
    assertFalse(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
    assertEquals(Hypothesis.CONNECTION_POOL_UNDERSIZED, finding.inseparable().get(0).other());
  }

  @Test
  void whatAPoolAtWorkIsHeldForInVainIsNotItsSize() {
    // Four threads in calls throughout, two dumps agree: the pool of four is at work. 70 ms of each
    // hold are calls to the partner.
    IncidentBuilder builder =
        held(Map.of(QUERY, 30.0, PARTNER, 70.0))
            .withoutBaseline()
            .dump(70, 30, 4, 0, 0)
            .dump(100, 30, 4, 0, 0);
    Finding finding = byEvents(builder);
    assertEquals(0.7, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-6);
    assertEquals(
        0.3, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT), 1e-6);
  }

  @Test
  void aFewHoldsAreNoEvidence() {
    IncidentBuilder builder = incident().waits(600, 60, 120, WaitKind.POOL, "HikariCP", 500);
    builder.sample(
        new PoolHold(
            at(70),
            "HikariCP",
            3,
            1,
            Map.of(LOCK, new Time(3, 0.9)),
            Map.of(),
            new Source("recording.jfr", "")));
    assertTrue(HoldersTime.of(builder.build()).isEmpty());
  }

  @Test
  void whoWaitsForALockDoesNotKeepConnectionsForNothing() {
    IncidentBuilder builder = held(Map.of(LOCK, 70.0)).dump(80, 20, 0, 0, 0).dump(100, 20, 0, 0, 0);
    Finding finding = new PoolInDumps("pool-wait", builder.build()).finding().orElseThrow();
    assertEquals(0.3, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-6);
  }
}
