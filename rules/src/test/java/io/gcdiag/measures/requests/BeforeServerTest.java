package io.gcdiag.measures.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Twenty requests a second for a minute; the incident is its second half. */
class BeforeServerTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final int HALF = 30;
  private static final int PER_SECOND = 20;

  private final TimelineBuilder timeline = new TimelineBuilder();

  /** What was read, once it was looked at. */
  private Timeline read;

  /** Mean latencies in seconds, before and in the incident. */
  private BeforeServerTest measured(String file, double before, double during) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int second = 0; second < 2 * HALF; second++) {
      double mean = second < HALF ? before : during;
      intervals.add(
          new RequestInterval(
              START.plusSeconds(second),
              Duration.ofSeconds(1),
              PER_SECOND,
              0,
              Latencies.ofTotal(PER_SECOND, PER_SECOND * mean)));
    }
    timeline.requestSeries(
        new RequestSeries(
            "any",
            Duration.ofSeconds(1),
            intervals,
            List.of(),
            file.endsWith(".csv")
                ? RequestSeries.Holds.EACH_SENT
                : RequestSeries.Holds.EACH_ANSWERED,
            new Source(file, "")));
    return this;
  }

  private BeforeServerTest users(double before, double during) {
    timeline.requestStats(
        new RequestStats.Builder("k6", new Source("load.csv", ""))
            .requests(2L * HALF * PER_SECOND)
            .build());
    return measured("load.csv", before, during);
  }

  /** An access log has figures of the whole, too, where there is no load test. */
  private BeforeServerTest logged(String file, double before, double during) {
    timeline.requestStats(
        new RequestStats.Builder("access log", new Source(file, ""))
            .requests(2L * HALF * PER_SECOND)
            .build());
    return measured(file, before, during);
  }

  private BeforeServerTest summary(double mean, double shortest) {
    timeline.requestStats(
        new RequestStats.Builder("k6", new Source("load.json", ""))
            .requests(2L * HALF * PER_SECOND)
            .mean(Durations.ofSeconds(mean))
            .shortest(Durations.ofSeconds(shortest))
            .build());
    return this;
  }

  private Optional<BeforeServer> found() {
    Window before = new Window(START, START.plusSeconds(HALF));
    Window during = new Window(START.plusSeconds(HALF), START.plusSeconds(2 * HALF));
    read = timeline.build();
    return BeforeServer.of(
        new MeasuredIncident(
            read, new Windows(during, Optional.of(before), ChosenBy.USER, true, "")));
  }

  @Test
  void usersWhoWaitLongerThanTheServerTakesQueueBeforeIt() {
    BeforeServer ends = users(0.045, 0.9).measured("access.log", 0.040, 0.042).found().get();
    // 900 - 42 ms in the incident, of which 45 - 40 ms were there before.
    assertEquals(0.853, ends.seconds(), 1e-9);
    assertTrue(ends.isFelt());
    assertEquals(
        "requests took 900 ms on average for the users and 42 ms in the server (access.log):"
            + " 858 ms of it pass before the server takes them up",
        ends.words());
  }

  @Test
  void ofTwoLogsOfOneTimeTheOneWithLongerRequestsIsTheProxys() {
    String words =
        "requests took 650 ms on average by proxy.log and 80 ms by server.log: if both have the"
            + " same requests, 570 ms of it pass before the server takes them up";
    BeforeServer ends =
        logged("proxy.log", 0.08, 0.65).logged("server.log", 0.07, 0.08).found().get();
    assertEquals(words, ends.words());
    assertTrue(ends.isFelt());
    assertEquals("proxy.log", read.mainRequestSeries().get().source().file());
    assertEquals("proxy.log", read.mainRequestStats().get().source().file());
  }

  @Test
  void spansThatAreLongerThanTheServersLogAreUsedForAllFigures() {
    assertTrue(
        logged("server.log", 0.07, 0.08).measured("spans.json", 0.08, 0.65).found().get().isFelt());
    assertEquals("spans.json", read.mainRequestSeries().get().source().file());
    assertEquals(Optional.empty(), read.mainRequestStats());
  }

  @Test
  void logsOfAboutTheSameLatencyAreNotTwoEnds() {
    assertEquals(Optional.empty(), logged("a.log", 0.08, 0.09).logged("b.log", 0.07, 0.08).found());
  }

  /** 12 -> 108 ms is nine times as long, if less than a tenth of a second more. */
  @Test
  void aDelayThatMultipliesShortRequestsIsFelt() {
    assertTrue(users(0.012, 0.108).measured("access.log", 0.011, 0.012).found().get().isFelt());
  }

  @Test
  void aServerThatIsAsSlowHasNoQueueBeforeIt() {
    assertFalse(users(0.045, 0.9).measured("access.log", 0.040, 0.85).found().get().isFelt());
  }

  @Test
  void aLongWayThatWasAsLongBeforeIsTheNetwork() {
    assertFalse(users(0.145, 0.15).measured("access.log", 0.040, 0.042).found().get().isFelt());
  }

  @Test
  void aLogAloneHasOneEnd() {
    assertEquals(Optional.empty(), measured("access.log", 0.04, 0.9).found());
  }

  @Test
  void theMeanOfAWholeTestIsComparedWithTheServersIncident() {
    BeforeServer ends = summary(0.5, 0.004).measured("access.log", 0.040, 0.060).found().get();
    // 500 - 60 ms, less the 4 ms of the quickest, which is all of the network.
    assertEquals(0.436, ends.seconds(), 1e-9);
  }

  @Test
  void aWholeTestThatIsQuickerThanTheServersIncidentShowsNoQueue() {
    assertFalse(summary(0.5, 0.004).measured("access.log", 0.040, 0.960).found().get().isFelt());
  }
}
