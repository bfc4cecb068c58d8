package io.gcdiag.measures.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Source;
import org.junit.jupiter.api.Test;

class RequestsOverTimeTest {

  private static String of(String producer) {
    TimelineBuilder timeline = new TimelineBuilder();
    timeline.requestStats(
        new RequestStats.Builder(producer, new Source("load", "")).requests(100).build());
    return RequestsOverTime.howToRecord(timeline.build());
  }

  @Test
  void theCommandIsThatOfTheGeneratorThatWasUsed() {
    assertEquals("k6 run --out csv=requests.csv", of("k6"));
    assertEquals("ab -g requests.tsv", of("ab"));
  }

  @Test
  void aGeneratorThatWritesNoneIsNamedWithOneThatDoes() {
    assertEquals("wrk writes none, k6 run --out csv=requests.csv does", of("wrk"));
  }

  @Test
  void withoutALoadTestMetersAreAdvised() {
    assertEquals(
        "scrapes of the service's request timer, every 5 s",
        RequestsOverTime.howToRecord(new TimelineBuilder().build()));
  }
}
