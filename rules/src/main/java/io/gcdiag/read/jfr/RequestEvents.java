package io.gcdiag.read.jfr;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.TimedThreads;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.jfr.PoolHolds.Step;
import io.gcdiag.read.jfr.RequestEvents.Span;
import io.gcdiag.read.jfr.SlowParts.Allocated;
import io.gcdiag.read.jfr.SlowParts.Stop;
import io.gcdiag.read.jfr.WorkerTimes.Rests;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.load.RunRecorder;
import io.gcdiag.read.metrics.MetricCollector;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.ResourceText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Requests that libraries, agents and services time in events of their own. Such an event begins
 * and ends with the request; of events inside each other on one thread the outermost counts. Of
 * several libraries in one recording one is used, as they time the same requests.
 */
final class RequestEvents extends EventGroup {

  private static final String PRODUCER = "recording";

  /** Some 30 MB. A request that many others follow before it ends is counted apart from them. */
  private static final int MOST_OPEN = 500_000;

  /** Paths with values in them are as many as the requests. */
  private static final int MOST_NAMES = 10_000;

  /** A rate over less would be chance. */
  private static final Duration CLOSEST = Duration.ofMillis(500);

  /** Requests in progress for less are at the end of any recording. */
  private static final Duration LEAST_UNENDED = Duration.ofSeconds(1);

  /** Status codes from here on are failures of the server. */
  private static final long SERVER_ERROR = 500;

  /** Codes of gRPC with which a server fails; the others are errors of its clients. */
  private static final Set<String> FAILURES =
      Set.of(
          ("UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED UNIMPLEMENTED INTERNAL UNAVAILABLE"
                  + " DATA_LOSS")
              .split(" "));

  /** Datadog's tracer leaves shorter requests out ({@code EndpointEvent.endpointWritten}). */
  private static final Duration DATADOG_SHORTEST = Duration.ofMillis(10);

  private static final String DATADOG = "datadog.Endpoint";

  /**
   * Services may have async-profiler write a span only if it took a sample of its thread meanwhile
   * ({@code Span.endIfProfiled}); nothing in the recording says so, but the user may.
   */
  private static final String PROFILER = "profiler.Span";

  private static final String METHOD = "method";

  /** How often a method was called and for how long, of all time since it is timed. */
  private static final String TIMED = "jdk.MethodTiming";

  private static final List<String> TABLE =
      ResourceText.lines(RequestEvents.class, "request-events.txt");

  /** Methods that begin and end with a request; the first one that was timed counts. */
  static final List<String> ENTRIES = TABLE.stream().filter(line -> !line.contains("|")).toList();

  /** What events of libraries, agents and services time, in order of preference. */
  private enum Times {
    /** Named by the user. */
    OWN,
    /** A request, from its beginning to its end. */
    REQUESTS,
    /** Anything that a thread does, of which the outermost is most often a request. */
    SCOPES
  }

  /**
   * How a library writes them.
   *
   * @param library the same for types that time different requests
   * @param names fields of which the first one with a value names the endpoint
   * @param method the field with the HTTP method, in front of that; empty if there is none
   * @param statuses fields of which one may have the status of HTTP or gRPC
   */
  private record Kind(
      String event,
      Times times,
      String library,
      List<String> names,
      String method,
      List<String> statuses) {

    /** A line of the table; a minus stands for none. */
    static Kind of(String line) {
      String[] words = line.replace("| -", "| ").split(" *\\| ?", -1);
      return new Kind(
          words[2],
          Times.valueOf(words[0]),
          words[1],
          List.of(words[3].split(",")),
          words[4],
          List.of(words[5]));
    }

    static Kind own(String event, String field) {
      return new Kind(
          event, Times.OWN, "--request", field.isEmpty() ? NAMES : List.of(field), "", STATUSES);
    }

    /** The name of a request; empty if the event has none. */
    String name(Event event) {
      String name =
          names.stream()
              .flatMap(field -> event.text(field).or(() -> event.method(field)).stream())
              .filter(text -> !text.isBlank())
              .findFirst()
              .orElse("");
      String verb = method.isEmpty() ? "" : event.text(method).orElse("");
      return RunRecorder.name(verb, name);
    }

    boolean failed(Event event) {
      return times == Times.OWN && FLAGS.stream().anyMatch(field -> isSet(event, field))
          || statuses.stream()
              .anyMatch(
                  field ->
                      event.numberOr(field, 0) >= SERVER_ERROR
                          || event.text(field).filter(FAILURES::contains).isPresent());
    }
  }

