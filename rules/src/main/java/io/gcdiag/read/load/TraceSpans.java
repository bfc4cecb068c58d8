package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Spans of traces in JSON, one at a time: OpenTelemetry's (also one object a line, and as Tempo
 * stores it), Jaeger's and Zipkin's.
 */
final class TraceSpans {

  /** Which end of a call a span was measured at. */
  enum Kind {
    SERVER,
    CLIENT,
    INTERNAL,
    OTHER
  }

  /**
   * A span.
   *
   * @param service whose it is; empty if unknown
   * @param trace its identifier, as the file has it
   * @param id the span's own in the trace
   * @param parent that of the span around it; empty if it has none
   * @param name as the instrumentation calls it
   * @param startNanos since 1970
   * @param failed whether it ended with an error
   * @param remote the other side, if it has a name
   * @param attributes or tags
   */
  record Span(
      String service,
      String trace,
      String id,
      String parent,
      Kind kind,
      String name,
      long startNanos,
      long nanos,
      boolean failed,
      String remote,
      Map<String, String> attributes) {

    private Span of(String other) {
      return new Span(
          other, trace, id, parent, kind, name, startNanos, nanos, failed, remote, attributes);
    }

    /** The value of the first of the attributes that it has; empty without. */
    String first(String... names) {
      for (String one : names) {
        String value = attributes.getOrDefault(one, "");
        if (!value.isEmpty()) {
          return value;
        }
      }
      return "";
    }
  }

  /** What a span has in its trace's state; the key of an attribute of ours. */
  static final String TRACE_STATE = "w3c.tracestate";

  private static final long NANOS_PER_MICRO = 1_000;
  private static final int SERVER_ERROR = 500;

  private final Consumer<Span> spans;
  private final Map<String, List<Span>> ofProcesses = new HashMap<>();
  private String service = "";

  private TraceSpans(Consumer<Span> spans) {
    this.spans = spans;
  }

  /**
   * Reads all spans of a text.
   *
   * @throws IOException also if the text is cut or damaged; spans before that were handed over
   */
  static void read(InputStream in, Consumer<Span> spans) throws IOException {
    TraceSpans reader = new TraceSpans(spans);
    try (JsonParser parser = new ObjectMapper().createParser(in)) {
      reader.read(parser);
    } finally {
      reader.endOfTrace(Map.of());
    }
  }

