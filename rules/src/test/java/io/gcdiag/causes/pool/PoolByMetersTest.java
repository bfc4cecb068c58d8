package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.passes;
import static io.gcdiag.sketches.Findings.refutes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.pool.PoolWaitRule.PoolByMeters;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolByMetersTest {

  private static final int SCRAPE_EACH_SECONDS = 10;

  private static Optional<Finding> finding(MeasuredIncident incident) {
    return new PoolByMeters("pool-wait", incident).finding();
  }

  private static Finding only(IncidentBuilder builder) {
    return finding(builder.build()).orElseThrow();
  }

  /** Gauges alone, of a pool of ten, at each of twelve scrapes. */
  private static IncidentBuilder gauges(double inUse, double waiting) {
    return gauges(0, inUse, waiting);
  }

  private static IncidentBuilder gauges(double usual, double inUse, double waiting) {
    double[] active = new double[12];
    double[] pending = new double[12];
    double[] size = new double[12];
    Arrays.fill(active, 0, 6, usual);
    Arrays.fill(active, 6, 12, inUse);
    Arrays.fill(pending, 6, 12, waiting);
    Arrays.fill(size, 10);
    IncidentBuilder incident = incident();
    incident
        .timeline()
        .metric(MeterSketch.gauge("hikaricp_connections_active", MetricMeaning.POOL_ACTIVE, active))
        .metric(
            MeterSketch.gauge("hikaricp_connections_pending", MetricMeaning.POOL_PENDING, pending))
        .metric(MeterSketch.gauge("hikaricp_connections_max", MetricMeaning.POOL_MAX, size));
    return incident;
  }

  @Test
  void gaugesThatShowRoomRuleThePoolOut() {
    Finding finding = only(gauges(7, 0));
    assertEquals(
        "by the pool's own meters (pool) at most 7 of 10 connections are in use, and no thread"
            + " waits for one",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
    assertTrue(refutes(finding, Hypothesis.CONNECTION_LEAK));
  }

  @Test
  void gaugesNearTheSizeOrWithAQueueRuleNothingOut() {
    assertSilent(gauges(8, 0));
    assertSilent(gauges(7, 0.5));
  }

  /** A pool of ten in two scrapes of the incident, at 60 s and at 70 s. */
  private static IncidentBuilder twice(double inUse, double waiting) {
    IncidentBuilder incident = incident();
    Map.of(
            MetricMeaning.POOL_ACTIVE,
            inUse,
            MetricMeaning.POOL_PENDING,
            waiting,
            MetricMeaning.POOL_MAX,
            10.0)
        .forEach(
            (meaning, value) ->
                incident
                    .timeline()
                    .metric(
                        new MetricSeries(
                            meaning.name(),
                            new TreeMap<>(),
                            meaning,
                            false,
                            List.of(new Point(at(60), value), new Point(at(70), value)),
                            new Source("page.txt", meaning.name()))));
    return incident;
  }

  @Test
  void aPoolThatIsEmptyWheneverItIsReadIsALeadToThreeCauses() {
    Finding finding = only(twice(10, 71));
    assertEquals(
        "by the pool's own meters (pool) 71 threads wait for a connection while all 10 are in use,"
            + " at each of two scrapes",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
    assertTrue(supports(finding, Hypothesis.CONNECTION_LEAK));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void aFreeConnectionOrOneThreadThatWaitsIsNoLead() {
    assertSilent(twice(9, 71));
    assertSilent(twice(10, 1));
  }

  private static void assertSilent(IncidentBuilder builder) {
    assertEquals(Optional.empty(), finding(builder.build()));
  }

  /**
   * Meters of a pool of ten over the baseline (60 s) and the incident (60 s), scraped every ten
   * seconds.
   *
   * @param rate borrows and returns a second
   * @param holdMillis how long one is held
   * @param waiting borrowers that wait, on average
   * @param inUse connections in use
   */
  private record Load(double rate, double holdMillis, double waiting, double inUse) {}

  private static IncidentBuilder scraped(Load baseline, Load during) {
    IncidentBuilder incident = incident();
    counter(incident, MetricMeaning.POOL_ACQUIRED, baseline.rate(), during.rate());
    counter(incident, MetricMeaning.POOL_USED, baseline.rate(), during.rate());
    counter(incident, MetricMeaning.POOL_ACQUIRE_SECONDS, baseline.waiting(), during.waiting());
    counter(
        incident,
        MetricMeaning.POOL_USAGE_SECONDS,
        baseline.rate() * baseline.holdMillis() / 1e3,
        during.rate() * during.holdMillis() / 1e3);
    gauge(incident, MetricMeaning.POOL_PENDING, baseline.waiting(), during.waiting());
    gauge(incident, MetricMeaning.POOL_ACTIVE, baseline.inUse(), during.inUse());
    gauge(incident, MetricMeaning.POOL_MAX, 10, 10);
    return incident;
  }

  private static void counter(
      IncidentBuilder incident, MetricMeaning meaning, double baselineRate, double incidentRate) {
    List<Point> points = new ArrayList<>();
    double value = 1000;
    for (int second = 0; second <= 120; second += SCRAPE_EACH_SECONDS) {
      points.add(new Point(at(second), value));
      value += SCRAPE_EACH_SECONDS * (second < 60 ? baselineRate : incidentRate);
    }
    add(incident, meaning, true, points);
  }

  private static void gauge(
      IncidentBuilder incident, MetricMeaning meaning, double baseline, double during) {
    List<Point> points = new ArrayList<>();
    for (int second = 0; second <= 120; second += SCRAPE_EACH_SECONDS) {
      points.add(new Point(at(second), second < 60 ? baseline : during));
    }
    add(incident, meaning, false, points);
  }

  private static void add(
      IncidentBuilder incident, MetricMeaning meaning, boolean counter, List<Point> points) {
    incident
        .timeline()
        .metric(
            new MetricSeries(
                meaning.name(),
                new TreeMap<>(Map.of("pool", "orders")),
                meaning,
                counter,
                points,
                new Source("metrics.json", meaning.name())));
  }

  @Test
  void moreBorrowersThanThePoolCanServeMakeItTooSmall() {
    // At 480/s and 20 ms each, 9.6 of 10 connections are needed; as long as before.
    Finding finding = only(scraped(new Load(100, 20, 0, 2), new Load(480, 20, 40, 9.6)));
    assertEquals(
        1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT), 1e-9);
    assertEquals(40, value(finding, "waiting"), 1e-6);
    assertEquals(0.96, value(finding, "utilisationAtUsualHold"), 1e-6);
    assertEquals(
        "by the pool's own meters (orders) 40 threads wait for a connection on "
            + "average, 40 at the peak, while 9.6 of 10 connections are in use; one is "
            + "held for 20 ms, normally for 20 ms",
        finding.statement());
  }

  /** A pool of four that has no timers, all lent out, before which 190 wait; no baseline. */
  private static IncidentBuilder untimed(double ratePerSecond) {
    IncidentBuilder incident = incident().withoutBaseline();
    gauge(incident, MetricMeaning.POOL_PENDING, 190, 190);
    gauge(incident, MetricMeaning.POOL_ACTIVE, 4, 4);
    gauge(incident, MetricMeaning.POOL_MAX, 4, 4);
    return incident.loadTest(
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(Math.round(120 * ratePerSecond))
            .rate(new Rate(ratePerSecond))
            .shortest(Duration.ofMillis(21))
            .mean(Duration.ofMillis(1_000))
            .percentile(50, Duration.ofMillis(1_000))
            .build());
  }

  @Test
  void connectionsHeldNoLongerThanTheFastestRequestTakesAreTooFew() {
    // 4 / 200/s = 20 ms each.
    assertEquals(
        1,
        explains(only(untimed(200)), Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT),
        1e-9);
    // 4 / 50/s = 80 ms each: that may be usual, or not.
    assertEquals(
        0.49, explains(only(untimed(50)), Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void connectionsHeldForLongerAreASlowDatabaseOrKept() {
    // 50/s: 20 ms before (1 of 10 needed), 190 ms now (9.5): the size sufficed before.
    Finding finding = only(scraped(new Load(50, 20, 0, 1), new Load(50, 190, 20, 9.5)));
    assertEquals(0.51, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT), 1e-9);
    assertEquals(0.49, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
    assertEquals(1, finding.inseparable().size());
  }

  @Test
  void connectionsThatDoNotComeBackAreKept() {
    // Ten are lent out, and what comes back accounts for 5/s x 20 ms = 0.1 of them.
    Finding finding = only(scraped(new Load(50, 20, 0, 1), new Load(5, 20, 60, 10)));
    assertEquals(0.51, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
    assertTrue(finding.statement().endsWith("are not returned"), finding::statement);
  }

  @Test
  void aQueueBehindStopsOfTheApplicationIsThePauses() {
    // 300/s x 4 ms = 1.2 of 10, while a tenth of the time is stopped.
    IncidentBuilder scraped = scraped(new Load(300, 4, 0, 1.2), new Load(300, 4, 30, 3));
    scraped.pauses(12, 60, 120, young(0, 500));
    Finding finding = only(scraped);
    assertEquals(1, passes(finding, Effect.POOL_WAIT, Effect.STOPPED), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
  }

  @Test
  void withoutAQueueThereIsNothingToSay() {
    assertSilent(scraped(new Load(100, 20, 0, 2), new Load(120, 20, 0.2, 2.4)));
  }

  /** Two of ten in use, then all, while 71 wait. */
  private static IncidentBuilder full(int requestsDuring) {
    return gauges(2, 10, 71).requests(100, requestsDuring, 20, 1_000);
  }

  @Test
  void halfTheRequestsOnAllConnectionsHoldThemForLonger() {
    // 2 / 100/s = 20 ms before, 10 / 50/s = 200 ms: as before 1 of 10 would do.
    Finding finding = only(full(50));
    assertTrue(
        finding
            .arithmetic()
            .contains(
                "connections in use / requests per second: 200 ms each, 20 ms before; as briefly"
                    + " held, 1 of 10 would do"),
        () -> finding.arithmetic().toString());
    assertEquals(0.51, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
  }

  @Test
  void moreRequestsThatHoldThemAsBrieflyMayNeedAllConnections() {
    // 10 / 500/s = 20 ms, as before.
    Finding finding = only(full(500));
    assertEquals(
        0.51, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT), 1e-9);
  }
}