  /** Fields in which services usually name what they serve. */
  private static final List<String> NAMES =
      List.of(
          "endpoint", "route", "uri", "path", "url", "operation", "operationName", "name", METHOD);

  /** Fields in which they have the status of the response, or whether it failed. */
  private static final List<String> STATUSES =
      List.of("status", "statusCode", "httpStatus", "responseStatus", "responseCode");

  private static final List<String> FLAGS = List.of("failed", "error", "isError");

  private static boolean isSet(Event event, String flag) {
    return event.text(flag).filter(text -> !text.isBlank() && !text.equals("false")).isPresent();
  }

  private static final List<Kind> KINDS =
      TABLE.stream().filter(line -> line.contains("|")).map(Kind::of).toList();

  /** Fields of Jeffrey's readings of a pool, and HikariCP's meters of the same. */
  private static final Map<String, String> POOL =
      Map.of(
          "active", "hikaricp_connections_active",
          "idle", "hikaricp_connections_idle",
          "max", "hikaricp_connections_max",
          "pendingThreads", "hikaricp_connections_pending");

  private static final String POOLS = "jeffrey.JdbcPoolStatistics";
  private static final String STATEMENTS = "jeffrey.Jdbc";

  private final List<Gauge> pools = new ArrayList<>();

  /** By the second in which they began. */
  private final TreeMap<Long, Long> statements = new TreeMap<>();

  private record Gauge(String meter, String pool, Instant at, long value) {}

  private final ThreadSpans<Step> steps;
  private final ThreadSpans<Allocated> allocations;
  private final WorkerTimes workers;

  /** The end of the latest park of a thread that nothing ended but its own timeout. */
  private final Map<Long, Long> timedOut = new HashMap<>();

  private final Map<String, Spans> spans = new LinkedHashMap<>();

  private final Map<String, TreeMap<Instant, Reading>> readings = new TreeMap<>();

  /**
   * What was counted up to a moment.
   *
   * @param seconds how long they took together
   */
  private record Reading(long calls, double seconds) {}

  /**
   * Reads known events, and those that the user names.
   *
   * @param steps what threads did meanwhile
   * @param allocations what they allocated
   * @param workers when they rested
   * @param own by type the field that names the endpoint; empty for one of the usual names
   */
  RequestEvents(
      LaneContext lane,
      ThreadSpans<Step> steps,
      ThreadSpans<Allocated> allocations,
      WorkerTimes workers,
      Map<String, String> own) {
    super(lane);
    this.steps = steps;
    this.allocations = allocations;
    this.workers = workers;
    own.forEach((event, field) -> add(Kind.own(event, field)));
    KINDS.stream().filter(kind -> !own.containsKey(kind.event())).forEach(this::add);
    on(TIMED, this::read);
    on("jdk.ThreadPark", this::parked);
    on(POOLS, this::pool);
    for (String verb : "Query Insert Update Delete Execute Stream".split(" ")) {
      on(
          STATEMENTS + verb,
          event -> statements.merge(event.start().getEpochSecond(), 1L, Long::sum));
    }
  }

  private void pool(Event event) {
    String pool = redactor.redact(event.text("poolName").orElse(""));
    POOL.forEach(
        (field, meter) ->
            event
                .number(field)
                .ifPresent(value -> pools.add(new Gauge(meter, pool, event.start(), value))));
  }

