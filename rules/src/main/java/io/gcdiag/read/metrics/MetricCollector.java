package io.gcdiag.read.metrics;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.CredibleTime;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.units.Durations;
import io.gcdiag.units.ResourceText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Collects the samples of all metric files of one analysis: scrapes saved one by one make one
 * series together. Series that differ only in labels that no rule asks for (cause of a collection,
 * memory pool, address of a request) are added up.
 */
public final class MetricCollector {

  /** No service has as many; the export of a whole fleet is cut here, and the report says so. */
  static final int MOST_SERIES = 20_000;

  static final int MOST_POINTS = 4_000_000;

  /** Series that differ in one of these labels must not be added up. */
  private static final Set<String> TELLING =
      Set.of(
          "pool",
          "name",
          "httpclient",
          "quantile",
          "instance",
          "pod",
          "pool_name",
          "cluster_id",
          "part",
          "device");

  /** Labels of a service and its machine, as Prometheus, Micrometer and OpenTelemetry have them. */
  private static final List<String> SERVICE =
      List.of("instance", "pod", "job", "application", "service", "service_name");

  /** Labels of what calls go to, as Micrometer and OpenTelemetry have them. */
  private static final Set<String> CALLED =
      Set.of(
          "client_name",
          "clientName",
          "server_address",
          "cluster_id",
          "remote",
          "db_system_name",
          "db_system",
          "jdbc_datasource_name");

  private static final Set<MetricMeaning> OF_CALLS =
      EnumSet.range(MetricMeaning.QUERIES, MetricMeaning.STEP_SECONDS);

  /** Of several of these the greatest counts, not the sum. */
  private static final Set<MetricMeaning> MAXIMA =
      EnumSet.of(
          MetricMeaning.GC_LONGEST_PAUSE,
          MetricMeaning.POOL_LONGEST_ACQUIRE,
          MetricMeaning.POOL_LONGEST_USAGE,
          MetricMeaning.LATENCY);

  /** Requests of the monitoring itself, which no user sent. */
  private static final List<String> MONITORING = List.of("/actuator", "/metrics", "/q/metrics");

  private static final List<String> COUNTERS = List.of("_total", "_count", "_sum", "_bucket");

  /** Names that people give to the result of a query. */
  private static final Map<MetricMeaning, Pattern> NAMED_SO =
      Map.of(
          MetricMeaning.LATENCY,
          Pattern.compile("(?i)(?:^|[^a-z0-9])p\\d{2,4}(?![0-9])"),
          MetricMeaning.REQUEST_RATE,
          Pattern.compile(
              "(?i)(?:^|[^a-z])(?:rps|qps|tps)(?![a-z])|http.*requests?.*rate|throughput"));

  /** Series without a meaning that a note names. */
  private static final int MOST_SHOWN = 2;

  private static final String SECONDS = "s";

  /** The label of a bucket's upper bound. */
  private static final String BOUND = "le";

  /** The end of the label of a GC's cause, as Micrometer and OpenTelemetry have it. */
  private static final String CAUSE = "cause";

  /** The label of a bucket that counts its own range alone, as VictoriaMetrics has it. */
  static final String RANGE = "vmrange";

  /** Read with the first sample: most analyses have no metrics. */
  private static final Lazy<MetricNames> NAMES = new Lazy<>(MetricNames::standard);

  private final Map<String, MetricMeaning> named;
  private final Map<Key, Raw> series = new LinkedHashMap<>();
  private final Map<String, Integer> machines = new HashMap<>();
  private int points;
  private boolean full;

  private record Key(String name, SortedMap<String, String> labels) {}

  private static final class Raw {
    private final MetricNames.Known known;
    private final boolean counter;
    private final Source source;
    private final TreeMap<Instant, Double> values = new TreeMap<>();

    /** Whether values came with their unit. */
    private boolean unitSaid;

