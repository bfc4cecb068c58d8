package io.gcdiag.read.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON summaries of autocannon and of bombardier, which differ in names and units alone. */
public final class AutocannonFormat extends LoadFormat {

  private static final Pattern PERCENTILE = Pattern.compile("p?(\\d{1,2})(?:[._](\\d{1,3}))?");

  private static final double MICROS_PER_MILLI = 1_000;

  public AutocannonFormat() {
    super("autocannon", "the JSON output of autocannon or bombardier");
  }

  @Override
  public boolean recognises(FileHead head) {
    String text = head.text().stripLeading();
    return text.startsWith("{")
        && (text.contains("\"statusCodeStats\"") && text.contains("\"p97_5\"")
            || text.contains("\"numberOfConnections\"") && text.contains("\"req2xx\""));
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    JsonNode whole = text.json("this result");
    return LoadRun.of(whole.has("result") ? bombardier(whole, file) : autocannon(whole, file));
  }

  private static RequestStats autocannon(JsonNode whole, String file) throws IOException {
    RequestStats.Builder stats =
        new RequestStats.Builder("autocannon", new Source(file, "latency"));
    long errors = whole.path("errors").asLong();
    long requests = whole.path("requests").path("total").asLong() + errors;
    long failed = whole.path("non2xx").asLong() + errors;
    double seconds = whole.path("duration").asDouble();
    totals(stats, requests, failed, seconds, whole.path("connections").asLong());
    latencies(stats, whole.path("latency"), whole.path("latency"), LoadFigures::millis);
    return stats.build();
  }

  private static RequestStats bombardier(JsonNode whole, String file) throws IOException {
    RequestStats.Builder stats =
        new RequestStats.Builder("bombardier", new Source(file, "latency"));
    JsonNode result = whole.path("result");
    long others = result.path("others").asLong();
    long failed = result.path("req4xx").asLong() + result.path("req5xx").asLong() + others;
    long requests =
        failed
            + result.path("req1xx").asLong()
            + result.path("req2xx").asLong()
            + result.path("req3xx").asLong();
    double seconds = result.path("timeTakenSeconds").asDouble();
    long users = whole.path("spec").path("numberOfConnections").asLong();
    totals(stats, requests, failed, seconds, users);
    JsonNode latency = result.path("latency");
    latencies(
        stats,
        latency,
        latency.path("percentiles"),
        micros -> LoadFigures.millis(micros / MICROS_PER_MILLI));
    return stats.build();
  }

  /** Each connection sends the next request when the previous one was answered. */
  private static void totals(
      RequestStats.Builder stats, long requests, long failed, double seconds, long users)
      throws IOException {
    if (requests <= 0) {
      throw new IOException("a result without requests");
    }
    stats.requests(requests).failed(Math.min(failed, requests)).users(users);
    stats.model(LoadModel.CLOSED);
    if (seconds > 0) {
      stats.rate(new Rate(requests / seconds));
    }
  }

  private static void latencies(
      RequestStats.Builder stats,
      JsonNode latency,
      JsonNode percentiles,
      DoubleFunction<Duration> unit) {
    if (latency.path("mean").asDouble() > 0) {
      stats.mean(unit.apply(latency.path("mean").asDouble()));
      stats.longest(unit.apply(latency.path("max").asDouble()));
    }
    if (latency.has("min")) {
      stats.shortest(unit.apply(latency.path("min").asDouble()));
    }
    for (Map.Entry<String, JsonNode> one : percentiles.properties()) {
      Matcher matcher = PERCENTILE.matcher(one.getKey());
      if (matcher.matches() && one.getValue().isNumber()) {
        String behind = matcher.group(2) == null ? "" : "." + matcher.group(2);
        stats.percentile(
            LoadFigures.figure(matcher.group(1) + behind), unit.apply(one.getValue().asDouble()));
      }
    }
  }
}
