package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the end-of-test summary of k6, as written by {@code --summary-export} (figures directly
 * under the metric) and by {@code handleSummary} (figures under {@code values}). Times in both are
 * milliseconds, whatever unit the run showed on its console.
 */
// Jackson's trees are not used, because creating their mapper takes longer than reading most files.
public final class K6SummaryFormat extends InputFormat {

  /** The name of the producer in the evidence. */
  static final String PRODUCER = "k6";

  /** A summary is some kilobytes; with hundreds of tagged metrics, some megabytes. */
  static final int LARGEST_BYTES = 64 * 1024 * 1024;

  static final String REQUESTS = "http_reqs";
  static final String USERS_KEPT = "vus_max";

  private static final Pattern PERCENTILE = Pattern.compile("p\\((\\d{1,3}(?:\\.\\d{1,9})?)\\)");
  private static final double NANOS_PER_MILLI = 1e6;

  /** A threshold, such as {@code p(95)<200}. */
  private static final Pattern LIMIT = Pattern.compile("(.+?)\\s*([<>])=?\\s*(\\d+(?:\\.\\d+)?)");

  /** In front of the name of a figure: its limit. */
  private static final String TARGET = "target ";

  private static final int THRESHOLD = 4;

  /** Index of a metric's name in the path to one of its numbers. */
  private static final int METRIC = 2;

  /** About 30 years; a longer latency is damage, and would overflow sums in nanoseconds. */
  private static final double LONGEST_MILLIS = 1e12;

