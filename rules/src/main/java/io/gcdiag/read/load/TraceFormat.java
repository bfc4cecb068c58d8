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
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.load.TraceSpans.Kind;
import io.gcdiag.read.load.TraceSpans.Span;
import io.gcdiag.read.metrics.MetricCollector;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Traces in JSON or protobuf. Server spans are the requests of a service, client spans its calls by
 * host or statement: the same figures as a client's timer gives, and read as such.
 */
public final class TraceFormat extends InputFormat {

  private static final String PRODUCER = "traces";

  private static final String CALLS = "trace_client_spans_seconds";
  private static final String SERVED = "trace_served_client_spans_seconds";
  private static final String BEFORE_SERVED = "trace_before_served_client_spans_seconds";
  private static final String STEPS = "trace_internal_spans_seconds";
  private static final String QUERIES = "trace_database_spans_seconds";

  /** Stands between a database and the statement. */
  private static final String STATEMENT = ": ";

  /** Names that a note lists. */
  private static final int MOST_NAMED = 3;

  /** A statement that is longer is known by its beginning. */
  private static final int LONGEST_STATEMENT = 90;

  private static final Pattern LITERAL = Pattern.compile("'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b");

  private static final Pattern LIST = Pattern.compile("\\(\\s*\\?(?:\\s*,\\s*\\?)+\\s*\\)");

  /**
   * OpenTelemetry's consistent sampling in a trace state: the threshold, in hexadecimal digits of a
   * share of 1, or in its first form the power of one half that is kept.
   */
  private static final Pattern SAMPLED =
      Pattern.compile("\\bot=(?:[^,]*;)?(?:th:([0-9a-f]{1,14})|p:(\\d\\d?))");

  /**
   * OTLP as protobuf, also with the size of each message before it as the collector writes files:
   * field 1 of the first message, and somewhere the identifiers of a span, of 16 and 8 bytes.
   */
  private static final Pattern PROTOBUF =
      Pattern.compile("(?s)(?:\0...)?\n.*?\n\\x10.{16}\\x12\\x08.{8}.*");

  public TraceFormat() {
    super(
        "traces",
        LoadFormat.KIND,
        "traces of OpenTelemetry (JSON, protobuf), Jaeger or Zipkin (JSON)");
  }

