package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.load.K6Requests.K6Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Every sample of a run of k6, as JSON lines or CSV. */
public final class K6SamplesFormat extends LoadFormat {

  public K6SamplesFormat() {
    super("k6-samples", "the samples of k6 (--out json or --out csv)");
  }

  @Override
  public boolean recognises(FileHead head) {
    String line = head.text().lines().findFirst().orElse("");
    return K6Json.isFirstLine(line) || K6Csv.isFirstLine(LoadText.withoutMark(line));
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    return LoadText.beginning(lines, 1).equals("{")
        ? K6Json.read(lines, text, file)
        : K6Csv.read(new Table(lines, text, ','), text, file);
  }

  /** Reads what {@code k6 run --out json=FILE} writes: an object a line, for every sample one. */
  private static final class K6Json {

    /** Nine of ten lines are of unused metrics and need no parsing. */
    private static final List<String> WANTED =
        List.of(
            quoted(K6Requests.LATENCY),
            quoted(K6Requests.CALL_LATENCY),
            quoted(K6Requests.FAILED),
            quoted(K6Requests.DROPPED),
            quoted(K6Requests.USERS),
            "\"thresholds\":[\"");

    private static String quoted(String metric) {
      return "\"" + metric + "\"";
    }

    static boolean isFirstLine(String line) {
      return line.startsWith("{")
          && line.contains("\"metric\":")
          && (line.contains("\"type\":\"Metric\"") || line.contains("\"type\":\"Point\""));
    }

    static LoadRun read(BufferedReader lines, LoadText text, String file) throws IOException {
      K6Requests requests = new K6Requests(text, false);
      ObjectMapper mapper = new ObjectMapper();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (WANTED.stream().anyMatch(line::contains)) {
          sample(mapper, line, requests, text);
        }
      }
      return requests.run(file);
    }

    private static void sample(
        ObjectMapper mapper, String line, K6Requests requests, LoadText text) {
      try {
        JsonNode sample = mapper.readTree(line);
        String metric = sample.path("metric").asText();
        JsonNode data = sample.path("data");
        data.path("thresholds").forEach(limit -> requests.target(metric, limit.asText()));
        if (!sample.path("type").asText().equals("Point") || !K6Requests.uses(metric)) {
          return;
        }
        Instant at = OffsetDateTime.parse(data.path("time").asText()).toInstant();
        JsonNode tags = data.path("tags");
        String expected = tags.path("expected_response").asText();
        double value = data.path("value").asDouble(-1);
        if (value >= 0) {
          String endpoint =
              EndpointRecorder.name(tags.path("method").asText(), tags.path("name").asText());
          requests.add(
              new K6Sample(metric, at, value, expected, tags.path("status").asText(), endpoint));
        } else {
          text.damaged();
        }
      } catch (JsonProcessingException | DateTimeException e) {
        text.damaged();
      }
    }
  }

  /** Reads what {@code k6 run --out csv=FILE} writes: a row for every sample. */
  private static final class K6Csv {

    private static final String METRIC = "metric_name";
    private static final String TIME = "timestamp";
    private static final String VALUE = "metric_value";
    private static final String EXPECTED = "expected_response";
    private static final String STATUS = "status";
    private static final String METHOD = "method";

    /** The address of the request, unless the test gives it another name. */
    private static final String NAME = "name";

    /** Digits of a stamp of this century in seconds, milliseconds and microseconds. */
    private static final int SECOND_DIGITS = 11;

    private static final int MILLI_DIGITS = 14;
    private static final int MICRO_DIGITS = 17;

    static boolean isFirstLine(String line) {
      return line.startsWith(METRIC + "," + TIME + "," + VALUE);
    }

    static LoadRun read(Table table, LoadText text, String file) throws IOException {
      if (!table.next()) {
        throw new IOException("no header");
      }
      List<String> header = Arrays.asList(table.row());
      int metric = header.indexOf(METRIC);
      int time = header.indexOf(TIME);
      int value = header.indexOf(VALUE);
      int expected = header.indexOf(EXPECTED);
      int status = header.indexOf(STATUS);
      int method = header.indexOf(METHOD);
      int name = header.indexOf(NAME);
      Optional<K6Requests> requests = Optional.empty();
      while (table.next()) {
        if (!K6Requests.uses(table.value(metric))) {
          continue;
        }
        Optional<Instant> at = instant(table.value(time));
        Optional<Double> number = Table.decimal(table.value(value));
        if (at.isEmpty() || number.isEmpty()) {
          text.damaged();
          continue;
        }
        if (requests.isEmpty()) {
          requests = Optional.of(new K6Requests(text, isWholeSecond(table.value(time))));
        }
        requests
            .get()
            .add(
                new K6Sample(
                    table.value(metric),
                    at.get(),
                    number.get(),
                    table.value(expected),
                    table.value(status),
                    EndpointRecorder.name(table.value(method), table.value(name))));
      }
      return requests.orElseGet(() -> new K6Requests(text, false)).run(file);
    }

    /** The formats of {@code K6_CSV_TIME_FORMAT}. */
    private static Optional<Instant> instant(String stamp) {
      OptionalLong number = Table.number(stamp);
      if (number.isPresent()) {
        return Optional.of(Instant.EPOCH.plus(number.getAsLong(), unit(stamp.length())));
      }
      return TimeText.in(stamp).instant();
    }

    private static ChronoUnit unit(int digits) {
      if (digits <= SECOND_DIGITS) {
        return ChronoUnit.SECONDS;
      }
      if (digits <= MILLI_DIGITS) {
        return ChronoUnit.MILLIS;
      }
      return digits <= MICRO_DIGITS ? ChronoUnit.MICROS : ChronoUnit.NANOS;
    }

    private static boolean isWholeSecond(String stamp) {
      boolean date = stamp.contains("T");
      return date ? !stamp.contains(".") : stamp.length() <= SECOND_DIGITS;
    }
  }
}
