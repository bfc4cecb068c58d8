package io.gcdiag.measures.requests;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Rate;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestExcessTest {

  /** 12,000 requests over baseline and incident, half of them in the incident's 60 s. */
  private static MeasuredIncident wholeRun(Duration median, Duration mean) {
    return incident()
        .loadTest(
            new RequestStats.Builder("k6", new Source("k6.json", ""))
                .requests(12_000)
                .rate(new Rate(100))
                .shortest(Duration.ofNanos(500_000))
                .percentile(50, median)
                .mean(mean)
                .build())
        .build();
  }

  private static RequestExcess ofWholeRun(Duration median, Duration mean) {
    return wholeRun(median, mean).run().orElseThrow();
  }

  @Test
  void aWholeRunThatHoldsTheBaselineIsNoFigureOfTheIncident() {
    assertEquals(Optional.empty(), wholeRun(Duration.ofMillis(2), Duration.ofMillis(9)).requests());
  }

  @Test
  void itsRequestsLostNoMoreThanTheyTookBeyondTheShortest() {
    // 12,000 x (9 ms - 0.5 ms).
    MeasuredIncident run = wholeRun(Duration.ofMillis(2), Duration.ofMillis(9));
    assertEquals(102, RequestExcess.mostInRun(run.timeline()), 1e-9);
  }

  @Test
  void aMeanBelowTheMedianIsNoLossOfLessThanNothing() {
    // The shortest takes 1 ms, half 10 ms, 90 in 100 at most 110 ms, and the mean is 9 ms: a tenth
    // takes 100 ms longer than the median at least.
    RequestStats stats =
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(1_000)
            .rate(new Rate(100))
            .shortest(Duration.ofMillis(5))
            .percentile(50, Duration.ofMillis(10))
            .percentile(90, Duration.ofMillis(110))
            .mean(Duration.ofMillis(9))
            .build();
    assertEquals(1_000 * 0.010, RequestExcess.lostInRun(stats).orElseThrow(), 1e-9);
  }

  @Test
  void whatAWholeRunLostWasLostInTheIncident() {
    // 2.8 ms of each request of the run are 5.6 ms of each of the incident's: 12,000 x 2.8 ms.
    RequestExcess lost = ofWholeRun(Duration.ofNanos(1_640_000), Duration.ofNanos(4_440_000));
    assertEquals(33.6, lost.seconds(), 1e-9);
    assertEquals(0.0056, lost.perRequestSeconds(), 1e-12);
  }

  @Test
  void whereOnlyAPartOfTheRunWasLookedAtItLostItsPart() {
    // A minute in a run of two at 100 a second: 60 x 100 x 7 ms, and 9 ms x 100 = 0.9 requests in
    // progress, as on average in the run.
    RequestExcess lost =
        incident()
            .withoutBaseline()
            .loadTest(
                new RequestStats.Builder("k6", new Source("k6.json", ""))
                    .requests(12_000)
                    .rate(new Rate(100))
                    .shortest(Duration.ofNanos(500_000))
                    .percentile(50, Duration.ofMillis(2))
                    .mean(Duration.ofMillis(9))
                    .build())
            .build()
            .requests()
            .orElseThrow();
    assertEquals(42, lost.seconds(), 1e-9);
    assertEquals(0.9, lost.inSystem(), 1e-9);
  }

  @Test
  void whatNoRequestFeelsIsNotGathered() {
    // 1 ms of each of the run's are 2 ms of each of the incident's: 6,000 x 1 ms.
    assertEquals(6, ofWholeRun(Duration.ofMillis(2), Duration.ofMillis(3)).seconds(), 1e-9);
  }

  /** A load of 10 ms a request that begins so late and takes 30 ms from the fortieth second on. */
  private static Optional<RequestExcess> loadFrom(int begin) {
    Latencies[] seconds =
        IntStream.range(begin, 60)
            .mapToObj(second -> Duration.ofMillis(second < 40 ? 10 : 30))
            .map(RequestExcessTest::tenOf)
            .toArray(Latencies[]::new);
    return RequestExcess.overTime(Scene.of(60).latenciesFrom(begin, seconds).incidentFrom(40));
  }

  private static Latencies tenOf(Duration latency) {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < 10; i++) {
      counter.add(latency);
    }
    return counter.latencies();
  }

  @Test
  void tenSecondsOfABaselineShowWhatRequestsTookInIt() {
    // Twelve of the forty seconds: 20 ms longer each.
    assertEquals(0.02, loadFrom(28).orElseThrow().perRequestSeconds(), 0.001);
    assertEquals(Optional.empty(), loadFrom(32));
  }

  /** Rate times latency would be 10 x 20 = 200, of which most comes after the window. */
  @Test
  void whatIsAnsweredAfterTheWindowIsInItUntilTheWindowEnds() {
    Latencies[] seconds =
        IntStream.range(0, 60)
            .mapToObj(second -> second < 40 ? Duration.ofMillis(10) : Duration.ofSeconds(20))
            .map(RequestExcessTest::tenOf)
            .toArray(Latencies[]::new);
    RequestExcess lost =
        RequestExcess.overTime(Scene.of(60).sent(seconds).incidentFrom(40)).orElseThrow();
    // Ten a second, sent in the middle of each: 10 x (19.5 + 18.5 + ... + 0.5) s in 20 s.
    assertEquals(10 * 200.0 / 20, lost.inSystem(), 1);
    // Each would have taken 10 ms.
    assertEquals(10 * (200.0 - 20 * 0.010), lost.seconds(), 20);
  }

  /** Ten a second for five seconds, in the middle of each, and all of them last for 20 s. */
  @Test
  void theLastRequestsAreInTheSystemLongAfterTheyWereSent() {
    Latencies[] seconds =
        IntStream.range(0, 45)
            .mapToObj(second -> second < 40 ? Duration.ofMillis(10) : Duration.ofSeconds(20))
            .map(RequestExcessTest::tenOf)
            .toArray(Latencies[]::new);
    RequestExcess lost =
        RequestExcess.overTime(Scene.of(60).sent(seconds).incidentFrom(40)).orElseThrow();
    assertEquals(10 * (19.5 + 18.5 + 17.5 + 16.5 + 15.5) / 20, lost.inSystem(), 0.5);
  }

  /** A timer counts what ended: ten a second of 20 s each are 200, all of it before the count. */
  @Test
  void whatAMeterCountsHasEnded() {
    Latencies[] seconds =
        IntStream.range(0, 60)
            .mapToObj(second -> Latencies.ofTotal(10, second < 40 ? 0.1 : 200))
            .toArray(Latencies[]::new);
    RequestExcess lost =
        RequestExcess.overTime(Scene.of(60).latenciesFrom(0, seconds).incidentFrom(40))
            .orElseThrow();
    assertEquals(10 * 20, lost.inSystem(), 1e-9);
    // 200 requests in 20 s, each 20 s in place of 10 ms.
    assertEquals(200 * (20 - 0.010), lost.seconds(), 1e-6);
  }
}
