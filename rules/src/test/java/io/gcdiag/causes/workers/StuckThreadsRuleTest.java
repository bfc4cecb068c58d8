package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.workers.ThreadPoolExhaustedCause.StuckThreadsRule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.Threads;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StuckThreadsRuleTest {

  private static final ThreadActivity CALL = ThreadActivity.IN_DOWNSTREAM_CALL;

  private final Rule rule = new StuckThreadsRule();

  private static ThreadState thread(
      String name, ThreadActivity activity, boolean serves, long stack, long cpuMicros) {
    return Threads.thread(
        name,
        "RUNNABLE",
        activity,
        "PostgreSQL",
        serves,
        Made.position(stack, "com.shop.Orders.find", cpuMicros * 1_000));
  }

  private static List<ThreadState> calling(int count, long cpuMicros) {
    return IntStream.range(0, count)
        .mapToObj(i -> thread("http-" + i, CALL, true, 7, cpuMicros))
        .toList();
  }

  @Test
  void threadsThatUseNoCpuInOnePlaceAreStuck() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, calling(3, 900))
                .dump(80, calling(3, 900))
                .dump(90, calling(2, 900)));

    assertEquals(
        "2 request threads are stuck in 3 dumps or more, for at least 20 s (same "
            + "stack, hardly any CPU time used): 2 in a downstream call (PostgreSQL) at "
            + "com.shop.Orders.find",
        finding.statement());
    assertTrue(
        finding.bearings().contains(new Bearing.Supports(Hypothesis.SLOW_DOWNSTREAM, false)));
    // Both request threads that are in a call: no event says how long one takes that goes on.
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void theSamePlaceReachedByTheNextRequestIsNot() {
    // 400 us a request and a dump each 10 s.
    assertSilent(
        rule,
        incident()
            .dump(70, calling(3, 1_000))
            .dump(80, calling(3, 1_400))
            .dump(90, calling(3, 1_800)));
  }

  @Test
  void manySmallStepsAreAWay() {
    // 40 us from dump to dump, 80 us over the row.
    assertSilent(
        rule,
        incident()
            .dump(70, calling(3, 1_000))
            .dump(80, calling(3, 1_040))
            .dump(90, calling(3, 1_080)));
  }

  @Test
  void idleWorkersParkedAtTheSameStackAreNot() {
    List<ThreadState> idle = List.of(thread("http-1", ThreadActivity.IDLE, true, 7, 900));
    assertSilent(rule, incident().dump(70, idle).dump(80, idle).dump(90, idle));
  }

  @Test
  void aConsumerThatWaitsForItsBrokerIsNot() {
    List<ThreadState> consumer = List.of(thread("consumer-1", CALL, false, 7, 900));
    assertSilent(rule, incident().dump(70, consumer).dump(80, consumer).dump(90, consumer));
  }

  @Test
  void twoDumpsOrFourSecondsAreTooFew() {
    assertSilent(rule, incident().dump(70, calling(3, 900)).dump(90, calling(3, 900)));
    assertSilent(
        rule,
        incident().dump(70, calling(3, 900)).dump(72, calling(3, 900)).dump(74, calling(3, 900)));
  }

  @Test
  void withoutCpuTimesNothingIsKnown() {
    List<ThreadState> unknown =
        List.of(Threads.thread("http-1", "RUNNABLE", CALL, "PostgreSQL", true));
    assertSilent(rule, incident().dump(70, unknown).dump(80, unknown).dump(90, unknown));
  }

  private static List<ThreadState> blocked(long cpuMicros) {
    return List.of(
        Threads.thread(
            "http-1",
            "BLOCKED",
            ThreadActivity.WAITING_FOR_LOCK,
            "com.shop.Cart",
            true,
            Made.position(8, "com.shop.Cart.add", cpuMicros * 1_000)));
  }

  @Test
  void whoLooksForItsMonitorEachSecondStandsStill() {
    // As jstack printed it of a thread of JDK 17 that waited all the time.
    only(rule, incident().dump(70, blocked(500)).dump(74, blocked(650)).dump(79, blocked(780)));
    // Three times as much is a thread that gets on.
    assertSilent(
        rule, incident().dump(70, blocked(500)).dump(74, blocked(950)).dump(79, blocked(1_400)));
  }

  @Test
  void whoIsStuckAtAnotherLockIsToldByPlace() {
    List<ThreadState> threads =
        List.of(
            thread("http-1", ThreadActivity.WAITING_FOR_LOCK, true, 8, 100),
            thread("http-2", CALL, true, 7, 900));
    Finding finding = only(rule, incident().dump(70, threads).dump(80, threads).dump(90, threads));

    assertTrue(
        finding
            .statement()
            .endsWith(
                "1 in a downstream call (PostgreSQL) at com.shop.Orders.find, 1 waiting for a lock"
                    + " (PostgreSQL) at com.shop.Orders.find"),
        finding.statement());
    assertTrue(
        finding.bearings().contains(new Bearing.Supports(Hypothesis.LOCK_CONTENTION, false)));
  }
}
