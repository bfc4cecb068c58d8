package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.HiddenWaits;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {

  private static final Finding ASKED_FOR =
      Finding.of("collection-cause", "30 of 30 pauses have the cause 'System.gc()'")
          .from(new Source("gc.log", "1"))
          .explains(Hypothesis.EXPLICIT_GC, Effect.STOPPED, 1)
          .build();

  private static String healthy(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    Attribution attribution = new Attribution(times, List.of(ASKED_FOR));
    List<Judgement> judgements =
        Ranking.rank(
            incident,
            Causes.sensors(),
            List.of(ASKED_FOR),
            attribution,
            new UserImpact(false, false, true, ""),
            List.of());
    return new Summary(incident, UserImpact.of(incident, times, 0), judgements, attribution)
        .of(Conclusion.HEALTHY)
        .words();
  }

  private static String undecided(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    Attribution attribution = new Attribution(times, List.of());
    return new Summary(incident, UserImpact.of(incident, times, 0), List.of(), attribution)
        .of(Conclusion.UNDECIDED)
        .words();
  }

  @Test
  void anOpenAnswerNamesTheOneFileThatWouldDecideIt() {
    // Waits are recorded, and nothing says how long requests take.
    String recording = undecided(Scene.of(60).pauses(0, 60, 2, 40).incident());
    assertTrue(recording.contains(" To decide it: how long requests take ("), recording);
    // What is asked for already is not asked for twice.
    String asked = undecided(Scene.of(60).pauses(0, 60, 2, 40).everythingRecorded().incident());
    String decides = HiddenWaits.Step.LATENCIES.words();
    assertTrue(asked.contains(decides), asked);
    assertEquals(asked.indexOf("To decide it"), asked.lastIndexOf("To decide it"), asked);
  }

  @Test
  void aServiceThatTakesTwiceAsLongForAllRequestsIsNotHealthyHoweverQuickItIs() {
    // 2 ms to 4 ms: nobody notices 2 ms, and each request takes twice as long.
    String twice = undecided(IncidentBuilder.incident().requests(100, 2, 4).build());
    assertTrue(
        twice.startsWith(
            "All requests take longer than in the baseline, too little for users to notice: P50 "),
        twice);
    // 2 ms to 2.8 ms is less than half as much more, and 0.1 ms to 0.9 ms what a scheduler varies.
    assertTrue(
        !undecided(IncidentBuilder.incident().requests(100, 2, 2.8).build())
            .contains("All requests take longer"));
    assertTrue(
        !undecided(IncidentBuilder.incident().requests(100, 0.1, 0.9).build())
            .contains("All requests take longer"));
  }

  /** Eight request threads that begin ten pieces of work a second up to that second of 60. */
  private static MeasuredIncident workingUntil(int last) {
    return workingUntil(last, Scene.of(60)).incident();
  }

  private static Scene workingUntil(int last, Scene scene) {
    Duration second = Duration.ofSeconds(1);
    Latencies.Counter ten = new Latencies.Counter();
    IntStream.range(0, 10).forEach(i -> ten.add(Duration.ofMillis(50)));
    scene.everythingRecorded();
    for (int at = 0; at < 60; at++) {
      scene.samples(
          new WorkerTime(Scene.at(at), second, "http-N", true, 8, 0, Map.of(WaitKind.IDLE, 7.5)));
      if (at < last) {
        scene.samples(
            new WorkRounds(Scene.at(at), second, "http-N", ten.latencies(), ten.latencies()));
      }
    }
    return scene;
  }

  @Test
  void requestThreadsThatTakeUpNoWorkMayHang() {
    String words =
        "For the last 20 s no request thread took up any work, after it had before: no requests"
            + " came any more, or all threads hang";
    assertTrue(undecided(workingUntil(40)).startsWith(words), undecided(workingUntil(40)));
    // Shorter than ten seconds is a lull.
    assertTrue(!undecided(workingUntil(51)).contains("took up any work"));
    // One call after the other to the end: others, such as virtual threads, work on.
    Scene calling = Scene.of(60);
    IntStream.range(0, 60)
        .forEach(at -> calling.waiting(WaitKind.DOWNSTREAM, "partner:80", at, at + 0.9, 1));
    assertTrue(!undecided(workingUntil(40, calling).incident()).contains("took up any work"));
  }

  /** All stand still for 40 ms every two seconds: one in fifty waits for 20 ms, 0.4 ms of each. */
  private static Scene pausing(double medianMillis) {
    return Scene.of(60).pauses(0, 60, 2, 40).load(10, medianMillis + 0.4, medianMillis, 40);
  }

  @Test
  void aHealthyRunNamesWhatItsRequestsLoseANotablePartTo() {
    String summary = healthy(pausing(1).everythingRecorded().incident());
    assertTrue(
        summary.endsWith(
            "is explained by explicit-gc: 30 of 30 pauses have the cause 'System.gc()'."),
        summary);
  }

  @Test
  void aHealthyServiceThatComputesMoreThanBeforeIsSaidTo() {
    // 20 % of the cores before, 55 % during; 1.5 times as much would be 30 %.
    String more =
        healthy(Scene.of(60).cpu(0, 40, 0.2, 0.3).cpu(40, 60, 0.55, 0.6).incidentFrom(40));
    assertTrue(more.contains("the service uses 55.0 % of the CPU (before: 20.0 %)"), more);
    String asMuch =
        healthy(Scene.of(60).cpu(0, 40, 0.5, 0.6).cpu(40, 60, 0.55, 0.6).incidentFrom(40));
    assertTrue(!asMuch.contains("What changed"), asMuch);
  }

  @Test
  void aHealthyServiceOfWhichHalfTheRequestsMayMakeANewCallIsSaidTo() {
    String call = healthy(calling().loadTest(60, 61).build());
    assertTrue(call.contains("calls over 1 ms to layouts:80, 60 a second of 60 ms each"), call);
    // Where most requests take a millisecond, few of them wait for a call.
    String few = healthy(calling().loadTest(60, 1).build());
    assertTrue(!few.contains("layouts:80"), few);
    // Of two hosts the figures are of the one that most of the time goes to.
    String two =
        healthy(
            calling()
                .waits(600, 60, 120, WaitKind.DOWNSTREAM, "names:53", 2)
                .loadTest(60, 61)
                .build());
    assertTrue(two.contains("layouts:80, 60 a second of 60 ms each"), two);
    // Calls that the baseline has as well are no change.
    String usual =
        healthy(
            calling()
                .waits(3_600, 0, 60, WaitKind.DOWNSTREAM, "layouts:80", 60)
                .loadTest(60, 61)
                .build());
    assertTrue(!usual.contains("layouts:80"), usual);
  }

  private static IncidentBuilder calling() {
    return IncidentBuilder.incident()
        .recorded(Signal.SOCKET_READS, 1)
        .waits(3_600, 60, 120, WaitKind.DOWNSTREAM, "layouts:80", 60);
  }

  @Test
  void stopsAreNamedByWhatTheyAre() {
    // 40 ms every two seconds. The share is of collections and of other safepoints together.
    String summary = healthy(pausing(100).everythingRecorded().incident());
    assertTrue(summary.contains("GC pauses and other safepoints took 2.0 % of the time"), summary);
  }

  @Test
  void whatHardlyLengthensARequestIsNotWorthASentence() {
    String summary = healthy(pausing(100).everythingRecorded().incident());
    assertEquals(-1, summary.indexOf("explicit-gc"), summary);
  }

  @Test
  void aHealthyRunNamesWhatMakesATailOfManyTimesTheMedian() {
    // One in 150 waits for 400 ms at most: 1.3 ms of each, little beside 13 ms, but 30 times that
    // at most. One in a hundred takes 210 ms or more: 2 ms of each are lost.
    Scene scene = Scene.of(60).pauses(0, 60, 60, 400).load(10, 15, 13, 210);
    String summary = healthy(scene.everythingRecorded().incident());
    assertTrue(summary.contains("is explained by explicit-gc"), summary);
  }

  /**
   * 0.08 threads wait for a connection at 10/s: 8 ms of each request, and one in a hundred that
   * takes 80 ms longer than most makes 0.8 ms of each.
   */
  @Test
  void aHealthyRunNamesTheQueueThatMakesItsTail() {
    Scene scene =
        Scene.of(60).load(10, 24, 20, 100).waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 60, 0.08);
    String summary = healthy(scene.everythingRecorded().incident());
    assertTrue(
        summary.contains(
            "A few requests are delayed, waiting for a connection: 8 ms per request on average,"
                + " enough for a P99 latency of 100 ms."),
        summary);
    String none = healthy(Scene.of(60).load(10, 24, 20, 100).everythingRecorded().incident());
    assertEquals(-1, none.indexOf("A few requests"), none);
  }

  /**
   * Two threads wait for a minute: 120 s, and 600 requests of 24 ms on average lasted 14 s in all.
   */
  @Test
  void whatOtherThreadsWaitIsNoWaitOfRequests() {
    Scene scene =
        Scene.of(60).load(10, 24, 20, 100).waitingUnevenly(WaitKind.LOCK, "Rope", 0, 60, 2);
    String summary = healthy(scene.everythingRecorded().incident());
    assertEquals(-1, summary.indexOf("per request"), summary);
    assertTrue(
        summary.contains(
            "on average, 2 threads were waiting or paused, longer than all requests together: not"
                + " those of requests;"),
        summary);
    assertEquals(-1, summary.indexOf("little lost time"), summary);
  }

  /** A tenth of the requests took 10 s, and no wait is recorded: they are what was slow. */
  @Test
  void timeInNoRecordedStateIsThatOfTheRequestsThatTookIt() {
    Latencies.Counter quick = new Latencies.Counter();
    Latencies.Counter slow = new Latencies.Counter();
    IntStream.range(0, 10).forEach(i -> quick.add(Duration.ofMillis(20)));
    IntStream.range(0, 9).forEach(i -> slow.add(Duration.ofMillis(20)));
    slow.add(Duration.ofSeconds(10));
    Latencies[] seconds =
        IntStream.range(0, 60)
            .mapToObj(second -> (second < 30 ? quick : slow).latencies())
            .toArray(Latencies[]::new);
    String summary =
        undecided(
            // Of the load test each request took 24 ms at most.
            Scene.of(60)
                .load(10, 20, 20, 24)
                .latencies(seconds)
                .everythingRecorded()
                .incidentFrom(30));
    assertEquals(-1, summary.indexOf("not those of requests"), summary);
    assertTrue(summary.contains("1 s longer on average than in the baseline"), summary);
    assertTrue(
        summary.contains(" To decide it: thread dumps while slow requests are in progress ("),
        summary);
  }

  private static final Finding FULL =
      Finding.of("collection-failure", "2 full GCs in the window")
          .from(new Source("gc.log", "1"))
          .supports(Hypothesis.MEMORY_PRESSURE)
          .build();

  @Test
  void anUndecidedReportNamesWhatSomethingSpeaksFor() {
    MeasuredIncident incident = Scene.ofLog(60).incident();
    Attribution attribution = new Attribution(incident.effects(), List.of(FULL));
    UserImpact unknown = new UserImpact(false, false, false, "nothing is known");
    List<Judgement> judgements =
        Ranking.rank(incident, Causes.sensors(), List.of(FULL), attribution, unknown, List.of());
    String summary =
        new Summary(incident, unknown, judgements, attribution).of(Conclusion.UNDECIDED).words();
    assertEquals(
        "These inputs cannot show whether requests were delayed; nothing is known. The lead, not"
            + " proven: memory-pressure (2 full GCs in the window)."
            // Pauses alone: nothing shows what else requests wait for.
            + " To decide it: a recording of a minute of the incident (jcmd PID JFR.start"
            + " settings=profile duration=60s filename=incident.jfr).",
        summary);
  }

  /** Two full GCs of 100 and 130 ms, at 30 and 45 s. */
  private static Scene withFullCollections() {
    return Scene.of(60).pause(full(30, 100)).pause(full(45, 130)).everythingRecorded();
  }

  private static GcPause full(double at, long millis) {
    return new GcPause(
        Scene.at(at),
        Duration.ofMillis(millis),
        PauseKind.FULL,
        "Ergonomics",
        OptionalLong.empty(),
        Optional.empty(),
        false,
        new Source(Scene.RECORDING, "jdk.GarbageCollection"));
  }

  @Test
  void fullCollectionsAreNeverSilent() {
    String notable =
        " Notable: 2 full GCs (Ergonomics), 230 ms in total, longest 130 ms, 10:00:30 to 10:00:45"
            + " UTC.";
    String healthy = healthy(withFullCollections().load(10, 24, 20, 100).incident());
    assertTrue(healthy.endsWith(notable), healthy);
    MeasuredIncident incident = withFullCollections().incident();
    Attribution attribution = new Attribution(incident.effects(), List.of());
    UserImpact unknown = new UserImpact(false, false, false, "nothing is known");
    List<Judgement> judgements =
        Ranking.rank(incident, Causes.sensors(), List.of(), attribution, unknown, List.of());
    String undecided =
        new Summary(incident, unknown, judgements, attribution).of(Conclusion.UNDECIDED).words();
    assertTrue(undecided.endsWith(notable), undecided);
  }

  @Test
  void anUndecidedReportNamesWhatMostOfTheLostTimeWentInto() {
    MeasuredIncident incident =
        Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 5).everythingRecorded().incident();
    Attribution attribution = new Attribution(incident.effects(), List.of());
    UserImpact impact = new UserImpact(true, false, true, "5 threads wait");
    List<Judgement> judgements =
        Ranking.rank(incident, Causes.sensors(), List.of(), attribution, impact, List.of());
    assertEquals(
        "5 threads wait; no cause found explains the delay. Most of it (100.0 %)"
            + " is time waiting for a connection, most for HikariCP."
            // Whether requests wait there is not known.
            + " "
            + HiddenWaits.Step.LATENCIES.words()
            + ".",
        new Summary(incident, impact, judgements, attribution).of(Conclusion.UNDECIDED).words());
  }

  @Test
  void whatFailsAtOnceIsSaidToHaveFailed() {
    RequestStats stats =
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(1_000)
            .failed(300)
            .mean(Duration.ofMillis(5))
            .percentile(50, Duration.ofMillis(5))
            .percentile(99, Duration.ofMillis(6))
            .build();
    String summary =
        Diagnoser.diagnose(
                IncidentBuilder.incident()
                    .recorded(Signal.GC_PAUSES)
                    .recorded(Signal.THREAD_PARKS)
                    .loadTest(stats)
                    .build()
                    .timeline(),
                Optional.empty(),
                Optional.empty())
            .summary();
    assertTrue(
        summary.startsWith("30.0 % of the requests failed, and nothing recorded explains it"),
        summary);
  }
}
