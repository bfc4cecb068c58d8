package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.util.OptionalDouble;
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
    Result result = new Result(file);
    try (JsonParser json = new JsonFactory().createParser(text)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token.isNumeric()) {
          result.figure(json);
        }
      }
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new IOException("the result of oha is no valid JSON at line " + line, e);
    }
    return result.run();
  }

  /** The figures of one result; those that oha could not compute are null in it. */
  private static final class Result {
    private final RequestStats.Builder stats;
    private OptionalDouble average = OptionalDouble.empty();
    private OptionalDouble slowest = OptionalDouble.empty();
    private OptionalDouble fastest = OptionalDouble.empty();
    private long answered;
    private long refused;
    private long errors;

    Result(String file) {
      stats = new RequestStats.Builder("oha", new Source(file, "latencyPercentiles"));
    }

    /** Takes a number that is in an object of the outermost one. */
    void figure(JsonParser json) throws IOException {
      JsonStreamContext at = json.getParsingContext();
      JsonStreamContext outer = at.getParent();
      if (!at.inObject() || !outer.inObject() || !outer.getParent().inRoot()) {
        return;
      }
      String name = at.getCurrentName();
      double number = json.getDoubleValue();
      if (!(number >= 0) || Double.isInfinite(number)) {
        return;
      }
      switch (outer.getCurrentName()) {
        case "summary" -> summary(name, number);
        case "latencyPercentiles" -> percentile(name, number);
        case "statusCodeDistribution" -> responses(name, LoadFigures.count(json.getText()));
        case "errorDistribution" ->
            errors += name.equals(CUT_OFF) ? 0 : LoadFigures.count(json.getText());
        default -> {}
      }
    }

    private void summary(String name, double number) {
      switch (name) {
        case "average" -> average = OptionalDouble.of(number);
        case "slowest" -> slowest = OptionalDouble.of(number);
        case "fastest" -> fastest = OptionalDouble.of(number);
        case "requestsPerSec" -> stats.rate(new Rate(number));
        default -> {}
      }
    }

    private void percentile(String name, double seconds) {
      Matcher matcher = PERCENTILE.matcher(name);
      if (matcher.matches()) {
        stats.percentile(LoadFigures.figure(matcher.group(1)), LoadFigures.seconds(seconds));
      }
    }

    private void responses(String status, long count) {
      answered += count;
      refused += LoadFigures.count(status) >= FIRST_FAILURE ? count : 0;
    }

    LoadRun run() throws IOException {
      if (answered + errors == 0) {
        throw new IOException(
            "oha ended without a result: neither responses nor errors are counted");
      }
      stats.requests(answered + errors).failed(refused + errors);
      if (answered > 0) {
        average.ifPresent(seconds -> stats.mean(LoadFigures.seconds(seconds)));
        slowest.ifPresent(seconds -> stats.longest(LoadFigures.seconds(seconds)));
        fastest.ifPresent(seconds -> stats.shortest(LoadFigures.seconds(seconds)));
      }
      return LoadRun.of(stats.build());
    }
  }
}
