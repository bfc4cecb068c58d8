package io.gcdiag.read.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.units.UtcText;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Scraped pages in Prometheus' text format or OpenMetrics: one or several in a file. */
public final class ExpositionFormat extends InputFormat {

  private static final String MEASUREMENTS = "measurements";

  /** A meter of Spring Boot's actuator, formatted or not. */
  private static final Pattern ACTUATOR =
      Pattern.compile(
          "(?m)^\\{\\s*\"name\"\\s*:\\s*\"[^}]*\"measurements\"\\s*:\\s*\\[\\s*\\{\\s*\"statistic\"\\s*:");

  private static final String GAUGES = "\"gauges\"";

  private static final Pattern DROPWIZARD =
      Pattern.compile("(?m)^\\{\\s*\"version\"\\s*:\\s*\"[0-9.]+\"\\s*,\\s*\"gauges\"\\s*:\\s*\\{");

  private static final Pattern TYPE_LINE =
      Pattern.compile("(?m)^# TYPE [A-Za-z_:][A-Za-z0-9_:.]* [a-z]+\\s*$");

  public ExpositionFormat() {
    super(
        "exposition",
        MetricFiles.KIND,
        "a scraped page of metrics (Prometheus text format or OpenMetrics)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.holds(TYPE_LINE, "# TYPE ")
        || head.holds(ACTUATOR, MEASUREMENTS)
        || head.holds(DROPWIZARD, GAUGES);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    MetricCollector metrics = MetricCollector.of(intake);
    ExpositionReader reader = new ExpositionReader(file.name(), metrics, file.bytes().written());
    Outcome outcome;
    try (Unpacked bytes = intake.open(file).asText()) {
      reader.read(new BufferedReader(MetricFiles.lines(bytes)));
      outcome = MetricFiles.outcome(metrics, bytes);
    }
    if (reader.dated == 0 && reader.undated == 0) {
      throw new IOException(
          "no value in it" + (outcome.note().isEmpty() ? "" : " (" + outcome.note() + ")"));
    }
    if (reader.dated == 0) {
      throw new IOException(
          "its values have no time: save a page with its headers (curl -si URL), or query"
              + " Prometheus for a range");
    }
    if (reader.ofFile) {
      intake.note(
          ("%s states no time; placed at the time of the file, %s UTC: save pages with their headers"
                  + " (curl -si URL), because copies may get a new one")
              .formatted(file.name(), UtcText.dayAndTime(file.bytes().written().orElseThrow())));
    }
    return reader.undated > 0
        ? MetricFiles.without(reader.undated + " values without a time were left out", outcome)
        : outcome;
  }

  /**
   * Reads lines such as {@code name{label="value"} 1.5 1700000000000}. A value without a time of
   * its own has that of the page: the {@code Date} header that stands above it when the page was
   * saved with its headers, what {@code date} printed there, or else what the page itself says
   * ({@link PageClock}). The last page of a file was saved when the file was written.
   */
  private static final class ExpositionReader {

    /** A line of a page is a name, labels and two numbers; longer ones are no such page. */
    private static final int LONGEST_LINE = 64 * 1024;

    private static final String TYPE = "# TYPE ";

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Labels end at the first brace behind which a number follows: their values may hold braces,
     * and behind the number there may be an exemplar with labels of its own.
     */
    private static final Pattern SAMPLE =
        Pattern.compile(
            "([A-Za-z_:][A-Za-z0-9_:.]*(?<!:))(\\{.*?\\})?"
                + "\\s+([^\\s\"{}]+)(?:\\s+(-?[0-9.]+))?(?:\\s+#.*)?\\s*");

    private static final Pattern LABEL =
        Pattern.compile("([A-Za-z_][A-Za-z0-9_.]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** The text format writes milliseconds, OpenMetrics seconds; no metrics are older than 2001. */
    private static final double LEAST_MILLIS = 1e11;

    private static final double MILLIS_PER_SECOND = 1e3;

    /** A page of a large service has some thousands of values. */
    private static final int MOST_WAITING = 100_000;

    /** A registry with some thousands of meters. */
    private static final int LONGEST_JSON = 4 << 20;

    /** Kinds of meters of a registry that have one number, and where. */
    private static final Map<String, String> NUMBERS =
        Map.of("gauges", "value", "counters", "count", "meters", "count");

    private static final Pattern QUANTILE = Pattern.compile("p(\\d+)");

    /** HikariCP's meters in a registry of Dropwizard. */
    private static final Pattern POOL =
        Pattern.compile("(.+)\\.pool\\.(Active|Idle|Pending|Max)Connections");

    /** A collector of the JVM in it; times are milliseconds. */
    private static final Pattern COLLECTOR = Pattern.compile("jvm\\.gc\\.(.+)\\.(count|time)");

    private final StringBuilder json = new StringBuilder();
    private final String file;
    private final MetricCollector metrics;
    private final List<Value> waiting = new ArrayList<>();
    private Optional<Instant> page = Optional.empty();
    private PageClock clock = new PageClock();
    private Optional<String> first = Optional.empty();
    private final Optional<Instant> written;

    /** Whether the last page has the time of its file. */
    private boolean ofFile;

    /** Values that could be placed in time, and those that could not. */
    private long dated;

    private long undated;

    ExpositionReader(String file, MetricCollector metrics, Optional<Instant> written) {
      this.file = file;
      this.metrics = metrics;
      this.written = written;
    }

    /** A value of a page whose time is not known yet. */
    private record Value(String name, SortedMap<String, String> labels, double number) {}

    void read(BufferedReader lines) throws IOException {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(TYPE)) {
          family(line);
        }
        if (json.length() > 0 || line.startsWith("{")) {
          json(line);
          continue;
        }
        if (line.isEmpty() || line.charAt(0) == '#' || line.length() > LONGEST_LINE) {
          continue;
        }
        Matcher sample = SAMPLE.matcher(line);
        if (sample.matches()) {
          add(sample);
        } else {
          TimeText.in(line)
              .instant()
              .ifPresent(
                  at -> {
                    endPage(Optional.empty());
                    page = Optional.of(at);
                  });
        }
      }
      endPage(written);
    }

    /** A page of JSON is one line or, formatted, ends with a brace that begins a line. */
    private void json(String line) {
      boolean ends = line.startsWith("}") || json.length() == 0 && line.endsWith("}");
      if (json.length() < LONGEST_JSON) {
        json.append(line);
      }
      if (!ends) {
        return;
      }
      try {
        JsonNode read = JSON.readTree(json.toString());
        if (read.has(MEASUREMENTS)) {
          actuator(read);
        } else {
          dropwizard(read);
        }
      } catch (JsonProcessingException e) {
        undated++;
      }
      json.setLength(0);
    }

    /**
     * The page of a registry of Dropwizard, under the names that its exporter for Prometheus has:
     * its timers have a number and percentiles, and no sum.
     */
    private void dropwizard(JsonNode registry) {
      NUMBERS.forEach(
          (kind, field) ->
              registry
                  .path(kind)
                  .properties()
                  .forEach(one -> measured(one.getKey(), "", one.getValue().path(field), 1)));
      registry.path("timers").properties().forEach(one -> timer(one.getKey(), one.getValue()));
    }

    private void timer(String name, JsonNode timer) {
      measured(name + "_count", "", timer.path("count"), 1);
      String unit = "_" + timer.path("duration_units").asText();
      double seconds = MetricCollector.TimeUnits.factor(unit).orElse(1);
      for (Map.Entry<String, JsonNode> part : timer.properties()) {
        Matcher quantile = QUANTILE.matcher(part.getKey());
        if (quantile.matches()) {
          measured(name, "0." + quantile.group(1), part.getValue(), seconds);
        }
      }
    }

    private void measured(String meter, String quantile, JsonNode value, double unit) {
      SortedMap<String, String> labels = new TreeMap<>();
      if (!quantile.isEmpty()) {
        labels.put("quantile", quantile);
      }
      Matcher pool = POOL.matcher(meter);
      Matcher gc = COLLECTOR.matcher(meter);
      String name = meter;
      double factor = unit;
      if (pool.matches()) {
        name = "hikaricp_" + pool.group(2) + "_connections";
        labels.put("pool", pool.group(1));
      } else if (gc.matches()) {
        boolean millis = gc.group(2).equals("time");
        name = "jvm_gc_collection_seconds_" + (millis ? "sum" : "count");
        factor = millis ? 1 / MILLIS_PER_SECOND : 1;
        labels.put("gc", gc.group(1));
      }
      if (value.isNumber()) {
        String plain = name.replaceAll("[^A-Za-z0-9]", "_");
        add(new Value(plain, labels, factor * value.doubleValue()), page, true);
      }
    }

    /**
     * A meter of Spring Boot's {@code /actuator/metrics/NAME}, all its tags together, under the
     * names that its page for Prometheus has.
     */
    private void actuator(JsonNode meter) {
      Map<String, Double> measured = new HashMap<>();
      for (JsonNode one : meter.path("measurements")) {
        measured.put(one.path("statistic").asText(), one.path("value").asDouble(Double.NaN));
      }
      String unit = meter.path("baseUnit").asText();
      String plain = meter.path("name").asText().replaceAll("[^A-Za-z0-9]", "_");
      String name = unit.isEmpty() || plain.endsWith("_" + unit) ? plain : plain + "_" + unit;
      boolean timer = measured.containsKey("TOTAL_TIME");
      measured.forEach(
          (statistic, number) -> {
            String part =
                switch (statistic) {
                  case "COUNT" -> timer ? "_count" : "_total";
                  case "TOTAL_TIME" -> "_sum";
                  case "VALUE" -> "";
                  // The longest of the last minutes, not since the last page.
                  default -> "_max";
                };
            add(new Value(name + part, new TreeMap<>(), number), page, true);
          });
    }

    /** A page begins anew where the family that it began with comes again. */
    private void family(String line) {
      if (first.isEmpty()) {
        first = Optional.of(line);
      } else if (first.get().equals(line)) {
        endPage(Optional.empty());
        first = Optional.of(line);
      }
    }

    /** A page ends; {@code otherwise} is its time if it states none. */
    private void endPage(Optional<Instant> otherwise) {
      Optional<Instant> at = clock.time().or(() -> otherwise);
      ofFile |= !waiting.isEmpty() && clock.time().isEmpty() && otherwise.isPresent();
      for (Value value : waiting) {
        if (at.isPresent()) {
          add(value, at.get());
        } else {
          undated++;
        }
      }
      waiting.clear();
      clock = new PageClock();
      first = Optional.empty();
    }

    private void add(Matcher sample) {
      Value value =
          new Value(
              sample.group(1),
              sample.group(2) == null ? new TreeMap<>() : labels(sample.group(2)),
              MetricFiles.number(sample.group(3)));
      boolean ofPage = sample.group(4) == null;
      add(value, ofPage ? page : stamp(sample.group(4)), ofPage);
    }

    private void add(Value value, Optional<Instant> at, boolean ofPage) {
      clock.see(value.name(), value.number());
      if (at.isPresent()) {
        add(value, at.get());
      } else if (ofPage && waiting.size() < MOST_WAITING) {
        waiting.add(value);
      } else {
        undated++;
      }
    }

    private void add(Value value, Instant at) {
      dated++;
      metrics.add(value.name(), value.labels(), at, value.number(), new Source(file, value.name()));
    }

    private static Optional<Instant> stamp(String text) {
      double value = MetricFiles.number(text);
      if (Double.isNaN(value)) {
        return Optional.empty();
      }
      double millis = value >= LEAST_MILLIS ? value : value * MILLIS_PER_SECOND;
      return Optional.of(Instant.ofEpochMilli(Math.round(millis)));
    }

    private static SortedMap<String, String> labels(String text) {
      SortedMap<String, String> labels = new TreeMap<>();
      Matcher label = LABEL.matcher(text);
      while (label.find()) {
        labels.put(label.group(1), label.group(2).replaceAll("\\\\(.)", "$1"));
      }
      return labels;
    }

    /**
     * When a page was written, as its own values say: when the process started and how long it has
     * run since, both in seconds. Micrometer exports the two; not every server sends a {@code
     * Date}.
     */
    private static final class PageClock {

      private static final String STARTED = "process_start_time_seconds";
      private static final String RUNS_FOR = "process_uptime_seconds";

      private final Set<Double> started = new HashSet<>();
      private final Set<Double> runsFor = new HashSet<>();

      /** Takes note of a value of the page. */
      void see(String name, double value) {
        if (Double.isFinite(value) && value > 0) {
          if (name.equals(STARTED)) {
            started.add(value);
          } else if (name.equals(RUNS_FOR)) {
            runsFor.add(value);
          }
        }
      }

      /** The instant; empty if the page has not both, or has those of several processes. */
      Optional<Instant> time() {
        OptionalDouble start = only(started);
        OptionalDouble length = only(runsFor);
        return start.isPresent() && length.isPresent()
            ? Optional.of(
                Instant.ofEpochMilli(
                    Math.round((start.getAsDouble() + length.getAsDouble()) * MILLIS_PER_SECOND)))
            : Optional.empty();
      }

      private static OptionalDouble only(Set<Double> values) {
        return values.size() == 1
            ? OptionalDouble.of(values.iterator().next())
            : OptionalDouble.empty();
      }
    }
  }
}
