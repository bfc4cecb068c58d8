package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.loadtests.SloJudge.SloTargets;
import io.gcdiag.loadtests.SloResult.Met;
import io.gcdiag.loadtests.SloResult.TargetResult;
import io.gcdiag.loadtests.SloResult.TestDoubt;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class SloJudgeTest {

  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Source SOURCE = new Source("load.csv", "");

  /** One second of a test. */
  private record Second(int requests, int failed, int slow, int slowMillis) {}

  /** Every request takes 10 ms but the slow ones. */
  private static Timeline test(int seconds, IntFunction<Second> second) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      Second one = second.apply(i);
      Latencies.Counter counter = new Latencies.Counter();
      for (int r = 0; r < one.requests(); r++) {
        counter.add(Duration.ofMillis(r < one.slow() ? one.slowMillis() : 10));
      }
      intervals.add(
          new RequestInterval(
              START.plusSeconds(i),
              Duration.ofSeconds(1),
              one.requests(),
              one.failed(),
              counter.latencies()));
    }
    return new TimelineBuilder()
        .requestSeries(new RequestSeries("k6", Duration.ofSeconds(1), intervals, SOURCE))
        .build();
  }

  private static SloTargets p95(int millis) {
    return targets(Map.of(95.0, Duration.ofMillis(millis)));
  }

  private static SloTargets targets(Map<Double, Duration> latency) {
    return new SloTargets(
        new TreeMap<>(latency), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static TestDoubt doubt(SloResult result, String topic) {
    return result.doubts().stream()
        .filter(doubt -> doubt.topic().equals(topic))
        .findFirst()
        .orElseThrow(() -> new AssertionError(topic + " in " + result.doubts()));
  }

  @Test
  void aTargetMetOnTheWholeButNotAllAlongSaysWhen() {
    // Ten of every hundred requests are slow from second 30 to 40: 100 of 6,000 in all.
    Timeline timeline = test(60, i -> new Second(100, 0, i >= 30 && i < 40 ? 10 : 0, 300));
    SloResult result = SloJudge.judge(timeline, p95(200));
    assertEquals(Met.MET, result.met());
    TargetResult target = result.targets().get(0);
    assertEquals("P95 at most 200 ms", target.target());
    assertTrue(target.sustained().startsWith("in 5 of 6 intervals of 10 s; worst "));
    assertTrue(target.sustained().endsWith(" from 12:00:30 UTC"), target.sustained());
  }

  @Test
  void theMarginIsTheRoomBelowTheLimit() {
    // 120 ms of 200 ms: 40 % to spare, to the one percent that a latency is known to.
    Timeline timeline = test(60, i -> new Second(100, 0, 10, 120));
    TargetResult target = SloJudge.judge(timeline, p95(200)).targets().get(0);
    assertEquals(Met.MET, target.met());
    assertTrue(target.margin().matches("(39|40)\\.\\d % below the limit"), target.margin());
  }

  @Test
  void aMissedTargetIsMissedForAllTogether() {
    Timeline timeline = test(60, i -> new Second(100, 2, 10, 300));
    SloResult result =
        SloJudge.judge(
            timeline,
            new SloTargets(
                new TreeMap<>(Map.of(95.0, Duration.ofMillis(200))),
                Optional.of(new Rate(100)),
                Optional.of(Ratio.ofPercent(99)),
                Optional.of(Duration.ofMinutes(10))));
    assertEquals(Met.MISSED, result.met());
    assertEquals(
        List.of(Met.MISSED, Met.MET, Met.MISSED, Met.MISSED),
        result.targets().stream().map(TargetResult::met).toList());
    // 120 of 6,000 requests failed.
    assertEquals("98.000 %", result.targets().get(2).measured());
  }

  @Test
  void secondsThatTheTestOnlyTouchesDoNotLowerItsRate() {
    // 90 s at 100/s that begin and end in the middle of a second: 50 + 89 x 100 + 50 in 91 seconds.
    Timeline timeline = test(91, i -> new Second(i == 0 || i == 90 ? 50 : 100, 0, 0, 0));
    TargetResult rate =
        SloJudge.judge(
                timeline,
                new SloTargets(
                    new TreeMap<>(),
                    Optional.of(new Rate(100)),
                    Optional.empty(),
                    Optional.empty()))
            .targets()
            .get(0);
    assertEquals(Met.MET, rate.met());
    assertEquals("100/s", rate.measured());
    assertTrue(rate.sustained().startsWith("in 8 of 8 intervals"), rate.sustained());
  }

  @Test
  void ninetyFourOfAHundredRequestsASecondAreNotAHundred() {
    // 60,045 requests in 640 s are 93.8/s.
    Timeline timeline =
        new TimelineBuilder()
            .requestStats(
                new RequestStats.Builder("k6", SOURCE)
                    .requests(60_045)
                    .failed(90)
                    .rate(new Rate(60_045.0 / 640))
                    .build())
            .build();
    SloResult result =
        SloJudge.judge(
            timeline,
            new SloTargets(
                new TreeMap<>(),
                Optional.of(new Rate(100)),
                Optional.of(Ratio.ofPercent(99)),
                Optional.empty()));
    assertEquals(Met.MISSED, result.targets().get(0).met());
    assertTrue(result.targets().get(0).target().contains("within 1.0 %"));
    // 90 of 60,045 failed: 0.150 %.
    assertEquals("99.850 %", result.targets().get(1).measured());
    assertEquals(Met.MET, result.targets().get(1).met());
    assertTrue(result.targets().get(0).sustained().startsWith("not known"));
  }

  @Test
  void aBucketThatHoldsTheLimitCannotTell() {
    SortedMap<Duration, Long> buckets = new TreeMap<>();
    buckets.put(Duration.ofMillis(100), 90L);
    buckets.put(Duration.ofMillis(250), 10L);
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(
                new RequestSeries(
                    "metrics",
                    Duration.ofSeconds(10),
                    List.of(
                        new RequestInterval(
                            START,
                            Duration.ofSeconds(10),
                            100,
                            0,
                            Latencies.ofBuckets(buckets, 0))),
                    SOURCE))
            .build();
    assertEquals(Met.CANNOT_TELL, SloJudge.judge(timeline, p95(200)).met());
    assertEquals(Met.MISSED, SloJudge.judge(timeline, p95(100)).met());
    assertEquals(Met.MET, SloJudge.judge(timeline, p95(250)).met());
  }

  @Test
  void aPercentileThatTheFilesDoNotStateCannotBeJudged() {
    Timeline timeline = new TimelineBuilder().build();
    assertEquals(Met.CANNOT_TELL, SloJudge.judge(timeline, p95(200)).met());
  }

  @Test
  void aLoadThatGivesWayWhenAnswersSlowDownIsSuspected() {
    // Ten times as slow and a third of the requests: users waited for answers.
    Timeline closed = test(60, i -> i < 30 ? new Second(90, 0, 0, 0) : new Second(30, 0, 30, 100));
    assertTrue(doubt(SloJudge.judge(closed, p95(200)), "load model").weakens());
    Timeline open = test(60, i -> new Second(90, 0, i < 30 ? 0 : 90, 100));
    assertFalse(doubt(SloJudge.judge(open, p95(200)), "load model").weakens());
  }

  @Test
  void aSteadyTestDoesNotShowItsModel() {
    Timeline steady = test(60, i -> new Second(90, 0, 0, 0));
    TestDoubt doubt = doubt(SloJudge.judge(steady, p95(200)), "load model");
    assertTrue(doubt.weakens());
    assertTrue(doubt.text().startsWith("not known"), doubt.text());
  }

  @Test
  void whatTheGeneratorStatesOfItselfCounts() {
    Timeline stated =
        new TimelineBuilder()
            .requestStats(
                new RequestStats.Builder("k6", SOURCE)
                    .requests(1000)
                    .dropped(17)
                    .model(LoadModel.CLOSED)
                    .build())
            .build();
    SloResult result = SloJudge.judge(stated, p95(200));
    assertTrue(doubt(result, "load model").text().startsWith("closed"));
    assertTrue(doubt(result, "generator").text().startsWith("17 requests were due and not sent"));
  }

  @Test
  void aWarmUpThatIsCountedInIsFound() {
    Timeline cold = test(60, i -> new Second(100, 0, i < 10 ? 50 : 0, 400));
    assertTrue(doubt(SloJudge.judge(cold, p95(200)), "warm-up").weakens());
    Timeline warm = test(60, i -> new Second(100, 0, 0, 0));
    assertFalse(doubt(SloJudge.judge(warm, p95(200)), "warm-up").weakens());
  }

  @Test
  void aShortTestHasNoHighPercentiles() {
    // Of 300 requests 3 lie beyond the 99th percentile; 10 need 1,000.
    Timeline brief = test(3, i -> new Second(100, 0, 0, 0));
    TestDoubt doubt =
        doubt(SloJudge.judge(brief, targets(Map.of(99.0, Duration.ofMillis(200)))), "length");
    assertEquals(
        "too short for P99: of 300 requests 3 lie beyond it; send at least 1,000", doubt.text());
  }

  @Test
  void targetsHaveToBeGiven() {
    Timeline timeline = test(60, i -> new Second(100, 0, 10, 120));
    assertThrows(IllegalArgumentException.class, () -> SloJudge.judge(timeline, targets(Map.of())));
  }

  @Test
  void targetsThatTheLoadGeneratorWasToldAreUsedWhereNoneAreGiven() {
    RequestStats told =
        new RequestStats.Builder("k6", new Source("load.json", ""))
            .requests(1_000)
            .percentile(95, Duration.ofMillis(120))
            .targets(
                new RequestStats.Targets(
                    new TreeMap<>(Map.of(95.0, Duration.ofMillis(100))),
                    Optional.empty(),
                    Optional.empty()))
            .build();
    Timeline timeline = new TimelineBuilder().requestStats(told).build();
    SloResult result = SloJudge.judge(timeline, targets(Map.of()));
    assertEquals("P95 at most 100 ms", result.targets().get(0).target());
    assertEquals(Met.MISSED, result.met());
    // A target that is given counts alone.
    assertEquals(Met.MET, SloJudge.judge(timeline, p95(200)).met());
  }

  /** 60 s at 100 requests a second by the server's meters, all sound, in at most 10 ms. */
  private static RequestSeries meters() {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      intervals.add(
          new RequestInterval(
              START.plusSeconds(10L * i),
              Duration.ofSeconds(10),
              1_000,
              0,
              Latencies.ofBuckets(new TreeMap<>(Map.of(Duration.ofMillis(10), 1_000L)), 0)));
    }
    return new RequestSeries(
        "metrics", Duration.ofSeconds(10), intervals, new Source("metrics.json", ""));
  }

  private static RequestStats.Builder client() {
    return new RequestStats.Builder("k6", new Source("load.json", ""));
  }

  private static SloTargets all() {
    return new SloTargets(
        new TreeMap<>(Map.of(99.0, Duration.ofMillis(100))),
        Optional.of(new Rate(100)),
        Optional.of(new Ratio(0.999)),
        Optional.empty());
  }

  /** 3,000 requests, 300 of them failed; the server never saw these. */
  @Test
  void aSummaryOfTheClientLeadsOverTheServersMeters() {
    Timeline timeline =
        new TimelineBuilder()
            .requestStats(
                client()
                    .requests(3_000)
                    .failed(300)
                    .rate(new Rate(50))
                    .percentile(99, Duration.ofMillis(1_200))
                    .build())
            .requestSeries(meters())
            .build();
    SloResult result = SloJudge.judge(timeline, all());
    assertEquals(Met.MISSED, result.met());
    List<String> measured = result.targets().stream().map(TargetResult::measured).toList();
    assertEquals(List.of("1.2 s", "50/s", "90.000 %"), measured);
    for (TargetResult target : result.targets()) {
      assertEquals(Met.MISSED, target.met(), target::toString);
      assertEquals("load.json", target.source());
    }
    TestDoubt said = doubt(result, "server's meters");
    assertFalse(said.weakens());
    for (String part :
        List.of(
            "metrics.json: 100.000 % of the requests succeeded, not 90.000 %",
            "100/s, not 50/s", "P99 0 ms to 10 ms, not 1.2 s")) {
      assertTrue(said.text().contains(part), said::text);
    }
  }

  @Test
  void requestsOverTimeOfTheClientLeadOverMoreOfTheServersMeters() {
    RequestSeries sent = test(60, i -> new Second(50, 5, 0, 0)).mainRequestSeries().orElseThrow();
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(meters())
            .requestSeries(sent)
            .requestStats(new RequestStats.Builder("k6", SOURCE).requests(3_000).build())
            .build();
    SloTargets success =
        new SloTargets(
            new TreeMap<>(), Optional.empty(), Optional.of(new Ratio(0.999)), Optional.empty());
    TargetResult result = SloJudge.judge(timeline, success).targets().get(0);
    assertEquals("90.000 %", result.measured());
    assertEquals("load.csv", result.source());
  }

  @Test
  void metersThatAgreeAreNotNamed() {
    Timeline timeline =
        new TimelineBuilder()
            .requestStats(
                client()
                    .requests(6_000)
                    .failed(0)
                    .rate(new Rate(98))
                    .percentile(99, Duration.ofMillis(9))
                    .build())
            .requestSeries(meters())
            .build();
    assertTrue(
        SloJudge.judge(timeline, all()).doubts().stream()
            .noneMatch(doubt -> doubt.topic().equals("server's meters")));
  }

  /** Without a load test the meters are all there is. */
  @Test
  void theServersMetersAloneAreJudged() {
    Timeline timeline = new TimelineBuilder().requestSeries(meters()).build();
    assertEquals(Met.MET, SloJudge.judge(timeline, all()).met());
  }
}
