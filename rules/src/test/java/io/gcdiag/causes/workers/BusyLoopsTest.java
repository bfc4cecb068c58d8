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
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.UnrestedRun;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BusyLoopsTest {

  private final Rule rule = new BusyWorkersRule();

  /** Two loops for so many seconds: threads that rest, and threads in a call. */
  private static void loops(IncidentBuilder to, int from, int until, double idle, double calls) {
    for (int second = from; second < until; second++) {
      to.sample(sampled(second, WaitKind.IDLE, 10, idle));
      to.sample(sampled(second, WaitKind.DOWNSTREAM, 10, calls));
    }
  }

  private static SampledTime sampled(int second, WaitKind kind, long samples, double threads) {
    return sampled("eventloop-N", true, second, kind, samples, threads);
  }

  private static SampledTime sampled(
      String group, boolean serves, int second, WaitKind kind, long samples, double threads) {
    return Made.sampled(
        at(second),
        Duration.ofSeconds(1),
        Optional.of(kind),
        "",
        "Rates.rate",
        group,
        serves,
        samples,
        threads);
  }

  @Test
  void loopsThatWaitForAnswersServeNoOtherRequest() {
    IncidentBuilder builder = incident();
    loops(builder, 0, 60, 1.9, 0.1);
    loops(builder, 60, 120, 0.1, 1.9);
    Finding finding = only(rule, builder);
    assertEquals(
        "the event loops eventloop-N are busy 95.0 % of the time, against 5.0 % "
            + "before (1,200 samples), 95.0 % of the time in a blocking call: meanwhile "
            + "they serve no other request",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  /** One loop that computes: of 1 thread so much of the time, and rests else. */
  private static void computing(IncidentBuilder to, int from, int until, double share) {
    for (int second = from; second < until; second++) {
      to.sample(sampled(second, WaitKind.IDLE, 10, 1 - share));
      to.sample(
          Made.sampled(
              at(second),
              Duration.ofSeconds(1),
              Optional.empty(),
              "",
              "Quotes.parse",
              "eventloop-N",
              true,
              40,
              share));
    }
  }

  @Test
  void aLoopThatComputesAllTheTimeServesNoOtherRequestThoughCoresAreFree() {
    IncidentBuilder builder = incident();
    computing(builder, 0, 60, 0.05);
    computing(builder, 60, 120, 0.95);
    Finding finding = only(rule, builder);
    assertEquals(
        "the event loops eventloop-N are busy 95.0 % of the time, against 5.0 % before"
            + " (3,000 samples), 95.0 % of the time computing, each on one CPU while others are"
            + " free: meanwhile they serve no other request",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertTrue(BusyLoops.isComputing(builder.build()));
  }

  @Test
  void aLoopInCallsComputesNothing() {
    IncidentBuilder builder = incident();
    loops(builder, 0, 60, 1.9, 0.1);
    loops(builder, 60, 120, 0.1, 1.9);
    assertFalse(BusyLoops.isComputing(builder.build()));
  }

  @Test
  void aLoopThatComputesAndRestsIsBusyAndHealthy() {
    IncidentBuilder builder = incident();
    computing(builder, 0, 60, 0.05);
    computing(builder, 60, 120, 0.8);
    assertSilent(rule, builder);
  }

  /** The thread "main" runs a loop of its own, half at rest at first and never later. */
  private static void ownLoop(IncidentBuilder to) {
    for (int second = 0; second < 120; second++) {
      double idle = second < 60 ? 0.5 : 0;
      to.sample(sampled("main", false, second, WaitKind.IDLE, 10, idle));
      to.sample(sampled("main", false, second, WaitKind.DOWNSTREAM, 10, 1 - idle));
    }
  }

  @Test
  void whereNoThreadIsKnownToServeALoopThatRestedBeforeDoes() {
    IncidentBuilder builder = incident();
    ownLoop(builder);
    assertTrue(warns(only(rule, builder), Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void besideThreadsThatServeAnotherLoopIsNoneOfTheServers() {
    IncidentBuilder builder = incident();
    ownLoop(builder);
    loops(builder, 0, 120, 1.9, 0.1);
    assertSilent(rule, builder);
  }

  @Test
  void workersThatParkWithoutWorkAreAPoolThoughSelectorsAreAmongThem() {
    IncidentBuilder builder = incident();
    loops(builder, 0, 60, 1.9, 0.1);
    loops(builder, 60, 120, 0.1, 1.9);
    builder.sample(
        new WorkerTime(
            at(10), Duration.ofSeconds(1), "eventloop-N", true, 2, 1, Map.of(WaitKind.IDLE, 0.5)));
    assertSilent(rule, builder);
  }

  @Test
  void loopsInCallsForHalfOfTheTimeAreWhatRequestsWaitForThatNobodyIsSeenToWaitFor() {
    IncidentBuilder builder =
        incident()
            .loadTest(
                new RequestStats.Builder("k6", new Source("k6.json", ""))
                    .requests(6_000)
                    .rate(new Rate(100))
                    .shortest(IncidentBuilder.millis(70))
                    .mean(IncidentBuilder.millis(4_000))
                    .percentile(50, IncidentBuilder.millis(4_000))
                    .build());
    loops(builder, 0, 60, 1.9, 0.1);
    loops(builder, 60, 120, 0.6, 1.4);
    assertEquals(
        1, explains(only(rule, builder), Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED));
  }

  /** A loop that samples did not meet at rest from there to there: ten of them a second. */
  private static UnrestedRun run(long thread, int from, int until, int waiting) {
    return new UnrestedRun(
        at(from),
        Duration.ofSeconds(until - from),
        "eventloop-N",
        thread,
        10L * (until - from),
        waiting);
  }

  @Test
  void noOtherLoopTakesWhatComesForOneThatNeverRests() {
    IncidentBuilder builder = incident();
    loops(builder, 0, 60, 1.9, 0.1);
    loops(builder, 60, 120, 1, 1);
    builder.sample(run(1, 70, 120, 475));
    builder.sample(run(2, 110, 120, 100));
    builder.sample(
        new WorkerTime(at(10), Duration.ofSeconds(5), "eventloop-N", true, 2, 1, Map.of()));
    Finding finding = only(rule, builder);
    assertEquals(
        "1 of the 3 event loops eventloop-N was never idle in 50 s (500 samples), "
            + "95.0 % of the time in a blocking call: requests on its connections wait, "
            + "and no other loop serves them",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aLoadTestWithoutATailHasNobodyWaitForTheLoop() {
    IncidentBuilder builder =
        incident()
            .loadTest(
                new RequestStats.Builder("k6", new Source("k6.json", ""))
                    .requests(6_000)
                    .rate(new Rate(100))
                    .mean(IncidentBuilder.millis(20))
                    .percentile(50, IncidentBuilder.millis(20))
                    .percentile(99, IncidentBuilder.millis(90))
                    .build());
    loops(builder, 0, 60, 1.9, 0.1);
    loops(builder, 60, 120, 1, 1);
    builder.sample(run(1, 70, 120, 475));
    Finding finding = only(rule, builder);
    assertFalse(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aLoopThatComputesIsNotHeldUpByCalls() {
    IncidentBuilder builder = incident();
    loops(builder, 0, 60, 1.9, 0.1);
    loops(builder, 60, 120, 1, 1);
    builder.sample(run(1, 70, 120, 200));
    assertSilent(rule, builder);
  }

  @Test
  void loopsThatRestAreNoIncident() {
    IncidentBuilder builder = incident();
    loops(builder, 0, 120, 1.5, 0.5);
    assertSilent(rule, builder);
  }

  @Test
  void threadsThatNeverRestInASelectorAreNoLoops() {
    IncidentBuilder builder = incident();
    loops(builder, 0, 120, 0, 2);
    assertSilent(rule, builder);
  }

  @Test
  void withoutSamplesThereIsNothingToSay() {
    assertSilent(rule, incident().waits(10, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 50));
  }
}