  private void read(JsonParser parser) throws IOException {
    int arrays = 0;
    int objects = 0;
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      switch (token) {
        case START_ARRAY -> {
          if ("spans".equals(parser.currentName())) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
              JsonNode span = parser.readValueAsTree();
              if (span.has("operationName")) {
                jaeger(span);
              } else {
                openTelemetry(span);
              }
            }
          } else {
            arrays++;
          }
        }
        case END_ARRAY -> arrays--;
        case START_OBJECT -> {
          String name = parser.currentName();
          if ("resource".equals(name)) {
            JsonNode resource = parser.readValueAsTree();
            service = attributes(resource.path("attributes")).getOrDefault("service.name", "");
          } else if ("processes".equals(name)) {
            endOfTrace(services(parser.readValueAsTree()));
          } else if (objects == 0 && arrays > 0) {
            zipkin(parser.readValueAsTree());
          } else {
            objects++;
          }
        }
        case END_OBJECT -> objects--;
        default -> {
          // A value of no use.
        }
      }
    }
  }

  private void openTelemetry(JsonNode span) {
    Map<String, String> attributes = attributes(span.path("attributes"));
    attributes.put(TRACE_STATE, span.path("traceState").asText());
    spans.accept(
        openTelemetry(
            service,
            span.path("traceId").asText(),
            span.path("spanId").asText(),
            span.path("parentSpanId").asText(),
            span.path("kind").asText(),
            span.path("name").asText(),
            span.path("startTimeUnixNano").asLong(),
            span.path("endTimeUnixNano").asLong(),
            span.path("status").path("code").asText(),
            attributes));
  }

  static Span openTelemetry(
      String service,
      String trace,
      String id,
      String parent,
      String kind,
      String name,
      long startNanos,
      long endNanos,
      String status,
      Map<String, String> attributes) {
    boolean failed = status.equals("2") || status.equals("STATUS_CODE_ERROR");
    return new Span(
        service,
        trace,
        id,
        parent,
        kind(kind),
        name,
        startNanos,
        endNanos - startNanos,
        failed || isServerError(attributes),
        "",
        attributes);
  }

  private static Map<String, String> attributes(JsonNode list) {
    Map<String, String> attributes = new HashMap<>();
    for (JsonNode one : list) {
      JsonNode value = one.path("value");
      // {"stringValue": "x"}; Jaeger's tags have the value itself.
      JsonNode plain = value.isObject() && !value.isEmpty() ? value.elements().next() : value;
      attributes.put(one.path("key").asText(), plain.asText());
    }
    return attributes;
  }

  private static Kind kind(String word) {
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "2", "SERVER", "SPAN_KIND_SERVER" -> Kind.SERVER;
      case "3", "CLIENT", "SPAN_KIND_CLIENT" -> Kind.CLIENT;
      case "", "0", "1", "INTERNAL", "SPAN_KIND_INTERNAL" -> Kind.INTERNAL;
      default -> Kind.OTHER;
    };
  }

  private static boolean isServerError(Map<String, String> attributes) {
    String status =
        attributes.getOrDefault(
            "http.response.status_code", attributes.getOrDefault("http.status_code", ""));
    return status.length() == 3 && Table.number(status).orElse(0) >= SERVER_ERROR;
  }

  private void jaeger(JsonNode span) {
    Map<String, String> tags = attributes(span.path("tags"));
    String parent = "";
    for (JsonNode reference : span.path("references")) {
      parent =
          reference.path("refType").asText().equals("CHILD_OF")
              ? reference.path("spanID").asText()
              : parent;
    }
    Span read =
        new Span(
            "",
            span.path("traceID").asText(),
            span.path("spanID").asText(),
            parent,
            kind(tags.getOrDefault("span.kind", "")),
            span.path("operationName").asText(),
            span.path("startTime").asLong() * NANOS_PER_MICRO,
            span.path("duration").asLong(-1) * NANOS_PER_MICRO,
            tags.getOrDefault("error", "").equals("true") || isServerError(tags),
            "",
            tags);
    ofProcesses
        .computeIfAbsent(span.path("processID").asText(), any -> new ArrayList<>())
        .add(read);
  }

  private static Map<String, String> services(JsonNode processes) {
    Map<String, String> services = new HashMap<>();
    processes
        .properties()
        .forEach(one -> services.put(one.getKey(), one.getValue().path("serviceName").asText()));
    return services;
  }

  /** Jaeger names the services of a trace behind its spans. */
  private void endOfTrace(Map<String, String> services) {
    ofProcesses.forEach(
        (process, all) ->
            all.forEach(span -> spans.accept(span.of(services.getOrDefault(process, "")))));
    ofProcesses.clear();
  }

  private void zipkin(JsonNode span) {
    if (!span.has("timestamp") || !span.has("traceId")) {
      return;
    }
    Map<String, String> tags = new HashMap<>();
    span.path("tags").properties().forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
    JsonNode remote = span.path("remoteEndpoint");
    spans.accept(
        new Span(
            span.path("localEndpoint").path("serviceName").asText(),
            span.path("traceId").asText(),
            span.path("id").asText(),
            span.path("parentId").asText(),
            kind(span.path("kind").asText()),
            span.path("name").asText(),
            span.path("timestamp").asLong() * NANOS_PER_MICRO,
            span.path("duration").asLong(-1) * NANOS_PER_MICRO,
            tags.containsKey("error") || isServerError(tags),
            remote.path("serviceName").asText(remote.path("ipv4").asText()),
            tags));
  }
}
