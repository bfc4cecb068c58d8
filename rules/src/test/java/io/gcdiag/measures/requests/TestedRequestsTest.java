package io.gcdiag.measures.requests;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import org.junit.jupiter.api.Test;

class TestedRequestsTest {

  /** Of 50 requests a second each takes 10 ms, and then 350 ms; the whole run dropped seven. */
  @Test
  void theIncidentsOwnRequestsAreDescribedAsFullyAsThoseOfTheWholeRun() {
    RequestStats run =
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(6_000)
            .rate(new Rate(50))
            .shortest(millis(10))
            .mean(millis(180))
            .percentile(Percentiles.MEDIAN, millis(180))
            .dropped(7)
            .build();
    IncidentBuilder slow = incident().loadTest(run).requests(50, 10, 350);
    RequestStats own = TestedRequests.ofIncident(slow.build()).orElseThrow();
    for (double percent :
        new double[] {Percentiles.MEDIAN, Percentiles.NINE_OF_TEN, Percentiles.TAIL}) {
      assertEquals(0.35, Durations.seconds(own.percentile(percent).orElseThrow()), 0.01);
    }
    assertEquals(7, own.dropped().orElseThrow());
  }
}
