package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Each request of vegeta, as {@code vegeta encode} writes them: JSON lines or CSV. */
public final class VegetaFormat extends LoadFormat {

  private static final String PRODUCER = "vegeta";

  private static final Pattern JSON =
      Pattern.compile("\\{\"attack\":\"[^\"]*\",\"seq\":\\d+,\"code\":\\d+,\"timestamp\":\".*");

  /** Start in nanoseconds since 1970, status, latency in nanoseconds, bytes out and in. */
  private static final Pattern CSV = Pattern.compile("\\d{19},\\d{1,3},\\d+,\\d+,\\d+,.*");

  private static final int FIRST_SUCCESS = 200;

  /** As vegeta counts them. */
  private static final int FIRST_FAILURE = 400;

  private static final int ERROR = 5;
  private static final int METHOD = 9;
  private static final int URL = 10;

  public VegetaFormat() {
    super("vegeta", "the requests of vegeta (vegeta encode --to json or --to csv)");
  }

  @Override
  public boolean recognises(FileHead head) {
    String first = head.text().lines().findFirst().orElse("");
    return JSON.matcher(first).matches() || CSV.matcher(first).matches();
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    RunRecorder requests = new RunRecorder(false);
    if (LoadText.beginning(lines, 1).equals("{")) {
      ObjectMapper mapper = new ObjectMapper();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try {
          JsonNode one = mapper.readTree(line);
          add(
              OffsetDateTime.parse(one.path("timestamp").asText()).toInstant(),
              OptionalLong.of(one.path("latency").asLong(-1)),
              one.path("code").asInt(),
              one.path("error").asText(),
              EndpointRecorder.name(one.path("method").asText(), one.path("url").asText()),
              requests,
              text);
        } catch (JsonProcessingException | DateTimeException e) {
          text.damaged();
        }
      }
    } else {
      Table table = new Table(lines, text, ',');
      while (table.next()) {
        csv(table, requests, text);
      }
    }
    Source source = new Source(file, "latency");
    RequestStats.Builder stats = new RequestStats.Builder(PRODUCER, source);
    stats.failed(requests.failed());
    return requests.run(PRODUCER, stats, source);
  }

  private static void csv(Table table, RunRecorder requests, LoadText text) {
    OptionalLong start = table.number(0);
    OptionalLong code = table.number(1);
    if (start.isEmpty() || code.isEmpty()) {
      text.damaged();
      return;
    }
    add(
        Instant.ofEpochSecond(0, start.getAsLong()),
        table.number(2),
        (int) code.getAsLong(),
        table.value(ERROR),
        EndpointRecorder.name(table.value(METHOD), table.value(URL)),
        requests,
        text);
  }

  private static void add(
      Instant start,
      OptionalLong nanos,
      int code,
      String error,
      String endpoint,
      RunRecorder requests,
      LoadText text) {
    boolean failed = !error.isEmpty() || code < FIRST_SUCCESS || code >= FIRST_FAILURE;
    if (nanos.isEmpty()
        || nanos.getAsLong() < 0
        || !requests.add(start, Duration.ofNanos(nanos.getAsLong()), failed, endpoint)) {
      text.damaged();
    }
  }
}
