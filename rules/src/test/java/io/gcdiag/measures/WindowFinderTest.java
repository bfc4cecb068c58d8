package io.gcdiag.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class WindowFinderTest {

  private static final HardwareThreads TWO_CORES = new HardwareThreads(Scene.at(0), 2);

  private static Windows find(Timeline timeline) {
    return WindowFinder.find(timeline, Optional.empty(), Optional.empty());
  }

  private static Windows find(Timeline timeline, String incident) {
    return WindowFinder.find(
        timeline, Optional.of(WindowRequest.parse(incident)), Optional.empty());
  }

  private static Windows find(Timeline timeline, String incident, String baseline) {
    return WindowFinder.find(
        timeline,
        incident.isEmpty() ? Optional.empty() : Optional.of(WindowRequest.parse(incident)),
        Optional.of(WindowRequest.parse(baseline)));
  }

  private static Timeline baselineThenIncident() {
    return Scene.of(120)
        .waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 70, 0.05)
        .waitingUnevenly(WaitKind.POOL, "HikariCP", 70, 120, 5)
        .timeline();
  }

  private static void assertNear(Window expected, Window actual) {
    Duration slack = Duration.ofSeconds(2);
    assertTrue(
        Duration.between(expected.from(), actual.from()).abs().compareTo(slack) <= 0
            && Duration.between(expected.to(), actual.to()).abs().compareTo(slack) <= 0,
        () -> "expected about " + expected + " but was " + actual);
  }

  @Test
  void incidentAfterBaselineIsFoundAndTheBaselineIsTheBaseline() {
    Windows windows = find(baselineThenIncident());
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertNear(Scene.window(70, 120), windows.incident());
    assertEquals(Scene.START, windows.baseline().orElseThrow().from());
    // A tenth of the baseline before the incident is left out: 7 s.
    assertNear(Scene.window(0, 63), windows.baseline().orElseThrow());
    assertTrue(windows.reason().startsWith("threads waiting or stopped rose from "));
  }

  @Test
  void whatRoseIsToldWithTheTimeAndItsLevels() {
    List<Windows.Onset> onsets = WindowFinder.onsets(baselineThenIncident());
    Windows.Onset queue =
        onsets.stream()
            .filter(onset -> onset.what().equals("threads waiting for a connection"))
            .findFirst()
            .orElseThrow();
    assertNear(Scene.window(70, 120), new Window(queue.from(), Scene.at(120)));
    assertEquals(0.05, queue.before(), 0.02);
    assertEquals(5, queue.after(), 0.5);
    assertEquals(List.of(), WindowFinder.onsets(Scene.of(120).timeline()));
    assertEquals(List.of(), WindowFinder.onsets(new TimelineBuilder().build()));
  }

  @Test
  void aStretchThatLeavesNothingToCompareRequestsWithIsNoWindow() {
    // A queue of 2 that stands all the time, of 4 but for the first and last five seconds, and
    // requests that take 2 s throughout.
    assertNear(Scene.window(5, 45), find(standing().timeline()).incident());
    Latencies.Counter second = new Latencies.Counter();
    second.add(Duration.ofSeconds(2));
    Latencies[] alike = new Latencies[50];
    Arrays.fill(alike, second.latencies());
    Timeline timeline = standing().latencies(alike).timeline();
    Windows windows = find(timeline);
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertEquals(timeline.span(), windows.incident());
    assertEquals(
        "threads waiting or stopped rose from 2 to 4 on average, with less than 10 s left to compare"
            + " with",
        windows.reason());
  }

  private static Scene standing() {
    return Scene.of(50)
        .waiting(WaitKind.POOL, "HikariCP", 0, 50, 2)
        .waiting(WaitKind.POOL, "DBCP", 5, 45, 2);
  }

  @Test
  void anIncidentOfHalfAMinuteIsFoundInHours() {
    // Steps of 9 s, of which it fills three; second by second around the worst place it has edges.
    Timeline timeline =
        Scene.of(3 * 3_600)
            .pauses(0, 9_000, 5, 6)
            .pauses(9_000, 9_030, 1, 400)
            .pauses(9_030, 3 * 3_600, 5, 6)
            .timeline();
    Windows windows = find(timeline);
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertNear(Scene.window(9_000, 9_030), windows.incident());
  }

  @Test
  void butNotIfItIsAsBadAnotherTime() {
    // The same half minute, and nearly as much 100 minutes before.
    Timeline timeline =
        Scene.of(3 * 3_600)
            .pauses(0, 3_000, 5, 6)
            .pauses(3_000, 3_030, 1, 300)
            .pauses(3_030, 9_000, 5, 6)
            .pauses(9_000, 9_030, 1, 400)
            .pauses(9_030, 3 * 3_600, 5, 6)
            .timeline();
    assertEquals(ChosenBy.WHOLE_RECORDING, find(timeline).chosenBy());
  }

  @Test
  void theLongerBaselineIsTheBaseline() {
    Timeline timeline =
        Scene.of(180)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 180, 0.05)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 40, 80, 5)
            .timeline();
    Windows windows = find(timeline);
    assertNear(Scene.window(40, 80), windows.incident());
    // 100 s of baseline after the incident, less a tenth.
    assertNear(Scene.window(90, 180), windows.baseline().orElseThrow());
  }

  @Test
  void pausesAloneAreIncidentToo() {
    Timeline timeline = Scene.of(120).pauses(0, 70, 5, 10).pauses(70, 120, 0.5, 150).timeline();
    Windows windows = find(timeline);
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertNear(Scene.window(70, 120), windows.incident());
  }

  @Test
  void requestsThatBeginToSleepAreIncident() {
    Timeline timeline = Scene.of(120).waitingUnevenly(WaitKind.SLEEP, "", 70, 120, 5).timeline();
    Windows windows = find(timeline);
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertNear(Scene.window(70, 120), windows.incident());
  }

  @Test
  void evenIncidentIsOneWindowWithoutABaseline() {
    Timeline timeline =
        Scene.of(120).waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 120, 5).timeline();
    Windows windows = find(timeline);
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertEquals(timeline.span(), windows.incident());
    assertEquals(Optional.empty(), windows.baseline());
  }

  @Test
  void fullCoresAtAStartAreNotTheIncidentIfAQueueForConnectionsStandsAllTheTime() {
    Scene warmedUp = Scene.of(120).samples(TWO_CORES).cpu(0, 60, 0.9, 0.99).cpu(60, 120, 0.2, 0.3);
    assertNear(Scene.window(0, 60), find(warmedUp.timeline()).incident());
    Scene queued =
        Scene.of(120)
            .samples(TWO_CORES)
            .cpu(0, 60, 0.9, 0.99)
            .cpu(60, 120, 0.2, 0.3)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 120, 60);
    assertEquals(ChosenBy.WHOLE_RECORDING, find(queued.timeline()).chosenBy());
  }

  @Test
  void aQueueThatGrowsFromTheStartHasNoBaselineBeforeIt() {
    // The median request takes 10 ms at first, then 2 s and 4 s; the shortest of all 10 ms.
    assertEquals(ChosenBy.CHANGE_POINT, find(slower(10, 4_000)).chosenBy());
    Windows all = find(slower(2_000, 4_000));
    assertEquals(ChosenBy.WHOLE_RECORDING, all.chosenBy());
    assertTrue(all.reason().contains("were queued all the time"), all::reason);
  }

  @Test
  void aQueueThatGrowsBeginsWhereItLeavesTheLevelOfTheBaseline() {
    // From the 60th second on five more wait each second; in the middle of that they are 150.
    Scene scene = Scene.of(120).waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 60, 0.05);
    for (int second = 60; second < 120; second++) {
      scene.waiting(WaitKind.POOL, "HikariCP", second, second + 1, 5 * (second - 59));
    }
    assertNear(Scene.window(60, 120), find(scene.timeline()).incident());
  }

  @Test
  void theWorstSecondsBeginWhereTheLevelBeforeThemBegan() {
    // From the 40th second on one thread waits, in the last eight seconds twenty do. The first half
    // of the time before these holds ten seconds of the incident.
    Timeline timeline =
        Scene.of(120)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 40, 0.05)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 40, 112, 1)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 112, 120, 20)
            .timeline();
    assertNear(Scene.window(40, 120), find(timeline).incident());
  }

  private static Timeline slower(int before, int after) {
    Latencies[] seconds = new Latencies[120];
    for (int i = 0; i < seconds.length; i++) {
      int millis = (i < 60 ? before : after) * (100 + i % 7) / 100;
      seconds[i] =
          Latencies.ofBuckets(
              new TreeMap<>(
                  Map.of(Duration.ofMillis(millis - 1), 0L, Duration.ofMillis(millis), 20L)),
              0);
    }
    return Scene.of(120).shortest(10).latencies(seconds).timeline();
  }

  /** Half a minute of 80 ms, then one of 400 ms. */
  @Test
  void aTimeThatIsSlowItselfIsNoBaselineIfRequestsWereFasterBeforeTheRecording() {
    Windows windows = find(slowAfter(20));
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertTrue(windows.reason().startsWith("the time left to compare with is slow, too"));
    assertEquals(ChosenBy.CHANGE_POINT, find(slowAfter(80)).chosenBy());
  }

  private static Timeline slowAfter(int millisBefore) {
    Latencies[] seconds = new Latencies[90];
    for (int i = 0; i < seconds.length; i++) {
      int millis = i < 30 ? millisBefore : i < 60 ? 80 : 400;
      seconds[i] =
          Latencies.ofBuckets(
              new TreeMap<>(
                  Map.of(Duration.ofMillis(millis - 1), 0L, Duration.ofMillis(millis), 50L)),
              0);
    }
    return Scene.of(60)
        .latenciesFrom(-30, seconds)
        .waiting(WaitKind.POOL, "HikariCP", 30, 60, 20)
        .timeline();
  }

  @Test
  void aQuietRecordingIsOneWindow() {
    Windows windows = find(Scene.of(120).timeline());
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertTrue(windows.dated());
  }

  @Test
  void aRippleIsNoIncident() {
    // A hundredth of a thread on average, from a tenth of that: a clear change of nothing.
    Timeline timeline =
        Scene.of(120)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 70, 0.001)
            .waitingUnevenly(WaitKind.POOL, "HikariCP", 70, 120, 0.01)
            .timeline();
    assertEquals(ChosenBy.WHOLE_RECORDING, find(timeline).chosenBy());
  }

  @Test
  void aRecordingOfOneSecondIsOneWindow() {
    assertEquals(ChosenBy.WHOLE_RECORDING, find(Scene.of(1).timeline()).chosenBy());
    assertEquals(ChosenBy.WHOLE_RECORDING, find(Scene.of(0.001).timeline()).chosenBy());
  }

  @Test
  void aRecordingOfAMonthIsLookedThroughInCoarserSteps() {
    double day = 86_400;
    Timeline timeline =
        Scene.of(30 * day)
            .pauses(0, 20 * day, 7_200, 10)
            .pauses(20 * day, 30 * day, 600, 60_000)
            .timeline();
    Windows windows = find(timeline);
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    // 30 days in at most 1,200 steps are 36 minutes each.
    Duration off = Duration.between(Scene.at(20 * day), windows.incident().from()).abs();
    assertTrue(off.compareTo(Duration.ofHours(2)) < 0, () -> "" + windows);
  }

  @Test
  void datesThatLieMillenniaApartAreOneWindow() {
    // A log whose clock was not set yet when the JVM started, or a damaged date.
    Window span =
        new Window(Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("9999-12-31T00:00:00Z"));
    Timeline timeline = new TimelineBuilder().log(span).build();
    assertEquals(span, find(timeline).incident());
  }

  @Test
  void aNamedIncidentIsHeldAgainstTheLongestRest() {
    Windows windows = find(baselineThenIncident(), "80s..100s");
    assertEquals(ChosenBy.USER, windows.chosenBy());
    assertEquals(Scene.window(80, 100), windows.incident());
    // 80 s before and 20 s after; a tenth is left out.
    assertEquals(Optional.of(Scene.window(0, 72)), windows.baseline());
  }

  @Test
  void aRestInWhichMoreWasLostIsNoBaseline() {
    // Waiting begins at 70 s: what follows the first ten seconds is worse than they
    // are.
    assertEquals(Optional.empty(), find(baselineThenIncident(), "0..10s").baseline());
  }

  @Test
  void aRestOfLessThanTenSecondsIsNoBaseline() {
    assertEquals(Optional.empty(), find(baselineThenIncident(), "9s..119s").baseline());
    assertEquals(Optional.empty(), find(baselineThenIncident(), "0..10m").baseline());
  }

  @Test
  void bothWindowsMayBeNamed() {
    Windows windows = find(baselineThenIncident(), "80s..100s", "10s..20s");
    assertEquals(Scene.window(80, 100), windows.incident());
    assertEquals(Optional.of(Scene.window(10, 20)), windows.baseline());
  }

  @Test
  void aNamedBaselineMayComeAfterTheIncident() {
    Windows windows = find(baselineThenIncident(), "10s..20s", "80s..100s");
    assertEquals(Scene.window(10, 20), windows.incident());
    assertEquals(Optional.of(Scene.window(80, 100)), windows.baseline());
    // One may begin where the other ends.
    assertEquals(
        Optional.of(Scene.window(20, 40)),
        find(baselineThenIncident(), "10s..20s", "20s..40s").baseline());
  }

  @Test
  void namedWindowsThatOverlapAreRefused() {
    for (String baseline : List.of("10s..30s", "40s..60s", "25s..30s", "0..10m", "20s..50s")) {
      WindowRequest.RefusedException refused =
          assertThrows(
              WindowRequest.RefusedException.class,
              () -> find(baselineThenIncident(), "20s..50s", baseline),
              baseline);
      assertTrue(refused.getMessage().contains("overlap by "), refused::getMessage);
    }
    // 20 s to 30 s are in both.
    assertEquals(
        "the incident and the baseline given overlap by 10 s; the baseline is a time before or"
            + " after the incident",
        assertThrows(
                WindowRequest.RefusedException.class,
                () -> find(baselineThenIncident(), "20s..50s", "10s..30s"))
            .getMessage());
  }

  @Test
  void aNamedBaselineOfEverythingIsRefused() {
    WindowRequest.RefusedException refused =
        assertThrows(
            WindowRequest.RefusedException.class, () -> find(baselineThenIncident(), "", "0..10m"));
    assertEquals(
        "the baseline 0..10m covers all of the recorded time and leaves none for an incident",
        refused.getMessage());
  }

  @Test
  void withOnlyTheBaselineNamedTheIncidentIsFound() {
    Windows windows = find(baselineThenIncident(), "", "10s..30s");
    assertNear(Scene.window(70, 120), windows.incident());
    assertEquals(Optional.of(Scene.window(10, 30)), windows.baseline());
    assertEquals(ChosenBy.USER, windows.chosenBy());
  }

  @Test
  void aNamedBaselineIsNotPartOfTheIncident() {
    // Nothing stands out: what is not the baseline is the incident.
    Timeline timeline =
        Scene.of(120).waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 120, 5).timeline();
    assertEquals(Scene.window(30, 120), find(timeline, "", "0..30s").incident());
    // The stretch that stands out is the one that the user names as the baseline.
    assertEquals(Scene.window(0, 80), find(baselineThenIncident(), "", "80s..120s").incident());
  }

  @Test
  void undatedInputsHaveOnePlaceholderWindowAndNoneCanBeNamed() {
    Timeline undated = new TimelineBuilder().build();
    Windows windows = find(undated);
    assertEquals("nothing in the inputs has a time", windows.reason());
    assertTrue(!windows.dated());
    WindowRequest.RefusedException refused =
        assertThrows(WindowRequest.RefusedException.class, () -> find(undated, "0..10s"));
    assertEquals("a window was given, but nothing in the inputs has a time", refused.getMessage());
  }

  /** Pauses of a start, and a queue for connections in dumps from later on; no recording. */
  private static Timeline startAndDumps(int waiting) {
    return Scene.ofLog(120).pauses(0, 10, 1, 100).dump(60, waiting).dump(90, waiting).timeline();
  }

  @Test
  void pausesOfAStartAreNotTheIncidentIfDumpsFromLaterShowAQueue() {
    assertEquals(ChosenBy.WHOLE_RECORDING, find(startAndDumps(40)).chosenBy());
    assertEquals(ChosenBy.CHANGE_POINT, find(startAndDumps(0)).chosenBy());
  }

  /** Calls in the first half of a minute, and nothing that is recorded in the second. */
  private static Scene hang() {
    return Scene.of(60).waitingUnevenly(WaitKind.DOWNSTREAM, "db:5432", 0, 30, 1);
  }

  @Test
  void workBeforeAHangIsNotTheIncidentIfDumpsFromTheHangShowAQueueThatNoEventTellsOf() {
    assertEquals(ChosenBy.CHANGE_POINT, find(hang().timeline()).chosenBy());
    assertEquals(ChosenBy.WHOLE_RECORDING, find(hang().dump(59, 40).timeline()).chosenBy());
  }

  @Test
  void aQueueThatEventsShowAsWellChangesNothing() {
    Scene incident = Scene.of(120).waitingUnevenly(WaitKind.POOL, "HikariCP", 70, 120, 5);
    assertNear(Scene.window(70, 120), find(incident.dump(100, 5).timeline()).incident());
  }

  @Test
  void aDumpAtTheEndOfTheIncidentIsNoneFromElsewhere() {
    // Each wait of a loop that is woken often is too short for an event: the dump shows more.
    Scene incident = Scene.of(120).waitingUnevenly(WaitKind.POOL, "c3p0", 70, 120, 5);
    assertNear(Scene.window(70, 120), find(incident.dump(120, 40).timeline()).incident());
  }

  private static Timeline pending(int every) {
    TimelineBuilder timeline = new TimelineBuilder();
    List<Point> points = new ArrayList<>();
    for (int second = 0; second < 120; second += every) {
      points.add(new Point(Scene.at(second), second < 60 ? 0 : 71));
    }
    return timeline
        .metric(
            new MetricSeries(
                "hikaricp_connections_pending",
                new TreeMap<>(),
                MetricMeaning.POOL_PENDING,
                false,
                points,
                new Source("metrics.csv", "")))
        .build();
  }

  @Test
  void threadsThatWaitByAPoolsOwnGaugeShowWhenItBegan() {
    Windows found = find(pending(5));
    assertEquals(ChosenBy.CHANGE_POINT, found.chosenBy());
    assertEquals(Scene.at(60), found.incident().from());
    // Six scrapes leave each window fewer than three.
    assertEquals(ChosenBy.WHOLE_RECORDING, find(pending(20)).chosenBy());
  }
}
