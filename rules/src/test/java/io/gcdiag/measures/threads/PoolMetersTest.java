package io.gcdiag.measures.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolMetersTest {

  private static final Instant START = Instant.parse("2026-11-21T01:14:00Z");

  private static MetricSeries series(
      String pool, MetricMeaning meaning, boolean counter, double... everyTenSeconds) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < everyTenSeconds.length; i++) {
      points.add(new Point(START.plusSeconds(10L * i), everyTenSeconds[i]));
    }
    return new MetricSeries(
        "meter",
        new TreeMap<>(Map.of("pool", pool)),
        meaning,
        counter,
        points,
        new Source("metrics.json", meaning.name()));
  }

  /** The same as a monitoring system exports it, with the number of the machine. */
  private static MetricSeries exported(
      String machine, String pool, MetricMeaning meaning, boolean counter, double... values) {
    MetricSeries one = series(pool, meaning, counter, values);
    return new MetricSeries(
        one.name(),
        new TreeMap<>(Map.of("pool", pool, "instance", machine)),
        meaning,
        counter,
        one.points(),
        new Source("export.json", meaning.name()));
  }

  private static PoolMeters meters(MetricSeries... series) {
    TimelineBuilder timeline = new TimelineBuilder();
    for (MetricSeries one : series) {
      timeline.metric(one);
    }
    return PoolMeters.of(timeline.build()).orElseThrow();
  }

  private static Window seconds(int from, int to) {
    return new Window(START.plusSeconds(from), START.plusSeconds(to));
  }

  @Test
  void holdTimeAndRateAreDifferencesOfTheCounters() {
    PoolMeters pool =
        meters(
            series("a", MetricMeaning.POOL_USAGE_SECONDS, true, 100, 140, 200, 212),
            series("a", MetricMeaning.POOL_USED, true, 1000, 9000, 17000, 17010),
            series("a", MetricMeaning.POOL_ACQUIRED, true, 0, 8000, 16000, 16010),
            series("a", MetricMeaning.POOL_MAX, false, 10, 10, 10, 10));
    // 40 s over 8,000 returns between second 0 and 10; 8,000 borrows in these ten seconds.
    assertEquals(Optional.of(Duration.ofMillis(5)), pool.hold(seconds(0, 11)));
    assertEquals(Optional.of(new Rate(800)), pool.borrows(seconds(0, 11)));
    // 60 s over 8,000 in the next ten.
    assertEquals(Optional.of(Duration.ofNanos(7_500_000)), pool.hold(seconds(10, 21)));
    // 10 returns between second 20 and 30 are too few for a mean.
    assertEquals(Optional.empty(), pool.hold(seconds(20, 31)));
    assertEquals(OptionalInt.of(10), pool.size());
  }

  /** An incident without a baseline, in seconds after the meters begin. */
  private static Incident incident(int from, int to) {
    Windows windows =
        new Windows(
            seconds(from, to), Optional.empty(), Windows.ChosenBy.WHOLE_RECORDING, true, "");
    return new MeasuredIncident(new TimelineBuilder().build(), windows);
  }

  @Test
  void whatOnlyTheMetersCoverBeforeAnIncidentShowsTheUsualHold() {
    // 5 ms for ten seconds, 6 ms for the next ten, 90 ms for the last ten.
    PoolMeters pool =
        meters(
            series("a", MetricMeaning.POOL_USAGE_SECONDS, true, 0, 5, 11, 101),
            series("a", MetricMeaning.POOL_USED, true, 0, 1_000, 2_000, 3_000),
            series("a", MetricMeaning.POOL_ACQUIRED, true, 0, 1_000, 2_000, 3_000),
            series("a", MetricMeaning.POOL_MAX, false, 10, 10, 10, 10));
    assertEquals(Optional.of(Duration.ofMillis(5)), pool.usualHold(incident(20, 31)));
    assertEquals(Optional.empty(), pool.usualHold(incident(0, 31)));
  }

  private static Optional<Duration> held(String meter, double seconds) {
    MetricSeries usage = series("a", MetricMeaning.POOL_USAGE_SECONDS, true, 0, seconds);
    MetricSeries named =
        new MetricSeries(
            meter, usage.labels(), usage.meaning(), true, usage.points(), usage.source());
    return meters(named, series("a", MetricMeaning.POOL_USED, true, 0, 1_000)).hold(seconds(0, 11));
  }

  @Test
  void aMeanBelowTheWholeMillisecondsThatHikariCountsIsNotKnown() {
    // 145 ms over 1,000 returns are 145 us, and 1,500 ms are 1.5 ms.
    String hikari = "hikaricp_connections_usage_seconds_sum";
    assertEquals(Optional.empty(), held(hikari, 0.145));
    assertEquals(Optional.of(Duration.ofNanos(1_500_000)), held(hikari, 1.5));
    assertEquals(
        Optional.of(Duration.ofNanos(145_000)), held("vertx_pool_usage_seconds_sum", 0.145));
  }

  @Test
  void aServiceStartedAnewCountsFromZero() {
    PoolMeters pool =
        meters(
            series("a", MetricMeaning.POOL_USAGE_SECONDS, true, 500, 1),
            series("a", MetricMeaning.POOL_USED, true, 90_000, 100));
    assertEquals(Optional.of(Duration.ofMillis(10)), pool.hold(seconds(0, 11)));
  }

  @Test
  void thePoolThatMostThreadsWaitForIsMeant() {
    PoolMeters pool =
        meters(
            series("busy", MetricMeaning.POOL_ACTIVE, false, 9, 9),
            series("busy", MetricMeaning.POOL_MAX, false, 50, 50),
            series("queue", MetricMeaning.POOL_PENDING, false, 0, 189),
            series("queue", MetricMeaning.POOL_MAX, false, 10, 10));
    assertEquals(OptionalInt.of(10), pool.size());
    assertEquals(189, pool.peakPending(seconds(0, 60)).orElseThrow().value());
  }

  @Test
  void onlyAScrapeNearbyTellsOfAMoment() {
    PoolMeters pool = meters(series("a", MetricMeaning.POOL_PENDING, false, 0, 189));
    assertEquals(
        189, pool.pendingNear(START.plusSeconds(8), Duration.ofSeconds(15)).orElseThrow().value());
    assertEquals(Optional.empty(), pool.pendingNear(START.plusSeconds(40), Duration.ofSeconds(15)));
  }

  @Test
  void connectionsThatStopComingBackWhileThreadsWaitAreSeen() {
    PoolMeters stuck =
        meters(
            series("a", MetricMeaning.POOL_PENDING, false, 0, 20, 45, 60),
            series("a", MetricMeaning.POOL_USED, true, 800, 900, 900, 900));
    assertEquals(true, stuck.nothingComesBack(seconds(0, 60)));
    // Only one interval without a return: a slow call may have held every connection.
    PoolMeters slow =
        meters(
            series("a", MetricMeaning.POOL_PENDING, false, 0, 20, 45, 10),
            series("a", MetricMeaning.POOL_USED, true, 800, 900, 900, 1000));
    assertEquals(false, slow.nothingComesBack(seconds(0, 60)));
    // No thread waits: nothing is requested.
    PoolMeters idle =
        meters(
            series("a", MetricMeaning.POOL_PENDING, false, 0, 0, 0, 0),
            series("a", MetricMeaning.POOL_USED, true, 900, 900, 900, 900));
    assertEquals(false, idle.nothingComesBack(seconds(0, 60)));
  }

  @Test
  void borrowersThatWaitAreThoseServedOrThoseSeenIfTheyAreMore() {
    // 8,000 borrows waited for 40 s within ten seconds: four at a time.
    PoolMeters served =
        meters(
            series("a", MetricMeaning.POOL_ACQUIRE_SECONDS, true, 0, 40),
            series("a", MetricMeaning.POOL_ACQUIRED, true, 0, 8000));
    assertEquals(4, served.waiting(seconds(0, 11)).orElseThrow(), 1e-9);
    // No thread was served, and 10, 20 and 30 were seen waiting.
    PoolMeters stuck = meters(series("a", MetricMeaning.POOL_PENDING, false, 10, 20, 30));
    assertEquals(20, stuck.waiting(seconds(0, 21)).orElseThrow(), 1e-9);
    // Two scrapes are no mean.
    assertEquals(OptionalDouble.empty(), stuck.waiting(seconds(0, 11)));
  }

  @Test
  void whatCameBackAccountsForSoManyConnections() {
    // 12 s and 8 s held by what came back in 20 s: one connection at a time.
    PoolMeters pool = meters(series("a", MetricMeaning.POOL_USAGE_SECONDS, true, 100, 112, 120));
    assertEquals(1, pool.returned(seconds(0, 21)).orElseThrow(), 1e-9);
  }

  @Test
  void stretchesReachFromScrapeToScrape() {
    PoolMeters pool = meters(series("a", MetricMeaning.POOL_ACQUIRED, true, 0, 100, 300));
    assertEquals(Optional.of(new Rate(10)), pool.borrows(pool.stretches().get(0)));
    assertEquals(Optional.of(new Rate(20)), pool.borrows(pool.stretches().get(1)));
  }

  @Test
  void aSavedScrapeAndAnExportTellOfOnePool() {
    PoolMeters pool =
        meters(
            series("a", MetricMeaning.POOL_PENDING, false, 0, 3),
            series("a", MetricMeaning.POOL_USAGE_SECONDS, true, 100, 140),
            series("a", MetricMeaning.POOL_USED, true, 1000, 9000),
            exported("1", "a", MetricMeaning.POOL_PENDING, false, 0, 3, 189, 7));
    // The hold is in the scrapes only; of the gauge the export has more values.
    assertEquals(Optional.of(Duration.ofMillis(5)), pool.hold(seconds(0, 11)));
    assertEquals(189, pool.peakPending(seconds(0, 60)).orElseThrow().value());
    assertEquals("export.json", pool.source(MetricMeaning.POOL_PENDING).orElseThrow().file());
  }

  @Test
  void poolsOfTwoMachinesAreNotMixed() {
    PoolMeters pool =
        meters(
            exported("1", "a", MetricMeaning.POOL_PENDING, false, 0, 3),
            exported("1", "a", MetricMeaning.POOL_MAX, false, 10, 10),
            exported("2", "a", MetricMeaning.POOL_PENDING, false, 0, 40),
            exported("2", "a", MetricMeaning.POOL_MAX, false, 20, 20));
    assertEquals(OptionalInt.of(20), pool.size());
    assertEquals(40, pool.peakPending(seconds(0, 60)).orElseThrow().value());
  }
}
