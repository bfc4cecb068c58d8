package io.gcdiag.verdict;

import static io.gcdiag.verdict.RankingTest.explains;
import static io.gcdiag.verdict.RankingTest.finding;
import static io.gcdiag.verdict.RankingTest.judge;
import static io.gcdiag.verdict.RankingTest.of;
import static io.gcdiag.verdict.RankingTest.twoWait;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.Metric;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How far to rely on a verdict, and why. */
class CertaintyTest {

  private static final Source LOG = new Source("gc.log", "");

  private static CrossCheck check(Source a, Source b, boolean agrees) {
    return new CrossCheck(
        "pauses", side(a), side(b), "1 and 1", Agreement.of(agrees), "the same number");
  }

  private static CrossCheck.Side side(Source source) {
    return new CrossCheck.Side(new Metric.Origin(Optional.of(source), "", ""), 1);
  }

  private static Confidence confidence(CrossCheck... checks) {
    List<Judgement> judgements =
        judge(
            twoWait().everythingRecorded().incident(),
            true,
            List.of(checks),
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build());
    return judgements.get(0).rating().confidence().orElseThrow();
  }

  @Test
  void aSecondSourceThatAgreesMakesAVerdictFirmAndOneThatDoesNotMakesItDoubtful() {
    assertEquals(Confidence.MEDIUM, confidence());
    assertEquals(Confidence.HIGH, confidence(check(LOG, new Source("recording.jfr", ""), true)));
    assertEquals(Confidence.LOW, confidence(check(LOG, new Source("recording.jfr", ""), false)));
    assertEquals(
        Confidence.LOW,
        confidence(
            check(new Source("recording.jfr", "jdk.ThreadPark"), new Source("a", ""), false)));
  }

  private static Judgement pressureBy(Scene scene) {
    return judge(
            scene.everythingRecorded().incident(),
            true,
            List.of(),
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build())
        .get(0);
  }

  /** Objects that wait for a finalizer fill a heap as well, and a log does not name objects. */
  @Test
  void byALogAloneAHeapThatFillsHasMoreThanOneReason() {
    Judgement byLog = pressureBy(twoWait().input("gc.log", "gc-log", InputReport.Status.OK));
    assertEquals(Optional.of(Confidence.LOW), byLog.rating().confidence());
    assertTrue(
        byLog
            .rating()
            .doubts()
            .contains(
                "a GC log alone does not separate it from objects that wait for their finalizers"),
        byLog.rating().doubts());
    assertEquals(
        Optional.of(Confidence.MEDIUM),
        pressureBy(
                twoWait()
                    .input("gc.log", "gc-log", InputReport.Status.OK)
                    .input("threads.txt", "thread-dump", InputReport.Status.OK))
            .rating()
            .confidence());
  }

  @Test
  void metersThatNoFindingReadLeaveNothingOpenHoweverManyOfThemHaveNoTime() {
    InputReport.Status partial = InputReport.Status.PARTIAL;
    assertEquals(
        Optional.of(Confidence.MEDIUM),
        pressureBy(twoWait().input("metrics.txt", "exposition", partial)).rating().confidence());
    // The findings are of recording.jfr, and what it lacks may be the cause.
    assertEquals(
        Optional.of(Confidence.LOW),
        pressureBy(twoWait().input("recording.jfr", "exposition", partial)).rating().confidence());
    assertEquals(
        Optional.of(Confidence.LOW),
        pressureBy(twoWait().input("other.jfr", "jfr", partial)).rating().confidence());
  }

  @Test
  void aServerThatIsInferredLeavesNothingFirm() {
    Scene scene =
        twoWait()
            .everythingRecorded()
            .samples(new InferredServer(Scene.at(10), "miller-*", "mill.Mill.grind"));
    Judgement judgement =
        judge(
                scene.incident(),
                true,
                List.of(check(LOG, new Source("recording.jfr", ""), true)),
                explains(Hypothesis.MEMORY_PRESSURE, 0.6),
                finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build())
            .get(0);
    assertEquals(Optional.of(Confidence.MEDIUM), judgement.rating().confidence());
    assertEquals(
        "miller-* in mill.Mill.grind are taken to serve the requests, because as many wait there as"
            + " the load test has in progress",
        judgement.rating().doubts());
  }