  /** Their number, as a counter; their time is that of calls, which the JVM's events have. */
  private void meters(MetricCollector metrics) {
    pools.forEach(
        one ->
            metrics.add(
                one.meter(),
                new TreeMap<>(Map.of("pool", one.pool())),
                one.at(),
                one.value(),
                source(POOLS)));
    long count = 0;
    long last = statements.isEmpty() ? -1 : statements.lastKey() + 1;
    for (long at = statements.isEmpty() ? 0 : statements.firstKey(); at <= last; at++) {
      metrics.add(
          "jdbc_query_seconds_count",
          new TreeMap<>(),
          Instant.ofEpochSecond(at),
          count,
          source(STATEMENTS + "Query"));
      count += statements.getOrDefault(at, 0L);
    }
  }

  private void parked(Event event) {
    long asked = event.numberOr("timeout", 0);
    if (asked > 0 && event.lengthNanos() >= asked) {
      event
          .thread()
          .ifPresent(thread -> timedOut.put(thread.id(), event.startNanos() + event.lengthNanos()));
    }
  }

  private void read(Event event) {
    if (isEntry(event)) {
      long calls = event.numberOr("invocations", 0);
      double seconds = calls * Durations.seconds(event.duration("average"));
      // Of overloaded methods the one that calls the other takes longer.
      readings
          .computeIfAbsent(event.method(METHOD).orElseThrow(), any -> new TreeMap<>())
          .merge(
              event.start(),
              new Reading(calls, seconds),
              (one, other) -> one.seconds() < other.seconds() ? other : one);
    }
  }

  private void add(Kind kind) {
    Spans of = spans.computeIfAbsent(kind.library(), any -> new Spans(kind.times()));
    on(kind.event(), event -> see(kind, of, event));
  }

  private static void see(Kind kind, Spans of, Event event) {
    // Of a request that began before the recording, or of which only the end was marked, the length
    // is unknown: the JVM writes none.
    if (event.lengthNanos() == 0) {
      of.endsAlone |= kind.event().equals(DATADOG);
      return;
    }
    // Who traces methods names any that interest him; those of a server are requests.
    if (kind.times() == Times.OWN || !kind.event().equals("jdk.MethodTrace") || isEntry(event)) {
      of.add(kind, event);
    }
  }

  private static boolean isEntry(Event event) {
    return event.method(METHOD).filter(ENTRIES::contains).isPresent();
  }

  /** One request, or a part of one; in nanoseconds, the start since 1970. */
  record Span(long thread, String threads, long start, long length, String name, boolean failed) {
    long end() {
      return start + length;
    }
  }

  private record Served(long requests, long until) {
    Served plus(Served more) {
      return new Served(requests + more.requests, Math.max(until, more.until));
    }
  }

  private static final class Spans {
    private final Times times;
    private final Set<Kind> kinds = new LinkedHashSet<>();
    private final RunRecorder outermost = new RunRecorder(false);
    private List<Span> open = new ArrayList<>();

    /** The last that were counted: all, unless there are very many. */
    private List<Span> counted = List.of();

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, String> groups = new HashMap<>();

    private final Map<String, Long> byThreads = new TreeMap<>();

    /** By thread: how many requests, and the end of the last one. */
    private final Map<Long, Served> served = new HashMap<>();

    /** Whether Datadog's tracer marked the ends of requests. */
    private boolean endsAlone;

    private long crossing;
    private long unended;
    private long seen;
    private long shortest = Long.MAX_VALUE;

    Spans(Times times) {
      this.times = times;
    }

    void add(Kind kind, Event event) {
      kinds.add(kind);
      seen++;
      shortest = Math.min(shortest, event.lengthNanos());
      // Without a thread none is inside another.
      long thread = event.thread().map(EventThread::id).orElse(-seen);
      String threads =
          remembered(groups, event.thread().map(EventThread::name).orElse(""), ThreadNames::group);
      String name = remembered(names, kind.name(event), UnaryOperator.identity());
      open.add(
          new Span(
              thread, threads, event.startNanos(), event.lengthNanos(), name, kind.failed(event)));
      if (open.size() >= MOST_OPEN) {
        count();
      }
    }

