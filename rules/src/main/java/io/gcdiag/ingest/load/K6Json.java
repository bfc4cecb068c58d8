package io.gcdiag.ingest.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/** Reads what {@code k6 run --out json=FILE} writes: an object a line, for every sample one. */
final class K6Json {

  /** Made when it is needed: it takes longer than most files. */
  private static final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();
  }

  /** Nine lines of ten are of metrics that are not used, and need not be taken apart. */
  private static final List<String> WANTED =
      List.of(
          quoted(K6Requests.LATENCY),
          quoted(K6Requests.CALL_LATENCY),
          quoted(K6Requests.FAILED),
          quoted(K6Requests.DROPPED),
          quoted(K6Requests.USERS));

  private K6Json() {}

  private static String quoted(String metric) {
    return "\"" + metric + "\"";
  }

  /** Whether this is the first line of such a file. */
  static boolean isFirstLine(String line) {
    return line.startsWith("{")
        && line.contains("\"metric\":")
        && (line.contains("\"type\":\"Metric\"") || line.contains("\"type\":\"Point\""));
  }

  static LoadRun read(BufferedReader lines, LoadText text, String file) throws IOException {
    K6Requests requests = new K6Requests(text, false);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (WANTED.stream().anyMatch(line::contains)) {
        sample(line, requests, text);
      }
    }
    return requests.run(file);
  }

  private static void sample(String line, K6Requests requests, LoadText text) {
    try {
      JsonNode sample = Json.MAPPER.readTree(line);
      String metric = sample.path("metric").asText();
      if (!sample.path("type").asText().equals("Point") || !K6Requests.uses(metric)) {
        return;
      }
      JsonNode data = sample.path("data");
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
