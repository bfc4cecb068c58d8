package io.gcdiag.read.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What oha prints with {@code --output-format json} ({@code -j} up to 1.8); times in seconds. */
public final class OhaFormat extends LoadFormat {

  private static final Pattern BEGINNING =
      Pattern.compile("\\A\\s*\\{\\s*\"summary\"\\s*:\\s*\\{[^}]*\"requestsPerSec\"");

  private static final Pattern PERCENTILE = Pattern.compile("p(\\d{1,2}(?:\\.\\d{1,4})?)");

  /** Status codes from here on count as failures, as in other load generators. */
  private static final int FIRST_FAILURE = 400;

  /** Requests in progress at the end of the test: neither answered nor failed. */
  private static final String CUT_OFF = "aborted due to deadline";

  public OhaFormat() {
    super("oha", "the JSON output of oha");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.holds(BEGINNING, "\"successRate\"");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    JsonNode whole = text.json("the result of oha");
    long answered = 0;
    long refused = 0;
    for (Map.Entry<String, JsonNode> status : whole.path("statusCodeDistribution").properties()) {
      long count = LoadFigures.count(status.getValue().asText());
      answered += count;
      refused += LoadFigures.count(status.getKey()) >= FIRST_FAILURE ? count : 0;
    }
    long errors = 0;
    for (Map.Entry<String, JsonNode> error : whole.path("errorDistribution").properties()) {
      errors += error.getKey().equals(CUT_OFF) ? 0 : LoadFigures.count(error.getValue().asText());
    }
    if (answered + errors == 0) {
      throw new IOException("oha ended without a result: neither responses nor errors are counted");
    }
    RequestStats.Builder stats =
        new RequestStats.Builder("oha", new Source(file, "latencyPercentiles"))
            .requests(answered + errors)
            .failed(refused + errors);
    JsonNode summary = whole.path("summary");
    number(summary.path("requestsPerSec")).map(Rate::new).ifPresent(stats::rate);
    if (answered > 0) {
      seconds(summary.path("average")).ifPresent(stats::mean);
      seconds(summary.path("slowest")).ifPresent(stats::longest);
      seconds(summary.path("fastest")).ifPresent(stats::shortest);
    }
    for (Map.Entry<String, JsonNode> one : whole.path("latencyPercentiles").properties()) {
      Matcher name = PERCENTILE.matcher(one.getKey());
      if (name.matches()) {
        double percentile = LoadFigures.figure(name.group(1));
        seconds(one.getValue()).ifPresent(latency -> stats.percentile(percentile, latency));
      }
    }
    return LoadRun.of(stats.build());
  }

  private static Optional<Duration> seconds(JsonNode value) {
    return number(value).map(LoadFigures::seconds);
  }

  /** Figures that oha could not compute are null. */
  private static Optional<Double> number(JsonNode value) {
    return Optional.of(value)
        .filter(JsonNode::isNumber)
        .map(JsonNode::asDouble)
        .filter(number -> number >= 0 && !Double.isInfinite(number));
  }
}
