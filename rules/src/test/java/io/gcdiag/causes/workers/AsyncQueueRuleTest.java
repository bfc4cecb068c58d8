package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsyncQueueRuleTest {

  private final Rule rule = new AsyncQueueRule();

  /** 180 requests a second; half of them take so long, the shortest 25 ms. Loops rest so much. */
  private static IncidentBuilder service(double medianMillis, double idleLoops) {
    return service(test(medianMillis), idleLoops);
  }

  private static RequestStats.Builder test(double medianMillis) {
    return new RequestStats.Builder("k6", new Source("k6.json", ""))
        .requests(21_600)
        .rate(new Rate(180))
        .shortest(millis(25))
        .mean(millis(medianMillis))
        .percentile(50, millis(medianMillis));
  }

  private static IncidentBuilder service(RequestStats.Builder test, double idleLoops) {
    IncidentBuilder builder =
        incident().withoutBaseline().recorded(Signal.THREAD_PARKS, 20).loadTest(test.build());
    for (int second = 60; second < 120; second++) {
      builder.sample(loops(second, WaitKind.IDLE, idleLoops));
      builder.sample(loops(second, WaitKind.DOWNSTREAM, 4 - idleLoops));
    }
    return builder;
  }

  private static SampledTime loops(int second, WaitKind kind, double threads) {
    return Made.sampled(
        at(second), Duration.ofSeconds(1), Optional.of(kind), "", "", "loop-N", true, 20, threads);
  }

  private static AsyncClient pool() {
    return new AsyncClient(at(0), "R2DBC pool", new Source(RECORDING, "stacks of its events"));
  }

  @Test
  void everybodyWaitsAndNoThreadDoes() {
    Finding finding = only(rule, service(1_600, 3.6).sample(pool()));
    assertEquals(
        "half of the requests take 1.6 s or longer, the shortest 25 ms, while no "
            + "thread waits and the event loops are idle 90.0 % of the time: they queue "
            + "where no thread waits, in an asynchronous client (R2DBC pool) or at the "
            + "service behind it",
        finding.statement());
    // 180/s x 25 ms: by Little's law 4.5 are answered at a time.
    assertEquals(4.5, value(finding, "underWay"), 1e-9);
    assertEquals(0.5, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED));
    assertEquals(0.5, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, finding.inseparable().get(0).other());
  }

  /** Requests that take 30 ms, and 1.6 s in the incident, in which so many come a second. */
  private static IncidentBuilder slower(int perSecond) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .requests(180, perSecond, 30, 1_600)
            .loadTest(test(30).build())
            .sample(pool());
    for (int second = 60; second < 120; second++) {
      builder.sample(loops(second, WaitKind.IDLE, 3.6));
    }
    return builder;
  }

  @Test
  void quickRequestsBeforeTheIncidentDoNotHideThatAllWaitInIt() {
    // Over the whole test half of the requests take 30 ms at most, in the incident 1.6 s.
    assertEquals(
        0.5, explains(only(rule, slower(120)), Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
  }

  /** Requests of 200 ms each make a call of 190 ms; in the incident so many run at a time. */
  private static IncidentBuilder limited(int callsPerSecond, double millis) {
    return incident()
        .recorded(Signal.THREAD_PARKS, 20)
        .recorded(Signal.SOCKET_READS, 20)
        .requests(12, 31, 200, 2_650)
        .waits(12 * 60, 0, 60, WaitKind.DOWNSTREAM, "books:443", 190)
        .waits(callsPerSecond * 60, 60, 120, WaitKind.DOWNSTREAM, "books:443", millis);
  }

  @Test
  void asManyCallsInEachSecondAndNeverMoreAreAClientsLimit() {
    // 26/s x 190 ms = 4.94 of 5; 31/s x 2.65 s = 82.2 requests, some of them at the edges.
    Finding finding = only(rule, limited(26, 190));
    assertEquals(5, value(finding, "limit"));
    assertEquals(82.2, value(finding, "requestsInSystem"), 0.3);
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED));
  }

  @Test
  void callsThatTakeFiveTimesAsLongFillItForThat() {
    // 5/s x 990 ms = 4.95 of 5: at 190 ms each they would need one.
    Finding finding = only(rule, limited(5, 990));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
  }

  @Test
  void callsOfWhichNowMoreRunAndNowFewerHaveNoLimit() {
    IncidentBuilder uneven =
        limited(13, 190).waits(20, 61, 62, WaitKind.DOWNSTREAM, "books:443", 190);
    assertEquals(List.of(), rule.examine(uneven.build()));
  }

  @Test
  void asManyRequestsAsBeforeAreThoseOfALoadThatDoesNotRunOut() {
    assertEquals(
        1, explains(only(rule, slower(180)), Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
  }

  /** The same in an open test: 180 a second throughout, of 30 ms and from the 60th second on so. */
  private static IncidentBuilder growing(double first, double last) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .requests(
                180,
                180,
                second -> second < 60 ? 30 : first + (last - first) * (second - 60) / 60.0)
            .loadTest(test(30).build())
            .sample(pool());
    for (int second = 60; second < 120; second++) {
      builder.sample(loops(second, WaitKind.IDLE, 3.6));
    }
    return builder;
  }

  @Test
  void whatTheFirstRequestsWaitForIsNoQueueThatHasYetToGrow() {
    // 50 ms longer each second, but 500 ms at once.
    Finding atOnce = only(rule, growing(500, 3_500));
    assertEquals(1, explains(atOnce, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    assertTrue(atOnce.statement().contains("from one second to the next"), atOnce.statement());
    // 70 ms at once, and 50 ms each second.
    Finding queue = only(rule, growing(100, 3_100));
    assertEquals(0.5, explains(queue, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
  }

  @Test
  void coresThatWereAsFullBeforeAreNotWhatChanged() {
    IncidentBuilder full = slower(180);
    for (int second = 0; second < 120; second++) {
      full.cpu(second, 0.07, 1);
    }
    assertEquals(1, explains(only(rule, full), Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    IncidentBuilder became = slower(180);
    for (int second = 0; second < 120; second++) {
      became.cpu(second, 0.07, second < 60 ? 0.3 : 1);
    }
    assertSilent(rule, became);
  }

  @Test
  void whereAllWaitAlikeThoughRequestsKeepComingItIsWhoeverAnswers() {
    Finding finding =
        only(
            rule,
            service(test(600).percentile(90, millis(610)).model(LoadModel.OPEN), 3.6)
                .sample(pool()));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    assertEquals(
        "half of the requests take 600 ms or longer, the shortest 25 ms, while no "
            + "thread waits and the event loops are idle 90.0 % of the time: all wait for "
            + "about the same time, unlike in a queue, so the service behind an "
            + "asynchronous client (R2DBC pool) takes that long",
        finding.statement());
  }

  @Test
  void anotherOutputOfTheSameRunStatesHowItSent() {
    RequestStats summary =
        new RequestStats.Builder("k6", new Source("load.json", ""))
            .requests(21_500)
            .model(LoadModel.OPEN)
            .build();
    IncidentBuilder both = service(test(600).percentile(90, millis(610)), 3.6).sample(pool());
    Finding finding = only(rule, both.loadTest(summary));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
  }

  @Test
  void aGeneratorThatWaitsForItsUsersKeepsAQueueAtOneLength() {
    // A fixed number of users, one that ran out of them, and one of which nothing is known.
    for (RequestStats.Builder test :
        List.of(
            test(600).percentile(90, millis(610)).model(LoadModel.CLOSED),
            test(600).percentile(90, millis(610)).model(LoadModel.OPEN).dropped(100),
            test(600).percentile(90, millis(610)),
            // Waits that differ by nine tenths are those of a queue.
            test(600).percentile(90, millis(1_100)).model(LoadModel.OPEN))) {
      Finding finding = only(rule, service(test, 3.6).sample(pool()));
      assertEquals(0.5, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    }
  }

  @Test
  void whatVirtualThreadsWaitForMayBeAnything() {
    // A lock, a permit, a pool: none of them keeps a thread of the system waiting.
    assertSilent(
        rule, service(1_600, 3.6).sample(pool()).sample(new VirtualThreadUse(at(1), 0.02)));
  }

  /** 180 requests a second that take 30 ms, then 1.6 s from one second to the next, on one loop. */
  private static IncidentBuilder onOneLoop(boolean serving) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .requests(180, 180, 30, 1_600)
            .loadTest(test(1_600).build());
    for (int second = 0; second < 120; second++) {
      builder.sample(
          Made.sampled(
              at(second),
              Duration.ofSeconds(1),
              Optional.of(WaitKind.IDLE),
              "",
              "",
              "main",
              serving,
              20,
              0.98));
    }
    return builder;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatOneIdleLoopWaitsForFromOneSecondToTheNextIsAnAnswerOrATimer(boolean serving) {
    Finding finding = only(rule, onOneLoop(serving));
    assertTrue(finding.statement().endsWith("a timer) takes that long"), finding::statement);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    assertEquals(Hypothesis.NATIVE_OR_UNKNOWN, finding.inseparable().get(0).other());
  }

  @Test
  void anyThreadThatWaitsMayBeWhatRequestsWaitFor() {
    IncidentBuilder waiting = onOneLoop(false).waits(600, 60, 120, WaitKind.OTHER, "Latch", 100);
    assertEquals(List.of(), rule.examine(waiting.build()));
  }

  @Test
  void withoutAnAsynchronousClientNothingIsKnownOfAQueue() {
    assertSilent(rule, service(1_600, 3.6));
  }

  @Test
  void requestsThatTakeAsLongAsTheyNeedDoNotQueue() {
    assertSilent(rule, service(30, 3.6).sample(pool()));
  }

  @Test
  void busyLoopsAreAQueueThemselves() {
    assertSilent(rule, service(1_600, 1).sample(pool()));
  }

  @Test
  void waitsOfRequestThreadsAreSeen() {
    assertSilent(
        rule,
        service(1_600, 3.6)
            .sample(pool())
            .waits(600, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 100));
  }
}