    private static String remembered(
        Map<String, String> known, String text, UnaryOperator<String> meaning) {
      if (known.size() >= MOST_NAMES) {
        known.clear();
      }
      return known.computeIfAbsent(text, meaning);
    }

    /**
     * Counts those that are inside no other one of their thread. Where they overlap without being
     * inside each other, they end on threads that serve many at a time, and inside another means
     * nothing.
     */
    void count() {
      open.sort(
          Comparator.comparingLong(Span::thread)
              .thenComparingLong(Span::start)
              .thenComparing(Comparator.comparingLong(Span::length).reversed()));
      List<Span> outer = new ArrayList<>();
      for (Span span : open) {
        Span last = outer.isEmpty() ? span : outer.get(outer.size() - 1);
        boolean apart = outer.isEmpty() || last.thread() != span.thread();
        if (apart || span.end() > last.end()) {
          crossing += !apart && span.start() < last.end() ? 1 : 0;
          outer.add(span);
        }
      }
      counted = onOwnThreads() ? outer : open;
      for (Span span : counted) {
        outermost.add(
            Instant.ofEpochSecond(0, span.start()),
            Duration.ofNanos(span.length()),
            span.failed(),
            span.name());
        byThreads.merge(span.threads(), 1L, Long::sum);
        served.merge(span.thread(), new Served(1, span.end()), Served::plus);
      }
      open = new ArrayList<>();
    }

    boolean onOwnThreads() {
      return crossing <= Policy.NEGLIGIBLE * seen;
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    // What requests there are is known only when all recordings are read: see tell.
  }

  /** Hands on the requests; those of several recordings of one JVM are one series. */
  void tell(IngestContext intake, RecordedSettings settings, Optional<Window> span) {
    spans.forEach(
        (library, of) -> {
          of.count();
          if (of.outermost.requests() > 0) {
            span.filter(any -> of.onOwnThreads()).ifPresent(all -> unended(of, all.to()));
            All.of(intake).add(library, file, of, settings, slow(of, intake, settings));
          } else if (of.endsAlone) {
            intake.note(
                "requests have no duration with Datadog's native profiler ("
                    + DATADOG
                    + "), and are not used: record with -Ddd.profiling.ddprof.enabled=false");
          }
        });
    meters(MetricCollector.of(intake));
    readings.forEach((method, of) -> All.of(intake).add(method, of, source(TIMED)));
  }

  /**
   * Adds the requests that had not ended with the recording, of which no event is written: a thread
   * was given work after its last request, and no request of it has ended since. They count as long
   * as they had lasted. Only where threads rest no more often than they serve: those of some
   * servers are also woken for nothing.
   */
  private void unended(Spans of, Instant end) {
    long last = ThreadSpans.nanos(end);
    long requests = 0;
    long rests = 0;
    List<Long> since = new ArrayList<>();
    for (Map.Entry<Long, Served> one : of.served.entrySet()) {
      Optional<Rests> rested = workers.rests(one.getKey());
      requests += one.getValue().requests();
      rests += rested.map(Rests::count).orElse(0L);
      rested
          .map(Rests::until)
          .filter(from -> from >= one.getValue().until() && last - from >= LEAST_UNENDED.toNanos())
          .filter(from -> !from.equals(timedOut.get(one.getKey())))
          .ifPresent(since::add);
    }
    if (since.size() >= Policy.FEWEST_QUEUED
        && rests - since.size() <= (1 + Policy.NOTABLE) * requests) {
      since.forEach(
          from ->
              of.outermost.add(
                  Instant.ofEpochSecond(0, from), Duration.ofNanos(last - from), false, ""));
      of.unended = since.size();
    }
  }

  /** What their threads did; not of requests that share a thread. */
  private Optional<SlowRequests> slow(Spans of, IngestContext intake, RecordedSettings settings) {
    Source source = source(of.kinds.iterator().next().event());
    return Optional.of(
            new SlowParts(
                steps,
                allocations,
                Stop.of(intake.timeline().pauses(file), intake.timeline().safepoints(file)),
                ThreadSampleEvents.seconds(settings.period(ThreadSampleEvents.JAVA)),
                frames))
        .filter(any -> of.onOwnThreads())
        .flatMap(parts -> parts.of(of.counted, source));
  }