  @Override
  public boolean recognises(FileHead head) {
    if (PROTOBUF.matcher(head.text()).matches()) {
      return true;
    }
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

  private static final class Service implements SpanTree.Service {
    private final RunRecorder requests = new RunRecorder(false);
    private final EndpointRecorder calls = new EndpointRecorder();
    private final EndpointRecorder queries = new EndpointRecorder();
    private final EndpointRecorder served = new EndpointRecorder();
    private final EndpointRecorder beforeServed = new EndpointRecorder();
    private final EndpointRecorder steps = new EndpointRecorder();
    private double callSeconds;
    private Instant first = Instant.MAX;
    private Instant last = Instant.MIN;

    /** Spans that were exported before they ended, or of a broken clock. */
    private long unused;

    /** Whether it can be used. */
    boolean add(Span span) {
      Instant start = Instant.ofEpochSecond(0, span.startNanos());
      Duration length = Duration.ofNanos(span.nanos());
      if (span.nanos() < 0 || !RunRecorder.isPossible(start)) {
        unused++;
        return false;
      }
      first = start.isBefore(first) ? start : first;
      last = start.isAfter(last) ? start : last;
      if (span.kind() == Kind.SERVER) {
        requests.add(start, length, span.failed(), endpoint(span));
      }
      return true;
    }

    @Override
    public void call(SpanTree.Node call) {
      Instant start = Instant.ofEpochSecond(0, call.start);
      callSeconds += call.nanos / 1e9;
      calls.add(start, Duration.ofNanos(call.nanos), call.name);
      if (call.name.contains(STATEMENT)) {
        queries.add(start, Duration.ofNanos(call.nanos), "queries");
      }
      if (call.isAnswered()) {
        served.add(start, Duration.ofNanos(call.served()), call.name);
        beforeServed.add(start, Duration.ofNanos(call.before()), call.name);
      }
    }

    @Override
    public void step(SpanTree.Node step, long nanos) {
      steps.add(Instant.ofEpochSecond(0, step.start), Duration.ofNanos(nanos), step.name);
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

  /** What is called: a statement without its values, or a host; empty if the span does not say. */
  private static Optional<String> target(Span span) {
    String system = database(span);
    if (system.isEmpty()) {
      String host =
          span.first("peer.service", "server.address", "net.peer.name", "http.host", "net.peer.ip");
      return Optional.of(host.isEmpty() ? span.remote() : host).filter(name -> !name.isEmpty());
    }
    String text = span.first("db.query.text", "db.statement", "sql.query", "db.query.summary");
    String plain = LITERAL.matcher(text).replaceAll("?").replaceAll("\\s+", " ").strip();
    String folded = LIST.matcher(plain).replaceAll("(?)");
    String statement = folded.isEmpty() ? span.name() : folded;
    return Optional.of(
        system
            + STATEMENT
            + (statement.length() > LONGEST_STATEMENT
                ? statement.substring(0, LONGEST_STATEMENT) + "..."
                : statement));
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    SortedMap<String, Service> services = new TreeMap<>();
    Sampling sampling = new Sampling(new TreeSet<>(), new TreeSet<>());
    String lost = "";
    SpanTree tree = new SpanTree();
    Consumer<Span> spans =
        span -> {
          Service service = services.computeIfAbsent(span.service(), any -> new Service());
          if (service.add(span)) {
            tree.add(
                new SpanTree.Node(
                    service, span, span.kind() == Kind.CLIENT ? target(span) : Optional.empty()));
          }
          sampling.add(span);
        };
    boolean binary = PROTOBUF.matcher(FileHead.of(file.bytes()).text()).matches();
    try (Unpacked in = binary ? intake.open(file) : intake.open(file).asText()) {
      if (binary) {
        new OtlpProtobuf(in, spans).read();
        lost = in.damage().orElse("");
      } else {
        TraceSpans.read(in, spans);
      }
    } catch (EOFException e) {
      lost = "cut or damaged; what stands before it was read";
    } catch (JsonProcessingException e) {
      lost =
          "damaged near line %d; what stands before it was read"
              .formatted(e.getLocation() == null ? 0 : e.getLocation().getLineNr());
    }
    tree.end();
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
    into(intake, used.getValue(), new Source(file.name(), sampling.place()));
    notes(file.name(), services, used.getKey(), sampling).forEach(intake::note);
    return lost.isEmpty() ? Outcome.COMPLETE : Outcome.partial(lost);
  }

  /**
   * Which traces were kept, as far as the spans say.
   *
   * @param shares of all, 0 to 1
   * @param policies by which the collector kept a trace when it was over
   */
  private record Sampling(TreeSet<Double> shares, TreeSet<String> policies) {

    void add(Span span) {
      sampled(span).ifPresent(shares::add);
      String policy = span.first("tailsampling.policy");
      if (!policy.isEmpty()) {
        policies.add(policy);
      }
    }

    private boolean isShare() {
      return !shares.isEmpty() && shares.first() < 1;
    }

    private String share() {
      Ratio least = new Ratio(shares.first());
      return shares.size() == 1 ? least.toString() : least + " to " + new Ratio(shares.last());
    }

    /** Beside each figure; empty where all traces were kept, or nothing says which. */
    String place() {
      return Source.SPANS + (!policies.isEmpty() ? ", tail-sampled" : isShare() ? ", sampled" : "");
    }

    Optional<String> note() {
      if (!policies.isEmpty()) {
        return Optional.of(
            " has traces that were kept for what they are (tail sampling by %s): rate and latency are not those of all requests"
                .formatted(policies.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))));
      }
      if (shares.isEmpty()) {
        return Optional.of(
            " does not say how its traces were sampled: if slow or failed ones were kept rather"
                + " than others, their rate and latency are not those of all requests");
      }
      return isShare()
          ? Optional.of(
              " has a sample of %s of the traces: rates are those of the sample".formatted(share()))
          : Optional.empty();
    }
  }

  /** The share of the traces that were kept, as far as the span says. */
  private static Optional<Double> sampled(Span span) {
    String sampler = span.first("sampler.type");
    if (sampler.equals("const")) {
      return Optional.of(1.0);
    }
    if (sampler.equals("probabilistic")) {
      return Table.decimal(span.first("sampler.param")).filter(share -> share <= 1);
    }
    Matcher state = SAMPLED.matcher(span.first(TraceSpans.TRACE_STATE));
    if (!state.find()) {
      return Optional.empty();
    }
    String digits = state.group(1);
    return Optional.of(
        digits == null
            ? Math.pow(2, -Integer.parseInt(state.group(2)))
            : 1 - Long.parseLong(digits, 16) / Math.pow(16, digits.length()));
  }

  private static List<String> notes(
      String file, SortedMap<String, Service> services, String used, Sampling sampling) {
    List<String> notes = new ArrayList<>();
    sampling.note().map(note -> file + note).ifPresent(notes::add);
    String others =
        services.keySet().stream()
            .filter(name -> !name.equals(used))
            .map(name -> name.isEmpty() ? "no name" : name)
            .collect(Collectors.joining(", "));
    if (!others.isEmpty()) {
      notes.add(file + ": spans of " + used + " are used, the others are of " + others);
    }
    long unused = services.get(used).unused;
    if (unused > 0) {
      notes.add(file + ": without a start or an end, spans left out: " + Numbers.count(unused));
    }
    return notes;
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
    Counters counters =
        new Counters(intake, MetricCollector.of(intake), service.first, service.last, source);
    counters.of(CALLS, service.calls);
    counters.of(SERVED, service.served);
    counters.seconds(BEFORE_SERVED, service.beforeServed);
    counters.of(STEPS, service.steps);
    counters.counts(QUERIES, service.queries);
  }

  /** What timers would have counted from the first to the last span. */
  private record Counters(
      IngestContext intake, MetricCollector metrics, Instant first, Instant last, Source source) {

    void of(String name, EndpointRecorder recorder) {
      counts(name, recorder);
      seconds(name, recorder);
    }

    void counts(String name, EndpointRecorder recorder) {
      add(name + "_count", recorder, Slot::requests);
    }

    void seconds(String name, EndpointRecorder recorder) {
      add(name + "_sum", recorder, Slot::latencySeconds);
    }

    private void add(String name, EndpointRecorder recorder, ToDoubleFunction<Slot> more) {
      for (EndpointSeries one : recorder.series()) {
        SortedMap<String, String> labels =
            new TreeMap<>(Map.of("remote", intake.redactor().redact(one.endpoint())));
        double value = 0;
        for (Instant at : recorder.bounds(first, last)) {
          metrics.add(name, labels, at, value, source);
          value += more.applyAsDouble(one.at(at));
        }
      }
    }
  }

  /**
   * OpenTelemetry's spans as protobuf: numbered fields that are a number or so many bytes, which
   * may be a message of such fields. The numbers of the fields are those of {@code trace.proto}.
   */
  private static final class OtlpProtobuf {
    private static final int WIRE_BITS = 3;
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED_32 = 5;

    /** The first byte of field 1 of a message; of no size of a message below 160 MiB. */
    private static final int FIRST_FIELD = 1 << WIRE_BITS | BYTES;

    /** Of a name or a value; longer ones are cut by their writers. */
    private static final int LONGEST_TEXT = 1 << 20;

    private final InputStream in;
    private final Consumer<Span> spans;
    private String service = "";

    /** Bytes read so far, and where the last field ends. */
    private long at;

    private long fieldEnd;

    /** The number of a field, and its value or its size in bytes. */
    private int field;

    private long value;

    OtlpProtobuf(InputStream in, Consumer<Span> spans) {
      this.in = new BufferedInputStream(in);
      this.spans = spans;
    }

    void read() throws IOException {
      for (int first = in.read(); first >= 0; first = in.read()) {
        at++;
        if (first == FIRST_FIELD) {
          long size = varint();
          resourceSpans(at + size);
        } else {
          fixed(Integer.BYTES - 1);
        }
      }
    }

    private void resourceSpans(long end) throws IOException {
      service = "";
      fieldEnd = at;
      while (next(end)) {
        if (field == 1) {
          Map<String, String> attributes = new HashMap<>();
          for (long resource = enter(); next(resource); ) {
            if (field == 1) {
              attribute(attributes);
            }
          }
          service = attributes.getOrDefault("service.name", "");
        } else if (field == 2) {
          for (long scope = enter(); next(scope); ) {
            if (field == 2) {
              span(enter());
            }
          }
        }
      }
    }

    private void span(long end) throws IOException {
      Map<String, String> attributes = new HashMap<>();
      String trace = "";
      String id = "";
      String parent = "";
      String name = "";
      String kind = "";
      String status = "";
      long start = 0;
      long stop = 0;
      while (next(end)) {
        switch (field) {
          case 1 -> trace = text(StandardCharsets.ISO_8859_1);
          case 2 -> id = text(StandardCharsets.ISO_8859_1);
          case 4 -> parent = text(StandardCharsets.ISO_8859_1);
          case 3 -> attributes.put(TraceSpans.TRACE_STATE, text());
          case 5 -> name = text();
          case 6 -> kind = Long.toString(value);
          case 7 -> start = value;
          case 8 -> stop = value;
          case 9 -> attribute(attributes);
          case 15 -> {
            for (long message = enter(); next(message); ) {
              status = field == 3 ? Long.toString(value) : status;
            }
          }
          default -> {
            // Events and links.
          }
        }
      }
      spans.accept(
          TraceSpans.openTelemetry(
              service, trace, id, parent, kind, name, start, stop, status, attributes));
    }

    private void attribute(Map<String, String> attributes) throws IOException {
      String key = "";
      for (long end = enter(); next(end); ) {
        if (field == 1) {
          key = text();
        } else if (field == 2) {
          for (long any = enter(); next(any); ) {
            switch (field) {
              case 1 -> attributes.put(key, text());
              case 2 -> attributes.put(key, Boolean.toString(value != 0));
              case 3 -> attributes.put(key, Long.toString(value));
              case 4 -> attributes.put(key, Double.toString(Double.longBitsToDouble(value)));
              default -> {
                // Lists.
              }
            }
          }
        }
      }
    }

    /** Reads the last field as a message, up to the end that is returned. */
    private long enter() {
      long end = fieldEnd;
      fieldEnd = at;
      return end;
    }

    /** Goes to the next field of a message that ends there, past what was not read of the last. */
    private boolean next(long end) throws IOException {
      in.skipNBytes(Math.max(0, fieldEnd - at));
      at = Math.max(at, fieldEnd);
      if (at >= end) {
        return false;
      }
      long tag = varint();
      field = (int) (tag >>> WIRE_BITS);
      int wire = (int) tag & (1 << WIRE_BITS) - 1;
      value =
          switch (wire) {
            case VARINT, BYTES -> varint();
            case FIXED_64 -> fixed(Long.BYTES);
            case FIXED_32 -> fixed(Integer.BYTES);
            default -> throw new EOFException("no field of protobuf");
          };
      fieldEnd = wire == BYTES ? at + value : at;
      if (fieldEnd > end || fieldEnd < at) {
        throw new EOFException("a field that ends behind its message");
      }
      return true;
    }

    private String text() throws IOException {
      return text(StandardCharsets.UTF_8);
    }

    private String text(Charset charset) throws IOException {
      byte[] bytes = in.readNBytes((int) Math.min(value, LONGEST_TEXT));
      at += bytes.length;
      return new String(bytes, charset);
    }

    private int one() throws IOException {
      int one = in.read();
      if (one < 0) {
        throw new EOFException();
      }
      at++;
      return one;
    }

    /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
    private long varint() throws IOException {
      long number = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        int one = one();
        number |= (long) (one & 0x7f) << shift;
        if (one < 0x80) {
          return number;
        }
      }
      throw new EOFException("a number of more than 64 bits");
    }

    /** A number in so many bytes, the lowest first. */
    private long fixed(int bytes) throws IOException {
      long number = 0;
      for (int shift = 0; shift < bytes * Byte.SIZE; shift += Byte.SIZE) {
        number |= (long) one() << shift;
      }
      return number;
    }
  }

