package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Durations;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * What k6's web dashboard exports: its HTML report, which holds its events packed, or the events
 * themselves, a JSON object a line.
 */
public final class K6DashboardFormat extends LoadFormat {

  private static final String DATA = "<script id=\"data\"";
  private static final String EVENT = "{\"event\":\"";

  private static final double MILLIS_PER_SECOND = 1e3;

  public K6DashboardFormat() {
    super("k6-dashboard", "the report of k6's web dashboard (HTML, or its record)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.text().contains("<title>k6 report</title>")
        || head.text().startsWith(EVENT) && head.text().contains("\"aggregates\":{");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    Dashboard dashboard = new Dashboard(text);
    BufferedReader lines = new BufferedReader(text);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int data = line.indexOf(DATA);
      if (line.startsWith(EVENT)) {
        dashboard.event(line);
      } else if (data >= 0) {
        int from = line.indexOf('>', data) + 1;
        int to = line.indexOf('<', from);
        dashboard.packed(line.substring(from, to < 0 ? line.length() : to));
      }
    }
    return dashboard.run(file);
  }

  private static final class Dashboard {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LoadText text;

    /** The figures of each kind of metric, in the order of their values. */
    private final Map<String, List<String>> figures = new HashMap<>();

    /** The kind of each metric; their values come in the order of the names. */
    private final TreeMap<String, String> kinds = new TreeMap<>();

    /** As in the summary of a run. */
    private final Map<String, Map<String, Double>> whole = new HashMap<>();

    private final List<RequestInterval> intervals = new ArrayList<>();
    private Duration period = Duration.ZERO;
    private Instant before = Instant.MIN;

    Dashboard(LoadText text) {
      this.text = text;
    }

    void packed(String data) {
      try {
        ByteArrayInputStream bytes = new ByteArrayInputStream(Base64.getDecoder().decode(data));
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(bytes), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          event(line);
        }
      } catch (IOException | IllegalArgumentException e) {
        text.endsAt("its data is cut or damaged");
      }
    }

    void event(String line) {
      try {
        JsonNode event = JSON.readTree(line);
        JsonNode data = event.path("data");
        switch (event.path("event").asText()) {
          case "param" -> param(data);
          case "metric" ->
              data.properties()
                  .forEach(one -> kinds.put(one.getKey(), one.getValue().path("type").asText()));
          case "snapshot" -> snapshot(values(data));
          case "cumulative" -> values(data).forEach((metric, values) -> of(metric).putAll(values));
          default -> {
            // What the page looks like, and when the run began and ended.
          }
        }
      } catch (JsonProcessingException e) {
        text.damaged();
      }
    }

    private void param(JsonNode data) {
      period = Duration.ofMillis(data.path("period").asLong());
      data.path("aggregates")
          .properties()
          .forEach(
              kind -> {
                List<String> names = new ArrayList<>();
                kind.getValue().forEach(name -> names.add(name.asText()));
                figures.put(kind.getKey(), names);
              });
      data.path("thresholds")
          .properties()
          .forEach(
              one ->
                  one.getValue()
                      .forEach(
                          limit -> K6SummaryFormat.target(whole, one.getKey(), limit.asText())));
    }

    private Map<String, Double> of(String metric) {
      return whole.computeIfAbsent(metric, any -> new LinkedHashMap<>());
    }

    private Map<String, Map<String, Double>> values(JsonNode data) {
      Map<String, Map<String, Double>> values = new HashMap<>();
      int metric = 0;
      for (Map.Entry<String, String> one : kinds.entrySet()) {
        JsonNode numbers = data.path(metric++);
        Map<String, Double> named = new LinkedHashMap<>();
        int number = 0;
        for (String name : figures.getOrDefault(one.getValue(), List.of())) {
          if (numbers.path(number).isNumber()) {
            named.put(name, numbers.path(number).asDouble());
          }
          number++;
        }
        values.put(one.getKey(), named);
      }
      return values;
    }

    /** The requests of a period, at whose end the snapshot was taken. */
    private void snapshot(Map<String, Map<String, Double>> values) {
      number(values, K6Requests.USERS, "value")
          .ifPresent(users -> of(K6Requests.USERS).merge("max", users, Math::max));
      Instant end = Instant.ofEpochMilli(number(values, "time", "value").orElse(0.0).longValue());
      if (!RunRecorder.isPossible(end) || !end.isAfter(before)) {
        return;
      }
      Instant from = end.minus(period);
      boolean next = Duration.between(before, from).abs().compareTo(period) < 0;
      Instant begin = next ? before : from;
      before = end;
      long requests = number(values, K6SummaryFormat.REQUESTS, "count").orElse(0.0).longValue();
      double failed = number(values, K6Requests.FAILED, "rate").orElse(0.0) * requests;
      double millis = number(values, K6Requests.LATENCY, "avg").orElse(0.0) * requests;
      intervals.add(
          new RequestInterval(
              begin,
              Duration.between(begin, end),
              requests,
              Math.min(requests, Math.round(failed)),
              Latencies.ofTotal(requests, millis / MILLIS_PER_SECOND)));
    }

    private static Optional<Double> number(
        Map<String, Map<String, Double>> values, String metric, String figure) {
      return Optional.ofNullable(values.getOrDefault(metric, Map.of()).get(figure))
          .filter(number -> number >= 0);
    }

    /** Of a run that was cut off there are no figures of the whole. */
    private void sumUp() {
      text.endsAt("the run was cut off");
      double requests = intervals.stream().mapToLong(RequestInterval::requests).sum();
      double seconds = Durations.seconds(Duration.between(intervals.get(0).from(), before));
      double waited = intervals.stream().mapToDouble(one -> one.latencies().totalSeconds()).sum();
      of(K6SummaryFormat.REQUESTS).put("count", requests);
      of(K6SummaryFormat.REQUESTS).put("rate", requests / seconds);
      of(K6Requests.LATENCY).put("avg", waited * MILLIS_PER_SECOND / Math.max(1, requests));
    }

    LoadRun run(String file) throws IOException {
      if (number(whole, "time", "value").isEmpty() && !intervals.isEmpty()) {
        sumUp();
      }
      double requests = number(whole, K6SummaryFormat.REQUESTS, "count").orElse(0.0);
      number(whole, K6Requests.FAILED, "rate")
          .ifPresent(
              rate -> of(K6Requests.FAILED).put("passes", (double) Math.round(rate * requests)));
      number(whole, K6SummaryFormat.USERS_KEPT, "value")
          .ifPresent(kept -> of(K6SummaryFormat.USERS_KEPT).put("max", kept));
      return new LoadRun(
          K6SummaryFormat.stats(whole, file),
          intervals.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new RequestSeries(
                      K6SummaryFormat.PRODUCER, period, intervals, new Source(file, "snapshot"))));
    }
  }
}