    private Raw(MetricNames.Known known, boolean counter, Source source) {
      this.known = known;
      this.counter = counter;
      this.source = source;
    }
  }

  private record Group(
      MetricMeaning meaning, String name, SortedMap<String, String> labels, boolean counter) {}

  /** The one of an analysis; what belongs together may stand in several files. */
  public static MetricCollector of(IngestContext intake) {
    return intake.shared(
        MetricCollector.class, () -> new MetricCollector(intake.options().meanings()));
  }

  /** The meanings that the user gave by name of series go before those known. */
  MetricCollector(Map<String, MetricMeaning> named) {
    this.named = Map.copyOf(named);
  }

  /** Takes one sample, unless it is no finite number: exporters write NaN for "no value". */
  public void add(
      String name, SortedMap<String, String> labels, Instant at, double value, Source source) {
    keep(name, labels, at, value, source, false);
  }

  /** The same of a value in seconds, bytes or shares of one, whatever the name says. */
  void addConverted(
      String name, SortedMap<String, String> labels, Instant at, double value, Source source) {
    keep(name, labels, at, value, source, true);
  }

  private void keep(
      String name,
      SortedMap<String, String> labels,
      Instant at,
      double value,
      Source source,
      boolean converted) {
    if (!Double.isFinite(value)
        || !CredibleTime.is(at)
        || MONITORING.stream().anyMatch(RequestScrapes.path(labels)::startsWith)) {
      return;
    }
    Key key = new Key(name, labels);
    Raw raw = series.get(key);
    // A series that is begun has a value.
    if (points >= MOST_POINTS || raw == null && series.size() >= MOST_SERIES) {
      full = true;
      return;
    }
    if (raw == null) {
      raw =
          new Raw(
              known(name, labels),
              COUNTERS.stream().anyMatch(name.replaceAll("[^A-Za-z0-9]", "_")::endsWith),
              source);
      series.put(key, raw);
    }
    raw.unitSaid |= converted;
    boolean asItIs = converted || raw.known.meaning() == MetricMeaning.REQUEST_BUCKET;
    if (raw.values.put(at, asItIs ? value : value * raw.known.factor()) == null) {
      points++;
    }
  }

  private MetricNames.Known known(String name, SortedMap<String, String> labels) {
    return Optional.ofNullable(named.get(name))
        .map(
            meaning ->
                new MetricNames.Known(
                    meaning, meaning.unit().equals(SECONDS) ? TimeUnits.factor(name).orElse(1) : 1))
        .orElseGet(() -> NAMES.get().lookup(name, labels));
  }

  /** Times that the user named and of which nothing says the unit: they are taken for seconds. */
  public List<String> timesWithoutUnit() {
    return series.entrySet().stream()
        .filter(entry -> named.containsKey(entry.getKey().name()))
        .filter(entry -> entry.getValue().known.meaning().unit().equals(SECONDS))
        .filter(entry -> !entry.getValue().unitSaid)
        .map(entry -> entry.getKey().name())
        .filter(name -> TimeUnits.factor(name).isEmpty())
        .distinct()
        .toList();
  }

  /**
   * How a file was read, with the option for what is not used: where that is all of it, or where a
   * name says that a series is a rate or a percentile of requests and there is no other one.
   */
  public InputReport withUnused(InputReport report) {
    List<Map.Entry<Key, Raw>> own =
        series.entrySet().stream()
            .filter(one -> one.getValue().source.file().equals(report.file()))
            .toList();
    List<String> unknown =
        own.stream()
            .filter(one -> one.getValue().known.meaning() == MetricMeaning.OTHER)
            .map(one -> one.getKey().name())
            .distinct()
            .toList();
    long names = own.stream().map(one -> one.getKey().name()).distinct().count();
    List<String> named =
        unknown.stream().filter(name -> unknown.size() == names || isMissing(name)).toList();
    if (!report.note().isEmpty() || named.isEmpty()) {
      return report;
    }
    List<String> known = named.stream().filter(name -> told(name).isPresent()).toList();
    List<String> shown = known.isEmpty() ? named.subList(0, 1) : known;
    shown = shown.subList(0, Math.min(shown.size(), MOST_SHOWN));
    int more = named.size() - shown.size();
    return new InputReport(
        report.file(),
        report.format(),
        report.status(),
        String.join(", ", shown)
            + (more == 0 ? "" : " and " + more + " more")
            + InputReport.NOT_USED
            + (known.isEmpty()
                ? "--map SERIES=MEANING states what one measures"
                : "add "
                    + shown.stream()
                        .map(name -> "--map " + quoted(name + "=" + told(name).orElseThrow().id()))
                        .collect(Collectors.joining(" "))),
        Remark.NEEDS_MEANING);
  }