  /**
   * Which spans of a trace are parts of which: a call inside another call of its service is one
   * with it, the span of the service that is called says how long that one took, and the time of a
   * step of a request is its own without that of its parts. Spans come in any order, and of many
   * traces at a time: only so many are kept, and what is farther apart in a file is not put
   * together.
   */
  private static final class SpanTree {

    /** Spans that are kept for others to come, about 300 bytes each. */
    private static final int MOST = 1 << 16;

    /** Damaged files have circles. */
    private static final int DEEPEST = 256;

    /** Takes the spans of a service, once what belongs to them has come. */
    interface Service {

      void call(Node call);

      /**
       * Takes a step of a request.
       *
       * @param nanos in the request, without its parts
       */
      void step(Node step, long nanos);
    }

    /** A span, with what its parts say. */
    static final class Node {
      final Service service;
      final Kind kind;
      final long start;
      final long nanos;

      /** What is called, or the span's name. */
      String name;

      /** Whether the span says what is called. */
      private boolean named;

      /** Without an id it is part of nothing that is known. */
      private final boolean identified;

      private final String key;
      private final String shared;
      private final String parent;
      private boolean linked;
      private boolean part;
      private boolean answered;
      private long inside;
      private long served;
      private long before;

      Node(Service service, TraceSpans.Span span, Optional<String> target) {
        this.service = service;
        kind = span.kind();
        start = span.startNanos();
        nanos = span.nanos();
        name = target.orElse(span.name());
        named = target.isPresent();
        identified = !span.id().isEmpty();
        shared = key(span.trace(), span.id());
        // Zipkin's spans of the two ends of a call may have one id.
        key = kind == Kind.SERVER ? ofServer(shared) : shared;
        parent = key(span.trace(), span.parent());
      }

