package io.gcdiag.figures;

import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnoser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HiddenWaitsTest {

  private static IncidentBuilder quiet(double virtualShare) {
    Source source = new Source(RECORDING, "jdk.SocketRead");
    return recorded()
        .resting()
        .sample(CallSamples.at(1, 20, 0.1))
        .sample(new VirtualThreadUse(at(1), virtualShare));
  }

  private static Conclusion conclusion(IncidentBuilder builder) {
    Timeline timeline = builder.build().timeline();
    return Diagnoser.diagnose(timeline, Optional.empty(), Optional.empty()).conclusion();
  }

  @Test
  void whatNothingCanSeeIsNotCalledHealthy() {
    assertEquals(Conclusion.UNDECIDED, conclusion(quiet(0.9)));
  }

  private static IncidentBuilder recorded() {
    return incident().everythingRecorded();
  }

  @Test
  void whereNoThreadIsKnownToServeRequestsNoneIsKnownNotToWait() {
    assertEquals(Conclusion.UNDECIDED, conclusion(recorded()));
    assertEquals(
        Conclusion.HEALTHY, conclusion(recorded().resting().sample(CallSamples.at(1, 20, 0.1))));
  }

  @Test
  void withoutALatencyOrAllTheTimeOfRequestThreadsNoneIsHealthy() {
    IncidentBuilder unbounded = recorded().sample(CallSamples.at(1, 20, 0.1));
    assertEquals(Conclusion.UNDECIDED, conclusion(unbounded));
    assertTrue(
        Diagnoser.diagnose(unbounded.build().timeline(), Optional.empty(), Optional.empty())
            .summary()
            .startsWith("No delay found in these files, but no latency is in them"));
    assertEquals(
        Conclusion.HEALTHY,
        conclusion(recorded().sample(CallSamples.at(1, 20, 0.1)).loadTest(100, 10)));
  }

  /** Calls all the time, one after the other, each of them so long. */
  private static IncidentBuilder calls(double millis) {
    return recorded()
        .resting()
        .waits((int) (120_000 / millis), 0, 120, WaitKind.DOWNSTREAM, "db:5432", millis);
  }

  @Test
  void callsThatUsersNoticeMayBeWhatRequestsNeedOrNot() {
    assertEquals(Conclusion.HEALTHY, conclusion(calls(50)));
    assertEquals(Conclusion.UNDECIDED, conclusion(calls(400)));
    assertTrue(
        Diagnoser.diagnose(calls(400).build().timeline(), Optional.empty(), Optional.empty())
            .summary()
            .startsWith("Request threads waited for db:5432 for up to 400 ms, and no file shows"));
    assertEquals(Conclusion.HEALTHY, conclusion(calls(400).loadTest(2, 410)));
  }

  private static IncidentBuilder onFullCores() {
    IncidentBuilder full = calls(50);
    for (int second = 1; second < 120; second++) {
      full.cpu(second, 0.3, 0.95);
    }
    return full;
  }

  @Test
  void fullCoresMayBeWhatRequestsWaitFor() {
    assertEquals(Conclusion.UNDECIDED, conclusion(onFullCores()));
    String summary =
        Diagnoser.diagnose(onFullCores().build().timeline(), Optional.empty(), Optional.empty())
            .summary();
    assertTrue(summary.startsWith("The CPUs are full (95.0 %), and neither"), summary);
    assertEquals(Conclusion.HEALTHY, conclusion(onFullCores().loadTest(20, 80)));
  }

  @Test
  void latencyOfWhichNothingShowsWhatItIsIsNoHealth() {
    // 10 requests a second of 220 ms are 2.2 in the system: no thread is seen to do anything.
    IncidentBuilder slow = recorded().resting().cpus(2).loadTest(10, 220);
    assertEquals(Conclusion.UNDECIDED, conclusion(slow));
    String summary =
        Diagnoser.diagnose(slow.build().timeline(), Optional.empty(), Optional.empty()).summary();
    assertTrue(summary.startsWith("Requests take 220 ms on average, and for 2"), summary);
    // As long as users feel an answer to be immediate it may be as it is.
    assertEquals(Conclusion.HEALTHY, conclusion(recorded().resting().cpus(2).loadTest(10, 80)));
    // In calls all the time.
    assertEquals(
        Conclusion.HEALTHY,
        conclusion(
            recorded()
                .resting()
                .cpus(2)
                .waits(1200, 0, 120, WaitKind.DOWNSTREAM, "db:5432", 210)
                .loadTest(10, 220)));
  }

  @Test
  void someVirtualThreadsInTheBackgroundHideNothing() {
    assertEquals(Conclusion.HEALTHY, conclusion(quiet(0.01)));
  }

  /** Request threads that are all in calls, in three dumps. */
  private static IncidentBuilder allInCalls() {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      threads.add(thread("exec-" + i, "RUNNABLE", ThreadActivity.IN_DOWNSTREAM_CALL, "", true));
    }
    return quiet(0.01)
        .recorded(Signal.THREAD_DUMPS)
        .dump(70, threads)
        .dump(85, threads)
        .dump(100, threads);
  }

  @Test
  void aQueueBeforeThreadsThatAreAllBusyIsSeenByALoadTestOnly() {
    assertEquals(Conclusion.UNDECIDED, conclusion(allInCalls()));
    assertEquals(Conclusion.HEALTHY, conclusion(allInCalls().loadTest(100, 10)));
  }

  @Test
  void aLoadTestSeesWhatUsersWaitFor() {
    assertEquals(Conclusion.HEALTHY, conclusion(quiet(0.9).loadTest(100, 10)));
  }

  @Test
  void whereVirtualThreadsWaitAndALoadTestSaysSoTheirDumpsAreAskedFor() {
    String summary =
        Diagnoser.diagnose(
                quiet(0.9).requests(20, 10, 510).build().timeline(),
                Optional.empty(),
                Optional.empty())
            .summary();
    assertTrue(
        summary.contains("the work runs on virtual threads, whose parks are neither recorded"),
        summary);
    assertTrue(summary.contains("Take two dumps with 'jcmd PID Thread.dump_to_file"), summary);
  }

  @Test
  void whatSpeaksForACauseIsALeadWhereTheWaitsAreHidden() {
    // Each carrier has a virtual thread, and the JVM hardly computes.
    List<ThreadState> workers = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      workers.add(
          new ThreadState(
              "ForkJoinPool-1-worker-" + i,
              "",
              ThreadActivity.OTHER,
              "",
              false,
              false,
              Made.position(7, "", 1_000_000, i),
              false,
              false));
    }
    IncidentBuilder idle =
        quiet(0.9).recorded(Signal.THREAD_DUMPS).recorded(Signal.CPU_LOAD).cpus(2);
    for (int second = 0; second < 120; second++) {
      idle.cpu(second, 0.01, 0.1);
    }
    Timeline timeline = idle.dump(118, workers).build().timeline();
    String summary = Diagnoser.diagnose(timeline, Optional.empty(), Optional.empty()).summary();
    assertTrue(
        summary.contains("The lead, not proven: virtual-thread-pinning (the last dump has"),
        summary);
  }

  @Test
  void aRecordingThatCannotSeeTheWaitsContradictsNoLoadTest() {
    CrossCheck lost =
        Diagnoser.diagnose(
                quiet(0.9)
                    .waited(WaitKind.LOCK, "java.util.HashMap", 70, 200)
                    .loadTest(100, 500, 700)
                    .build()
                    .timeline(),
                Optional.empty(),
                Optional.empty())
            .crossChecks()
            .stream()
            .filter(check -> check.fact().startsWith("lost time of all requests"))
            .findFirst()
            .orElseThrow();
    assertTrue(lost.b().value() < lost.a().value(), lost.text());
    assertEquals(CrossCheck.Agreement.OPEN, lost.agreement());
    assertTrue(lost.tolerance().endsWith("neither recorded nor in these dumps"), lost.tolerance());
  }

  private static SampledTime sampled(String group, Optional<WaitKind> waiting, double threads) {
    return Made.sampled(at(1), Duration.ofSeconds(1), waiting, "", "", group, true, 50, threads);
  }

  private static IncidentBuilder asynchronous() {
    return quiet(0.01)
        .sample(new AsyncClient(at(1), "R2DBC pool", new Source(RECORDING, "stacks")))
        .sample(sampled("loop-N", Optional.of(WaitKind.IDLE), 3.8))
        .sample(sampled("loop-N", Optional.empty(), 0.2));
  }

  @Test
  void requestsThatRunOnWorkersWaitThere() {
    assertEquals(
        Conclusion.HEALTHY,
        conclusion(asynchronous().sample(sampled("exec-N", Optional.empty(), 0.5))));
  }

  @Test
  void whatAsynchronousClientsWaitForIsSeenByALoadTestOrTheirMeters() {
    assertEquals(Conclusion.UNDECIDED, conclusion(asynchronous()));
    assertEquals(Conclusion.HEALTHY, conclusion(asynchronous().loadTest(100, 10)));
    assertTrue(
        Diagnoser.diagnose(asynchronous().build().timeline(), Optional.empty(), Optional.empty())
            .summary()
            .contains("asynchronous clients, for which no thread waits (R2DBC pool)"));
  }

  @Test
  void besideVirtualThreadsDumpsThatShowTheseAreAskedFor() {
    assertTrue(
        Diagnoser.diagnose(asynchronous().build().timeline(), Optional.empty(), Optional.empty())
            .summary()
            .contains("two dumps with 'jcmd PID Thread.dump_to_file"));
  }

  @Test
  void requestThreadsThatWaitForTheirAnswersAreSeen() {
    assertEquals(
        Conclusion.HEALTHY,
        conclusion(asynchronous().waits(200, 0, 120, WaitKind.OTHER, "Latch", 100)));
  }

  @Test
  void aFractionOfAThreadWaitingForACoreIsNoSuspectBesideThem() {
    // Ten threads of which one computes, on two full cores: by the load about one waits for a core
    // for each that computes, for a part of the window.
    IncidentBuilder builder = quiet(0.5).cpus(2);
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, 0.05, second < 60 ? 0.2 : 0.95);
    }
    assertEquals(Conclusion.UNDECIDED, conclusion(builder));
  }
}
