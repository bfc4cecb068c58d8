package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.CrossChecks.UnitChecks;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A load test of 100 requests a second by 50 users, over a minute. */
class UnitChecksTest {

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

  private List<CrossCheck> checks() {
    return UnitChecks.of(timeline.build());
  }

  @Test
  void latenciesThatCanBeAreNotWorthAWord() {
    // 100/s x 0.4 s = 40 of 50 users.
    assertEquals(List.of(), users(0.4).checks());
  }

  @Test
  void moreRequestsUnderWayThanUsersCannotBe() {
    CrossCheck check = users(400).checks().get(0);
    // 100/s x 400 s = 40,000 of 50 users.
    assertEquals(40_000, check.a().value());
    assertEquals(50, check.b().value());
    assertEquals(Agreement.NO, check.agreement());
  }
}
