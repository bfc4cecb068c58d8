package io.gcdiag.ingest.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.requests.RequestSeries;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RequestScrapesTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  /** Times in seconds and what the counter says then, by turns. */
  private static RequestSeries scraped(double... timesAndCounts) {
    TreeMap<Instant, Double> counter = new TreeMap<>();
    for (int i = 0; i < timesAndCounts.length; i += 2) {
      counter.put(START.plus(Durations.ofSeconds(timesAndCounts[i])), timesAndCounts[i + 1]);
    }
    RequestScrapes scrapes = new RequestScrapes(new Source("metrics.txt", "requests"));
    scrapes.add(MetricMeaning.REQUESTS, Map.of(), counter);
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
  void twoScrapesWithinASecondAreOne() {
    RequestSeries series = scraped(0, 0, 10, 4_000, 20, 8_000, 20.01, 8_000, 20.02, 8_000);
    assertEquals(Optional.of(new Rate(400)), rate(series, 0, 60));
    assertEquals(2, series.intervals().size());
  }
}
