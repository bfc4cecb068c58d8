package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.RequestDelays;
import io.gcdiag.measures.WindowFinder;
import io.gcdiag.measures.requests.RequestExcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RequestDelaysTest {

  private static final Instant START = Instant.parse("2026-11-21T01:14:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static RequestInterval second(int number, int requests, int failed, Duration latency) {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < requests; i++) {
      counter.add(latency);
    }
    return new RequestInterval(
        START.plusSeconds(number), Duration.ofSeconds(1), requests, failed, counter.latencies());
  }

  private static Timeline timeline(List<RequestInterval> intervals) {
    return new TimelineBuilder()
        .requestSeries(new RequestSeries("k6", SECOND, intervals, new Source("load.csv", "")))
        .build();
  }

  /** 100 requests a second; from second 30 to 50 they take 505 ms in place of 5 ms. */
  private static Timeline impact() {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      boolean slow = i >= 30 && i < 50;
      intervals.add(second(i, 100, 0, Duration.ofMillis(slow ? 505 : 5)));
    }
    return timeline(intervals);
  }

  @Test
  void theWindowIsWhereRequestsTookLonger() {
    Windows windows = WindowFinder.find(impact(), Optional.empty(), Optional.empty());
    assertEquals(new Window(START.plusSeconds(30), START.plusSeconds(50)), windows.incident());
    // 100/s x 500 ms longer than usual = 50 requests at a time.
    assertTrue(
        windows.reason().startsWith("requests in progress beyond the normal number rose from 0"),
        windows.reason());
    assertTrue(windows.reason().contains("to 5"), windows.reason());
  }

  private static RequestSeries series(String file, int requests, int millis) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      intervals.add(second(i, requests, 0, Duration.ofMillis(i < 30 ? 5 : millis)));
    }
    return new RequestSeries("any", SECOND, intervals, new Source(file, ""));
  }

  /** Traces have each request. */
  private static RequestSeries spans(int millis) {
    RequestSeries series = series("spans.json", 100, millis);
    return new RequestSeries(
        series.producer(),
        SECOND,
        series.intervals(),
        List.of(),
        RequestSeries.Holds.EACH_ANSWERED,
        series.source());
  }

  private static MetricSeries counter(MetricMeaning meaning, String file) {
    List<Point> points = List.of(new Point(START, 0), new Point(START.plusSeconds(60), 600));
    return new MetricSeries(
        meaning.id(), new TreeMap<>(), meaning, true, points, new Source(file, ""));
  }

  @Test
  void requestsOfTracesAreNoScrapedCounters() {
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(spans(505))
            .metric(counter(MetricMeaning.CALLS, "spans.json"))
            .requestSeries(series("scrapes.txt", 200, 5))
            .metric(counter(MetricMeaning.REQUESTS, "scrapes.txt"))
            .build();
    Window span = new Window(START, START.plusSeconds(60));
    double[] delays = RequestDelays.over(timeline, span, SECOND).orElseThrow();
    // By the spans: 100/s x 500 ms.
    assertEquals(50, delays[45], 1);
  }

  @Test
  void tracesLastUntilTheirLastResponse() {
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(spans(30_000))
            .metric(counter(MetricMeaning.CALLS, "spans.json"))
            .build();
    // Those sent in the middle of the last second take 30 s, to the one percent that is known.
    Duration after = Duration.between(START.plusSeconds(60), timeline.span().to());
    assertEquals(29.5, after.toMillis() / 1e3, 0.5);
  }

  @Test
  void aQueueThatGrowsBeginsWhereItFirstLengthens() {
    // From second 20 on each second's requests take 40 ms longer than those of the second before.
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int longer = Math.max(0, i - 19) * 40;
      intervals.add(second(i, 100, 0, Duration.ofMillis(5 + i % 3 + longer)));
    }
    Windows windows = WindowFinder.find(timeline(intervals), Optional.empty(), Optional.empty());
    assertEquals(START.plusSeconds(20), windows.incident().from());
    assertFalse(windows.baseline().orElseThrow().to().isAfter(START.plusSeconds(20)));
  }

  @Test
  void theTimeBeforeTheLoadIsNoBaseline() {
    // Recorded from 12 s before the first request; slow from the first to the tenth.
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 12; i < 72; i++) {
      intervals.add(second(i, 100, 0, Duration.ofMillis(i < 22 ? 505 : 5)));
    }
    Timeline timeline =
        new TimelineBuilder()
            .recording("recording.jfr", new Window(START, START.plusSeconds(72)))
            .requestSeries(new RequestSeries("k6", SECOND, intervals, new Source("load.csv", "")))
            .build();
    Window all = new Window(START, START.plusSeconds(72));
    assertEquals(
        Optional.of(new Window(START.plusSeconds(12), START.plusSeconds(72))),
        RequestDelays.loaded(timeline, all, SECOND));
    Windows windows = WindowFinder.find(timeline, Optional.empty(), Optional.empty());
    assertEquals(new Window(START.plusSeconds(12), START.plusSeconds(22)), windows.incident());
    assertTrue(windows.baseline().orElseThrow().from().isAfter(START.plusSeconds(22)));
  }

  @Test
  void aRequestIsLateForAsLongAsItIsInProgress() {
    // Ten users whose requests of second 30 take 20 s send nothing meanwhile.
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      boolean stuck = i > 30 && i <= 50;
      Duration latency = i == 30 ? Duration.ofSeconds(20) : Duration.ofMillis(5);
      intervals.add(second(i, stuck ? 0 : 10, 0, latency));
    }
    Window all = new Window(START, START.plusSeconds(60));
    double[] delays = RequestDelays.over(timeline(intervals), all, SECOND).orElseThrow();
    // They begin in the middle of second 30, on average, and end in that of second 50.
    assertEquals(0, delays[29], 0.01);
    assertEquals(5, delays[30], 0.06);
    assertEquals(10, delays[31], 0.01);
    assertEquals(10, delays[49], 0.01);
    assertEquals(5, delays[50], 2);
    assertEquals(0, delays[51], 0.01);
    // The last ones are sent in second 30: the load lasts until they are answered.
    Timeline hung = timeline(intervals.subList(0, 31));
    Window loaded = RequestDelays.loaded(hung, all, SECOND).orElseThrow();
    assertEquals(50, Duration.between(START, loaded.to()).toSeconds());
  }

  @Test
  void aBusierServiceIsNoIncident() {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      intervals.add(second(i, i < 30 ? 100 : 300, 0, Duration.ofMillis(5)));
    }
    double[] delays =
        RequestDelays.over(timeline(intervals), new Window(START, START.plusSeconds(60)), SECOND)
            .orElseThrow();
    for (double delay : delays) {
      // 300 requests known to one percent of 5 ms each: at most 15 ms in all.
      assertEquals(0, delay, 0.015);
    }
  }

  /** A timer read every 15 s: 6/s of 60 ms, and from 360 s to 540 s 120/s of 2.5 s. */
  private static Timeline timer() {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 36; i++) {
      Latencies mean = i < 24 ? Latencies.ofTotal(90, 5.4) : Latencies.ofTotal(1_800, 4_500);
      intervals.add(
          new RequestInterval(
              START.plusSeconds(15 * i), Duration.ofSeconds(15), mean.count(), 0, mean));
    }
    return new TimelineBuilder()
        .requestSeries(
            new RequestSeries(
                "metrics", Duration.ofSeconds(15), intervals, new Source("metrics.json", "")))
        .build();
  }

  @Test
  void theMeanOfATimerIsALatency() {
    Windows windows = WindowFinder.find(timer(), Optional.empty(), Optional.empty());
    assertEquals(new Window(START.plusSeconds(360), START.plusSeconds(540)), windows.incident());
    MeasuredIncident incident = new MeasuredIncident(timer(), windows);
    RequestExcess excess = RequestExcess.overTime(incident).orElseThrow();
    // 120/s x 180 s x (2.5 s - 60 ms), and by Little's law 120/s x 2.5 s.
    assertEquals(52_704, excess.seconds(), 1);
    assertEquals(300, excess.inSystem(), 1e-6);
    assertEquals(0.36, excess.inSystemBefore(), 1e-6);
    UserImpact felt = UserImpact.of(incident, incident.effects(), 1);
    assertTrue(felt.present());
    assertTrue(
        felt.measure()
            .startsWith(
                "requests took 2.5 s on average by the service's own timer, 60 ms in the baseline"),
        felt.measure());
  }

  @Test
  void aLoadTestIsNearerToUsersThanTheServicesTimer() {
    Timeline both =
        new TimelineBuilder()
            .requestSeries(timer().requests().series().get(0))
            .requestSeries(impact().requests().series().get(0))
            .build();
    assertEquals("k6", both.mainRequestSeries().orElseThrow().producer());
  }

  @Test
  void aTailThatDoubledIsFeltAndOneThatDidNotIsNot() {
    Window baseline = new Window(START, START.plusSeconds(27));
    Window incident = new Window(START.plusSeconds(30), START.plusSeconds(50));
    Window quiet = new Window(START.plusSeconds(50), START.plusSeconds(60));
    assertTrue(RequestDelays.rose(incident(incident, baseline)));
    assertFalse(RequestDelays.rose(incident(quiet, baseline)));
  }

  private static MeasuredIncident incident(Window window, Window baseline) {
    return new MeasuredIncident(
        impact(),
        new Windows(window, Optional.of(baseline), Windows.ChosenBy.USER, true, "for the test"));
  }

  @Test
  void failuresAreFeltWithoutABaseline() {
    Timeline failing = timeline(List.of(second(0, 100, 3, Duration.ofMillis(5))));
    Windows windows =
        new Windows(
            new Window(START, START.plusSeconds(1)),
            Optional.empty(),
            Windows.ChosenBy.WHOLE_RECORDING,
            true,
            "");
    assertTrue(RequestDelays.fail(new MeasuredIncident(failing, windows)));
    assertFalse(RequestDelays.rose(new MeasuredIncident(failing, windows)));
  }

  @Test
  void failuresThatTheBaselineHadAsWellAreNoneOfTheIncident() {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      intervals.add(second(i, 100, i < 30 ? 30 : 31, Duration.ofMillis(5)));
    }
    Windows windows =
        new Windows(
            new Window(START.plusSeconds(30), START.plusSeconds(60)),
            Optional.of(new Window(START, START.plusSeconds(27))),
            Windows.ChosenBy.USER,
            true,
            "");
    assertFalse(RequestDelays.fail(new MeasuredIncident(timeline(intervals), windows)));
  }

  @Test
  void whatFailsAtOnceTakesNoTimeThatACauseCouldHaveAShareOf() {
    // A third of the requests fails from second 30 on, and none takes longer.
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      intervals.add(second(i, 99, i < 30 ? 0 : 33, Duration.ofMillis(5)));
    }
    Windows windows =
        new Windows(
            new Window(START.plusSeconds(30), START.plusSeconds(60)),
            Optional.of(new Window(START, START.plusSeconds(27))),
            Windows.ChosenBy.USER,
            true,
            "");
    MeasuredIncident incident = new MeasuredIncident(timeline(intervals), windows);
    UserImpact impact = UserImpact.of(incident, incident.effects(), 1);
    assertFalse(impact.present());
    assertTrue(impact.unseen());
  }

  @Test
  void aSeriesOfAnotherTimeSaysNothing() {
    Window later = new Window(START.plusSeconds(50), START.plusSeconds(110));
    assertEquals(Optional.empty(), RequestDelays.over(impact(), later, SECOND));
  }

  @Test
  void aSlowStartOfTheLoadTestIsNoDelayOfTheIncident() {
    // 3 s of 900 ms, then 57 s of 5 ms: of the whole run P99 is 180 times the median.
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      intervals.add(second(i, 100, 0, Duration.ofMillis(i < 3 ? 900 : 5)));
    }
    Source summary = new Source("load.json", "");
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(new RequestSeries("k6", SECOND, intervals, new Source("load.csv", "")))
            .requestStats(
                new RequestStats.Builder("k6", summary)
                    .requests(6_000)
                    .failed(0)
                    .mean(Duration.ofMillis(50))
                    .percentile(50, Duration.ofMillis(5))
                    .percentile(99, Duration.ofMillis(900))
                    .build())
            .build();
    Windows windows =
        new Windows(
            new Window(START.plusSeconds(30), START.plusSeconds(60)),
            Optional.of(new Window(START, START.plusSeconds(27))),
            Windows.ChosenBy.USER,
            true,
            "");
    MeasuredIncident incident = new MeasuredIncident(timeline, windows);
    assertFalse(UserImpact.of(incident, incident.effects(), 0).unseen());
  }
}
