package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.load.TraceSpans.Kind;
import io.gcdiag.read.load.TraceSpans.Span;
import io.gcdiag.read.metrics.MetricCollector;
import io.gcdiag.units.Ratio;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Traces in JSON. Server spans are the requests of a service, client spans its calls by host or
 * statement: the same figures as a client's timer gives, and read as such.
 */
public final class TraceFormat extends InputFormat {

  private static final String PRODUCER = "traces";

  private static final String CALLS = "trace_client_spans_seconds_count";
  private static final String CALL_SECONDS = "trace_client_spans_seconds_sum";
  private static final String QUERIES = "trace_database_spans_total";

  /** A statement that is longer is known by its beginning. */
  private static final int LONGEST_STATEMENT = 90;

  private static final Pattern LITERAL = Pattern.compile("'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b");

  private static final Pattern LIST = Pattern.compile("\\(\\s*\\?(?:\\s*,\\s*\\?)+\\s*\\)");

  /** The threshold of OpenTelemetry's consistent sampling: hexadecimal digits of a share of 1. */
  private static final Pattern THRESHOLD = Pattern.compile("ot=[^,]*th:([0-9a-f]{1,14})");

  public TraceFormat() {
    super("traces", LoadFormat.KIND, "traces of OpenTelemetry, Jaeger or Zipkin (JSON)");
  }

  @Override
  public boolean recognises(FileHead head) {
    String text = head.text().stripLeading();
    if (!text.startsWith("{") && !text.startsWith("[")) {
      return false;
    }
    return text.contains("\"scopeSpans\"")
        || text.contains("\"instrumentationLibrarySpans\"")
        || text.contains("\"operationName\"") && text.contains("\"spans\"")
        || text.startsWith("[")
            && text.contains("\"traceId\"")
            && text.contains("\"timestamp\"")
            && text.contains("\"duration\"");
  }

  /** The spans of one service. */
  private static final class Service {
    private final RunRecorder requests = new RunRecorder(false);
    private final EndpointRecorder calls = new EndpointRecorder();
    private final EndpointRecorder queries = new EndpointRecorder();
    private double callSeconds;

    void add(Span span) {
      Instant start = Instant.ofEpochSecond(0, span.startNanos());
      Duration length = Duration.ofNanos(span.nanos());
      if (span.nanos() < 0 || !RunRecorder.isPossible(start)) {
        return;
      }
      if (span.kind() == Kind.SERVER) {
        requests.add(start, length, span.failed(), endpoint(span));
      } else if (span.kind() == Kind.CLIENT) {
        boolean database = !database(span).isEmpty();
        callSeconds += span.nanos() / 1e9;
        calls.add(start, length, target(span));
        if (database) {
          queries.add(start, length, "queries");
        }
      }
    }
  }

  private static String endpoint(Span span) {
    String route = span.first("http.route", "url.path", "http.target", "http.path");
    return route.isEmpty()
        ? span.name()
        : EndpointRecorder.name(span.first("http.request.method", "http.method"), route);
  }

  private static String database(Span span) {
    String system = span.first("db.system.name", "db.system", "db.type");
    return system.isEmpty() && !span.first("sql.query", "db.statement").isEmpty() ? "sql" : system;
  }