      /** Whether a span of the service that is called is known. */
      boolean isAnswered() {
        return answered;
      }

      /** How long the service that is called took of it. */
      long served() {
        return Math.min(served, nanos);
      }

      /** How long it took until that service began, as far as clocks agree. */
      long before() {
        return Math.max(0, Math.min(before, nanos - served()));
      }

      private static String key(String trace, String id) {
        return trace + ' ' + id;
      }

      private static String ofServer(String key) {
        return key + " server";
      }
    }

    private final Map<String, Node> nodes = new LinkedHashMap<>();

    void add(Node node) {
      if (!node.identified) {
        handOver(node);
        return;
      }
      nodes.put(node.key, node);
      if (nodes.size() > MOST) {
        handOver(MOST / 2);
      }
    }

    void end() {
      handOver(nodes.size());
    }

    private void handOver(int many) {
      nodes.values().forEach(this::link);
      nodes.values().forEach(this::fold);
      List<Node> oldest = nodes.values().stream().limit(many).toList();
      oldest.forEach(this::handOver);
      oldest.forEach(node -> nodes.remove(node.key));
    }

    private void handOver(Node node) {
      if (node.kind == Kind.CLIENT && !node.part) {
        node.service.call(node);
      } else if (node.kind == Kind.INTERNAL && !node.part) {
        above(node, Kind.SERVER::equals)
            .ifPresent(request -> node.service.step(node, ownTime(node, request)));
      }
    }