  /**
   * Whether a series by its name is a latency or a rate of requests, and no other series is one.
   */
  private boolean isMissing(String name) {
    return told(name).isPresent()
        && series.values().stream()
            .map(raw -> raw.known.meaning())
            .noneMatch(one -> OF_REQUESTS.contains(one) || one == MetricMeaning.LATENCY);
  }

  /** As a shell takes it for one word. */
  private static String quoted(String word) {
    return word.matches("[\\w.:=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static Optional<MetricMeaning> told(String name) {
    return NAMED_SO.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .filter(one -> one.getValue().matcher(name).find())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  boolean isEmpty() {
    return series.isEmpty();
  }

  boolean isFull() {
    return full;
  }

  /** What was collected, added up; histograms of requests are in {@link #requests()}. */
  public List<MetricSeries> series() {
    Map<Group, List<Raw>> groups = new LinkedHashMap<>();
    series.forEach(
        (key, raw) -> {
          MetricMeaning own = raw.known.meaning();
          boolean full = own == MetricMeaning.FULL_GC_SECONDS; // these are pauses like all others
          for (MetricMeaning one :
              full ? List.of(own, MetricMeaning.GC_PAUSE_SECONDS) : List.of(own)) {
            if (one != MetricMeaning.REQUEST_BUCKET) {
              groups.computeIfAbsent(group(key, raw, one), any -> new ArrayList<>()).add(raw);
            }
          }
        });
    List<MetricSeries> result = new ArrayList<>();
    groups.forEach(
        (group, members) ->
            result.add(
                new MetricSeries(
                    group.name(),
                    group.labels(),
                    group.meaning(),
                    group.counter(),
                    together(members, group),
                    members.get(0).source)));
    return result;
  }

  private Group group(Key key, Raw raw, MetricMeaning meaning) {
    // Containers and the pod they are in are counted side by side.
    boolean other = meaning == MetricMeaning.OTHER || meaning.ofContainer();
    TreeMap<String, String> kept = new TreeMap<>();
    key.labels()
        .forEach(
            (label, value) -> {
              if (MetricSeries.MACHINE_LABELS.contains(label)) {
                kept.put(
                    label,
                    String.valueOf(machines.computeIfAbsent(value, any -> machines.size() + 1)));
              } else if ((other
                      || TELLING.contains(label)
                      || OF_CALLS.contains(meaning) && CALLED.contains(label)
                      || meaning == MetricMeaning.FULL_GC_SECONDS && label.endsWith(CAUSE))
                  && !label.equals("job")) {
                kept.put(label, value);
              }
            });
    return new Group(meaning, key.name(), kept, raw.counter);
  }

  /**
   * The sum; of what is a maximum already, the greatest. A counter that shows up late was zero
   * before; a gauge that is gone is no longer there.
   */
  private static List<Point> together(List<Raw> members, Group group) {
    boolean maximum = MAXIMA.contains(group.meaning());
    TreeSet<Instant> times = new TreeSet<>();
    members.forEach(member -> times.addAll(member.values.keySet()));
    List<Point> points = new ArrayList<>();
    for (Instant at : times) {
      double total = 0;
      for (Raw member : members) {
        Map.Entry<Instant, Double> value = member.values.floorEntry(at);
        if (value != null && (group.counter() || value.getKey().equals(at))) {
          total = maximum ? Math.max(total, value.getValue()) : total + value.getValue();
        }
      }
      points.add(new Point(at, total));
    }
    return points;
  }

  /** What a series of requests is made of, and so where its figures were read. */
  private static final Set<MetricMeaning> OF_REQUESTS =
      EnumSet.of(MetricMeaning.REQUESTS, MetricMeaning.REQUEST_BUCKET, MetricMeaning.REQUEST_RATE);

  /** The service and machine of requests; within these they are added up. */
  private static String service(Map<String, String> labels) {
    return SERVICE.stream().map(label -> labels.getOrDefault(label, "")).toList().toString();
  }

  /**
   * Requests over time, one for each service on a machine whose scraped histogram or counter was
   * collected.
   */
  public List<RequestSeries> requests() {
    Map<String, RequestScrapes> byMachine = new TreeMap<>();
    series.forEach(
        (key, raw) -> {
          if (!OF_REQUESTS.contains(raw.known.meaning())) {
            return;
          }
          byMachine
              .computeIfAbsent(service(key.labels()), any -> new RequestScrapes(raw.source))
              .add(raw.known.meaning(), inSeconds(key.labels(), raw.known), raw.values);
        });
    series.forEach(
        (key, raw) -> {
          RequestScrapes requests = byMachine.get(service(key.labels()));
          if (requests != null && raw.known.meaning() == MetricMeaning.REQUEST_SECONDS) {
            requests.add(MetricMeaning.REQUEST_SECONDS, key.labels(), raw.values);
          }
        });
    return byMachine.values().stream()
        .map(RequestScrapes::series)
        .flatMap(Optional::stream)
        .toList();
  }

  /** The bound of a bucket is a latency. */
  private static Map<String, String> inSeconds(
      SortedMap<String, String> labels, MetricNames.Known known) {
    double bound = MetricFiles.number(labels.getOrDefault(BOUND, "")) * known.factor();
    if (known.factor() == 1 || !Double.isFinite(bound)) {
      return labels;
    }
    Map<String, String> seconds = new TreeMap<>(labels);
    seconds.put(BOUND, String.valueOf(bound));
    return seconds;
  }

  /** Units of time at the end of a series' name: {@code p95_ms}, {@code latency (seconds)}. */
  static final class TimeUnits {

    /** {@code latency_ms}, {@code latency.ms}, {@code latency [ms]}; {@code latencyMs}. */
    private static final Pattern LAST_WORD =
        Pattern.compile("(?:[^A-Za-z]|(?<=[a-z0-9])(?=[A-Z]))([A-Za-z]+)\\W*$");

    /** What brings values to seconds; absent if the name says no unit. */
    static OptionalDouble factor(String name) {
      Matcher last = LAST_WORD.matcher(name);
      return switch (last.find() ? last.group(1).toLowerCase(Locale.ROOT) : "") {
        case "ns", "nanos", "nanoseconds" -> OptionalDouble.of(1e-9);
        case "us", "micros", "microseconds" -> OptionalDouble.of(1e-6);
        case "ms", "millis", "milliseconds" -> OptionalDouble.of(1e-3);
        case "s", "sec", "secs", "seconds" -> OptionalDouble.of(1);
        case "min", "minutes" -> OptionalDouble.of(60);
        default -> OptionalDouble.empty();
      };
    }
  }

  /** What the names of exporters' series mean; kept in the readable file {@value #RESOURCE}. */
  static final class MetricNames {

    static final String RESOURCE = "metric-names.txt";

    private final Map<String, List<Entry>> byName = new HashMap<>();

    /**
     * What a series measures.
     *
     * @param factor brings its values to the meaning's unit
     */
    record Known(MetricMeaning meaning, double factor) {}

    private record Entry(Map<String, String> labels, Known known) {}

    private static final Known UNKNOWN = new Known(MetricMeaning.OTHER, 1);

    private MetricNames() {}

    static MetricNames standard() {
      MetricNames names = new MetricNames();
      ResourceText.lines(MetricNames.class, RESOURCE)
          .forEach(line -> names.add(line.trim().split(" +")));
      return names;
    }

    private void add(String[] words) {
      Map<String, String> labels = new HashMap<>();
      double factor = 1;
      for (int i = 2; i < words.length; i++) {
        if (words[i].startsWith("*")) {
          factor = Double.parseDouble(words[i].substring(1));
        } else {
          String[] label = words[i].split("=", 2);
          labels.put(label[0], label[1]);
        }
      }
      Known known = new Known(MetricMeaning.valueOf(words[0]), factor);
      byName.computeIfAbsent(words[1], name -> new ArrayList<>()).add(new Entry(labels, known));
    }

    /** What a series measures; {@link MetricMeaning#OTHER} if its name says nothing to us. */
    Known lookup(String name, Map<String, String> labels) {
      return byName.getOrDefault(normal(name), List.of()).stream()
          .filter(
              entry ->
                  entry.labels().entrySet().stream()
                      .allMatch(
                          label ->
                              label
                                  .getValue()
                                  .equals(normal(labels.getOrDefault(label.getKey(), "")))))
          .map(Entry::known)
          .findFirst()
          .orElse(UNKNOWN);
    }

    private static String normal(String name) {
      return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
    }
  }

  /**
   * Requests over time from counters that were scraped again and again: what a counter grew by from
   * one scrape to the next happened between the two.
   */
  static final class RequestScrapes {

    private static final int MOST_ENDPOINTS = 100;

    /** A gap longer than this many usual ones is one where scrapes are missing. */
    private static final double GAP = 1.5;

    /**
     * Scrapes closer than this are one look, such as by two hands: no server is asked that often,
     * and a rate over less would be chance.
     */
    private static final Duration CLOSEST = Duration.ofSeconds(1);

    private final Source source;

    /** Upper bound in seconds to the cumulative count by time; infinity is every request. */
    private final TreeMap<Double, TreeMap<Instant, Double>> buckets = new TreeMap<>();

    /** The same of buckets that count their own range alone. */
    private final TreeMap<Double, TreeMap<Instant, Double>> ranges = new TreeMap<>();

    private final TreeMap<Instant, Double> all = new TreeMap<>();
    private final TreeMap<Instant, Double> failed = new TreeMap<>();

    /** The same by a rate that was exported in place of a counter. */
    private final TreeMap<Instant, Double> rated = new TreeMap<>();

    /**
     * The seconds that all of them took, and of which counters: those of the requests, or others.
     */
    private final TreeMap<Instant, Double> took = new TreeMap<>();

    private final Set<Map<String, String>> counted = new HashSet<>();
    private final Set<Map<String, String>> timed = new HashSet<>();

    /** The number of requests by endpoint and time, and the seconds that they took. */
    private final Map<String, TreeMap<Instant, Double>> counts = new TreeMap<>();

    private final Map<String, TreeMap<Instant, Double>> seconds = new TreeMap<>();

    RequestScrapes(Source source) {
      this.source = source;
    }

    void add(MetricMeaning meaning, Map<String, String> labels, TreeMap<Instant, Double> values) {
      if (meaning == MetricMeaning.REQUEST_BUCKET && labels.containsKey(RANGE)) {
        String[] ends = labels.get(RANGE).split("\\.\\.\\.", 2);
        bound(ends[0]).ifPresent(from -> ranges.computeIfAbsent(from, any -> new TreeMap<>()));
        bound(ends[ends.length - 1])
            .ifPresent(to -> addTo(ranges.computeIfAbsent(to, any -> new TreeMap<>()), values));
      } else if (meaning == MetricMeaning.REQUEST_BUCKET) {
        bound(labels.getOrDefault(BOUND, ""))
            .ifPresent(le -> addTo(buckets.computeIfAbsent(le, any -> new TreeMap<>()), values));
      } else if (meaning == MetricMeaning.REQUESTS) {
        addTo(all, values);
        counted.add(labels);
        if (isFailure(labels)) {
          addTo(failed, values);
        }
        addTo(counts, labels, values);
      } else if (meaning == MetricMeaning.REQUEST_RATE) {
        addTo(rated, counted(values));
      } else if (meaning == MetricMeaning.REQUEST_SECONDS) {
        addTo(took, values);
        timed.add(labels);
        addTo(seconds, labels, values);
      }
    }

    /** Requests since the first reading; each reading is the rate of the time before it. */
    private static TreeMap<Instant, Double> counted(TreeMap<Instant, Double> perSecond) {
      TreeMap<Instant, Double> counter = new TreeMap<>();
      double requests = 0;
      Instant before = perSecond.firstKey();
      for (Map.Entry<Instant, Double> rate : perSecond.entrySet()) {
        requests += rate.getValue() * Durations.seconds(Duration.between(before, rate.getKey()));
        counter.put(rate.getKey(), requests);
        before = rate.getKey();
      }
      return counter;
    }

    private static void addTo(
        Map<String, TreeMap<Instant, Double>> endpoints,
        Map<String, String> labels,
        TreeMap<Instant, Double> values) {
      String path = path(labels);
      String method = labels.getOrDefault("method", labels.getOrDefault("http_request_method", ""));
      String type = labels.getOrDefault("class", "");
      // MicroProfile: the class and method that answer, with the types of its parameters.
      String name =
          path.isEmpty() && !type.isEmpty()
              ? type + "." + method.replaceAll("_.*", "")
              : (method + " " + path).strip();
      if (!(path.isEmpty() && type.isEmpty())
          && (endpoints.containsKey(name) || endpoints.size() < MOST_ENDPOINTS)) {
        addTo(endpoints.computeIfAbsent(name, any -> new TreeMap<>()), values);
      }
    }

    /** The route of a request, as Micrometer and OpenTelemetry label it. */
    static String path(Map<String, String> labels) {
      return labels.getOrDefault("uri", labels.getOrDefault("http_route", ""));
    }

    private static Optional<Double> bound(String text) {
      if (text.equals("+Inf")) {
        return Optional.of(Double.POSITIVE_INFINITY);
      }
      try {
        return Optional.of(Double.parseDouble(text)).filter(bound -> bound > 0);
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    private static boolean isFailure(Map<String, String> labels) {
      String status =
          labels.getOrDefault("status", labels.getOrDefault("http_response_status_code", ""));
      return status.startsWith("5") || "SERVER_ERROR".equals(labels.get("outcome"));
    }

    private static void addTo(TreeMap<Instant, Double> sum, TreeMap<Instant, Double> values) {
      values.forEach((at, value) -> sum.merge(at, value, Double::sum));
    }

    /** Absent if there are fewer than two scrapes: nothing is known of when a request was. */
    Optional<RequestSeries> series() {
      TreeMap<Instant, Double> counts = counter();
      List<Instant> times = apart(counts.keySet());
      if (times.size() < 2) {
        return Optional.empty();
      }
      Duration step = usualGap(times);
      List<RequestInterval> intervals = new ArrayList<>();
      for (int i = 1; i < times.size(); i++) {
        Instant from = times.get(i - 1);
        Instant to = times.get(i);
        boolean whole = isWhole(from, to, step);
        long requests = grown(counts, from, to);
        if (whole && requests >= 0) {
          long bad = Math.max(0, Math.min(requests, grown(failed, from, to)));
          intervals.add(
              new RequestInterval(
                  from, Duration.between(from, to), requests, bad, latencies(from, to)));
        }
      }
      return intervals.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new RequestSeries("metrics", step, intervals, endpoints(times, step), source));
    }

    private TreeMap<Instant, Double> counter() {
      if (all.isEmpty()) {
        return buckets.isEmpty() ? rated : buckets.lastEntry().getValue();
      }
      return all;
    }

    /** Of those whose latency is known. */
    private List<EndpointSeries> endpoints(List<Instant> times, Duration step) {
      return counts.entrySet().stream()
          .filter(endpoint -> seconds.containsKey(endpoint.getKey()))
          .map(
              endpoint ->
                  new EndpointSeries(
                      endpoint.getKey(),
                      slots(endpoint.getValue(), seconds.get(endpoint.getKey()), times, step),
                      List.of()))
          .toList();
    }

    private static List<Slot> slots(
        TreeMap<Instant, Double> counts,
        TreeMap<Instant, Double> seconds,
        List<Instant> times,
        Duration step) {
      List<Slot> slots = new ArrayList<>();
      for (int i = 1; i < times.size(); i++) {
        Instant from = times.get(i - 1);
        Instant to = times.get(i);
        long requests = grown(counts, from, to);
        double took = at(seconds, to) - at(seconds, from);
        if (isWhole(from, to, step) && requests > 0 && took >= 0) {
          slots.add(new Slot(from, requests, took));
        }
      }
      return slots;
    }

    private static boolean isWhole(Instant from, Instant to, Duration step) {
      return Duration.between(from, to).toNanos() <= GAP * step.toNanos();
    }

    private static List<Instant> apart(Collection<Instant> scrapes) {
      List<Instant> times = new ArrayList<>();
      for (Instant scrape : scrapes) {
        if (times.isEmpty()
            || Duration.between(times.get(times.size() - 1), scrape).compareTo(CLOSEST) >= 0) {
          times.add(scrape);
        }
      }
      return times;
    }

    private static Duration usualGap(List<Instant> times) {
      List<Duration> gaps = new ArrayList<>();
      for (int i = 1; i < times.size(); i++) {
        gaps.add(Duration.between(times.get(i - 1), times.get(i)));
      }
      gaps.sort(null);
      return gaps.get(gaps.size() / 2);
    }

    /** Negative where the counter began anew, because the service was started again. */
    private static long grown(TreeMap<Instant, Double> counter, Instant from, Instant to) {
      return Math.round(at(counter, to) - at(counter, from));
    }

    private static double at(TreeMap<Instant, Double> counter, Instant at) {
      Map.Entry<Instant, Double> value = counter.floorEntry(at);
      return value == null ? 0 : value.getValue();
    }

    /** By the histogram; without one the mean of the timers, if they time all that is counted. */
    private Latencies latencies(Instant from, Instant to) {
      double seconds = at(took, to) - at(took, from);
      boolean whole = timed.equals(counted) && !timed.isEmpty();
      return buckets.isEmpty() && ranges.isEmpty() && whole && seconds >= 0
          ? Latencies.ofTotal(Math.max(0, grown(all, from, to)), seconds)
          : histogram(from, to);
    }

    private Latencies histogram(Instant from, Instant to) {
      SortedMap<Duration, Long> counts = new TreeMap<>();
      long below = 0;
      long beyond = 0;
      boolean alone = buckets.isEmpty();
      for (Map.Entry<Double, TreeMap<Instant, Double>> bucket :
          (alone ? ranges : buckets).entrySet()) {
        long grown = grown(bucket.getValue(), from, to);
        long upTo = Math.max(below, alone ? below + grown : grown);
        if (bucket.getKey().isInfinite()) {
          beyond = upTo - below;
        } else {
          counts.put(Durations.ofSeconds(bucket.getKey()), upTo - below);
        }
        below = upTo;
      }
      return Latencies.ofBuckets(counts, beyond);
    }
  }
}
