package io.gcdiag.read.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.metrics.MetricCollector.RequestScrapes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RequestScrapesTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  /** Times in seconds and what it says then, by turns. */
  private static TreeMap<Instant, Double> counter(double... timesAndCounts) {
    TreeMap<Instant, Double> counter = new TreeMap<>();
    for (int i = 0; i < timesAndCounts.length; i += 2) {
      counter.put(START.plus(Durations.ofSeconds(timesAndCounts[i])), timesAndCounts[i + 1]);
    }
    return counter;
  }

  private static RequestSeries scraped(double... timesAndCounts) {
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.txt", "requests"));
    scrapes.add(MetricMeaning.REQUESTS, Map.of(), counter(timesAndCounts));
    return scrapes.series().orElseThrow();
  }

  private static Optional<Rate> rate(RequestSeries series, int from, int to) {
    return series.rate(new Window(START.plusSeconds(from), START.plusSeconds(to)));
  }

  @Test
  void scrapesByHandGiveTheRateOverTheTimeBetweenThem() {
    // 2,400 requests in 6 s and 4,800 in 12 s: 400 a second, though the usual gap is 12 s.
    RequestSeries series = scraped(0, 5_600, 6, 8_000, 18, 12_800, 42, 22_400);
    assertEquals(Optional.of(new Rate(400)), rate(series, 0, 18));
    assertEquals(Optional.of(new Rate(400)), rate(series, 0, 6));
  }

  @Test
  void whereScrapesAreMissingNothingIsKnownOfTheRate() {
    // The last gap is twice the usual one: when in it the requests came is not known.
    RequestSeries series = scraped(0, 5_600, 6, 8_000, 18, 12_800, 42, 22_400);
    assertEquals(Optional.empty(), rate(series, 18, 42));
  }

  @Test
  void requestsAndTheirTimeAreKnownByRoute() {
    Map<String, String> orders = Map.of("uri", "/orders/{id}", "method", "GET");
    Map<String, String> stock = Map.of("http_route", "/stock", "http_request_method", "PUT");
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.txt", "requests"));
    scrapes.add(MetricMeaning.REQUESTS, orders, counter(0, 100, 10, 300));
    scrapes.add(MetricMeaning.REQUEST_SECONDS, orders, counter(0, 5, 10, 25));
    scrapes.add(MetricMeaning.REQUESTS, stock, counter(0, 0, 10, 50));
    scrapes.add(MetricMeaning.REQUEST_SECONDS, stock, counter(0, 0, 10, 1));
    List<EndpointSeries> endpoints = scrapes.series().orElseThrow().endpoints();
    // 200 requests in 20 s, 50 in 1 s.
    assertEquals(
        List.of(
            new EndpointSeries("GET /orders/{id}", List.of(new Slot(START, 200, 20)), List.of()),
            new EndpointSeries("PUT /stock", List.of(new Slot(START, 50, 1)), List.of())),
        endpoints);
  }

  private static RequestSeries timed(TreeMap<Instant, Double> count, TreeMap<Instant, Double> sum) {
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.txt", "requests"));
    scrapes.add(MetricMeaning.REQUESTS, Map.of("uri", "/"), count);
    scrapes.add(MetricMeaning.REQUEST_SECONDS, Map.of("uri", "/"), sum);
    return scrapes.series().orElseThrow();
  }

  private static List<Optional<Duration>> means(RequestSeries series) {
    return series.intervals().stream().map(interval -> interval.latencies().mean()).toList();
  }

  @Test
  void theMeanOfATimerIsItsTimeByItsCount() {
    // 5.4 s / 90 = 60 ms, 4,500 s / 1,800 = 2.5 s.
    RequestSeries series =
        timed(counter(0, 100, 15, 190, 30, 1_990), counter(0, 7, 15, 12.4, 30, 4_512.4));
    assertEquals(
        List.of(Optional.of(Duration.ofMillis(60)), Optional.of(Duration.ofMillis(2_500))),
        means(series));
    assertTrue(series.hasMeansAlone());
  }

  @Test
  void aTimerThatBeganAnewSaysNothingOfTheTimeBetween() {
    RequestSeries series =
        timed(counter(0, 100, 15, 190, 30, 10, 45, 20), counter(0, 7, 15, 12.4, 30, 1, 45, 1.5));
    // Started again between 15 and 30 s. 0.5 s / 10 = 50 ms.
    assertEquals(
        List.of(Optional.of(Duration.ofMillis(60)), Optional.of(Duration.ofMillis(50))),
        means(series));
  }

  @Test
  void theTimeOfSomeRequestsIsNoMeanOfAll() {
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.txt", "requests"));
    scrapes.add(MetricMeaning.REQUESTS, Map.of("uri", "/"), counter(0, 0, 15, 100));
    scrapes.add(MetricMeaning.REQUESTS, Map.of("uri", "/slow"), counter(0, 0, 15, 100));
    scrapes.add(MetricMeaning.REQUEST_SECONDS, Map.of("uri", "/"), counter(0, 0, 15, 1));
    assertEquals(List.of(Optional.empty()), means(scrapes.series().orElseThrow()));
  }

  @Test
  void twoScrapesWithinASecondAreOne() {
    RequestSeries series = scraped(0, 0, 10, 4_000, 20, 8_000, 20.01, 8_000, 20.02, 8_000);
    assertEquals(Optional.of(new Rate(400)), rate(series, 0, 60));
    assertEquals(2, series.intervals().size());
  }

  /** Ten of 50 to 60 ms, and from the second scrape on 30 more of 200 to 300 ms; no le at all. */
  @Test
  void bucketsThatCountTheirOwnRangeAloneAreAddedUp() {
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.json", "requests"));
    Map<String, String> orders = Map.of("uri", "/orders");
    scrapes.add(MetricMeaning.REQUESTS, orders, counter(0, 0, 10, 10, 20, 50));
    scrapes.add(MetricMeaning.REQUEST_SECONDS, orders, counter(0, 0, 10, 0.55, 20, 8.6));
    scrapes.add(
        MetricMeaning.REQUEST_BUCKET,
        Map.of("uri", "/orders", "vmrange", "5.0e-02...6.0e-02"),
        counter(0, 0, 10, 10, 20, 20));
    scrapes.add(
        MetricMeaning.REQUEST_BUCKET,
        Map.of("uri", "/orders", "vmrange", "2.0e-01...3.0e-01"),
        counter(20, 30));
    List<RequestInterval> intervals = scrapes.series().orElseThrow().intervals();
    assertEquals(List.of(10L, 40L), intervals.stream().map(RequestInterval::requests).toList());
    assertEquals(
        Optional.of(Duration.ofMillis(60)),
        intervals.get(0).latencies().percentile(50).orElseThrow().atMost());
    // The empty range between 60 and 200 ms belongs to no bucket.
    assertEquals(
        Duration.ofMillis(200),
        intervals.get(1).latencies().percentile(50).orElseThrow().atLeast());
  }

  @Test
  void timersOfMicroProfileAreOfClassesAndMethods() {
    Map<String, String> labels =
        Map.of("class", "shop.Orders", "method", "find_int_java.lang.String", "mp_scope", "base");
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.txt", "requests"));
    scrapes.add(MetricMeaning.REQUESTS, labels, counter(0, 100, 10, 300));
    scrapes.add(MetricMeaning.REQUEST_SECONDS, labels, counter(0, 5, 10, 25));
    assertEquals(
        List.of(
            new EndpointSeries("shop.Orders.find", List.of(new Slot(START, 200, 20)), List.of())),
        scrapes.series().orElseThrow().endpoints());
  }

  @Test
  void aRateThatWasExportedInPlaceOfACounterIsRequestsOverTime() {
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.txt", "requests"));
    scrapes.add(MetricMeaning.REQUEST_RATE, Map.of(), counter(0, 40, 15, 42.5, 30, 20, 45, 20));
    RequestSeries series = scrapes.series().orElseThrow();
    // A reading is of the time before it; 15 s x 42.5/s are 637.5 requests.
    assertEquals(42.5, rate(series, 0, 15).orElseThrow().perSecond(), 0.1);
    assertEquals(Optional.of(new Rate(20)), rate(series, 15, 45));
    assertEquals(0, series.intervals().get(0).latencies().count());
  }
}
