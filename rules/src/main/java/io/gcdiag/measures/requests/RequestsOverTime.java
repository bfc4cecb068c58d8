package io.gcdiag.measures.requests;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;

/** How to record latencies over time, for the load generator that was used. */
public final class RequestsOverTime {

  private static final String OF_K6 = "k6 run --out csv=requests.csv";

  private RequestsOverTime() {}

  /**
   * A command for that generator; for one that cannot record them, another generator or metrics.
   */
  public static String howToRecord(Timeline timeline) {
    return timeline
        .mainRequestStats()
        .map(RequestStats::producer)
        .map(RequestsOverTime::command)
        .orElse("scrapes of the service's request timer, every 5 s");
  }

  private static String command(String producer) {
    return switch (producer) {
      case "k6" -> OF_K6;
      case "ab" -> "ab -g requests.tsv";
      case "wrk", "wrk2", "hey" -> producer + " writes none, " + OF_K6 + " does";
      default -> "the samples of " + producer;
    };
  }
}
