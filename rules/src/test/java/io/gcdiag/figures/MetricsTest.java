package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.jvm.CpuSample.ContextSwitches;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import io.gcdiag.sketches.OwnCodeSketch;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Bytes;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private static Metric of(String name, MeasuredIncident incident) {
    return Metrics.of(incident).stream()
        .filter(metric -> metric.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void assertMetric(
      double baseline, double incident, Unit unit, Metric metric, double tolerance) {
    assertEquals(unit, metric.unit());
    assertEquals(baseline, metric.baseline().orElseThrow(), tolerance, metric.name());
    assertEquals(incident, metric.incident().orElseThrow(), tolerance, metric.name());
  }

  @Test
  void pausesAreGivenPerMinuteBeforeAndDuring() {
    // Baseline: 6 of 10 ms in 60 s. Incident: 20 of 50 ms in 30 s.
    MeasuredIncident incident =
        Scene.of(90).pauses(0, 60, 10, 10).pauses(60, 90, 1.5, 50).incidentFrom(60);
    assertMetric(6, 40, Unit.PER_MINUTE, of("gc.pause.count", incident), 1e-9);
    assertMetric(60e6, 2_000e6, Unit.NANOSECONDS, of("gc.pause.sum", incident), 1);
    assertMetric(10e6, 50e6, Unit.NANOSECONDS, of("gc.pause.mean", incident), 1);
    assertMetric(10e6, 50e6, Unit.NANOSECONDS, of("gc.pause.max", incident), 1);
    assertMetric(0.001, 1.0 / 30, Unit.RATIO, of("gc.pause.share", incident), 1e-9);
  }

  @Test
  void waitingIsAMeanAndAPeakOverAllSitesTogether() {
    MeasuredIncident incident =
        Scene.of(60)
            .waiting(WaitKind.POOL, "HikariCP", 10, 30, 4)
            .waiting(WaitKind.POOL, "dbcp", 20, 50, 3)
            .incident();
    // (20 s x 4 + 30 s x 3) / 60 s; all seven wait from 20 s to 30 s.
    assertEquals(170.0 / 60, of("pool.waiting", incident).incident().orElseThrow(), 1e-6);
    assertEquals(7, of("pool.waiting.max", incident).incident().orElseThrow(), 1e-6);
    assertEquals(OptionalDouble.empty(), of("pool.waiting", incident).baseline());
  }

  @Test
  void peaksOfSitesThatAreNotBusyTogetherDoNotAddUp() {
    MeasuredIncident incident =
        Scene.of(60)
            .waiting(WaitKind.POOL, "HikariCP", 10, 20, 4)
            .waiting(WaitKind.POOL, "dbcp", 30, 40, 3)
            .incident();
    assertEquals(4, of("pool.waiting.max", incident).incident().orElseThrow(), 1e-6);
  }

  @Test
  void aFigureOfAPoolsMetersNamesTheMeterItWasReadFrom() {
    Metric peak = of("pool.pending.max", Scene.of(60).pending(10, 0, 4, 31, 2).incident());
    assertEquals(31, peak.incident().orElseThrow(), 1e-9);
    assertEquals("metrics.json hikaricp_connections_pending", peak.source().toString());
  }

  private static MeasuredIncident metered(MetricSeries... meters) {
    IncidentBuilder builder = IncidentBuilder.incident();
    for (MetricSeries meter : meters) {
      builder.metered(meter);
    }
    return builder.build();
  }

  @Test
  void gaugesAreAMeanAndTheHighestScrapeBeforeAndDuring() {
    // Scrapes at 0, 10, ... 110 s; the incident begins at 60 s.
    MeasuredIncident incident =
        metered(
            MeterSketch.gauge(
                "hikaricp_connections_active",
                MetricMeaning.POOL_ACTIVE,
                1,
                2,
                3,
                1,
                2,
                3,
                10,
                10,
                10,
                7,
                10,
                10),
            MeterSketch.gauge(
                "tomcat_threads_busy_threads",
                MetricMeaning.REQUEST_THREADS_BUSY,
                5,
                5,
                5,
                5,
                5,
                5,
                200,
                200,
                170,
                200,
                200,
                200));
    assertMetric(2, 9.5, Unit.THREADS, of("pool.active", incident), 1e-9);
    assertMetric(3, 10, Unit.COUNT, of("pool.active.max", incident), 1e-9);
    assertMetric(5, 195, Unit.THREADS, of("workers.busy", incident), 1e-9);
    assertMetric(5, 200, Unit.THREADS, of("workers.busy.max", incident), 1e-9);
    assertEquals(
        "metrics.json tomcat_threads_busy_threads",
        of("workers.busy.max", incident).source().toString());
  }

  @Test
  void aPercentileThatTheServiceComputedIsTheMeanOfItsReadings() {
    MetricSeries p99 =
        MeterSketch.gauge(
            "requests_p99_seconds",
            MetricMeaning.LATENCY,
            0.05,
            0.05,
            0.05,
            0.05,
            0.05,
            0.05,
            0.5,
            0.5,
            0.5,
            0.7,
            0.7,
            0.7);
    assertMetric(50e6, 600e6, Unit.NANOSECONDS, of("latency.p99", metered(p99)), 1);
  }

  @Test
  void promotionSurvivalRunnableThreadsAndSwitchesAreComparedAsWell() {
    // 30 MiB promoted in the baseline's minute, 90 in the incident's; 1 and 4 of 10 alive.
    MeasuredIncident incident =
        IncidentBuilder.incident()
            .sample(young(30, 100, 10, 30))
            .sample(young(90, 200, 80, 90))
            .sample(new ContextSwitches(IncidentBuilder.at(30), Duration.ofSeconds(10), 1_000))
            .sample(new ContextSwitches(IncidentBuilder.at(90), Duration.ofSeconds(10), 3_000))
            .dump(30, 0, 0, 2, 8)
            .dump(80, 0, 0, 5, 5)
            .dump(90, 0, 0, 9, 1)
            .build();
    assertMetric(30 << 20, 90 << 20, Unit.BYTES, of("heap.promoted", incident), 1e-6);
    assertMetric(0.1, 0.4, Unit.RATIO, of("heap.survival", incident), 1e-9);
    assertMetric(2, 9, Unit.THREADS, of("requests.runnable", incident), 1e-9);
    assertMetric(1_000, 3_000, Unit.PER_SECOND, of("cpu.switches", incident), 1e-9);
  }

  private static YoungCollections young(int second, long before, long survived, long promoted) {
    return new YoungCollections(
        IncidentBuilder.at(second),
        1,
        Bytes.ofMebi(before),
        Bytes.ofMebi(survived),
        Bytes.ofMebi(promoted),
        Bytes.of(1),
        Source.line("gc.log", 7));
  }

  @Test
  void theLongestHoldIsTheHighestThatAMeterShows() {
    double[] longest = {0.1, 0.48, 0.48, 0.48, 0.3, 0.3, 0.3, 0.48, 0.2, 0.2, 0.2, 0.2};
    MeasuredIncident incident =
        metered(
            MeterSketch.gauge(
                "hikaricp_connections_usage_seconds_max",
                MetricMeaning.POOL_LONGEST_USAGE,
                longest));
    assertMetric(480e6, 480e6, Unit.NANOSECONDS, of("pool.hold.max", incident), 1);
  }

  @Test
  void aLongestHoldFromBeforeTheWindowIsNotTheWindows() {
    // The meter shows the longest of the last minutes: 2.6 s are of the warm-up, all along.
    double[] longest = {2.6, 2.6, 2.6, 2.6, 2.6, 2.6, 2.6, 2.6, 0.2, 0.3, 0.3, 0.3};
    MeasuredIncident incident =
        metered(
            MeterSketch.gauge(
                "hikaricp_connections_usage_seconds_max",
                MetricMeaning.POOL_LONGEST_USAGE,
                longest));
    Metric held = of("pool.hold.max", incident);
    assertTrue(held.baseline().isEmpty());
    assertEquals(300e6, held.incident().orElseThrow(), 1);
  }

  @Test
  void allocationPerRequestIsTheRateOverTheRequestsOfTheWindow() {
    // 10 MB a second for 100 requests, 40 MB for 200.
    MeasuredIncident incident =
        busier().allocated(0, 60, 10e6).allocated(60, 120, 40e6).requests(100, 200).build();
    assertMetric(100e3, 200e3, Unit.BYTES, of("allocation.per.request", incident), 1e3);
  }

  @Test
  void connectionsPerRequestAreThoseAcquiredOverTheRequestsOfTheWindow() {
    // 500 a second for 100 requests a second until second 60, 4,000 for 200 from then on.
    double[] acquired = {0, 5e3, 10e3, 15e3, 20e3, 25e3, 30e3, 70e3, 110e3, 150e3, 190e3, 230e3};
    MetricSeries meter =
        MeterSketch.counter(
            "hikaricp_connections_acquire_seconds_count", MetricMeaning.POOL_ACQUIRED, acquired);
    MeasuredIncident incident =
        IncidentBuilder.incident().requests(100, 200).metered(meter).build();
    assertMetric(5, 20, Unit.COUNT, of("pool.acquired.per.request", incident), 1e-6);
  }

  // Requests: 100 and 200 a second. Queries: 100 and 400 a second, and 200 and 600 beside them.
  private static final double[] QUERIES = {
    0, 1e3, 2e3, 3e3, 4e3, 5e3, 6e3, 10e3, 14e3, 18e3, 22e3, 26e3
  };
  private static final double[] OTHER_QUERIES = {
    0, 2e3, 4e3, 6e3, 8e3, 10e3, 12e3, 18e3, 24e3, 30e3, 36e3, 42e3
  };

  @Test
  void queriesOfTheSeriesOfOneMeterAreAddedUp() {
    assertMetric(3, 5, Unit.COUNT, queriesPerRequest("queries_total", "queries_total"), 1e-6);
  }

  @Test
  void aQueryThatTwoMetersCountedIsOneQuery() {
    assertMetric(
        2, 3, Unit.COUNT, queriesPerRequest("hibernate_total", "jdbc_seconds_count"), 1e-6);
  }

  private static Metric queriesPerRequest(String one, String other) {
    return of(
        "database.queries.per.request",
        IncidentBuilder.incident()
            .requests(100, 200)
            .metered(MeterSketch.counter(one, MetricMeaning.QUERIES, QUERIES))
            .metered(MeterSketch.counter(other, MetricMeaning.QUERIES, OTHER_QUERIES))
            .build());
  }

  @Test
  void withoutARateOfTheWindowNothingIsSaidPerRequest() {
    double[] acquired = {0, 5e3, 10e3, 15e3, 20e3, 25e3, 30e3, 70e3, 110e3, 150e3, 190e3, 230e3};
    MetricSeries meter =
        MeterSketch.counter(
            "hikaricp_connections_acquire_seconds_count", MetricMeaning.POOL_ACQUIRED, acquired);
    MeasuredIncident incident = IncidentBuilder.incident().loadTest(100, 10).metered(meter).build();
    assertTrue(
        Metrics.of(incident).stream()
            .noneMatch(metric -> metric.name().equals("pool.acquired.per.request")));
  }

  /** Half of two cores in the baseline, all of them in the incident. */
  private static IncidentBuilder busier() {
    IncidentBuilder builder = IncidentBuilder.incident().cpus(2);
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, second < 60 ? 0.5 : 1, 1);
    }
    return builder;
  }

  @Test
  void processorTimePerRequestIsComparedOnlyWhereTheRateIsKnownOverTime() {
    // 1 core / 100 a second, 2 cores / 200 a second.
    assertMetric(
        10e6, 10e6, Unit.NANOSECONDS, of("request.cpu", busier().requests(100, 200).build()), 1e5);
    // What the operator says is of the incident: nothing says how many requests came before it.
    Metric stated = of("request.cpu", busier().rate(200).build());
    assertEquals(OptionalDouble.empty(), stated.baseline());
    assertEquals(10e6, stated.incident().orElseThrow(), 1e5);
    // The files say it of the baseline.
    MeasuredIncident both = busier().rate(200).requests(100, 200).build();
    assertMetric(10e6, 10e6, Unit.NANOSECONDS, of("request.cpu", both), 1e5);
    MeasuredIncident ofTest = busier().loadTest(100, 10).build();
    assertTrue(
        Metrics.of(ofTest).stream().noneMatch(metric -> metric.name().equals("request.cpu")));
  }

  @Test
  void processorTimePerRequestUnderAQuotaIsOfTheMachinesCpus() {
    // A fifth of two CPUs, 100 requests a second: 4 ms each; that it may use the time of one CPU is
    // nothing to that.
    MeasuredIncident incident =
        IncidentBuilder.incident()
            .cpus(1)
            .sample(new HardwareThreads(IncidentBuilder.at(0), 2))
            .sample(
                new CpuQuota(
                    IncidentBuilder.at(0),
                    Optional.of(Duration.ofMillis(60)),
                    Duration.ofMillis(100),
                    new Source("a.jfr", "")))
            .rate(100)
            .cpu(90, 0.2, 0.6)
            .build();
    assertEquals(4e6, of("request.cpu", incident).incident().orElseThrow(), 1);
  }

  @Test
  void processorLoadOfAConfinedJvmNamesTheCpusThatItIsOf() {
    // One CPU of two: the JVM has 40 % of it, others 40 % of two, which the other CPU can hold.
    MeasuredIncident incident =
        IncidentBuilder.incident()
            .cpus(1)
            .sample(new HardwareThreads(IncidentBuilder.at(0), 2))
            .cpu(90, 0.2, 0.6)
            .build();
    assertEquals(0.4, of("cpu.machine", incident).incident().orElseThrow(), 1e-9);
    assertEquals("jdk.CPULoad, 1 of 2 CPUs", of("cpu.machine", incident).source().toString());
  }

  @Test
  void processorLoadIsTheMeanOfTheSamples() {
    MeasuredIncident incident =
        Scene.of(60).cpu(0, 40, 0.2, 0.3).cpu(40, 60, 0.6, 0.8).incidentFrom(40);
    assertMetric(0.3, 0.8, Unit.RATIO, of("cpu.machine", incident), 1e-9);
    assertMetric(0.2, 0.6, Unit.RATIO, of("cpu.jvm", incident), 1e-9);
  }

  @Test
  void aLoadTestsFiguresAreThoseOfTheWholeTest() {
    MeasuredIncident incident = Scene.of(60).load(100, 25, 10, 90).incidentFrom(30);
    assertEquals(OptionalDouble.of(10e6), of("latency.p50", incident).incident());
    assertEquals(OptionalDouble.of(90e6), of("latency.p99", incident).incident());
    assertEquals(OptionalDouble.of(100), of("request.rate", incident).incident());
    assertEquals(OptionalDouble.empty(), of("request.rate", incident).baseline());
  }

  @Test
  void whatWasNotRecordedHasNoFigureInsteadOfAZero() {
    List<String> names = Metrics.of(Scene.of(60).incident()).stream().map(Metric::name).toList();
    assertTrue(names.contains("gc.pause.count"));
    assertTrue(names.stream().noneMatch(name -> name.startsWith("cpu.")), names::toString);
    assertTrue(names.stream().noneMatch(name -> name.startsWith("lock.")), names::toString);
    assertTrue(names.stream().noneMatch(name -> name.startsWith("heap.")), names::toString);
  }

  @Test
  void aPauseThatRequestsBringOnMeetsOneAtLeast() {
    // 20 pauses of 50 ms in 60 s, each begun by one of 10 x 60 requests.
    MeasuredIncident incident =
        IncidentBuilder.incident()
            .loadTestWithoutMean(10, 30)
            .sample(OwnCodeSketch.steady(Activity.ALLOCATING, 1000, 1000, "shop.Page.list"))
            .everythingRecorded()
            .pauses(20, 60, 120, PauseSketch.young(0, 50))
            .build();
    assertEquals(
        1 / 60.0 + 20 / 600.0, of("request.met.pause", incident).incident().orElseThrow(), 1e-9);
  }

  @Test
  void requestsMeetAPauseThatTheyArriveInOrThatBeginsWhileTheyAreServed() {
    // 20 pauses of 50 ms in 30 s: stopped for 1/30 of the time. A request of 30 ms meets the begin
    // of
    // one with a chance of 20 / 30 s x 30 ms = 0.02.
    MeasuredIncident incident =
        Scene.of(90).load(100, 30, 30, 60).pauses(60, 90, 1.5, 50).incidentFrom(60);
    assertEquals(1.0 / 30 + 0.02, of("request.met.pause", incident).incident().orElseThrow(), 1e-9);
  }

  @Test
  void aPercentileOfACoarseHistogramIsARange() {
    // Baseline: all within 0.5 s. Incident: 9 of 10 beyond the last bucket of 10 s.
    Latencies baseline = Latencies.ofBuckets(buckets(5, 5), 0);
    Latencies bad = Latencies.ofBuckets(buckets(1, 0), 9);
    Metric p99 = of("latency.p99", Scene.of(2).latencies(baseline, bad).incidentFrom(1));
    assertEquals(OptionalDouble.empty(), p99.baseline());
    assertEquals(OptionalDouble.empty(), p99.incident());
    assertEquals(
        new Metric.Range(0.25e9, OptionalDouble.of(0.5e9)), p99.baselineRange().orElseThrow());
    assertEquals(new Metric.Range(10e9, OptionalDouble.empty()), p99.incidentRange().orElseThrow());
  }

  /** So many requests up to 250 ms and up to 500 ms; there is a bucket up to 10 s, too. */
  private static SortedMap<Duration, Long> buckets(long first, long second) {
    return new TreeMap<>(
        Map.of(
            Duration.ofMillis(250), first,
            Duration.ofMillis(500), second,
            Duration.ofSeconds(10), 0L));
  }
}
