package io.gcdiag.verdict;

import static io.gcdiag.sketches.Threads.threads;
import static io.gcdiag.verdict.RankingTest.finding;
import static io.gcdiag.verdict.RankingTest.judge;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.Metric;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.sketches.WorkerSketch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two figures of one report that cannot both be true leave no high confidence. */
class StrainedLawsTest {

  private static final CrossCheck AGREES =
      new CrossCheck(
          "waits",
          new CrossCheck.Side(
              new Metric.Origin(Optional.of(new Source("recording.jfr", "")), "", ""), 1),
          new CrossCheck.Side(
              new Metric.Origin(Optional.of(new Source("threads.txt", "")), "", ""), 1),
          "1 and 1",
          Agreement.of(true),
          "the same number");

  /** Thirty threads wait for one of four connections all through the incident. */
  private static List<StrainedLaws.Strain> ofQueue(int perSecond, int holdMillis) {
    return StrainedLaws.of(
        IncidentBuilder.incident()
            .waits(1800, 60, 120, WaitKind.POOL, "HikariCP", 1000)
            .rate(perSecond)
            .hold(holdMillis)
            .poolSize(4)
            .build(),
        List.of(),
        Hypothesis.CONNECTION_POOL_UNDERSIZED,
        0.9);
  }

  @Test
  void aModelOfThePresentPoolThatMissesItsQueueIsNamedWithBothFigures() {
    // 100/s x 10 ms = 1 of 4: hardly any wait. The last 30 waits end half a second after the
    // window.
    List<StrainedLaws.Strain> missed = ofQueue(100, 10);
    assertEquals(1, missed.size());
    assertTrue(
        missed
            .get(0)
            .words()
            .startsWith(
                "a model of the present 4 connections does not reproduce the incident: 29.8 wait"
                    + " on average, by the model 0"),
        missed.get(0).words());
    // 200/s x 30 ms = 6 of 4: the queue grows until the callers are used up.
    assertEquals(List.of(), ofQueue(200, 30));
  }

  /**
   * 55/s x 4 ms of one connection; in a pause of 10 s 550 come, of whom 59 wait on average over the
   * minute: 550 / 2 x (10 s + 550 / (250/s - 55/s)) / 60 s. Seven of eight threads wait for it, and
   * by the load test 55/s x 2 s = 110 requests are in the system: 102 of them wait for a thread.
   */
  @Test
  void whereNoMoreThreadsCanWaitForAConnectionTheRequestsBeforeThemCountWithThese() {
    List<ThreadState> dump =
        Stream.concat(
                threads("exec-", 7, ThreadActivity.WAITING_FOR_POOL, true).stream(),
                threads("exec-9", 1, ThreadActivity.IN_DOWNSTREAM_CALL, true).stream())
            .toList();
    IncidentBuilder incident =
        IncidentBuilder.incident()
            .requests(50, 55, 20, 2_000)
            .hold(4)
            .poolSize(1)
            .pause(PauseSketch.young(100, 10_000))
            .dump(70, dump)
            .dump(90, dump);
    WorkerSketch.group(incident, 0, 60, "exec-N", true, 8, 0, Map.of(WaitKind.IDLE, 32.0));
    WorkerSketch.group(incident, 60, 120, "exec-N", true, 8, 8, Map.of());
    assertEquals(
        List.of(),
        StrainedLaws.of(incident.build(), List.of(), Hypothesis.CONNECTION_POOL_UNDERSIZED, 0.9));
  }

  @Test
  void aShareThatPausesAloneDoNotBringAboutLiesNoHigherThanTheyDo() {
    // Pauses with a cause of their own are all of the lost time, and alone bring 60 % of the P99.
    Scene scene = forced();
    assertEquals(Optional.empty(), ofStops(scene, 0.9, 1).share().interval());
    Judgement strained = ofStops(scene, 0.6, 1);
    assertEquals(0.6, strained.share().interval().orElseThrow().low(), 1e-9);
    assertEquals(1, strained.share().interval().orElseThrow().high(), 1e-9);
    assertTrue(
        strained.rating().doubts().contains("pauses alone explain at most 60.0 % of the P99"),
        strained.rating().doubts());
  }

  @Test
  void aShareOfLessThanHalfThatAnotherFigureLeavesNextToNothingIsDoubtful() {
    assertEquals(Optional.of(Confidence.LOW), ofStops(forced(), 0.04, 0.4).rating().confidence());
    assertEquals(Optional.of(Confidence.MEDIUM), ofStops(forced(), 0.1, 0.4).rating().confidence());
  }