    /** What goes on after the response does not delay the request. */
    private static long ownTime(Node step, Node request) {
      long end = Math.min(step.start + step.nanos, request.start + request.nanos);
      return Math.max(0, end - step.start - step.inside);
    }

    private void link(Node node) {
      if (node.linked) {
        return;
      }
      Optional<Node> over =
          node.kind == Kind.SERVER
              ? Optional.ofNullable(nodes.getOrDefault(node.shared, nodes.get(node.parent)))
              : parent(node);
      over.ifPresent(
          parent -> {
            node.linked = true;
            if (node.kind != Kind.SERVER) {
              parent.inside += node.nanos;
            } else if (parent.kind == Kind.CLIENT) {
              parent.answered = true;
              parent.served += node.nanos;
              parent.before += Math.max(0, node.start - parent.start);
            }
          });
    }

    /** The span of its service that it is a part of. */
    private Optional<Node> parent(Node node) {
      return Optional.ofNullable(nodes.get(Node.ofServer(node.parent)))
          .filter(one -> one.service == node.service)
          .or(
              () ->
                  Optional.ofNullable(nodes.get(node.parent))
                      .filter(one -> one.service == node.service && one != node));
    }

    /** The outermost span of such a kind around it, up to the request's. */
    private Optional<Node> above(Node node, Predicate<Kind> kind) {
      Optional<Node> found = Optional.empty();
      Node at = node;
      for (int depth = 0; depth < DEEPEST && at.kind != Kind.SERVER; depth++) {
        Optional<Node> next = parent(at);
        if (next.isEmpty()) {
          break;
        }
        at = next.get();
        found = kind.test(at.kind) ? next : found;
      }
      return found;
    }

    /** Gives what a part of a call says to the call. */
    private void fold(Node node) {
      if (node.kind == Kind.SERVER) {
        return;
      }
      above(node, Kind.CLIENT::equals)
          .ifPresent(
              call -> {
                node.part = true;
                if (node.kind != Kind.CLIENT) {
                  return;
                }
                if (!call.named && node.named) {
                  call.name = node.name;
                  call.named = true;
                }
                if (node.answered) {
                  call.answered = true;
                  call.served += node.served;
                  call.before += node.before + Math.max(0, node.start - call.start);
                  node.answered = false;
                }
              });
    }
  }
}
