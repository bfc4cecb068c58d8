package io.gcdiag.causes.waits;

import static io.gcdiag.evidence.threads.ThreadActivity.IN_DOWNSTREAM_CALL;
import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.OwnCodeSketch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DownstreamTimeRuleTest {

  private final Rule rule = new DownstreamTimeRule();

  private static IncidentBuilder calls(String host, double before, double during) {
    return incident()
        .recorded(Signal.SOCKET_READS, 10)
        .waits(100, 0, 60, WaitKind.DOWNSTREAM, host, before)
        .waits(100, 60, 120, WaitKind.DOWNSTREAM, host, during);
  }

  @Test
  void moreCallsThatTakeAsLongMayBeMoreRequests() {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(2_000, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 25)
            .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 30);
    Finding uncounted = only(rule, builder);
    assertEquals(0, explains(uncounted, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  /** None for a minute, which samples of another call confirm, then 100 of 200 ms. */
  private static IncidentBuilder newCalls(boolean onRequestThread) {
    IncidentBuilder incident = incident().recorded(Signal.SOCKET_READS, 10);
    WaitSite call =
        new WaitSite(WaitKind.DOWNSTREAM, "register:80", onRequestThread, "Nightly.ask");
    for (int i = 0; i < 100; i++) {
      incident.waited(call, 60 + 0.6 * i, 200);
    }
    for (int second = 0; second < 120; second++) {
      incident.sample(
          Made.sampled(
              at(second),
              Duration.ofSeconds(1),
              Optional.of(WaitKind.DOWNSTREAM),
              "PostgreSQL",
              "Nightly.run",
              "nightly-N",
              onRequestThread,
              100,
              1));
    }
    return incident;
  }

  @Test
  void callsThatBeganWhereNoRequestIsKnownAreAJobsAsLikely() {
    Finding finding = only(rule, newCalls(false));
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void callsThatBeganMayBeAJobsAlthoughTheThreadsOfRequestsAreKnown() {
    IncidentBuilder builder = newCalls(false);
    for (int second = 0; second < 120; second++) {
      builder.sample(
          Made.sampled(
              at(second),
              Duration.ofSeconds(1),
              Optional.of(WaitKind.IDLE),
              "",
              "TaskQueue.poll",
              "exec-N",
              true,
              100,
              10));
    }
    Finding finding = only(rule, builder);
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void callsThatBeganAreTheRemoteSidesWhereRequestsAreKnown() {
    assertEquals(
        1,
        explains(only(rule, newCalls(true)), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  /** Nothing of them before: they may have taken 9 ms, or no request may have come. */
  @Test
  void quickCallsThatAppearWhereNoThreadIsSampledMayHaveBegunWithTheRequests() {
    Finding quick = only(rule, appearing(60));
    assertEquals(0, explains(quick, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertTrue(supports(quick, Hypothesis.SLOW_DOWNSTREAM));
    // A call of 300 ms is slow, whenever it began.
    assertEquals(
        1,
        explains(only(rule, appearing(300)), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    // As many requests as before: their calls have become longer.
    assertEquals(
        1,
        explains(
            only(rule, appearing(60).requests(100, 100)),
            Hypothesis.SLOW_DOWNSTREAM,
            Effect.DOWNSTREAM_WAIT));
  }

  private static IncidentBuilder appearing(double millis) {
    return incident()
        .recorded(Signal.SOCKET_READS, 10)
        .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", millis);
  }

  @Test
  void answersThatTakeTenTimesAsLongAreTheRemoteSides() {
    // 100 x 20 ms / 60 s = 0.033 threads; 100 x 200 ms / 60 s = 0.333 threads.
    Finding finding = only(rule, calls("db:5432", 20, 200));
    assertEquals(
        "request threads in calls over 10 ms to db:5432: 0.03 -> 0.33 on "
            + "average; mean call 20 ms -> 200 ms",
        finding.statement());
    assertEquals(
        List.of(
            "calls over 10 ms, most to db:5432: 1.67/s x 20 ms = 0.03 -> 1.67/s x 200 ms ="
                + " 0.33 threads in calls, with what is outside the window or in GC pauses"),
        finding.arithmetic());
    assertEquals(0.2, value(finding, "meanCallSeconds"), 1e-9);
    assertEquals(0.2, value(finding, "busiestMeanCallSeconds"), 1e-9);
    assertEquals(0.02, value(finding, "busiestMeanCallBeforeSeconds"), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  /** 240 stops of 40 ms in the minute of the incident: 16 % of it, 16 ms of each period. */
  private static IncidentBuilder throttled(double before, double during) {
    Source counters = new Source("recording.jfr", "jdk.ContainerCPUThrottling");
    return calls("db:5432", before, during)
        .sample(new CpuQuota(at(0), Optional.of(millis(60)), millis(100), counters))
        .sample(new ThrottleCount(at(60), 600, 0, Duration.ZERO, counters))
        .sample(new ThrottleCount(at(119.9), 1_200, 240, millis(9_600), counters));
  }

  @Test
  void callsInWhichTheQuotaStopsTheThreadAreLongerForThat() {
    // 20 ms -> 36 ms: the 16 ms that stops add to a call at most are all of it.
    Finding stopped = only(rule, throttled(20, 36));
    assertEquals(1, passes(stopped, Effect.DOWNSTREAM_WAIT, Effect.THROTTLED), 0.01);
    assertEquals(0, explains(stopped, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 0.01);
    // 20 ms -> 200 ms: 16 of 180 ms.
    Finding slow = only(rule, throttled(20, 200));
    assertEquals(16 / 180.0, passes(slow, Effect.DOWNSTREAM_WAIT, Effect.THROTTLED), 0.01);
  }

  @Test
  void connectionsThatDoNotComeAboutAreTheRemoteSides() {
    Finding finding = only(rule, notConnected());
    assertEquals(
        "threads wait in connect or in a host lookup: 40 on average by samples,"
            + " against 0 in the baseline, most in OkHttp (connecting); no event names the remote host",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    // 60 s of 40 threads, less the 2 s that 100 calls of 20 ms took in the baseline.
    EffectTimes times = notConnected().build().effects();
    assertEquals(40, times.during(Effect.DOWNSTREAM_WAIT), 1e-6);
    assertEquals(2_398, times.excessSeconds(Effect.DOWNSTREAM_WAIT), 1e-6);
  }

  @Test
  void aThreadThatIsBeingConnectedNowAndThenIsNoIncident() {
    Finding finding = only(rule, calls("db:5432", 20, 20).sample(connecting(90, 1)));
    assertTrue(
        finding.statement().startsWith("request threads in calls over 10 ms"), finding::statement);
  }

  @Test
  void threadsThatWereBeingConnectedBeforeAreNoIncident() {
    IncidentBuilder incident = notConnected();
    for (int second = 0; second < 60; second++) {
      incident.sample(connecting(second, 40));
    }
    assertAnswered(incident);
  }

  @Test
  void aFewThreadsBeingConnectedBesideManySlowAnswersAreNotTheRemoteSidesSilence() {
    // 10 threads are being connected, and 6,000 s of waits in 60 s are 100 that wait for answers.
    IncidentBuilder incident = calls("db:5432", 20, 20);
    incident.waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 1_000);
    for (int second = 60; second < 120; second++) {
      incident.sample(connecting(second, 10));
    }
    assertAnswered(incident);
  }

  private void assertAnswered(IncidentBuilder incident) {
    Finding finding = only(rule, incident);
    assertFalse(finding.statement().contains("wait in connect"), finding::statement);
  }

  /**
   * In the baseline 100 calls of 20 ms; then none, and 40 threads that samples meet being
   * connected.
   */
  private static IncidentBuilder notConnected() {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(100, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20);
    for (int second = 60; second < 120; second++) {
      incident.sample(connecting(second, 40));
    }
    return incident;
  }

  private static SampledTime connecting(int second, double threads) {
    return Made.sampled(
        at(second),
        Duration.ofSeconds(1),
        Optional.of(WaitKind.DOWNSTREAM),
        "OkHttp (connecting)",
        "com.example.Partner.ask",
        "exec-N",
        true,
        50,
        threads);
  }

  @Test
  void ofSeveralRemoteSidesTheSlowerOnesOwnCallsAreCompared() {
    Finding finding =
        only(
            rule, calls("db:5432", 20, 200).waits(100, 0, 120, WaitKind.DOWNSTREAM, "cache:1", 12));
    assertTrue(
        finding.statement().startsWith("request threads in calls over 10 ms, most to db:5432: "),
        finding::statement);
    // 100 x 12 ms in two minutes are 0.01 threads more in either.
    assertTrue(
        finding.statement().contains("0.04 -> 0.34 on average (to that host 0.03 -> 0.33)"),
        finding::statement);
    assertTrue(finding.statement().endsWith("; mean call 20 ms -> 200 ms"), finding::statement);
    assertEquals("0.04 -> 0.34 threads in calls (mean)", finding.brief(Hypothesis.SLOW_DOWNSTREAM));
  }

  /** 0.2 -> 1 threads in calls of 20 ms: as many more requests, or five times as many of each. */
  @Test
  void moreCallsOfUnknownManyRequestsAreNotRuledOut() {
    IncidentBuilder more =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(600, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
            .waits(3_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 20);
    Finding finding = only(rule, more);
    assertFalse(refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertFalse(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  /** Few of the requests make a call, and what most wait for is a lock. */
  private static IncidentBuilder newCalls(double millis) {
    return incident()
        .recorded(Signal.SOCKET_READS, 10)
        .requests(60, 60)
        .waits(300, 60, 120, WaitKind.DOWNSTREAM, "partner:80", millis)
        .waits(6_000, 60, 120, WaitKind.LOCK, "shop.Stock", 1_000);
  }

  @Test
  void callsThatTheBaselineWouldHaveShownAreNotRuledOut() {
    assertFalse(refutes(only(rule, newCalls(85)), Hypothesis.SLOW_DOWNSTREAM));
    // Shorter by a fifth they would have been below the threshold.
    assertTrue(refutes(only(rule, newCalls(12)), Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void answersAsFastAsBeforeRuleItOut() {
    Finding finding = only(rule, calls("db:5432", 20, 20));
    assertTrue(refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void aNeighbourOnAFullMachineWaitsForACoreItself() {
    // As many calls take 40 ms as 200 ms: some find a core at once, others queue for one.
    Finding finding =
        only(
            rule,
            calls("localhost:5432", 20, 200)
                .waits(100, 60, 120, WaitKind.DOWNSTREAM, "localhost:5432", 40)
                .cpu(90, 0.5, 0.95));
    assertEquals(1, passes(finding, Effect.DOWNSTREAM_WAIT, Effect.CPU_QUEUE));
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void aNeighbourThatAnswersEveryCallLateIsSlowItselfWhateverTheMachinesLoad() {
    Finding finding = only(rule, calls("localhost:5432", 20, 200).cpu(90, 0.5, 0.95));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void withoutABaselineItIsNotKnownHowLongCallsShouldTake() {
    Finding finding = only(rule, calls("db:5432", 20, 200).withoutBaseline());
    assertTrue(
        finding.statement().endsWith("their normal duration is unknown"), finding::statement);
    // It explains nothing, and is what an answer without a cause has to name.
    assertEquals(
        List.of(new Bearing.Supports(Hypothesis.SLOW_DOWNSTREAM, false)), finding.bearings());
  }

  @Test
  void withoutAnyWaitRecordedThereIsNothingToSay() {
    assertSilent(rule, incident().recorded(Signal.SOCKET_READS, 10));
  }

  @Test
  void callsOfAnAsynchronousClientAreNotRecordedWhichClearsNobody() {
    Finding finding =
        only(
            rule,
            incident()
                .recorded(Signal.SOCKET_READS, 10)
                .waits(6, 60, 120, WaitKind.LOCK, "Lock", 100)
                .sample(
                    new AsyncClient(
                        IncidentBuilder.at(0), "JDK HttpClient", new Source("r.jfr", ""))));
    assertFalse(refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(leavesOpen(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(
        finding
            .statement()
            .endsWith("those of asynchronous clients (JDK HttpClient) are not recorded"),
        finding::statement);
  }

  /** Of four seconds on event loops one has work; three locks were waited for. */
  private static IncidentBuilder onEventLoops() {
    return incident()
        .recorded(Signal.SOCKET_READS, 1)
        .waits(3, 60, 120, WaitKind.LOCK, "Lock", 100)
        .sample(onLoop(Optional.of(WaitKind.IDLE), 3))
        .sample(onLoop(Optional.empty(), 1));
  }

  private static SampledTime onLoop(Optional<WaitKind> waiting, double threads) {
    return Made.sampled(
        at(61), Duration.ofSeconds(1), waiting, "", "", "nioEventLoopGroup-N-N", true, 50, threads);
  }

  @Test
  void callsOfEventLoopsAreInNoEventWhateverClientMakesThem() {
    Finding finding = only(rule, onEventLoops());
    assertEquals(
        "no call over 1 ms of request threads to a database or service in the window;"
            + " those of asynchronous clients on event loops are not recorded",
        finding.statement());
    assertTrue(leavesOpen(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertFalse(refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void workersThatWatchSelectorsInTurnParkForWorkAndAreNoEventLoops() {
    Finding finding =
        only(
            rule,
            onEventLoops()
                .sample(
                    new WorkerTime(
                        at(61),
                        Duration.ofSeconds(1),
                        "nioEventLoopGroup-N-N",
                        true,
                        8,
                        0,
                        Map.of(WaitKind.IDLE, 4.0))));
    assertFalse(leavesOpen(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void aLatencyThatLosesNothingBoundsThem() {
    // 100/s that take 1 ms lose nothing that is felt.
    Finding finding = only(rule, onEventLoops().loadTest(100, 1, 1, 2));
    assertTrue(refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void callsThatOnlyDumpsShowWereNoMoreBeforeThanRequests() {
    // 10/s of 100 ms are one under way before; 10/s of 2,100 ms are 21 during, 20 of them more.
    List<ThreadState> twenty = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      twenty.add(thread("", "WAITING", IN_DOWNSTREAM_CALL, "JDK HttpClient", true, true));
    }
    Finding finding =
        only(
            rule,
            incident()
                .recorded(Signal.SOCKET_READS, 10)
                .recorded(Signal.GC_PAUSES)
                .requests(10, 100, 2_100)
                .dump(70, twenty)
                .dump(90, twenty));
    assertEquals(20, value(finding, "threadsInDump"), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  /** A minute of 100 requests a second that take 400 ms, the fastest 20 ms, and two dumps. */
  private static IncidentBuilder callsInDumps() {
    return incident()
        .withoutBaseline()
        .rate(100)
        .recorded(Signal.SOCKET_READS, 20)
        .recorded(Signal.GC_PAUSES)
        .loadTestFrom(20, 400)
        .dump(70, 0, 40, 0, 5)
        .dump(100, 0, 40, 0, 5);
  }

  @Test
  void withoutABaselineTheFastestRequestTellsHowMuchOfCallsInDumpsIsLost() {
    EffectTimes times = callsInDumps().build().effects();
    // 40 threads, of which (400 - 20) ms x 100/s = 38 more than the fastest request accounts for.
    assertEquals(38, times.excessSeconds(Effect.DOWNSTREAM_WAIT) / 60, 1e-6);
    assertEquals(0, times.excessSeconds(Effect.UNACCOUNTED), 1e-6);
    Finding finding = only(rule, callsInDumps());
    assertTrue(
        finding.statement().startsWith("40 of 40 threads at work are in downstream calls"),
        finding::statement);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void requestsThatAreAllAlikeSayNothingOfCallsInDumps() {
    IncidentBuilder alike =
        incident()
            .withoutBaseline()
            .rate(100)
            .recorded(Signal.SOCKET_READS, 20)
            .loadTestFrom(300, 400)
            .dump(70, 0, 40, 0, 5)
            .dump(100, 0, 40, 0, 5);
    assertEquals(0, alike.build().effects().excessSeconds(Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void whereTheMachineIsFullCallsInDumpsOnlySupportUnlessThreadsGetACoreAtOnce() {
    IncidentBuilder full = callsInDumps().cpus(2);
    IncidentBuilder atOnce = callsInDumps().cpus(2);
    for (int second = 0; second < 120; second++) {
      full.cpu(second, 0.1, 1);
      atOnce.cpu(second, 0.1, 1);
      atOnce.sample(
          new LateWakes(
              at(second),
              millis(500),
              1,
              millis(0.2),
              millis(1),
              new Source("recording.jfr", "jdk.ThreadPark")));
    }
    assertEquals(
        0, explains(only(rule, full), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertEquals(
        1, explains(only(rule, atOnce), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  /** Without a baseline the normal length of the other calls is not known. */
  @Test
  void onlyTheWaitsForRandomNumbersAreNeverNormal() {
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .recorded(Signal.SOCKET_READS, 10)
                .waits(60, 60, 120, WaitKind.DOWNSTREAM, "/dev/random", 300)
                .waits(60, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 100));
    // 300 / (300 + 100)
    assertEquals(0.75, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  /** Calls to a coordinator in the same JVM, and what a thread of that library's writes. */
  private static IncidentBuilder coordinator(String writer, double millisOfWrite) {
    return coordinator(writer, millisOfWrite, "shop.Harbour.set");
  }

  private static IncidentBuilder coordinator(String writer, double millisOfWrite, String caller) {
    WaitSite call =
        new WaitSite(
            WaitKind.DOWNSTREAM, "ZooKeeper", true, "org.apache.zookeeper.ClientCnxn.wait");
    WaitSite write = new WaitSite(WaitKind.FILE, "log.1", false, writer);
    IncidentBuilder incident =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .sample(OwnCodeSketch.steady(Activity.CALLING, 1_000, 7_000, caller));
    for (int second = 0; second < 120; second++) {
      incident.waited(call, second, second < 60 ? 12 : 80);
      if (second >= 60) {
        incident.waited(write, second, millisOfWrite);
      }
    }
    return incident;
  }

  @Test
  void callsThatAServerOfThisJvmAnswersOnceItHasWrittenAreTheDisks() {
    String sync = "org.apache.zookeeper.server.persistence.FileTxnLog.commit";
    Rule forced = new AnsweredHere.Forced("file-time");
    assertEquals(
        1,
        explains(only(forced, coordinator(sync, 70)), Hypothesis.SLOW_DISK, Effect.DOWNSTREAM_WAIT),
        1e-9);
    assertEquals(
        0,
        explains(
            only(rule, coordinator(sync, 70)), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT),
        1e-9);
    // Less than half of a call, another library's, and the service's own beside its calls.
    for (IncidentBuilder other :
        List.of(
            coordinator(sync, 30),
            coordinator("org.apache.lucene.store.Sync.force", 70),
            coordinator(sync, 70, "org.apache.zookeeper.cli.Shell.run"))) {
      assertEquals(List.of(), forced.examine(other.build()));
      assertEquals(
          1, explains(only(rule, other), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
    }
  }

  /** Calls to a broker, 20 and then 40 a second, and what one other thread calls for each. */
  private static IncidentBuilder broker(int each, double millisOfEach) {
    return incident()
        .recorded(Signal.SOCKET_READS, 10)
        .waits(1_200, 0, 60, WaitKind.DOWNSTREAM, "broker:4222", 25)
        .waits(2_400, 60, 120, WaitKind.DOWNSTREAM, "broker:4222", 2_000)
        .waitsOfOneThread(1_200, 0, 60, WaitKind.DOWNSTREAM, "rain:80", 22)
        .waitsOfOneThread(each, 60, 120, WaitKind.DOWNSTREAM, "rain:80", millisOfEach);
  }

  @Test
  void callsThatOneThreadOfThisJvmAnswersWaitForIt() {
    // 2,400 x 22 ms = 52.8 of 60 s.
    Finding full = only(rule, broker(2_400, 22));
    assertEquals(1, explains(full, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertEquals(0, explains(full, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertTrue(
        full.arithmetic()
            .contains(
                "one thread of this JVM answers broker:4222: for each it makes a call to rain:80,"
                    + " 20/s -> 40/s of 22 ms (before: 22 ms), which take 88.0 % of its time"),
        () -> full.arithmetic().toString());
    // 50 calls fewer than answers are still one for each: 2,350 x 22.4 ms = 52.64 s.
    assertEquals(
        1,
        explains(
            only(rule, broker(2_350, 22.4)),
            Hypothesis.THREAD_POOL_EXHAUSTED,
            Effect.DOWNSTREAM_WAIT),
        1e-9);
    // What it calls is slower, or it does not do so for each: then it is not the thread.
    for (IncidentBuilder other : List.of(broker(1_200, 44), broker(1_200, 22))) {
      assertEquals(
          1, explains(only(rule, other), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
    }
  }

  /**
   * A thread that serves no request calls a store for 10 ms each, in the incident for 390 ms; so
   * many of its calls. Requests wait for room in a queue.
   */
  private static IncidentBuilder storeOfOneSender() {
    return incident()
        .recorded(Signal.SOCKET_READS, 5)
        .recorded(Signal.THREAD_PARKS, 5)
        .waitsOfOneThread(600, 0, 60, WaitKind.DOWNSTREAM, "store:80", 10)
        .waitsOfOneThread(150, 60, 120, WaitKind.DOWNSTREAM, "store:80", 390)
        .waits(3_000, 60, 120, WaitKind.OTHER, "Queue.put", 380);
  }

  @Test
  void longerCallsOfAnotherThreadAreNotRuledOutWhereRequestsWaitForOthers() {
    Finding finding = only(rule, storeOfOneSender());
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertFalse(refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void longerCallsThatFillTheirThreadAreNotSeparatedFromTheWaitForIt() {
    // 10/s x 10 ms = 0.1 of the thread; 2.5/s x 390 ms = 0.975.
    IncidentBuilder full = storeOfOneSender();
    for (int second = 0; second < 120; second += 5) {
      double idle = second < 60 ? 4.5 : 0.125;
      full.sample(
          new WorkerTime(
              at(second),
              Duration.ofSeconds(5),
              "sender-N",
              false,
              1,
              0,
              Map.of(WaitKind.IDLE, idle)));
      full.sample(
          Made.sampled(
              at(second),
              Duration.ofSeconds(5),
              Optional.empty(),
              "",
              "Sender.run",
              "sender-N",
              false,
              100,
              1 - idle / 5));
    }
    Finding finding = only(rule, full);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.OTHER_WAIT), 1e-9);
    assertEquals(Hypothesis.NATIVE_OR_UNKNOWN, finding.inseparable().get(0).other());
  }
}
