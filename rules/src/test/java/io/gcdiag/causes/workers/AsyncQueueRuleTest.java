package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
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
import java.util.Optional;
import org.junit.jupiter.api.Test;

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

  @Test
  void coresThatWereAsFullBeforeAreNotWhatChanged() {
    IncidentBuilder full = slower(180);
    for (int second = 0; second < 120; second++) {
      full.cpu(second, 0.07, 1);
    }
    assertEquals(0.5, explains(only(rule, full), Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    IncidentBuilder became = slower(180);
    for (int second = 0; second < 120; second++) {
      became.cpu(second, 0.07, second < 60 ? 0.3 : 1);
    }
    assertSilent(rule, became);
  }

  @Test
  void whatVirtualThreadsWaitForMayBeAnything() {
    // A lock, a permit, a pool: none of them keeps a thread of the system waiting.
    assertSilent(
        rule, service(1_600, 3.6).sample(pool()).sample(new VirtualThreadUse(at(1), 0.02)));
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
