package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.OwnCodeSketch;
import io.gcdiag.sketches.WorkerSketch;
import io.gcdiag.units.Rate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NeverFreeWorkersTest {

  private final Rule rule = new BusyWorkersRule();

  /**
   * A minute of incident without a baseline, calls of 60 ms, parks of 20 ms and longer recorded.
   */
  private static IncidentBuilder minute() {
    return incident()
        .withoutBaseline()
        .recorded(Signal.THREAD_PARKS, 20)
        .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 60);
  }

  /** Threads of a group: so many in calls by samples, and parked for so many seconds a second. */
  private static void group(
      IncidentBuilder to,
      String name,
      boolean serving,
      int workers,
      double calls,
      Map<WaitKind, Double> parked) {
    WorkerSketch.group(to, 60, 120, name, serving, workers, calls, parked);
  }

  @Test
  void workersThatNeverWaitForWorkHaveAQueueBeforeThem() {
    IncidentBuilder builder = minute();
    group(builder, "blocking-N", true, 8, 7.6, Map.of());
    Finding finding = only(rule, builder);
    assertEquals(
        "for 60 s of the window none of the 8 threads blocking-N was idle for 20 ms "
            + "or longer (100.0 % of their time in calls): new requests queue",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, finding.inseparable().get(0).other());
  }

  @Test
  void aWorkerThatIsFreeNowAndThenTakesWhatComes() {
    IncidentBuilder builder = minute();
    // 0.1 s of the 40 s of each stretch.
    group(builder, "blocking-N", true, 8, 7.6, Map.of(WaitKind.IDLE, 0.1));
    assertSilent(rule, builder);
  }

  @Test
  void workersFreeForLessThanIsRecordedAreToldBySamples() {
    IncidentBuilder builder = minute();
    group(builder, "blocking-N", true, 8, 5, Map.of());
    assertSilent(rule, builder);
  }

  @Test
  void threadsThatWaitForAConnectionAreNotShortThemselves() {
    IncidentBuilder builder = minute();
    group(builder, "blocking-N", true, 8, 2, Map.of(WaitKind.POOL, 30.0));
    assertSilent(rule, builder);
  }

  @Test
  void anExecutorCountsIfRequestsWaitForIt() {
    IncidentBuilder alone = minute();
    group(alone, "enrich-N", false, 3, 2.9, Map.of());
    assertSilent(rule, alone);
    IncidentBuilder builder = minute();
    group(builder, "enrich-N", false, 3, 2.9, Map.of());
    for (int i = 0; i < 10; i++) {
      builder.waits(
          60, 60, 120, WaitKind.OTHER, "java.util.concurrent.CompletableFuture$Signaller", 999);
    }
    Finding finding = only(rule, builder);
    assertTrue(
        finding.statement().endsWith(", and requests wait for their results"), finding::statement);
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void anExecutorCountsIfItHandsRequestsTheirAnswers() {
    IncidentBuilder builder = minute();
    group(builder, "enrich-N", false, 3, 2.9, Map.of());
    builder.sample(new AnsweringGroup(at(3), "enrich-N", "Tomcat", 12));
    Finding finding = only(rule, builder);
    assertTrue(
        finding
            .statement()
            .endsWith(
                ", and they complete the responses of requests (Tomcat, seen in 12 stacks): new work for them queues"),
        finding::statement);
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  /** The same three threads, free for half of the time in the first half of the minute. */
  private static IncidentBuilder busyInTheSecondHalf(int from) {
    IncidentBuilder builder = minute();
    for (int second = 60; second < 120; second += 5) {
      boolean busy = second >= from;
      Map<WaitKind, Double> parked = busy ? Map.of() : Map.of(WaitKind.IDLE, 7.5);
      builder.sample(
          new WorkerTime(at(second), WorkerSketch.STRETCH, "enrich-N", false, 3, 0, parked));
      builder.sample(
          Made.sampled(
              at(second),
              WorkerSketch.STRETCH,
              Optional.of(WaitKind.DOWNSTREAM),
              "OkHttp",
              "Partner.ask",
              "enrich-N",
              false,
              100,
              busy ? 2.9 : 1.5));
    }
    return builder;
  }

  /** Fifteen requests wait for answers for 29 s: 7.25 threads on average over the minute. */
  private static IncidentBuilder awaited(IncidentBuilder builder) {
    for (int i = 0; i < 15; i++) {
      builder.waited(new WaitSite(WaitKind.OTHER, "Signaller", true, "Shop.join"), 90, 29_000);
    }
    return builder;
  }

  @Test
  void aQueueThatRequestsWaitForMayBeginInTheMiddleOfARecording() {
    assertSilent(rule, busyInTheSecondHalf(90));
    IncidentBuilder builder = awaited(busyInTheSecondHalf(90));
    Finding finding = only(rule, builder);
    assertTrue(
        finding.statement().startsWith("for 30 s of the window none of the 3 threads enrich-N "),
        finding::statement);
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aBurstOfAFewStretchesIsNoQueueThatStays() {
    assertSilent(rule, awaited(busyInTheSecondHalf(105)));
  }

  @Test
  void aLoadTestThatNobodyWaitsInMakesItALead() {
    IncidentBuilder builder = minute().loadTest(100, 60);
    group(builder, "blocking-N", true, 8, 7.6, Map.of());
    Finding finding = only(rule, builder);
    assertFalse(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertEquals(0, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED));
  }

  @Test
  void whoWaitsForAnExecutorIsNotShortOfThreadsItself() {
    IncidentBuilder builder = minute();
    group(builder, "exec-N", true, 100, 0, Map.of(WaitKind.OTHER, 498.0));
    builder.waited(new WaitSite(WaitKind.OTHER, "Signaller", true, "Shop.join"), 60, 50_000);
    assertSilent(rule, builder);
  }

  @Test
  void waitingThatNoThreadDoesIsForWorkersThatAreNeverFree() {
    // 100/s; half of the requests take 4 s or longer, the shortest 70 ms; no thread waits for them.
    // Virtual threads serve them: they are seen in few samples, and wait unseen.
    IncidentBuilder builder =
        minute()
            .sample(new VirtualThreadUse(IncidentBuilder.at(60), 0.5))
            .loadTest(
                new RequestStats.Builder("k6", new Source("k6.json", ""))
                    .requests(6_000)
                    .rate(new Rate(100))
                    .shortest(IncidentBuilder.millis(70))
                    .mean(IncidentBuilder.millis(4_000))
                    .percentile(50, IncidentBuilder.millis(4_000))
                    .build());
    group(builder, "elastic-N", false, 4, 3.9, Map.of());
    Finding finding = only(rule, builder);
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED));
  }

  @Test
  void quickRequestsBeforeTheIncidentDoNotHideThatAllWaitInIt() {
    // Over the whole test half of the requests take 5 ms at most, in the incident 4 s.
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 60)
            .requests(100, 2, 4_000)
            .loadTest(100, 1, 5, 4_000);
    group(builder, "common-N", false, 4, 3.9, Map.of());
    Finding finding = only(rule, builder);
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED));
  }

  /** 100/s that all take about 600 ms: the queue stood before the load test began. */
  private static IncidentBuilder queueFromTheStart() {
    IncidentBuilder builder = incident().withoutBaseline().recorded(Signal.THREAD_PARKS, 20);
    for (int i = 0; i < 6_000; i++) {
      builder.waited(
          new WaitSite(WaitKind.DOWNSTREAM, "partner:80", false, "Offers.ask"), 60 + i / 100.0, 60);
    }
    return builder.loadTest(
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(6_000)
            .rate(new Rate(100))
            .shortest(IncidentBuilder.millis(200))
            .mean(IncidentBuilder.millis(600))
            .percentile(50, IncidentBuilder.millis(600))
            .build());
  }

  @Test
  void aQueueThatStoodBeforeTheLoadIsToldByWhatTheGroupSpendsOnARequest() {
    // Six threads, 100 calls of 60 ms a second: 60 ms for each request.
    IncidentBuilder builder = queueFromTheStart();
    group(builder, "offers-N", false, 6, 5.9, Map.of());
    assertTrue(warns(only(rule, builder), Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void threadsThatSpendMostOfARequestsTimeOnItAreNoQueue() {
    // 40 threads at 100/s: 400 ms of the 600.
    IncidentBuilder builder = queueFromTheStart();
    group(builder, "offers-N", false, 40, 39, Map.of());
    assertSilent(rule, builder);
  }

  @Test
  void oneThreadThatAllRequestsGoThroughIsTooFew() {
    // 100/s; one call of 9.5 ms after the other leaves it no time: 105 a second at most.
    IncidentBuilder builder = incident().withoutBaseline().recorded(Signal.THREAD_PARKS, 5);
    for (int i = 0; i < 6_000; i++) {
      builder.waited(
          new WaitSite(WaitKind.DOWNSTREAM, "partner:80", false, "Orders.ask"),
          60 + i / 100.0,
          9.5);
    }
    builder.loadTest(
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(6_000)
            .rate(new Rate(100))
            .shortest(IncidentBuilder.millis(10))
            .mean(IncidentBuilder.millis(2_000))
            .percentile(50, IncidentBuilder.millis(2_000))
            .build());
    group(builder, "order-writer", false, 1, 0.95, Map.of());
    Finding finding = only(rule, builder);
    assertTrue(
        finding
            .statement()
            .startsWith("for 60 s of the window the only thread order-writer was never idle"),
        finding::statement);
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void oneThreadThatPollsForItselfKeepsNobodyWaiting() {
    // Two polls a minute, of 30 s each, beside 100 requests a second.
    IncidentBuilder builder = incident().withoutBaseline().recorded(Signal.THREAD_PARKS, 20);
    WaitSite site = new WaitSite(WaitKind.DOWNSTREAM, "broker:9092", false, "Events.poll");
    builder.waited(site, 60, 30_000).waited(site, 90, 30_000);
    builder.loadTest(
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(6_000)
            .rate(new Rate(100))
            .shortest(IncidentBuilder.millis(200))
            .mean(IncidentBuilder.millis(600))
            .percentile(50, IncidentBuilder.millis(600))
            .build());
    group(builder, "events", false, 1, 0.99, Map.of());
    assertSilent(rule, builder);
  }

  /**
   * Eight threads asleep, 50 ms at a time in the baseline, in which they rest for five eighths of
   * the time; in the incident all of the time from a second on, and before it for 1 % less.
   */
  private static IncidentBuilder asleep(int from, double millis) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 10)
            .recorded(Signal.THREAD_SLEEPS, 10)
            .waits(3_600, 0, 60, WaitKind.SLEEP, "", 50)
            .waits((int) (480_000 / millis) - 1, 60, 119, WaitKind.SLEEP, "", millis);
    Map<WaitKind, Double> resting = Map.of(WaitKind.SLEEP, 15.0, WaitKind.IDLE, 25.0);
    Map<WaitKind, Double> nearly = Map.of(WaitKind.SLEEP, 39.6, WaitKind.IDLE, 0.4);
    Map<WaitKind, Double> full = Map.of(WaitKind.SLEEP, 40.0);
    WorkerSketch.group(builder, 0, 60, "http-N", true, 8, 0, resting);
    WorkerSketch.group(builder, 60, from, "http-N", true, 8, 0, nearly);
    WorkerSketch.group(builder, from, 120, "http-N", true, 8, 0, full);
    return builder;
  }

  @Test
  void threadsThatAllSleepAsLongAsBeforeAreTooFew() {
    Finding finding = only(rule, asleep(60, 50));
    assertTrue(
        finding.statement().startsWith("for 60 s of the window none of the 8 threads http-N "),
        finding::statement);
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    // Without a baseline nobody knows whether they sleep for longer.
    assertSilent(rule, asleep(60, 50).withoutBaseline());
  }

  @Test
  void threadsThatAllSleepForLongerAreKeptByTheSleep() {
    assertSilent(rule, asleep(60, 150));
  }

  @Test
  void ofMoreAndLongerSleepsTheMoreOnesAreLoadOnTheThreads() {
    // 60 of 50 ms a second and 133 of 60 ms: 3 -> 8 threads, of which 133 x 10 ms = 1.33 are
    // longer.
    IncidentBuilder builder = asleep(60, 60);
    EffectTimes times = builder.build().effects();
    assertEquals(1.33 * 60, times.excessSeconds(Effect.SLEEP), 2);
    assertEquals(3.67 * 60, times.excessSeconds(Effect.WORKER_WAIT), 2);
    Finding finding = only(rule, builder);
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT));
    assertEquals(3.67, value(finding, "threadsOnTop"), 0.05);
  }

  @Test
  void moreOfTheSameMayBeMoreRequestsOrMoreOfEach() {
    Finding finding = only(rule, asleep(60, 50));
    assertEquals(Hypothesis.REQUESTS_SLEEP, finding.inseparable().get(0).other());
    assertTrue(
        finding.actions().get(Hypothesis.THREAD_POOL_EXHAUSTED).startsWith("count the requests"));
    // 60 -> 160 a second, and as much more is allocated: it is more requests.
    IncidentBuilder busier =
        asleep(60, 50)
            .sample(OwnCodeSketch.steady(Activity.SLEEPING, 1_000, 2_700, "shop.Prices.pace"))
            .sample(OwnCodeSketch.steady(Activity.ALLOCATING, 90_000, 240_000, "shop.Page.list"));
    assertEquals(List.of(), only(rule, busier).inseparable());
    // Requests are counted.
    assertEquals(List.of(), only(rule, asleep(60, 50).requests(60, 160)).inseparable());
  }

  @Test
  void asMuchOfMoreCallsIsLoadWhereALittleElseGrewAsWell() {
    // 60 and 160 calls of 50 ms a second: 3 -> 8 threads; beside them 60 waits for a lock.
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 10)
            .recorded(Signal.SOCKET_READS, 10)
            .waits(3_600, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 50)
            .waits(9_600, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 50)
            .waits(60, 60, 119, WaitKind.LOCK, "Cache", 600);
    WorkerSketch.group(builder, 0, 60, "http-N", true, 8, 3, Map.of(WaitKind.IDLE, 25.0));
    WorkerSketch.group(builder, 60, 120, "http-N", true, 8, 7.4, Map.of(WaitKind.LOCK, 3.0));
    assertEquals(5 * 60, builder.build().effects().excessSeconds(Effect.WORKER_WAIT), 5);
    assertEquals(
        1, explains(only(rule, builder), Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT));
  }

  @Test
  void wherePauseOrWaitLostNothingTheQueueIsNotMeasured() {
    assertEquals(0, asleep(60, 50).build().effects().excessSeconds(Effect.WORKER_WAIT));
  }

  @Test
  void theTimeInWhichTheQueueBuildsUpDoesNotHideThatNoneIsFreeAfterIt() {
    Finding finding = only(rule, asleep(80, 50));
    assertTrue(
        finding.statement().startsWith("for 40 s of the window none of the 8 threads http-N "),
        finding::statement);
    // Less than half of the window.
    assertSilent(rule, asleep(95, 50));
  }
}