  @Test
  void aPlaceWhoseWaitIsNotKnownIsNeverAFirmCause() {
    Judgement judgement =
        judge(
                twoWait().everythingRecorded().incident(),
                true,
                List.of(check(LOG, new Source("recording.jfr", ""), true)),
                explains(Hypothesis.NATIVE_OR_UNKNOWN, 0.6),
                finding("second-voice").supports(Hypothesis.NATIVE_OR_UNKNOWN).build())
            .get(0);
    assertEquals(Optional.of(Confidence.MEDIUM), judgement.rating().confidence());
    assertEquals("the place is seen, not what is waited for there", judgement.rating().doubts());
  }

  @Test
  void ofWhatIsAsMuchAsCanBeTheLeastDecidesHowSureItIs() {
    MeasuredIncident incident = twoWait().everythingRecorded().incident();
    Finding handsOn =
        finding("hands-on")
            .passes(Effect.POOL_WAIT, Effect.CPU_QUEUE, 1, 0.05, "the cores are full")
            .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE, 1)
            .build();
    Judgement judgement =
        judge(incident, true, List.of(check(LOG, new Source("recording.jfr", ""), true)), handsOn)
            .get(0);
    assertEquals(Hypothesis.HOST_CPU_CONTENTION, judgement.hypothesis());
    assertEquals(Optional.of(Confidence.LOW), judgement.rating().confidence());
    assertEquals(0.05, judgement.share().interval().orElseThrow().low(), 1e-9);
  }

  /** All of it at most, and a fifth at least, which is less than makes a suspect. */
  @Test
  void aShareThatMayBeTooSmallForASuspectIsNotFirm() {
    for (double least : List.of(0.2, 0.3)) {
      Judgement judgement =
          judge(
                  twoWait().everythingRecorded().incident(),
                  true,
                  List.of(check(LOG, new Source("recording.jfr", ""), true)),
                  finding("hands-on")
                      .passes(Effect.POOL_WAIT, Effect.CPU_QUEUE, 1, least, "the cores are full")
                      .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.CPU_QUEUE, 1)
                      .build(),
                  finding("second-voice").supports(Hypothesis.THREAD_POOL_EXHAUSTED).build())
              .get(0);
      assertEquals(
          least == 0.2,
          judgement.rating().doubts().contains("its share may be as low as 20 %"),
          judgement.rating().doubts());
    }
  }

  @Test
  void aCheckOfAnotherFileDoesNotCountThoughItsNameBeginsTheSame() {
    assertEquals(
        Confidence.MEDIUM, confidence(check(LOG, new Source("recording.jfr.2", ""), false)));
  }

  @Test
  void aDisputeOnAnotherEffectLeavesAVerdictAsItIs() {
    Window time = Scene.window(10, 11);
    // The verdict rests on waiting for connections: what files say of pauses is another matter.
    CrossCheck pauses = check(LOG, new Source("recording.jfr", ""), false).at(time, Effect.STOPPED);
    CrossCheck waiters =
        check(LOG, new Source("recording.jfr", ""), false).at(time, Effect.POOL_WAIT);
    CrossCheck agrees = check(LOG, new Source("recording.jfr", ""), true);
    assertEquals(Confidence.HIGH, confidence(agrees, pauses));
    assertEquals(Confidence.LOW, confidence(agrees, waiters));
  }

  @Test
  void whatKeepsAVerdictFromBeingFirmIsSaid() {
    Judgement one = judge(explains(Hypothesis.MEMORY_PRESSURE, 0.9)).get(0);
    assertEquals(
        "a single kind of evidence supports it; no second file confirms it", one.rating().doubts());
    List<Judgement> disputed =
        judge(
            twoWait().everythingRecorded().incident(),
            true,
            List.of(check(LOG, new Source("recording.jfr", ""), false)),
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build());
    assertEquals(
        "two sources disagree on pauses (1 and 1); no second file confirms it",
        disputed.get(0).rating().doubts());
    assertEquals("", disputed.get(1).rating().doubts());
  }

  @Test
  void ofTwoThatExplainAsMuchNeitherIsSure() {
    CrossCheck agrees = check(LOG, new Source("recording.jfr", ""), true);
    List<Judgement> judgements =
        judge(
            twoWait().everythingRecorded().incident(),
            true,
            List.of(agrees),
            explains(Hypothesis.MEMORY_PRESSURE, 0.45),
            explains(Hypothesis.SLOW_DOWNSTREAM, 0.42),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build());
    assertEquals(Optional.of(Confidence.LOW), judgements.get(0).rating().confidence());
    assertTrue(
        judgements.get(0).rating().doubts().startsWith("not distinguished from slow-downstream"),
        judgements.get(0).rating()::doubts);
    // One of them explains 87 %.
    assertFalse(
        judgements.get(0).rating().doubts().contains("less than half"),
        judgements.get(0).rating()::doubts);
  }

  /** 60 % at most and 30 % at least, beside 40 %: either may be the larger one. */
  @Test
  void ofTwoWhoseBoundsMeetNeitherIsSure() {
    Finding handsOn =
        finding("hands-on")
            .passes(Effect.POOL_WAIT, Effect.CPU_QUEUE, 0.6, 0.3, "the cores are full")
            .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE, 1)
            .build();
    Judgement first =
        judge(
                twoWait().everythingRecorded().incident(),
                true,
                List.of(check(LOG, new Source("recording.jfr", ""), true)),
                handsOn,
                explains(Hypothesis.SLOW_DOWNSTREAM, 0.4),
                finding("second-voice").supports(Hypothesis.HOST_CPU_CONTENTION).build())
            .get(0);
    assertEquals(Hypothesis.HOST_CPU_CONTENTION, first.hypothesis());
    assertTrue(
        first.rating().doubts().contains("not distinguished from slow-downstream"),
        first.rating()::doubts);
  }

  @Test
  void whatItsOwnFindingCannotTellFromAnotherIsNotSure() {
    Judgement first =
        judge(
                twoWait().everythingRecorded().incident(),
                true,
                List.of(check(LOG, new Source("recording.jfr", ""), true)),
                explains(Hypothesis.CONNECTION_LEAK, 0.8),
                finding("second-voice")
                    .supports(Hypothesis.CONNECTION_LEAK)
                    .inseparable(
                        Hypothesis.CONNECTION_LEAK,
                        Hypothesis.CONNECTION_POOL_UNDERSIZED,
                        "return it before the other work")
                    .build())
            .get(0);
    assertEquals(Optional.of(Confidence.MEDIUM), first.rating().confidence());
    assertEquals("not distinguished from connection-pool-undersized", first.rating().doubts());
    assertEquals("return it before the other work", first.rating().surer());
  }

  @Test
  void besideACauseThatExplainsAQuarterNoneIsSure() {
    Judgement first =
        judge(
                twoWait().everythingRecorded().incident(),
                true,
                List.of(check(LOG, new Source("recording.jfr", ""), true)),
                explains(Hypothesis.MEMORY_PRESSURE, 0.6),
                explains(Hypothesis.SLOW_DOWNSTREAM, 0.3),
                finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build())
            .get(0);
    assertEquals(Optional.of(Confidence.MEDIUM), first.rating().confidence());
    assertEquals("slow-downstream explains a good part as well", first.rating().doubts());
  }

  @Test
  void whatExplainsLessThanHalfIsNotSure() {
    assertEquals(Optional.of(Confidence.MEDIUM), explaining(0.45).rating().confidence());
    assertTrue(
        explaining(0.45).rating().doubts().contains("it explains less than half of the lost time"));
    assertEquals(Optional.of(Confidence.HIGH), explaining(0.55).rating().confidence());
  }

  @Test
  void whatSomeEvidenceSpeaksAgainstIsNotSureAndDoubtfulWithoutASecondFile() {
    Judgement confirmed = against(List.of(check(LOG, new Source("recording.jfr", ""), true)));
    assertEquals(Optional.of(Confidence.MEDIUM), confirmed.rating().confidence());
    assertTrue(confirmed.rating().doubts().startsWith("against it: "), confirmed.rating()::doubts);
    assertEquals(Optional.of(Confidence.LOW), against(List.of()).rating().confidence());
  }

  private static Judgement against(List<CrossCheck> checks) {
    return judge(
            twoWait().everythingRecorded().incident(),
            true,
            checks,
            explains(Hypothesis.MEMORY_PRESSURE, 0.8),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build(),
            finding("third-voice").weakens(Hypothesis.MEMORY_PRESSURE).build())
        .get(0);
  }

  @Test
  void whatRulesACauseOutIsNoDoubtOfThat() {
    Judgement one =
        judge(
                twoWait().everythingRecorded().incident(),
                true,
                List.of(check(LOG, new Source("recording.jfr", ""), true)),
                finding("first-voice").refutes(Hypothesis.MEMORY_PRESSURE).build(),
                finding("second-voice").weakens(Hypothesis.MEMORY_PRESSURE).build())
            .stream()
            .filter(judgement -> judgement.hypothesis() == Hypothesis.MEMORY_PRESSURE)
            .findFirst()
            .orElseThrow();
    assertEquals(Verdict.RULED_OUT, one.verdict());
    assertEquals(Optional.of(Confidence.HIGH), one.rating().confidence());
  }

  private static Judgement explaining(double share) {
    return judge(
            twoWait().everythingRecorded().incident(),
            true,
            List.of(check(LOG, new Source("recording.jfr", ""), true)),
            explains(Hypothesis.MEMORY_PRESSURE, share),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build())
        .get(0);
  }

  @Test
  void computingAtTheRateOfAWholeLoadTestIsNotSure() {
    // Two cores of which the JVM uses 2.5 % and then 60 %: 69 s more at the run's mean rate.
    MeasuredIncident incident =
        Scene.of(120)
            .samples(new HardwareThreads(Scene.at(0), 2))
            .cpu(0, 60, 0.025, 0.1)
            .cpu(60, 120, 0.6, 0.75)
            .load(50, 45, 26, 191, 0.8)
            .everythingRecorded()
            .incidentFrom(60);
    Judgement one =
        judge(
                incident,
                true,
                List.of(check(LOG, new Source("recording.jfr", ""), true)),
                finding("cpu").explains(Hypothesis.CPU_SATURATION, Effect.RUNNING, 1).build(),
                finding("second-voice").supports(Hypothesis.CPU_SATURATION).build())
            .get(0);
    assertEquals(Optional.of(Confidence.MEDIUM), one.rating().confidence());
    assertEquals(
        "the request rate in the incident is not known, only that of the whole load test",
        one.rating().doubts());
  }

  @Test
  void aLoadTestThatMeasuredTheSameDelayConfirmsTheRecording() {
    // Two threads wait for all of the minute: 120 s. The test's 12,000 requests that take 30 ms
    // instead of 10 lose 240 s in two minutes, 120 s of it in this one; at 66 ms it is 336 s.
    assertEquals(Optional.of(Confidence.MEDIUM), confidenceUnderLoad(30));
    assertEquals(Optional.of(Confidence.LOW), confidenceUnderLoad(66));
  }

  private static Optional<Confidence> confidenceUnderLoad(double meanMillis) {
    MeasuredIncident incident =
        twoWait().everythingRecorded().load(100, meanMillis, 10, 3 * meanMillis).incident();
    return judge(incident, true, List.of(), explains(Hypothesis.MEMORY_PRESSURE, 1))
        .get(0)
        .rating()
        .confidence();
  }

  @Test
  void whatIsTheCauseItselfNeedsNoSecondKindOfEvidence() {
    Judgement proven =
        of(Hypothesis.DEADLOCK, judge(finding("circle").proves(Hypothesis.DEADLOCK).build()));
    assertEquals(Optional.of(Confidence.MEDIUM), proven.rating().confidence());
    assertEquals("no second file confirms it", proven.rating().doubts());
  }

  private static Judgement ofWhole(Scene scene, Finding... findings) {
    return judge(
            scene.everythingRecorded().incident(),
            true,
            List.of(check(LOG, new Source("recording.jfr", ""), true)),
            findings)
        .get(0);
  }

  private static Finding second() {
    return finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build();
  }

  private static Scene twoDumps() {
    return Scene.of(60).dump(20, 30).dump(40, 50);
  }

  @Test
  void aShareThatRestsOnTwoDumpsIsNotSure() {
    Judgement judgement = ofWhole(twoDumps(), explains(Hypothesis.MEMORY_PRESSURE, 1), second());
    assertEquals(Optional.of(Confidence.MEDIUM), judgement.rating().confidence());
    // No thread at work stands elsewhere: by two dumps 0.6576 of the 40 may, 1 / 1.6576 = 60 %.
    assertEquals("its share rests on 2 thread dumps: 60 to 100 %", judgement.rating().doubts());
    assertEquals(0.603, judgement.share().interval().orElseThrow().low(), 0.001);
    assertEquals(1, judgement.share().interval().orElseThrow().high(), 0.001);
  }

  @Test
  void aShareThatRestsOnManySamplesIsAsSureAsAMeasuredOne() {
    Judgement few = ofWhole(twoWait(), sampled(0.6, 10), second());
    Judgement many = ofWhole(twoWait(), sampled(0.6, 10_000), second());
    assertEquals(Optional.of(Confidence.MEDIUM), few.rating().confidence());
    // Wilson's interval for 6 of 10.
    assertEquals("its share rests on 10 samples: 31 to 83 %", few.rating().doubts());
    assertEquals(Optional.of(Confidence.HIGH), many.rating().confidence());
    assertEquals("", many.rating().doubts());
    assertEquals(0.59, many.share().interval().orElseThrow().low(), 0.001);
  }

  @Test
  void aShareThatMayBeNextToNothingIsDoubtful() {
    // Wilson's interval for 2 of 8 begins at 7 %, less than is worth a mention.
    Judgement judgement = ofWhole(twoWait(), sampled(0.25, 8), second());
    assertEquals(Optional.of(Confidence.LOW), judgement.rating().confidence());
    assertEquals(
        "it explains less than half of the lost time; its share rests on 8 samples: 7 to 59 %",
        judgement.rating().doubts());
  }

  private static Finding sampled(double share, long samples) {
    return finding("sampler")
        .explains(Hypothesis.MEMORY_PRESSURE, Effect.POOL_WAIT, share)
        .samples(samples)
        .build();
  }

  @Test
  void whatIsUnexplainedMayBeDueToTheSuspectToo() {
    Judgement judgement = ofWhole(twoWait(), explains(Hypothesis.MEMORY_PRESSURE, 0.6), second());
    assertEquals(0.6, judgement.share().interval().orElseThrow().low(), 0.001);
    assertEquals(1, judgement.share().interval().orElseThrow().high(), 0.001);
    assertEquals(Optional.of(Confidence.HIGH), judgement.rating().confidence());
  }

  @Test
  void aMeasuredShareOfAllHasNoInterval() {
    Judgement judgement = ofWhole(twoWait(), explains(Hypothesis.MEMORY_PRESSURE, 1), second());
    assertEquals(Optional.empty(), judgement.share().interval());
    assertEquals(Optional.of(Confidence.HIGH), judgement.rating().confidence());
  }

  @Test
  void whatCouldNotBeReadTakesAStepOffAndIsSaid() {
    assertIncomplete(
        "gc.log could be read only in part",
        twoWait()
            .input("gc.log", "gc-log", InputReport.Status.PARTIAL)
            .input("threads-1.txt", "thread-dump", InputReport.Status.OK));
    assertIncomplete(
        "threads-2.txt could not be read",
        twoWait()
            .input("threads-1.txt", "thread-dump", InputReport.Status.OK)
            .input("threads-2.txt", "thread-dump", InputReport.Status.UNREADABLE));
  }

  @Test
  void aFileThatMayBeMeantInAnotherWayLeavesNothingFirmAndNoHealth() {
    InputReport log =
        new InputReport(
            "access.log",
            "access-log",
            InputReport.Status.OK,
            "field 8 is taken for us; not sure: in ms it is 30 s",
            InputReport.Remark.UNSURE);
    Scene scene = twoWait().input(log);
    Judgement judgement = ofWhole(scene, explains(Hypothesis.MEMORY_PRESSURE, 0.6), second());
    assertEquals(Optional.of(Confidence.MEDIUM), judgement.rating().confidence());
    assertEquals("access.log may be meant in another way", judgement.rating().doubts());
    assertEquals("the option that a note on the inputs names", judgement.rating().surer());
    assertTrue(Summary.isPartial(twoWait().input(log).incident().timeline()));
  }

  private static void assertIncomplete(String doubt, Scene scene) {
    Judgement judgement = ofWhole(scene, explains(Hypothesis.MEMORY_PRESSURE, 0.6), second());
    assertEquals(Optional.of(Confidence.MEDIUM), judgement.rating().confidence());
    assertEquals(doubt, judgement.rating().doubts());
  }

  @Test
  void aFileThatIsNothingOfOursIsNoLoss() {
    Scene scene = twoWait().input("notes.txt", "unknown", InputReport.Status.UNREADABLE);
    Judgement judgement = ofWhole(scene, explains(Hypothesis.MEMORY_PRESSURE, 0.6), second());
    assertEquals(Optional.of(Confidence.HIGH), judgement.rating().confidence());
  }

  /** Two wait, and pauses of a millisecond in collections of these numbers, one a second. */
  private static Scene collections(long... numbers) {
    Scene scene = twoWait();
    for (int i = 0; i < numbers.length; i++) {
      scene.pause(pause(5 + i, PauseKind.YOUNG, numbers[i]));
    }
    return scene;
  }

  private static GcPause pause(double at, PauseKind kind, long number) {
    return new GcPause(
        Scene.at(at),
        Duration.ofMillis(1),
        new PauseType(kind, "G1 Evacuation Pause", false),
        OptionalLong.of(number),
        Optional.empty(),
        new Source(Scene.RECORDING, "jdk.GCPhasePause"));
  }

  @Test
  void collectionsOfTheIncidentThatNoFileHoldsTakeAStepOff() {
    // 4 to 23 are missing; a few numbers of cycles that were given up stop no thread.
    assertIncomplete("20 GCs of the incident are in no file", collections(1, 2, 3, 24, 25, 30, 31));
  }

  @Test
  void theCleanupOfACycleIsLateByAnyNumberOfCollections() {
    // Cycle 10 ends after the collection 90: nothing is missing between the two.
    Scene scene = twoWait();
    for (int number = 10; number <= 90; number++) {
      scene.pause(pause(5 + number / 20.0, PauseKind.YOUNG, number));
    }
    scene.pause(pause(9.6, PauseKind.CLEANUP, 10)).pause(pause(9.7, PauseKind.YOUNG, 91));
    Judgement judgement = ofWhole(scene, explains(Hypothesis.MEMORY_PRESSURE, 0.6), second());
    assertEquals("", judgement.rating().doubts());
  }

  @Test
  void anotherRunOfTheJvmCountsFromTheBeginningAgain() {
    Scene scene = collections(500, 501, 0, 1, 2);
    Judgement judgement = ofWhole(scene, explains(Hypothesis.MEMORY_PRESSURE, 0.6), second());
    assertEquals("", judgement.rating().doubts());
  }
}
