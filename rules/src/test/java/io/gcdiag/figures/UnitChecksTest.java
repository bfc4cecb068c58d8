package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.CrossChecks.UnitChecks;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A load test of 100 requests a second by 50 users, over a minute. */
class UnitChecksTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final TimelineBuilder timeline = new TimelineBuilder();

  private UnitChecksTest users(double meanSeconds) {
    timeline.requestStats(
        new RequestStats.Builder("k6", new Source("load.json", ""))
            .requests(6_000)
            .rate(new Rate(100))
            .mean(Durations.ofSeconds(meanSeconds))
            .users(50)
            .build());
    return this;
  }

  private UnitChecksTest server(double meanSeconds) {
    metric(MetricMeaning.REQUEST_SECONDS, 6_000 * meanSeconds);
    metric(MetricMeaning.REQUESTS, 6_000);
    return this;
  }

  private void metric(MetricMeaning meaning, double grown) {
    timeline.metric(
        new MetricSeries(
            meaning.id(),
            new TreeMap<>(),
            meaning,
            true,
            List.of(new Point(START, 10), new Point(START.plusSeconds(60), 10 + grown)),
            new Source("metrics.txt", meaning.id())));
  }

  private List<CrossCheck> checks() {
    return UnitChecks.of(timeline.build());
  }

  @Test
  void latenciesThatCanBeAreNotWorthAWord() {
    // 100/s x 0.4 s = 40 of 50 users.
    assertEquals(List.of(), users(0.4).server(0.3).checks());
  }

  @Test
  void moreRequestsUnderWayThanUsersCannotBe() {
    CrossCheck check = users(400).checks().get(0);
    // 100/s x 400 s = 40,000 of 50 users.
    assertEquals(40_000, check.valueA());
    assertEquals(50, check.valueB());
    assertEquals(Agreement.NO, check.agreement());
  }

  @Test
  void aServiceThatWorksLongerThanItsUsersWaitCannotBe() {
    CrossCheck check = users(0.0004).server(0.3).checks().get(0);
    assertEquals(0.0004, check.valueA());
    assertEquals(0.3, check.valueB(), 1e-9);
    assertEquals(Agreement.NO, check.agreement());
  }

  @Test
  void usersWhoWaitAHundredTimesAsLongMayQueueBeforeTheService() {
    assertEquals(Agreement.OPEN, users(0.4).server(0.0003).checks().get(0).agreement());
  }
}