  /**
   * One request in 25 meets a stop of 400 ms and waits for 200 ms of it: 8 ms of each, and at least
   * 300 ms for one in a hundred. All lose 17 ms more elsewhere, which nobody notices.
   */
  @Test
  void whatMakesTheTailLeadsThoughALittleOfEachRequestIsMore() {
    assertEquals(Hypothesis.EXPLICIT_GC, first(500));
    // Of a P99 of 2 s that is a sixth.
    assertEquals(Hypothesis.CPU_SATURATION, first(2_000));
  }

  private static Hypothesis first(double p99Millis) {
    return judge(
            forced(45, p99Millis).incident(),
            true,
            List.of(AGREES),
            finding("collection-cause").explains(Hypothesis.EXPLICIT_GC, Effect.STOPPED, 1).build(),
            finding("cpu").explains(Hypothesis.CPU_SATURATION, Effect.UNACCOUNTED, 1).build())
        .get(0)
        .hypothesis();
  }

  private static Scene forced() {
    return forced(30, 500);
  }

  private static Scene forced(double meanMillis, double p99Millis) {
    Scene scene = Scene.of(60).load(100, meanMillis, 20, p99Millis).everythingRecorded();
    for (int at = 5; at < 60; at += 10) {
      GcPause pause =
          new GcPause(
              Scene.at(at),
              Duration.ofMillis(400),
              PauseKind.FULL,
              "System.gc()",
              OptionalLong.empty(),
              Optional.empty(),
              false,
              new Source("gc.log", "10"));
      scene.pause(pause);
    }
    return scene;
  }

  private static Judgement ofStops(Scene scene, double pausesAlone, double share) {
    Finding alone =
        finding("pauses-alone")
            .supports(Hypothesis.EXPLICIT_GC)
            .value("explainedAtMostShare", pausesAlone)
            .build();
    Finding explains =
        finding("collection-cause").explains(Hypothesis.EXPLICIT_GC, Effect.STOPPED, share).build();
    Finding rest =
        finding("rest").explains(Hypothesis.EXPLICIT_GC, Effect.UNACCOUNTED, share).build();
    return judge(scene.incident(), true, List.of(AGREES), explains, rest, alone).get(0);
  }

  /** The owners wait themselves for {@code waiting} of the held time. */
  private static Judgement ofLock(double waiting, double unseen) {
    FindingBuilder explains =
        finding("lock-wait")
            .explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, 1 - waiting)
            .value("unseenOfOwners", unseen);
    if (waiting > 0) {
      explains.value("shareOfOwners.file-wait", waiting);
    }
    Finding supports = finding("second-voice").supports(Hypothesis.LOCK_CONTENTION).build();
    return judge(
            Scene.of(60).waiting(WaitKind.LOCK, "Ledger", 0, 60, 2).everythingRecorded().incident(),
            true,
            List.of(AGREES),
            explains.build(),
            supports)
        .get(0);
  }

  @Test
  void moreWorkThatIsInterpretedAsNeverBeforeMayBeTheSameWork() {
    List<Finding> interpreted =
        List.of(finding("code-cache").value("unexplainedInterpreted", 0.8).build());
    assertEquals(
        List.of(
            new StrainedLaws.Strain(
                "80.0 % of its samples are interpreted code, and few were before", 1)),
        StrainedLaws.of(
            IncidentBuilder.incident().build(), interpreted, Hypothesis.CPU_SATURATION, 0.9));
    assertEquals(
        List.of(),
        StrainedLaws.of(
            IncidentBuilder.incident().build(), interpreted, Hypothesis.LOCK_CONTENTION, 0.9));
  }

  @Test
  void aLockWhoseOwnersAreMostlyUnseenMayBeOneOfAnotherCause() {
    assertEquals(Optional.of(Confidence.HIGH), ofLock(0.24, 0.45).rating().confidence());
    // Owners that only compute are in no wait at all, and that is what a lock is about.
    assertEquals(Optional.of(Confidence.HIGH), ofLock(0, 1).rating().confidence());
    Judgement unseen = ofLock(0.24, 0.68);
    assertEquals(Optional.of(Confidence.MEDIUM), unseen.rating().confidence());
    assertTrue(
        unseen
            .rating()
            .doubts()
            .contains(
                "the lock's owners waited 24.0 % of the held time themselves, and for 68.0 % of it"
                    + " nothing is recorded"),
        unseen.rating().doubts());
  }

  @Test
  void whatIsNormalOfCallsIsNotKnownWithoutABaseline() {
    String unknown = "there is no baseline that shows how much of it is normal";
    for (Hypothesis work : List.of(Hypothesis.SLOW_DOWNSTREAM, Hypothesis.THREAD_POOL_EXHAUSTED)) {
      assertTrue(judge(RankingTest.explains(work, 0.9)).get(0).rating().doubts().contains(unknown));
    }
    // A queue is no part of any request's work.
    assertFalse(
        judge(RankingTest.explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, 0.9))
            .get(0)
            .rating()
            .doubts()
            .contains(unknown));
  }
}
