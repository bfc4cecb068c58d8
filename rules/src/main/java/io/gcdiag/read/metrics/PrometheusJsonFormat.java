package io.gcdiag.read.metrics;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Unpacked;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Answers of Prometheus' HTTP interface to {@code query} and {@code query_range}. Series are read
 * one at a time.
 */
public final class PrometheusJsonFormat extends InputFormat {

  private static final Pattern START =
      Pattern.compile("^\\s*\\{\\s*\"status\"\\s*:\\s*\"(?:success|error)\"");

  private static final String NAME = "__name__";
  private static final double MILLIS_PER_SECOND = 1e3;

  public PrometheusJsonFormat() {
    super("prometheus", MetricFiles.KIND, "an answer of Prometheus to query or query_range (JSON)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return START.matcher(head.text()).find();
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    MetricCollector metrics = MetricCollector.of(intake);
    long series = 0;
    Outcome outcome;
    try (Unpacked bytes = intake.open(file).asText();
        JsonParser parser = new ObjectMapper().createParser(MetricFiles.text(bytes))) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token != JsonToken.FIELD_NAME) {
          continue;
        }
        String field = parser.currentName();
        if (field.equals("error")) {
          parser.nextToken();
          throw new IOException(
              "Prometheus answered with an error instead of data: " + parser.getText());
        }
        if (field.equals("result")) {
          series += results(parser, file, metrics);
        }
      }
      outcome = MetricFiles.outcome(metrics, bytes);
    } catch (JacksonException e) {
      if (series == 0 && metrics.isEmpty()) {
        throw new IOException("no valid JSON: " + MetricFiles.place(e), e);
      }
      return Outcome.partial(
          "cut or damaged: " + MetricFiles.place(e) + "; what stands before it is used");
    }
    if (series == 0) {
      throw new IOException("Prometheus found no series for this query: the result is empty");
    }
    return outcome;
  }

  private static long results(JsonParser parser, InputFile file, MetricCollector metrics)
      throws IOException {
    long series = 0;
    if (parser.nextToken() != JsonToken.START_ARRAY) {
      return series;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      one(parser.readValueAsTree(), file, metrics);
      series++;
    }
    return series;
  }

  private static void one(JsonNode series, InputFile file, MetricCollector metrics) {
    SortedMap<String, String> labels = new TreeMap<>();
    series
        .path("metric")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    // The result of an expression has no name; the file it was saved in is all there is.
    String name =
        Optional.ofNullable(labels.remove(NAME)).orElseGet(() -> MetricFiles.stem(file.name()));
    Source source = new Source(file.name(), name);
    for (JsonNode point : series.path("values")) {
      add(point, name, labels, source, metrics);
    }
    if (series.path("value").isArray()) {
      add(series.path("value"), name, labels, source, metrics);
    }
    for (JsonNode point : series.path("histograms")) {
      histogram(point, name, labels, source, metrics);
    }
    if (series.path("histogram").isArray()) {
      histogram(series.path("histogram"), name, labels, source, metrics);
    }
  }

  /** A native histogram, as counters: of all, their sum, and of each range of values. */
  private static void histogram(
      JsonNode point,
      String name,
      SortedMap<String, String> labels,
      Source source,
      MetricCollector metrics) {
    Instant at = instant(point.path(0).doubleValue());
    for (String part : List.of("count", "sum")) {
      double number = MetricFiles.number(point.path(1).path(part).asText());
      metrics.add(name + "_" + part, labels, at, number, source);
    }
    // A rule for the ends, the two ends, and the count.
    for (JsonNode bucket : point.path(1).path("buckets")) {
      SortedMap<String, String> range = new TreeMap<>(labels);
      range.put(MetricCollector.RANGE, bucket.path(1).asText() + "..." + bucket.path(2).asText());
      double number = MetricFiles.number(bucket.path(3).asText());
      metrics.add(name + "_bucket", range, at, number, source);
    }
  }

  private static void add(
      JsonNode point,
      String name,
      SortedMap<String, String> labels,
      Source source,
      MetricCollector metrics) {
    JsonNode at = point.path(0);
    if (at.isNumber() && point.path(1).isTextual()) {
      metrics.add(
          name,
          labels,
          instant(at.doubleValue()),
          MetricFiles.number(point.path(1).asText()),
          source);
    }
  }

  /** Prometheus keeps milliseconds. */
  private static Instant instant(double epochSeconds) {
    return Instant.ofEpochMilli(Math.round(epochSeconds * MILLIS_PER_SECOND));
  }
}