  private static final class All {
    private final Map<String, Library> libraries = new LinkedHashMap<>();
    private final Map<String, TreeMap<Instant, Reading>> readings = new TreeMap<>();
    private Optional<Source> timed = Optional.empty();

    static All of(IngestContext intake) {
      return intake.shared(
          All.class,
          () -> {
            All all = new All();
            intake.afterRecordings(clocks -> all.tell(intake));
            return all;
          });
    }

    void add(
        String library,
        String file,
        Spans of,
        RecordedSettings settings,
        Optional<SlowRequests> slow) {
      String event = of.kinds.iterator().next().event();
      libraries
          .computeIfAbsent(library, any -> new Library(of.times, new Source(file, event)))
          .add(of, settings, slow);
    }

    private void tell(IngestContext intake) {
      Optional<Library> best =
          libraries.values().stream()
              .filter(library -> library.isWhole(intake))
              .min(
                  Comparator.comparing((Library library) -> library.times)
                      .thenComparing(
                          library -> library.requests.requests(), Comparator.reverseOrder()));
      List<RequestInterval> means = means();
      // Means of requests are better than every detail of what may be parts of them.
      if (best.filter(library -> library.times != Times.SCOPES).isEmpty() && !means.isEmpty()) {
        intake
            .timeline()
            .requestSeries(
                new RequestSeries(PRODUCER, means.get(0).length(), means, timed.orElseThrow()))
            .signal(Signal.REQUEST_STATS, SignalState.SEEN);
      } else {
        best.ifPresent(library -> library.tell(intake));
      }
    }

    void add(String method, TreeMap<Instant, Reading> more, Source source) {
      readings.computeIfAbsent(method, any -> new TreeMap<>()).putAll(more);
      timed = timed.or(() -> Optional.of(source));
    }

    /** Of the outermost method: a mean latency for each time between two readings. */
    private List<RequestInterval> means() {
      return ENTRIES.stream()
          .filter(readings::containsKey)
          .findFirst()
          .map(method -> means(readings.get(method)))
          .orElse(List.of());
    }

    private static List<RequestInterval> means(TreeMap<Instant, Reading> readings) {
      List<RequestInterval> intervals = new ArrayList<>();
      Instant last = readings.firstKey();
      for (Instant at : readings.keySet()) {
        Duration length = Duration.between(last, at);
        Reading from = readings.get(last);
        Reading to = readings.get(at);
        // A chunk ends with a reading beside the regular ones.
        if (length.compareTo(CLOSEST) >= 0) {
          // Fewer than before: the recording, and with it the count, began anew.
          if (to.calls() >= from.calls() && to.seconds() >= from.seconds()) {
            long calls = to.calls() - from.calls();
            double seconds = to.seconds() - from.seconds();
            intervals.add(
                new RequestInterval(last, length, calls, 0, Latencies.ofTotal(calls, seconds)));
          }
          last = at;
        }
      }
      return intervals;
    }
  }

  private static final class Library {
    private final Times times;
    private final Source source;
    private final RunRecorder requests = new RunRecorder(false);
    private Duration least = Duration.ZERO;
    private boolean sampled;
    private final Map<String, Long> byThreads = new TreeMap<>();
    private final List<SlowRequests> slow = new ArrayList<>();
    private boolean onOwnThreads = true;
    private long seen;
    private long unended;

    Library(Times times, Source source) {
      this.times = times;
      this.source = source;
    }

    void add(Spans of, RecordedSettings settings, Optional<SlowRequests> part) {
      part.ifPresent(slow::add);
      requests.addAll(of.outermost);
      for (Kind kind : of.kinds) {
        least = max(least, least(kind, of, settings));
        sampled |=
            settings.sampled(kind.event())
                || mayNeedSample(kind, settings) && !settings.byTheWall();
      }
      of.byThreads.forEach((threads, count) -> byThreads.merge(threads, count, Long::sum));
      onOwnThreads &= of.onOwnThreads();
      seen += of.seen;
      unended += of.unended;
    }

