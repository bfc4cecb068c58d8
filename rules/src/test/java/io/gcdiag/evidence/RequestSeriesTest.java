package io.gcdiag.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestSeriesTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final Source SOURCE = new Source("k6.csv", "http_req_duration");

  /** Three intervals of 2 s: 10, 20 and 30 requests, of which 0, 1 and 2 failed. */
  private static final RequestSeries SERIES =
      new RequestSeries(
          "k6",
          Duration.ofSeconds(2),
          List.of(interval(0, 10, 0), interval(2, 20, 1), interval(4, 30, 2)),
          SOURCE);

  private static RequestInterval interval(int second, int requests, int failed) {
    Latencies.Counter latencies = new Latencies.Counter();
    for (int i = 0; i < requests; i++) {
      latencies.add(Duration.ofMillis(requests));
    }
    return new RequestInterval(
        START.plusSeconds(second), Duration.ofSeconds(2), requests, failed, latencies.latencies());
  }

  private static Window window(int from, int to) {
    return new Window(START.plusSeconds(from), START.plusSeconds(to));
  }

  @Test
  void aWindowHasTheIntervalsThatBeginInIt() {
    RequestInterval first = SERIES.within(window(0, 4));
    assertEquals(START, first.from());
    assertEquals(30, first.requests());
    assertEquals(1, first.failed());
    assertEquals(30, first.latencies().count());
    assertEquals(30, SERIES.within(window(3, 60)).requests());
    RequestInterval none = SERIES.within(window(60, 70));
    assertEquals(0, none.requests());
    assertEquals(Optional.empty(), none.latencies().percentile(50));
  }

  @Test
  void theRateIsOverThePartOfTheWindowThatTheSeriesCovers() {
    // 60 requests in 6 s, however long the window.
    assertEquals(Optional.of(new Rate(10)), SERIES.rate(window(-100, 100)));
    // 50 requests in the two intervals of 2 s.
    assertEquals(Optional.of(new Rate(12.5)), SERIES.rate(window(2, 6)));
    assertEquals(Optional.empty(), SERIES.rate(window(60, 70)));
  }

  /** 30 requests sent around the third second, each answered 4 s later, around the seventh. */
  @Test
  void responsesCountWhenTheyCome() {
    Latencies.Counter late = new Latencies.Counter();
    for (int i = 0; i < 30; i++) {
      late.add(Duration.ofSeconds(4));
    }
    RequestInterval sent =
        new RequestInterval(START.plusSeconds(2), Duration.ofSeconds(2), 30, 0, late.latencies());
    RequestSeries log = new RequestSeries("k6", Duration.ofSeconds(2), List.of(sent), SOURCE);
    // 30 in 5 s, none in the seconds in which they were sent.
    assertEquals(Optional.of(new Rate(6)), log.completed().answered(window(4, 9)));
    assertEquals(Optional.empty(), log.completed().answered(window(2, 5)));
    // A server's log has each that it answered. The sums of a meter are of responses as they are.
    RequestSeries server =
        new RequestSeries(
            "tomcat",
            Duration.ofSeconds(2),
            List.of(sent),
            List.of(),
            RequestSeries.Holds.EACH_ANSWERED,
            SOURCE);
    assertEquals(Optional.of(new Rate(6)), server.answered(window(4, 9)));
    assertEquals(Optional.empty(), log.answered(window(4, 9)));
  }

  @Test
  void theRateIsAlsoOverTheTimeInWhichTheLastRequestsAreAnswered() {
    Latencies.Counter slow = new Latencies.Counter();
    for (int i = 0; i < 50; i++) {
      slow.add(Duration.ofSeconds(8));
    }
    RequestInterval last =
        new RequestInterval(START.plusSeconds(2), Duration.ofSeconds(2), 50, 0, slow.latencies());
    RequestSeries log =
        new RequestSeries("k6", Duration.ofSeconds(2), List.of(interval(0, 10, 0), last), SOURCE);
    RequestSeries ended = log.completed();
    // A server's log has no requests that were sent meanwhile and are not answered yet.
    assertEquals(50 / 2.0, log.rate(window(2, 60)).orElseThrow().perSecond(), 1e-9);
    // Sent from 2 to 4 s, the middle at 3 s, and answered 8 s later: 50 requests in 9 s, all of
    // which the window has; 50 in 4 s, of which it has 2 s of answers; 50 in the 2 s of sending.
    assertEquals(50 / 9.0, ended.rate(window(2, 60)).orElseThrow().perSecond(), 0.1);
    assertEquals(50 / 4.0, ended.rate(window(2, 6)).orElseThrow().perSecond(), 1e-9);
    assertEquals(50 / 2.0, ended.rate(window(2, 4)).orElseThrow().perSecond(), 1e-9);
  }

  @Test
  void requestsAreInProgressUntilTheLastIsAnswered() {
    // Those of the last interval begin at 5 s on average, and 30 ms later all are answered.
    assertEquals(Optional.of(window(0, 6)), SERIES.inProgress());
    Latencies.Counter slow = new Latencies.Counter();
    slow.add(Duration.ofSeconds(30));
    RequestInterval last =
        new RequestInterval(START.plusSeconds(4), Duration.ofSeconds(2), 1, 0, slow.latencies());
    Window open =
        new RequestSeries("k6", Duration.ofSeconds(2), List.of(interval(0, 10, 0), last), SOURCE)
            .inProgress()
            .orElseThrow();
    // Latencies are counted to one per cent.
    assertEquals(35, Duration.between(START, open.to()).toMillis() / 1e3, 0.3);
  }

  @Test
  void itSpansFromTheFirstIntervalToTheEndOfTheLast() {
    assertEquals(Optional.of(window(0, 6)), SERIES.span());
    assertEquals(
        Optional.empty(), new RequestSeries("k6", Duration.ofSeconds(1), List.of(), SOURCE).span());
  }

  @Test
  void impossibleCountsAndStepsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> interval(0, 1, 2));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RequestSeries("k6", Duration.ZERO, List.of(), SOURCE));
  }
}
