package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.MeterSketch.counter;
import static io.gcdiag.sketches.MeterSketch.gauge;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Estimate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CollectorMetersTest {

  private static final double TINY = 1e-9;
  private static final Window ALL = new Window(at(0), at(21));

  /** Ten pauses in 0.125 s between the first two scrapes, ten in 2 s between the next two. */
  private static TimelineBuilder scraped(MetricSeries... more) {
    TimelineBuilder timeline =
        new TimelineBuilder()
            .metric(counter("jvm_gc_pause_seconds_count", MetricMeaning.GC_PAUSES, 5, 15, 25))
            .metric(
                counter(
                    "jvm_gc_pause_seconds_sum", MetricMeaning.GC_PAUSE_SECONDS, 1, 1.125, 3.125));
    List.of(more).forEach(timeline::metric);
    return timeline;
  }

  private static CollectorMeters meters(MetricSeries... more) {
    return CollectorMeters.of(scraped(more).build()).orElseThrow();
  }

  @Test
  void shareAndNumberAreDifferencesOfTheCounters() {
    PauseTotals totals = PauseTotals.of(scraped().build(), ALL);
    assertEquals(20, totals.count());
    assertEquals(2.125 / 20, totals.shareStopped(), TINY);
    assertEquals(60, totals.countPerMinute(), TINY);
    // The longer of the two means: no meter shows a longer one.
    assertEquals(Duration.ofMillis(200), totals.longest());
  }

  @Test
  void betweenTwoScrapesTheShareIsThatFromTheOneToTheOther() {
    // 2 s in the ten seconds around it.
    Window inside = new Window(at(13), at(15));
    assertEquals(0.2, PauseTotals.of(scraped().build(), inside).shareStopped(), TINY);
    // Nothing was metered then.
    Window later = new Window(at(40), at(45));
    assertEquals(0, PauseTotals.of(scraped().build(), later).shareStopped(), TINY);
  }

  @Test
  void pausesThatAreAllAlikeHoldUpLeast() {
    assertEquals(
        20,
        Collections.frequency(meters().least(ALL), Duration.ofNanos(12_500_000))
            + Collections.frequency(meters().least(ALL), Duration.ofMillis(200)));
    // One pause of the whole time between two scrapes each.
    assertEquals(List.of(Duration.ofMillis(125), Duration.ofSeconds(2)), meters().most(ALL));
  }

  @Test
  void theLongestIsOneOfTheStretchInWhichItsMeterRises() {
    CollectorMeters meters =
        meters(
            gauge("jvm_gc_pause_seconds_max", MetricMeaning.GC_LONGEST_PAUSE, 0.0625, 0.0625, 1.1));
    // 1.1 s and nine of 0.9 / 9 = 0.1 s; of the first stretch no more is known than the mean.
    List<Duration> least = meters.least(ALL);
    assertEquals(1, Collections.frequency(least, Duration.ofMillis(1_100)));
    assertEquals(9, Collections.frequency(least, Duration.ofMillis(100)));
    assertEquals(10, Collections.frequency(least, Duration.ofNanos(12_500_000)));
    assertEquals(
        List.of(62L, 62L, 1_100L, 900L),
        meters.most(ALL).stream().map(Duration::toMillis).toList());
  }

  @Test
  void whatIsLostLiesBetweenPausesAllAlikeAndAsUnlikeAsCanBe() {
    // One piece of work at a time, as no rate is known: it waits as long as the stops together.
    Windows whole =
        new Windows(ALL, Optional.empty(), Windows.ChosenBy.WHOLE_RECORDING, true, "all");
    Estimate lost = meters().lost(new MeasuredIncident(scraped().build(), whole));
    double held = 2.125 / (1 - 2.125 / 20);
    assertEquals(held, lost.low(), 1e-6);
    assertEquals(held, lost.high(), 1e-6);
  }

  @Test
  void theOldGenerationIsAShareOrBytesOfItsLimit() {
    assertEquals(
        0.97,
        meters(gauge("jvm_memory_usage_after_gc", MetricMeaning.OLD_AFTER_GC, 0.3, 0.6, 0.97))
            .oldInUse(ALL)
            .orElseThrow(),
        TINY);
    assertEquals(
        0.25,
        meters(
                gauge("left", MetricMeaning.OLD_AFTER_GC_BYTES, 0, 100, 50),
                gauge("limit", MetricMeaning.OLD_MAX, 200, 200, 200))
            .oldInUse(ALL)
            .orElseThrow(),
        TINY);
    // Nothing was collected yet.
    assertTrue(meters(gauge("live", MetricMeaning.OLD_AFTER_GC, 0, 0, 0)).oldInUse(ALL).isEmpty());
  }

  private static MetricSeries of(String label, String value, MetricSeries series) {
    return new MetricSeries(
        series.name(),
        new TreeMap<>(Map.of(label, value)),
        series.meaning(),
        series.counter(),
        series.points(),
        series.source());
  }

  /** The first paused more often, the second for longer. */
  @Test
  void numberAndTimeAreOfOneMachine() {
    TimelineBuilder two = new TimelineBuilder();
    two.metric(of("instance", "1", counter("n", MetricMeaning.GC_PAUSES, 0, 400, 800)));
    two.metric(of("instance", "1", counter("s", MetricMeaning.GC_PAUSE_SECONDS, 0, 0.25, 0.5)));
    two.metric(of("instance", "2", counter("n", MetricMeaning.GC_PAUSES, 0, 1, 2)));
    two.metric(of("instance", "2", counter("s", MetricMeaning.GC_PAUSE_SECONDS, 0, 2, 4)));
    PauseTotals totals = PauseTotals.of(two.build(), ALL);
    assertEquals(2, totals.count());
    assertEquals(0.2, totals.shareStopped(), TINY);
  }

  /**
   * Of 2.125 s. One cause has a meter from the start, that of the other begins with its first GC.
   */
  @Test
  void aMeterThatBeginsWithTheFirstGcGrewByThat() {
    MetricSeries late = counter("s", MetricMeaning.FULL_GC_SECONDS, 0, 0.5, 1.5);
    MetricSeries system =
        new MetricSeries(
            late.name(),
            new TreeMap<>(Map.of("cause", "System.gc()")),
            late.meaning(),
            true,
            late.points().subList(1, 3),
            late.source());
    MetricSeries early = counter("s", MetricMeaning.FULL_GC_SECONDS, 1, 1, 1.25);
    assertEquals(
        Map.of("System.gc()", 1.5 / 2.125, "Ergonomics", 0.25 / 2.125),
        meters(system, of("cause", "Ergonomics", early)).full(ALL));
  }

  @Test
  void pausesThemselvesGoBeforeMeters() {
    Timeline recorded =
        scraped()
            .signal(
                Signal.GC_PAUSES,
                new SignalState(SignalState.Kind.NOTHING_SEEN, Optional.empty(), ""))
            .build();
    assertEquals(Optional.empty(), CollectorMeters.of(recorded));
    assertEquals(0, PauseTotals.of(recorded, ALL).count());
  }
}