    private static boolean mayNeedSample(Kind kind, RecordedSettings settings) {
      return kind.event().equals(PROFILER)
          && kind.times() != Times.OWN
          && settings.byAsyncProfiler();
    }

    /** Requests shorter than this are not in the recording. */
    private static Duration least(Kind kind, Spans of, RecordedSettings settings) {
      Duration set = settings.threshold(kind.event()).orElse(Duration.ZERO);
      if (kind.event().equals(DATADOG) && of.shortest >= DATADOG_SHORTEST.toNanos()) {
        return max(set, DATADOG_SHORTEST);
      }
      return mayNeedSample(kind, settings) ? max(set, settings.wallPeriod()) : set;
    }

    private static Duration max(Duration one, Duration other) {
      return one.compareTo(other) < 0 ? other : one;
    }

    private String named() {
      return source.file() + ": " + source.place();
    }

    /**
     * Whether the recorded requests can stand for all of them. If some are left out for being
     * short, as many are assumed below the limit as are between once and twice the limit, and they
     * must be few all the time: else a service that becomes slow seems to get more requests.
     */
    boolean isWhole(IngestContext intake) {
      if (sampled) {
        intake.note(
            named()
                + " was sampled: how many requests there were is unknown, so its %s are not used%s"
                    .formatted(Numbers.count(requests.requests()), unlessAll()));
        return false;
      }
      if (least.isZero()) {
        return true;
      }
      List<RequestInterval> intervals = requests.series(PRODUCER, source).intervals();
      Latencies all =
          intervals.stream()
              .map(RequestInterval::latencies)
              .reduce(Latencies.none(), Latencies::plus);
      long empty = intervals.stream().filter(interval -> interval.requests() == 0).count();
      boolean whole =
          all.upTo(least.multipliedBy(2)) <= Policy.NOTABLE * all.count()
              && empty <= (1 - Policy.COVERED) * intervals.size();
      intake.note(
          "%s leaves out requests shorter than %s%s"
              .formatted(
                  named(),
                  Durations.format(least),
                  whole ? "" : ", which are many: its latencies are not used" + unlessAll()));
      return whole;
    }

    private String unlessAll() {
      return source.place().equals(PROFILER)
          ? "; if the service ends each span with Span.end, not endIfProfiled, none is missing: say"
              + " --request "
              + PROFILER
              + ":tag"
          : "";
    }

    void tell(IngestContext intake) {
      TimelineBuilder timeline = intake.timeline();
      RequestSeries series = requests.series(PRODUCER, source);
      timeline.requestSeries(series.withEndpoints(intake.redactor()::redact));
      timeline.signal(Signal.REQUEST_STATS, SignalState.SEEN);
      slow.forEach(timeline::sample);
      if (onOwnThreads) {
        // Few of them may be jobs, health checks or tests of the service's own.
        byThreads.forEach(
            (threads, count) -> {
              if (!threads.isBlank() && count >= Policy.NOTABLE * requests.requests()) {
                timeline.sample(
                    new TimedThreads(series.intervals().get(0).from(), threads, source.place()));
              }
            });
      }
      if (unended > 0) {
        intake.note(
            named()
                + ": %s had not ended with the recording, by threads that were given work: they count as long as they had lasted"
                    .formatted(Numbers.counted(unended, "request")));
      }
      if (times == Times.SCOPES) {
        intake.note(
            named()
                + ": the outermost of its spans are taken for requests; if they are parts of them,"
                + " name the event that times requests (--request)");
      }
      if (!onOwnThreads) {
        intake.note(
            named()
                + " ends on threads with several requests at a time: each of its events counts"
                + " as a request");
      } else if (seen > requests.requests() - unended) {
        intake.note(
            "%s: %s events, of which %s are inside another one of their thread and not counted"
                .formatted(
                    named(),
                    Numbers.count(seen),
                    Numbers.count(seen + unended - requests.requests())));
      }
    }
  }
}
