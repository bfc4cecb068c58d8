package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.pool.PoolInEvents.PoolInSamples;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdleConnectionsTest {

  private static Optional<Finding> find(IncidentBuilder builder) {
    return new PoolInSamples("pool-wait", builder.build()).finding();
  }

  private static Finding only(IncidentBuilder builder) {
    return find(builder).orElseThrow();
  }

  private static void assertSilent(IncidentBuilder builder) {
    assertEquals(Optional.empty(), find(builder));
  }

  /** Threads in calls, two in the baseline and so many in the incident, while three wait. */
  private static IncidentBuilder waiting(double calls) {
    IncidentBuilder builder =
        incident()
            .waits(120, 60, 120, WaitKind.POOL, "HikariCP", 1_000)
            .waits(120, 60, 120, WaitKind.POOL, "HikariCP", 500);
    for (int second = 0; second < 120; second++) {
      builder.sample(CallSamples.at(second, 20, second < 60 ? 2 : calls));
    }
    return builder;
  }

  @Test
  void connectionsThatNobodyUsesAreKept() {
    Finding finding = only(waiting(0));
    assertEquals(
        "while threads waited for a connection (60 seconds), no request thread was "
            + "in calls (by samples), against 2 before: the connections are held but idle",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void connectionsAtWorkAreNotKept() {
    Finding finding = only(waiting(5));
    assertTrue(refutes(finding, Hypothesis.CONNECTION_LEAK));
  }

  @Test
  void aCallToAnotherServiceIsNoWorkOfAConnection() {
    IncidentBuilder builder = waiting(0);
    for (int second = 60; second < 120; second++) {
      builder.sample(
          new SampledTime(
              at(second),
              Duration.ofSeconds(1),
              Optional.of(WaitKind.DOWNSTREAM),
              "HttpURLConnection",
              true,
              "Carrier.ask",
              "http-N",
              true,
              20,
              5));
    }
    assertEquals(1, explains(only(builder), Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void fewerCallsThanBeforeSayNothingYet() {
    assertSilent(waiting(1.2));
  }

  @Test
  void withoutSamplesThereIsNothingToSay() {
    assertSilent(incident().waits(180, 60, 120, WaitKind.POOL, "HikariCP", 1_000));
  }

  private static final Duration TEN = Duration.ofSeconds(10);

  /** Three threads that wait for a connection all the time, and what samples meet besides. */
  private static IncidentBuilder noneAtWork(double running, double elsewhere) {
    IncidentBuilder builder =
        incident()
            .withoutBaseline()
            .cpus(2)
            .waits(180, 60, 120, WaitKind.POOL, "HikariCP", 1_000)
            .recorded(Signal.THREAD_PARKS, 20);
    for (int second = 60; second < 120; second++) {
      builder
          .sample(met(second, Optional.of(WaitKind.IDLE), "Poller", false, 1))
          .sample(met(second, Optional.empty(), "exec-N", true, running));
    }
    for (int second = 60; second < 120; second += 10) {
      builder
          .sample(
              new GroupTime(at(second), TEN, "exec-N", "exec-*", true, 30, 30 - 10 * elsewhere, 0))
          .sample(new ThreadGroupCpu(at(second + 10), TEN, "exec-*", Kind.REQUEST, 3, 0));
    }
    return builder;
  }

  private static SampledTime met(
      int second, Optional<WaitKind> waiting, String group, boolean serving, double threads) {
    return Made.sampled(
        at(second), Duration.ofSeconds(1), waiting, "", "", group, serving, 20, threads);
  }

  @Test
  void nobodyAtWorkAtAllNeedsNoBaselineToCompareWith() {
    Finding finding = only(noneAtWork(0.1, 0));
    // In the first second the three waits begin one after the other.
    assertEquals(
        "while threads waited for a connection (59 seconds), 0.1 request threads "
            + "were running or in calls (by samples): the connections are held but idle",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void aThreadThatComputesMayDoSoWithAConnection() {
    assertSilent(noneAtWork(1, 0));
  }

  @Test
  void aThreadInShortWaitsThatNothingRecordsMayUseAConnection() {
    assertSilent(noneAtWork(0, 1));
  }

  /** Request threads whose time is not known, of which every third waits so long. */
  private static IncidentBuilder limited(double third, long thrown) {
    IncidentBuilder builder =
        incident()
            .withoutBaseline()
            .cpus(2)
            .waits(120, 60, 120, WaitKind.POOL, "HikariCP", 1_000)
            .waits(60, 60, 120, WaitKind.POOL, "HikariCP", third)
            .recorded(Signal.THREAD_PARKS, 20);
    for (int second = 60; second < 120; second++) {
      builder
          .sample(met(second, Optional.of(WaitKind.IDLE), "Poller", false, 1))
          .sample(
              new ExceptionCount(
                  at(second),
                  thrown * second,
                  new Source("recording.jfr", "jdk.ExceptionStatistics")));
    }
    return builder;
  }

  @Test
  void waitsThatAllEndAtTheirLimitWereGivenNoConnection() {
    assertEquals(
        1, explains(only(limited(1_000, 3)), Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
    // A mean of 733 ms of at most 1 s: some got one earlier.
    assertSilent(limited(200, 3));
    // No exception ends these: callers that come back at once wait as long each time.
    assertSilent(limited(1_000, 0));
    assertSilent(limited(1_000, 3).waits(30, 60, 120, WaitKind.OTHER, "Promise", 1_000));
  }

  /** One thread that asks for a connection; the pool's meters every 10 s, from 0 s on. */
  private static IncidentBuilder oneAsks(int inUse) {
    IncidentBuilder builder =
        incident()
            .withoutBaseline()
            .cpus(2)
            .waits(4, 60, 120, WaitKind.POOL, "HikariCP", 15_000)
            .recorded(Signal.THREAD_PARKS, 20)
            .metered(MeterSketch.gauge("max", MetricMeaning.POOL_MAX, 12, 12))
            .metered(
                MeterSketch.gauge(
                    "used",
                    MetricMeaning.POOL_ACTIVE,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    12,
                    12,
                    inUse,
                    12,
                    12,
                    12));
    for (int second = 60; second < 120; second++) {
      builder.sample(met(second, Optional.of(WaitKind.IDLE), "Poller", false, 1));
    }
    return builder;
  }

  /** Others queue for the lock of the one that asks, so that one thread waits for all. */
  @Test
  void aPoolOfWhichNoneIsFreeAndNoThreadWorksIsKept() {
    assertEquals(
        1, explains(only(oneAsks(12)), Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
    assertSilent(oneAsks(11));
    // Five of the twelve may be held by threads that wait for something else.
    IncidentBuilder held = oneAsks(12);
    for (int thread = 0; thread < 5; thread++) {
      held.waits(60, 60, 120, WaitKind.LOCK, "Cart", 1_000);
    }
    assertSilent(held);
  }

  /** Four waits that have not ended when the recording does: a dump shows them, no event. */
  private static IncidentBuilder endless(ThreadActivity other) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ThreadActivity borrowing = ThreadActivity.WAITING_FOR_POOL;
      threads.add(thread("exec-" + i, "WAITING", borrowing, "DBCP", true));
    }
    threads.add(thread("exec-9", "WAITING", other, "", true));
    IncidentBuilder builder =
        incident().withoutBaseline().recorded(Signal.THREAD_PARKS, 20).dump(119, threads);
    for (int second = 60; second < 120; second++) {
      builder.sample(met(second, Optional.of(WaitKind.IDLE), "Poller", false, 1));
    }
    return builder;
  }

  @Test
  void waitsThatHaveNotEndedAreSeenInADump() {
    Finding finding = only(endless(ThreadActivity.IDLE));
    assertEquals(
        "in the 10 seconds before a dump with threads waiting for a connection, no "
            + "request thread was running or in calls (by samples): the connections are "
            + "held but idle",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void aRequestThreadThatWaitsForSomethingElseMayHoldAConnection() {
    assertSilent(endless(ThreadActivity.OTHER));
  }

  @Test
  void samplesDoNotMeetVirtualThreads() {
    assertSilent(endless(ThreadActivity.IDLE).sample(new VirtualThreadUse(at(60), 0.2)));
  }

  /** Three in calls by samples and by a dump, which shows eight borrowers and one other thread. */
  private static IncidentBuilder atWorkInADump(double calls, ThreadActivity other) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      ThreadActivity at =
          i < 3
              ? ThreadActivity.IN_DOWNSTREAM_CALL
              : i < 11 ? ThreadActivity.WAITING_FOR_POOL : other;
      threads.add(thread("exec-" + i, "WAITING", at, "c3p0", true));
    }
    IncidentBuilder builder =
        incident()
            .withoutBaseline()
            .waits(180, 60, 120, WaitKind.POOL, "c3p0", 1_000)
            .recorded(Signal.THREAD_PARKS, 20)
            .dump(90, threads);
    for (int second = 60; second < 120; second++) {
      builder.sample(met(second, Optional.of(WaitKind.DOWNSTREAM), "exec-N", true, calls));
    }
    return builder;
  }

  @Test
  void asManyAtWorkInADumpAsBySamplesIsThePoolAtWork() {
    Finding finding = only(atWorkInADump(3.4, ThreadActivity.IDLE));
    assertTrue(refutes(finding, Hypothesis.CONNECTION_LEAK));
    assertTrue(finding.statement().contains("dumps show as many"), finding::statement);
  }

  @Test
  void aThreadElsewhereMayKeepAConnectionFromItsWork() {
    assertSilent(atWorkInADump(3.4, ThreadActivity.SLEEPING));
  }

  @Test
  void farFewerInTheDumpThanBySamplesTellsNothing() {
    assertSilent(atWorkInADump(6, ThreadActivity.IDLE));
  }
}
