package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.bytes.Unpacked;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {

  private static final String STATEMENT = "postgresql: SELECT * FROM items WHERE order_id = ?";

  private static final String PROTOBUF = "traces/opentelemetry-1.45-protobuf.bin.gz";

  @TempDir private Path folder;

  private static Timeline read(Path file) {
    Timeline timeline =
        Ingest.read(
            List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);
    assertEquals("traces", timeline.inputs().get(0).format());
    return timeline;
  }

  private static RequestInterval all(Timeline timeline) {
    RequestSeries series = timeline.requests().series().get(0);
    return series.within(series.span().orElseThrow());
  }

  /** What each target's counter grew by. */
  private static Map<String, Double> grown(Timeline timeline, MetricMeaning meaning) {
    Map<String, Double> grown = new TreeMap<>();
    for (MetricSeries series : timeline.metrics(meaning)) {
      grown.put(
          series.labels().getOrDefault("remote", ""),
          series.points().get(series.points().size() - 1).value() - series.points().get(0).value());
    }
    return grown;
  }

  /**
   * Ten seconds with four requests each: 2 statements of 5 ms, from the sixth second on 22, a call
   * of 4 ms, and 4 ms of its own. grep -o '"kind":2' | wc -l: 40; '"kind":3': 520.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"opentelemetry-1.45.json.gz", "zipkin-2.27.json.gz", "jaeger-1.76.json.gz"})
  void serverSpansAreRequestsAndClientSpansCalls(String file) {
    Timeline timeline = read(SampleFiles.file("traces/" + file));
    assertEquals(40, all(timeline).requests());
    assertEquals(1, all(timeline).failed());
    // (18 ms + 118 ms) / 2
    assertEquals(0.068, all(timeline).latencies().totalSeconds() / 40, 0.0007);
    assertEquals(
        Map.of(STATEMENT, 480.0, "stock.example", 40.0), grown(timeline, MetricMeaning.CALLS));
    assertEquals(2.4, grown(timeline, MetricMeaning.CALL_SECONDS).get(STATEMENT), 1e-6);
    assertEquals(0.16, grown(timeline, MetricMeaning.CALL_SECONDS).get("stock.example"), 1e-6);
    assertEquals(List.of(480.0), List.copyOf(grown(timeline, MetricMeaning.QUERIES).values()));
    assertEquals(
        "GET /orders/{id}", timeline.requests().series().get(0).endpoints().get(0).endpoint());
  }

  /** Requests each second for 20 s; in the first ten each calls the stock, later none does. */
  @Test
  void aServiceThatHasSpansAndNoCallsMakesNone() throws IOException {
    String span =
        "{\"kind\":%d,\"name\":\"s\",\"spanId\":\"a%d\",\"startTimeUnixNano\":\"%d000000000\",\"endTimeUnixNano\":\"%d005000000\",\"attributes\":[{\"key\":\"server.address\",\"value\":{\"stringValue\":\"stock\"}}]}";
    List<String> spans = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long second = 1_700_000_000L + i;
      spans.add(span.formatted(2, i, second, second));
      if (i < 10) {
        spans.add(span.formatted(3, 100 + i, second, second));
      }
    }
    Path file =
        Files.writeString(
            folder.resolve("spans.json"),
            "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[%s]}]}]}"
                .formatted(String.join(",", spans)));
    MetricSeries calls = read(file).metrics(MetricMeaning.CALLS).get(0);
    Instant middle = Instant.ofEpochSecond(1_700_000_010L);
    assertEquals(
        Map.of(true, 10L, false, 0L),
        Map.of(
            true, grownIn(calls, middle.minusSeconds(10), middle),
            false, grownIn(calls, middle, middle.plusSeconds(10))));
  }

  private static long grownIn(MetricSeries series, Instant from, Instant to) {
    List<MetricSeries.Point> inside =
        series.points().stream()
            .filter(point -> !point.at().isBefore(from) && !point.at().isAfter(to))
            .toList();
    return Math.round(inside.get(inside.size() - 1).value() - inside.get(0).value());
  }

  @Test
  void theServiceWithMostRequestsIsUsedAndTheSamplingSaid() {
    Timeline timeline = read(SampleFiles.file("traces/jaeger-1.76-sampled.json"));
    // grep -o '"value":"server"' | wc -l: 36, of which the 12 of stock
    assertEquals(24, all(timeline).requests());
    assertEquals(1, all(timeline).failed());
    // 23 of 30 ms and one of 90 ms
    assertEquals(0.78, all(timeline).latencies().totalSeconds(), 0.0078);
    assertEquals(Map.of("stock.example", 24.0), grown(timeline, MetricMeaning.CALLS));
    assertTrue(
        timeline
            .coverage()
            .notes()
            .contains(
                "jaeger-1.76-sampled.json has a sample of 25.0 % of the traces: rates are those of"
                    + " the sample"),
        timeline.coverage().notes().toString());
    assertTrue(
        timeline
            .coverage()
            .notes()
            .contains(
                "jaeger-1.76-sampled.json: spans of bakery are used, the others are of stock"));
  }

  /**
   * Tempo names the list of services otherwise; half of all traces are kept, by the trace state.
   */
  @Test
  void tracesOfTempoAreOpenTelemetrysAndTheTraceStateHasTheShare() throws IOException {
    String text;
    try (InputStream in = Unpacked.open(SampleFiles.file("traces/opentelemetry-1.45.json.gz"))) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Path file =
        Files.writeString(
            folder.resolve("tempo.json"),
            text.replace("\"resourceSpans\"", "\"batches\"")
                .replace("\"spanId\"", "\"traceState\":\"ot=th:8\",\"spanId\""));
    Timeline timeline = read(file);
    assertEquals(40, all(timeline).requests());
    assertEquals(List.of(480.0), List.copyOf(grown(timeline, MetricMeaning.QUERIES).values()));
    assertTrue(
        timeline.coverage().notes().stream()
            .anyMatch(note -> note.contains("tempo.json has a sample of 50.0 % of the traces")),
        () -> timeline.coverage().notes().toString());
  }

  /** A span of a trace, in ms after its begin, in OpenTelemetry's JSON. */
  private static String span(int kind, int id, int parent, String name, int from, int to) {
    return """
        {"traceId":"t","spanId":"%d","parentSpanId":"%d","kind":%d,"name":"%s",
         "startTimeUnixNano":"%d","endTimeUnixNano":"%d"}"""
        .formatted(
            id,
            parent,
            kind,
            name,
            1_795_941_393_000_000_000L + from * 1_000_000L,
            1_795_941_393_000_000_000L + to * 1_000_000L);
  }

  private static String at(String host, String span) {
    return span.replace(
        "\"kind\"",
        "\"attributes\":[{\"key\":\"server.address\",\"value\":{\"stringValue\":\"%s\"}}],\"kind\""
            .formatted(host));
  }

  private static String service(String name, String... spans) {
    return "{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"%s\"}}]},\"scopeSpans\":[{\"spans\":[%s]}]}"
        .formatted(name, String.join(",", spans));
  }

  private Timeline openTelemetry(String... services) throws IOException {
    Path file = folder.resolve("otlp.json");
    return read(
        Files.writeString(file, "{\"resourceSpans\":[%s]}".formatted(String.join(",", services))));
  }

  /** A client's own span has that of its HTTP client inside, in a step of its own. */
  @Test
  void aCallInsideACallIsTheSameCall() throws IOException {
    String request = span(2, 1, 0, "get", 0, 100);
    String outer = span(3, 2, 1, "Stock.get", 10, 90);
    String step = span(1, 3, 2, "send", 15, 85);
    String inner = at("stock.example", span(3, 4, 3, "GET", 20, 80));
    for (Timeline timeline :
        List.of(
            openTelemetry(service("shop", request, outer, step, inner)),
            // As exported: what ends first comes first.
            openTelemetry(service("shop", inner, step, outer), service("shop", request)))) {
      assertEquals(Map.of("stock.example", 1.0), grown(timeline, MetricMeaning.CALLS));
      assertEquals(0.08, grown(timeline, MetricMeaning.CALL_SECONDS).get("stock.example"), 1e-9);
      assertEquals(Map.of(), grown(timeline, MetricMeaning.STEPS));
    }
  }

  @Test
  void callsOfSpansWithoutIdsAllCount() throws IOException {
    String call = at("stock.example", span(3, 2, 1, "GET", 20, 80));
    String without = call.replaceAll("\"spanId\": *\"[^\"]*\",", "");
    assertNotEquals(call, without);
    Timeline timeline =
        openTelemetry(service("shop", span(2, 1, 0, "get", 0, 100), without, without, without));
    assertEquals(Map.of("stock.example", 3.0), grown(timeline, MetricMeaning.CALLS));
  }

  /** A call of 60 ms, of which the other service has 1 ms, 50 ms after its begin. */
  @Test
  void theSpanOfTheCalledServiceSaysHowMuchOfTheCallItTakes() throws IOException {
    String call = at("stock.example", span(3, 2, 1, "GET", 20, 80));
    Timeline timeline =
        openTelemetry(
            service("shop", span(2, 1, 0, "get", 0, 100), span(2, 9, 0, "get", 200, 210), call),
            service("stock", span(2, 5, 2, "get", 70, 71)));
    assertEquals(Map.of("stock.example", 1.0), grown(timeline, MetricMeaning.SERVED_CALLS));
    assertEquals(0.001, grown(timeline, MetricMeaning.SERVED_SECONDS).get("stock.example"), 1e-9);
    assertEquals(
        0.05, grown(timeline, MetricMeaning.BEFORE_SERVED_SECONDS).get("stock.example"), 1e-9);
  }

  /** Both ends of a call have one id in Zipkin's older form. */
  @Test
  void theTwoEndsOfACallMayHaveOneId() throws IOException {
    String whole = trace("1", "");
    String served =
        """
        {"traceId":"1","id":"21","parentId":"11","kind":"SERVER","shared":true,"name":"get",
         "timestamp":1795941393010000,"duration":3000,"localEndpoint":{"serviceName":"stock"}}""";
    Timeline timeline = zipkin(whole, trace("2", ""), served);
    assertEquals(Map.of("stock", 1.0), grown(timeline, MetricMeaning.SERVED_CALLS));
    assertEquals(0.003, grown(timeline, MetricMeaning.SERVED_SECONDS).get("stock"), 1e-9);
  }

  /** 60 ms in a step, of which 20 ms are a call; another step goes on behind the request. */
  @Test
  void internalSpansHaveTheirOwnTimeInsideTheRequest() throws IOException {
    Timeline timeline =
        openTelemetry(
            service(
                "shop",
                span(2, 1, 0, "get", 0, 100),
                span(1, 2, 1, "Pdf.render", 10, 70),
                span(3, 3, 2, "GET", 30, 50),
                span(1, 4, 1, "audit", 90, 500),
                span(1, 5, 0, "job", 0, 900)));
    assertEquals(Map.of("Pdf.render", 1.0, "audit", 1.0), grown(timeline, MetricMeaning.STEPS));
    assertEquals(0.04, grown(timeline, MetricMeaning.STEP_SECONDS).get("Pdf.render"), 1e-9);
    assertEquals(0.01, grown(timeline, MetricMeaning.STEP_SECONDS).get("audit"), 1e-9);
  }

  /**
   * A request of 30 ms with a call of 20 ms inside; which of the two is a part of what, and whether
   * the service that called it is in the file, makes no difference.
   */
  private static String trace(String number, String tags) {
    return """
        {"traceId":"%1$s","id":"1%1$s","parentId":"9%1$s","kind":"SERVER","name":"get",
         "timestamp":1795941393000000,"duration":30000,"tags":{%2$s},
         "localEndpoint":{"serviceName":"bakery"}},
        {"traceId":"%1$s","id":"2%1$s","parentId":"1%1$s","kind":"CLIENT","name":"get",
         "timestamp":1795941393005000,"duration":20000,
         "localEndpoint":{"serviceName":"bakery"},"remoteEndpoint":{"serviceName":"stock"}}"""
        .formatted(number, tags);
  }

  private Timeline zipkin(String... spans) throws IOException {
    Path file = folder.resolve("zipkin.json");
    return read(Files.writeString(file, "[" + String.join(",\n", spans) + "]"));
  }

  private static String sampling(Timeline timeline) {
    return timeline.coverage().notes().stream()
        .filter(note -> note.contains("sampled") || note.contains("sample of"))
        .map(note -> note.replaceAll(": .*", ""))
        .collect(Collectors.joining());
  }

  @Test
  void aTraceOfWhichThereIsAPartCountsWithThatPart() throws IOException {
    String whole = trace("1", "");
    String called = trace("2", "");
    String calling = called.substring(called.indexOf("},\n{") + 3);
    Timeline timeline = zipkin(whole, called.substring(0, called.indexOf("},\n{") + 1), calling);
    assertEquals(2, all(timeline).requests());
    assertEquals(Map.of("stock", 2.0), grown(timeline, MetricMeaning.CALLS));
    // The request itself is missing: its call counts.
    Timeline calls = zipkin(whole, calling);
    assertEquals(1, all(calls).requests());
    assertEquals(Map.of("stock", 2.0), grown(calls, MetricMeaning.CALLS));
  }

  /** Zipkin is sent a span without its duration if it was not over in time. */
  @Test
  void aSpanThatHasNotEndedIsNoRequestOfNoTime() throws IOException {
    Timeline timeline = zipkin(trace("1", ""), trace("2", "").replace("\"duration\":30000,", ""));
    assertEquals(1, all(timeline).requests());
    assertEquals(0.03, all(timeline).latencies().totalSeconds(), 0.0003);
    assertTrue(
        timeline
            .coverage()
            .notes()
            .contains("zipkin.json: without a start or an end, spans left out: 1"),
        () -> timeline.coverage().notes().toString());
  }

  @ParameterizedTest
  @CsvSource({
    "probabilistic, 0.25, probabilistic, 0.25, zipkin.json has a sample of 25.0 % of the traces",
    "probabilistic, 0.25, probabilistic, 0.05, zipkin.json has a sample of 5.0 % to 25.0 % of the traces",
    "const, true, const, true, ''",
    "ratelimiting, 2, ratelimiting, 2, zipkin.json does not say how its traces were sampled",
  })
  void theTagsOfASamplerSayWhichShareWasKept(
      String type, String param, String otherType, String otherParam, String note)
      throws IOException {
    String tags = "\"sampler.type\":\"%s\",\"sampler.param\":\"%s\"";
    assertEquals(
        note,
        sampling(
            zipkin(
                trace("1", tags.formatted(type, param)),
                trace("2", tags.formatted(otherType, otherParam)))));
  }

  /** The threshold rejects so many of 16 to the power of its digits; p keeps two to minus p. */
  @ParameterizedTest
  @CsvSource({
    "ot=th:c,               spans.json has a sample of 25.0 % of the traces",
    "es=1|ot=rv:0f;th:fc,   spans.json has a sample of 1.6 % of the traces",
    "ot=p:2;r:62,           spans.json has a sample of 25.0 % of the traces",
    "ot=th:0,               ''",
    "ot=rv:7f,              spans.json does not say how its traces were sampled",
    "pilot=th:c,            spans.json does not say how its traces were sampled",
  })
  void theTraceStateSaysWhichShareWasKept(String state, String note) throws IOException {
    String text =
        """
        {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"2","parentSpanId":"9",
          "traceState":"%s","kind":2,"name":"get","startTimeUnixNano":"1795941393000000000",
          "endTimeUnixNano":"1795941393030000000"}]}]}]}
        """
            .formatted(state.replace('|', ','));
    Timeline timeline = read(Files.writeString(folder.resolve("spans.json"), text));
    assertEquals(1, all(timeline).requests());
    assertEquals(note, sampling(timeline));
  }

  /** The collector's processor leaves the policy that kept the trace. */
  @Test
  void tracesThatWereKeptAtTheirEndSayByWhat() throws IOException {
    Timeline timeline = zipkin(trace("1", "\"tailsampling.policy\":\"latency\""), trace("2", ""));
    assertTrue(
        timeline
            .coverage()
            .notes()
            .contains(
                "zipkin.json has traces that were kept for what they are (tail sampling by"
                    + " latency): rate and latency are not those of all requests"),
        () -> timeline.coverage().notes().toString());
    assertEquals(
        "zipkin.json spans, tail-sampled", timeline.requests().series().get(0).source().toString());
  }

  @Test
  void aCutFileIsReadUpToItsEnd() throws IOException {
    String text = Files.readString(SampleFiles.file("traces/jaeger-1.76-sampled.json"));
    Path file = Files.writeString(folder.resolve("cut.json"), text.substring(0, 20_000));
    Timeline timeline = read(file);
    assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
    assertTrue(all(timeline).requests() >= 5);
  }

  /**
   * Three exports of OpenTelemetry's SDK as it sends them, one behind the other. Its own classes
   * count the same spans: 40 of the server, 2.72 s; 480 statements, 2.4 s; 40 calls, 0.16 s.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void protobufIsReadWithAndWithoutSizesOfItsMessages(boolean withSizes) throws IOException {
    byte[] messages;
    try (InputStream in = Unpacked.open(SampleFiles.file(PROTOBUF))) {
      messages = in.readAllBytes();
    }
    // The collector's exporter of files writes the size of each message before it.
    byte[] size = ByteBuffer.allocate(Integer.BYTES).putInt(messages.length).array();
    Path file = folder.resolve("spans.bin");
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(withSizes ? size : new byte[0]);
      out.write(messages);
    }
    Timeline timeline = read(file);
    assertEquals(Status.OK, timeline.inputs().get(0).status());
    assertEquals(40, all(timeline).requests());
    assertEquals(1, all(timeline).failed());
    assertEquals(0.068, all(timeline).latencies().totalSeconds() / 40, 0.0007);
    assertEquals(
        Map.of(STATEMENT, 480.0, "stock.example", 40.0), grown(timeline, MetricMeaning.CALLS));
    assertEquals(2.4, grown(timeline, MetricMeaning.CALL_SECONDS).get(STATEMENT), 1e-6);
    assertEquals(
        "GET /orders/{id}", timeline.requests().series().get(0).endpoints().get(0).endpoint());
  }

  @Test
  void cutProtobufIsReadUpToItsEnd() throws IOException {
    byte[] cut;
    try (InputStream in = Unpacked.open(SampleFiles.file(PROTOBUF))) {
      cut = in.readNBytes(60_000);
    }
    Timeline timeline = read(Files.write(folder.resolve("cut.bin"), cut));
    assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
    assertTrue(all(timeline).requests() >= 20 && all(timeline).requests() < 40);
  }
}