  /** What is called: a statement without its values, or a host. */
  private static String target(Span span) {
    String system = database(span);
    if (system.isEmpty()) {
      String host =
          span.first("peer.service", "server.address", "net.peer.name", "http.host", "net.peer.ip");
      return !host.isEmpty() ? host : !span.remote().isEmpty() ? span.remote() : span.name();
    }
    String text = span.first("db.query.text", "db.statement", "sql.query", "db.query.summary");
    String plain = LITERAL.matcher(text).replaceAll("?").replaceAll("\\s+", " ").strip();
    String folded = LIST.matcher(plain).replaceAll("(?)");
    String statement = folded.isEmpty() ? span.name() : folded;
    return system
        + ": "
        + (statement.length() > LONGEST_STATEMENT
            ? statement.substring(0, LONGEST_STATEMENT) + "..."
            : statement);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    SortedMap<String, Service> services = new TreeMap<>();
    TreeSet<String> sampling = new TreeSet<>();
    String lost = "";
    try (InputStream in = intake.open(file).asText()) {
      TraceSpans.read(
          in,
          span -> {
            services.computeIfAbsent(span.service(), any -> new Service()).add(span);
            sampled(span).ifPresent(sampling::add);
          });
    } catch (JsonProcessingException e) {
      lost =
          "damaged near line %d; what stands before it was read"
              .formatted(e.getLocation() == null ? 0 : e.getLocation().getLineNr());
    }
    // A trace crosses services; the files beside it are of one.
    Map.Entry<String, Service> used =
        services.entrySet().stream()
            .max(
                Comparator.comparingLong(
                        (Map.Entry<String, Service> one) -> one.getValue().requests.requests())
                    .thenComparingDouble(one -> one.getValue().callSeconds))
            .filter(one -> one.getValue().requests.requests() > 0 || one.getValue().callSeconds > 0)
            .orElseThrow(
                () -> new IOException("no server or client span with a start and a duration"));
    into(intake, used.getValue(), new Source(file.name(), "spans"));
    notes(file.name(), services, used.getKey(), sampling).forEach(intake::note);
    return lost.isEmpty() ? Outcome.COMPLETE : Outcome.partial(lost);
  }

  /** How the trace was chosen, as far as the span says. */
  private static Optional<String> sampled(Span span) {
    if (span.first("sampler.type").equals("probabilistic")) {
      return Optional.of(span.first("sampler.param"))
          .flatMap(Table::decimal)
          .map(share -> new Ratio(share).toString());
    }
    Matcher threshold = THRESHOLD.matcher(span.first(TraceSpans.TRACE_STATE));
    if (!threshold.find()) {
      return Optional.empty();
    }
    String digits = threshold.group(1);
    double rejected = Long.parseLong(digits, 16) / Math.pow(16, digits.length());
    return Optional.of(new Ratio(1 - rejected).toString());
  }

  private static List<String> notes(
      String file, SortedMap<String, Service> services, String used, TreeSet<String> sampling) {
    String others =
        services.keySet().stream()
            .filter(name -> !name.equals(used))
            .map(name -> name.isEmpty() ? "no name" : name)
            .collect(Collectors.joining(", "));
    String sampled =
        sampling.isEmpty()
            ? file
                + " does not say how its traces were sampled: if slow or failed ones were kept"
                + " rather than others, their rate and latency are not those of all requests"
            : file
                + " has a sample of "
                + String.join(" to ", sampling)
                + " of the traces: rates are those of the sample";
    return others.isEmpty()
        ? List.of(sampled)
        : List.of(sampled, file + ": spans of " + used + " are used, the others are of " + others);
  }

  private static void into(IngestContext intake, Service service, Source source)
      throws IOException {
    TimelineBuilder timeline = intake.timeline();
    if (service.requests.requests() > 0) {
      // Without figures of the whole: of a sample, they are no load test's.
      service
          .requests
          .run(PRODUCER, new RequestStats.Builder(PRODUCER, source), source)
          .series()
          .map(series -> series.withEndpoints(intake.redactor()::redact))
          .ifPresent(timeline::requestSeries);
      timeline.signal(Signal.REQUEST_STATS, SignalState.SEEN);
    }
    MetricCollector metrics = MetricCollector.of(intake);
    for (EndpointSeries calls : service.calls.series()) {
      SortedMap<String, String> target =
          new TreeMap<>(Map.of("remote", intake.redactor().redact(calls.endpoint())));
      counters(metrics, service.calls, calls, target, source);
    }
    for (EndpointSeries queries : service.queries.series()) {
      long count = 0;
      for (Instant at : service.queries.bounds()) {
        metrics.add(QUERIES, new TreeMap<>(), at, count, source);
        count += queries.at(at).requests();
      }
    }
  }

  /** What a timer would have counted, at the bounds of each interval with any call. */
  private static void counters(
      MetricCollector metrics,
      EndpointRecorder all,
      EndpointSeries calls,
      SortedMap<String, String> target,
      Source source) {
    long count = 0;
    double seconds = 0;
    for (Instant at : all.bounds()) {
      metrics.add(CALLS, target, at, count, source);
      metrics.add(CALL_SECONDS, target, at, seconds, source);
      Slot slot = calls.at(at);
      count += slot.requests();
      seconds += slot.latencySeconds();
    }
  }
}
