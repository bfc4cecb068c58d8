package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.all;
import static io.gcdiag.sketches.Threads.serving;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.waits.RequestsSleepCause.SleepTimeRule;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.OwnCodeSketch;
import io.gcdiag.sketches.Threads;
import io.gcdiag.sketches.WorkerSketch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SleepTimeRuleTest {

  private final Rule rule = new SleepTimeRule();

  private static IncidentBuilder recorded() {
    return incident().recorded(Signal.THREAD_PARKS, 20);
  }

  @Test
  void requestsThatSleepMoreThanInTheBaselineExplainTheirSleeping() {
    // 600 x 500 ms in a minute are 5 threads; 60 x 100 ms before are 0.1.
    IncidentBuilder builder =
        recorded()
            .waits(60, 0, 60, WaitKind.SLEEP, "", 100)
            .waits(600, 60, 119, WaitKind.SLEEP, "", 500);
    Finding finding = only(rule, builder);
    assertEquals(
        "request threads spent 5 min sleeping, most at Shop.order, 600 times of 500 ms on average",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
  }

  @Test
  void whoSleepsByDesignIsNoCause() {
    IncidentBuilder builder = recorded().waits(1_200, 0, 120, WaitKind.SLEEP, "", 100);
    assertTrue(weakens(only(rule, builder), Hypothesis.REQUESTS_SLEEP));
  }

  /** 60 sleeps a second in the baseline and 165 in the incident, 50 ms each. */
  private static IncidentBuilder moreSleeps() {
    return recorded()
        .waits(3_600, 0, 60, WaitKind.SLEEP, "", 50)
        .waits(9_900, 60, 120, WaitKind.SLEEP, "", 50);
  }

  @Test
  void moreSleepsAsLongAsBeforeAreNoCause() {
    Finding finding = only(rule, moreSleeps());
    assertTrue(weakens(finding, Hypothesis.REQUESTS_SLEEP));
    assertEquals("sleeping: 60 -> 165/s, 50 ms -> 50 ms each, 3 -> 8.25 in it", finding.brief());
    // As many more requests were measured: it is ruled out.
    assertTrue(refutes(only(rule, moreSleeps().requests(60, 165)), Hypothesis.REQUESTS_SLEEP));
  }

  @Test
  void ofMoreAndLongerSleepsWhatIsLongerIsTheirOwn() {
    // 165 a second, 10 ms longer each: 1.65 threads of the 9.9.
    IncidentBuilder builder =
        recorded()
            .waits(3_600, 0, 60, WaitKind.SLEEP, "", 50)
            .waits(9_900, 60, 119, WaitKind.SLEEP, "", 60);
    assertEquals(1.65 * 60, builder.build().effects().excessSeconds(Effect.SLEEP), 1.5);
  }

  @Test
  void moreSleepsThanRequestsAreTheirOwnHoweverLong() {
    // Seven times as many of 20 ms at the same rate: 8.4 threads in place of 1.2.
    IncidentBuilder builder =
        recorded()
            .requests(60, 60)
            .waits(3_600, 0, 60, WaitKind.SLEEP, "", 20)
            .waits(25_200, 60, 120, WaitKind.SLEEP, "", 20);
    assertEquals(1, explains(only(rule, builder), Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
    assertEquals(7.2 * 60, builder.build().effects().excessSeconds(Effect.SLEEP), 1.5);
  }

  @Test
  void moreSleepsThanWhatRequestsAllocateElsewhereAreTheirOwn() {
    IncidentBuilder builder =
        recorded()
            .waits(3_600, 0, 60, WaitKind.SLEEP, "", 20)
            .waits(25_200, 60, 120, WaitKind.SLEEP, "", 20)
            .sample(OwnCodeSketch.steady(Activity.SLEEPING, 1_000, 7_000, "shop.Prices.retry"))
            .sample(OwnCodeSketch.steady(Activity.ALLOCATING, 102_400, 102_400, "shop.Page.list"));
    Map<WaitKind, Double> resting = Map.of(WaitKind.SLEEP, 6.0, WaitKind.IDLE, 34.0);
    WorkerSketch.group(builder, 0, 60, "http-N", true, 8, 0, resting);
    WorkerSketch.group(builder, 60, 120, "http-N", true, 8, 0, Map.of(WaitKind.SLEEP, 40.0));
    assertEquals(1, explains(only(rule, builder), Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
  }

  @Test
  void withoutABaselineNobodyKnowsWhatIsUsual() {
    IncidentBuilder builder =
        recorded().withoutBaseline().waits(600, 60, 119, WaitKind.SLEEP, "", 500);
    assertTrue(supports(only(rule, builder), Hypothesis.REQUESTS_SLEEP));
  }

  @Test
  void aQueueInALimiterCountsWithoutABaseline() {
    IncidentBuilder builder =
        recorded().withoutBaseline().waits(600, 60, 119, WaitKind.SLEEP, "Bucket4j", 500);
    Finding finding = only(rule, builder);
    assertEquals(
        "request threads spent 5 min sleeping (Bucket4j), most at Shop.order, 600 times of 500 ms on"
            + " average",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
  }

  private static final WaitSite OF_UNKNOWN =
      new WaitSite(WaitKind.SLEEP, "Guava RateLimiter", false, "Gate.print");

  /** 100 x 2.4 s in a minute are 4 threads. */
  private static IncidentBuilder inLimiter() {
    IncidentBuilder builder = recorded();
    for (int i = 0; i < 100; i++) {
      builder.waited(OF_UNKNOWN, 60 + i * 0.5, 2_400);
    }
    return builder;
  }

  @Test
  void aQueueInALimiterIsALeadWhereNoThreadIsKnownToServe() {
    Finding finding = only(rule, inLimiter());
    assertEquals(
        "4 threads on average wait in Guava RateLimiter at Gate.print; no thread is known to serve"
            + " requests, so these may",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.REQUESTS_SLEEP));
  }

  @Test
  void whereRequestThreadsAreKnownWhatElseQueuesInALimiterServesNone() {
    WaitSite call = new WaitSite(WaitKind.DOWNSTREAM, "db:5432", true, "Orders.find");
    assertSilent(rule, inLimiter().waited(call, 60, 10));
  }

  @Test
  void ofATryThatIsRepeatedTheAdviceIsToFindOutWhyItFails() {
    IncidentBuilder builder =
        recorded().waits(600, 60, 119, WaitKind.SLEEP, "Apache HttpClient 5 retry", 1_000);
    String action = only(rule, builder).actions().get(Hypothesis.REQUESTS_SLEEP);
    assertTrue(action.startsWith("find out why the first attempt fails"), action);
    assertTrue(action.contains("Apache HttpClient 5 retry wait for a shorter time"), action);
    IncidentBuilder limited = recorded().waits(600, 60, 119, WaitKind.SLEEP, "Bucket4j", 1_000);
    assertTrue(only(rule, limited).actions().isEmpty());
  }

  @Test
  void sleepingOfOtherThreadsAndShortSleepingSayNothing() {
    IncidentBuilder builder = recorded();
    for (int i = 60; i < 120; i++) {
      builder.waited(new WaitSite(WaitKind.SLEEP, "", false, "Poller.run"), i, 900);
    }
    assertSilent(rule, builder.waits(60, 60, 120, WaitKind.SLEEP, "", 50));
  }

  private static final String LIMITER = "Guava RateLimiter";

  /** Request threads: so many sleep, in that limiter if any, and so many run. */
  private static List<ThreadState> threads(int asleep, String limiter, int running) {
    return all(
        serving(asleep, ThreadActivity.SLEEPING, limiter, "com.shop.Order.place"),
        serving(running, ThreadActivity.RUNNING, "", "com.shop.Order.sum"));
  }

  @Test
  void aQueueInALimiterIsExplainedWithoutABaseline() {
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, threads(16, LIMITER, 4))
                .dump(90, threads(84, LIMITER, 1)));
    assertEquals(
        "84 of 85 threads at work are sleeping (Guava RateLimiter), most at com.shop.Order.place, in 2"
            + " of 2 dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
    // (16 + 84) / 2
    assertEquals(50, value(finding, "threadsWaiting"), 1e-9);
  }

  @Test
  void howMuchOtherSleepIsNormalDumpsDoNotShow() {
    Finding finding =
        only(
            rule,
            incident().withoutBaseline().dump(70, threads(16, "", 4)).dump(90, threads(20, "", 1)));
    assertTrue(supports(finding, Hypothesis.REQUESTS_SLEEP));
    assertEquals(0, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
  }

  @Test
  void moreSleepThanInDumpsOfTheBaselineIsExplained() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(20, threads(3, "", 4))
                .dump(70, threads(16, "", 4))
                .dump(90, threads(20, "", 1)));
    assertEquals(1, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
  }

  @Test
  void noMoreCanHaveSleptBeforeThanRequestsWereInProgress() {
    // 40 a second of 20 ms: 0.8 at a time. (16 + 20) / 2 = 18 sleep now, of 20 in progress.
    IncidentBuilder builder =
        incident()
            .requests(40, 40, 20, 500)
            .dump(70, threads(16, "", 4))
            .dump(90, threads(20, "", 1));
    Finding finding = only(rule, builder);
    assertEquals(1, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
    assertEquals(17.2 * 60, builder.build().effects().excessSeconds(Effect.SLEEP), 20);
    assertTrue(
        finding.figures().stream().anyMatch(one -> one.before().equals(Optional.of("at most 0.8"))),
        () -> finding.figures().toString());
  }

  @Test
  void aFewOfManyAtWorkMayAlwaysSleep() {
    assertSilent(
        rule,
        incident().withoutBaseline().dump(70, threads(3, "", 20)).dump(90, threads(4, "", 20)));
  }

  @Test
  void sleepOfOtherThreadsDelaysNoRequest() {
    List<ThreadState> pollers = Threads.threads("poller-", 9, ThreadActivity.SLEEPING, false);
    assertSilent(rule, incident().withoutBaseline().dump(70, pollers).dump(90, pollers));
  }

  @Test
  void sleepsThatTheRecordingShowsAreJudgedByIt() {
    List<Finding> findings =
        rule.examine(
            incident()
                .waits(1200, 60, 119, WaitKind.SLEEP, LIMITER, 1000)
                .dump(70, threads(16, LIMITER, 4))
                .dump(90, threads(20, LIMITER, 1))
                .build());
    // 1200 x 1 s in a minute
    assertEquals(20, value(findings.get(0), "threadsWaiting"), 0.4);
  }
}