  public K6SummaryFormat() {
    super(
        "k6-summary",
        LoadFormat.KIND,
        "a k6 end-of-test summary (--summary-export or handleSummary)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return looksLikeK6Summary(head.text());
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    try (InputStream in = intake.open(file)) {
      intake.timeline().requestStats(read(in, file.name()));
    }
    intake.timeline().signal(Signal.REQUEST_STATS, SignalState.SEEN);
    return Outcome.COMPLETE;
  }

  /**
   * Whether a text that begins like this may be a k6 summary.
   *
   * @param head the first characters of a file; some thousands are enough
   */
  static boolean looksLikeK6Summary(String head) {
    boolean object = head.stripLeading().startsWith("{");
    boolean metrics = head.contains("\"metrics\"");
    boolean groups = head.contains("\"root_group\"");
    boolean ofK6 =
        head.contains("\"" + K6Requests.LATENCY)
            || head.contains("\"" + REQUESTS)
            || head.contains("\"iteration_duration\"")
            || head.contains("\"testRunDurationMs\"");
    return object && (groups || metrics && ofK6);
  }

  /**
   * Reads a summary.
   *
   * @param bytes the whole file
   * @param file its name, for the source of the evidence
   * @throws IOException if reading fails, or with a line for the user if this is no k6 summary or
   *     one without HTTP requests or gRPC calls
   */
  static RequestStats read(InputStream bytes, String file) throws IOException {
    byte[] content = bytes.readNBytes(LARGEST_BYTES + 1);
    if (content.length > LARGEST_BYTES) {
      throw new IOException("not a k6 summary: larger than 64 MB");
    }
    return stats(parse(content), file);
  }

  /** The same of the figures of each metric. */
  static RequestStats stats(Map<String, Map<String, Double>> metrics, String file)
      throws IOException {
    boolean calls = !metrics.containsKey(REQUESTS) && metrics.containsKey(K6Requests.CALL_LATENCY);
    String metric = calls ? K6Requests.CALL_LATENCY : K6Requests.LATENCY;
    Map<String, Double> latency = values(metrics, metric);
    RequestStats.Builder stats = new RequestStats.Builder(PRODUCER, new Source(file, metric));
    if (calls) {
      countCalls(metrics, latency, stats);
    } else {
      countRequests(values(metrics, REQUESTS), stats);
    }
    number(latency, "avg").ifPresent(millis -> stats.mean(duration(millis)));
    number(latency, "max").ifPresent(millis -> stats.longest(duration(millis)));
    number(latency, "min").ifPresent(millis -> stats.shortest(duration(millis)));
    percentiles(latency, stats);
    // The metric is the rate at which "this request failed" was true, so its passes are the
    // failures.
    count(values(metrics, K6Requests.FAILED), "passes").ifPresent(stats::failed);
    count(values(metrics, K6Requests.DROPPED), "count").ifPresent(stats::dropped);
    OptionalLong users = count(values(metrics, K6Requests.USERS), "max");
    users.ifPresent(stats::users);
    // Only executors with a schedule drop iterations, or have idle users.
    OptionalLong kept = count(values(metrics, USERS_KEPT), "max");
    boolean spare = users.isPresent() && kept.isPresent() && users.getAsLong() < kept.getAsLong();
    if (spare || metrics.containsKey(K6Requests.DROPPED)) {
      stats.model(LoadModel.OPEN);
    }
    targets(metrics, metric, stats);
    return stats.build();
  }

  /** The thresholds that are limits of percentiles, of failures and of the rate. */
  static void targets(
      Map<String, Map<String, Double>> metrics, String metric, RequestStats.Builder stats) {
    SortedMap<Double, Duration> limits = new TreeMap<>();
    values(metrics, metric)
        .forEach(
            (name, millis) -> {
              if (name.startsWith(TARGET) && name.endsWith("<")) {
                percentile(name.substring(TARGET.length(), name.length() - 1))
                    .ifPresent(percentile -> limits.put(percentile, duration(millis)));
              }
            });
    Optional<Double> failures =
        Optional.ofNullable(values(metrics, K6Requests.FAILED).get(TARGET + "rate<"));
    Optional<Double> rate = Optional.ofNullable(values(metrics, REQUESTS).get(TARGET + "rate>"));
    stats.targets(
        new RequestStats.Targets(
            limits,
            rate.map(Rate::new),
            failures.filter(share -> share <= 1).map(share -> new Ratio(1 - share))));
  }

  private static void countRequests(Map<String, Double> requests, RequestStats.Builder stats)
      throws IOException {
    stats.requests(count(requests, "count").orElseThrow(() -> missing("count")));
    stats.rate(new Rate(number(requests, "rate").orElseThrow(() -> missing("rate"))));
  }

  /**
   * gRPC calls have no counter. Their trend may have their number; the iterations give the
   * duration. The trend has hardly any calls that timed out, so if there are more iterations than
   * calls, the difference counts as failed.
   */
  private static void countCalls(
      Map<String, Map<String, Double>> metrics,
      Map<String, Double> latency,
      RequestStats.Builder stats) {
    OptionalLong calls = count(latency, "count");
    Map<String, Double> iterations = values(metrics, "iterations");
    double all = number(iterations, "count").orElse(0);
    double perSecond = number(iterations, "rate").orElse(0);
    if (calls.isPresent() && all > calls.getAsLong()) {
      stats.requests((long) all);
      stats.failed((long) all - calls.getAsLong());
      stats.rate(new Rate(perSecond));
      return;
    }
    calls.ifPresent(stats::requests);
    if (calls.isPresent() && all > 0 && perSecond > 0) {
      stats.rate(new Rate(calls.getAsLong() / (all / perSecond)));
    }
  }

  /** The numbers of each metric by name, directly in it or under its {@code values}. */
  private static Map<String, Map<String, Double>> parse(byte[] content) throws IOException {
    Map<String, Map<String, Double>> metrics = new HashMap<>();
    try (JsonParser json = new JsonFactory().createParser(content)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.START_OBJECT || token.isNumeric() || token.isBoolean()) {
          String[] path = json.getParsingContext().pathAsPointer().toString().split("/");
          if (path.length > METRIC && path[1].equals("metrics")) {
            Map<String, Double> numbers =
                metrics.computeIfAbsent(path[METRIC], any -> new LinkedHashMap<>());
            if (token.isNumeric()) {
              numbers.put(path[path.length - 1], json.getDoubleValue());
            } else if (path.length > THRESHOLD && path[THRESHOLD - 1].equals("thresholds")) {
              target(metrics, path[METRIC], path[THRESHOLD].replace("~1", "/"));
            }
          }
        }
      }
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new IOException("not a k6 summary: no valid JSON at line " + line, e);
    }
    return metrics;
  }

  /** Adds a threshold to the figures of its metric. */
  static void target(Map<String, Map<String, Double>> metrics, String metric, String threshold) {
    Matcher limit = LIMIT.matcher(threshold);
    if (limit.matches()) {
      metrics
          .computeIfAbsent(metric, any -> new LinkedHashMap<>())
          .put(TARGET + limit.group(1) + limit.group(2), Double.parseDouble(limit.group(3)));
    }
  }

  private static Map<String, Double> values(
      Map<String, Map<String, Double>> metrics, String metric) {
    return metrics.getOrDefault(metric, Map.of());
  }

  private static void percentiles(Map<String, Double> latency, RequestStats.Builder stats) {
    for (String name : latency.keySet()) {
      OptionalDouble millis = number(latency, name);
      if (millis.isPresent()) {
        percentile(name)
            .ifPresent(percentile -> stats.percentile(percentile, duration(millis.getAsDouble())));
      }
    }
  }

  /** The percentile that k6 calls so; empty for other figures. */
  private static Optional<Double> percentile(String name) {
    Matcher matcher = PERCENTILE.matcher(name);
    return name.equals("med")
        ? Optional.of(Percentiles.MEDIAN)
        : matcher.matches() ? Optional.of(Double.valueOf(matcher.group(1))) : Optional.empty();
  }

  private static OptionalDouble number(Map<String, Double> metric, String field) {
    double number = metric.getOrDefault(field, -1.0);
    return number >= 0 && number <= LONGEST_MILLIS
        ? OptionalDouble.of(number)
        : OptionalDouble.empty();
  }

  private static OptionalLong count(Map<String, Double> metric, String field) {
    OptionalDouble number = number(metric, field);
    return number.isPresent() ? OptionalLong.of((long) number.getAsDouble()) : OptionalLong.empty();
  }

  private static IOException missing(String field) {
    return new IOException("this k6 summary states no '" + field + "' of " + REQUESTS);
  }

  private static Duration duration(double millis) {
    return Duration.ofNanos(Math.round(millis * NANOS_PER_MILLI));
  }
}
