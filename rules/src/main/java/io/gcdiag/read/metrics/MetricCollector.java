package io.gcdiag.read.metrics;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.CredibleTime;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.units.ResourceText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
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

/**
 * Collects the samples of all metric files of one analysis: scrapes saved one by one make one
 * series together. Series that differ only in labels that no rule asks for (cause of a collection,
 * memory pool, address of a request) are added up.
 */
public final class MetricCollector {

  /** Far above one service's own metrics; a whole fleet's export is cut here, and that is said. */
  static final int MOST_SERIES = 20_000;

  static final int MOST_POINTS = 4_000_000;

  /** Labels that tell things apart which must not be added up. */
  private static final Set<String> TELLING =
      Set.of(
          "pool", "name", "httpclient", "quantile", "instance", "pod", "pool_name", "cluster_id");

  /** Labels of a service and its machine, as Prometheus, Micrometer and OpenTelemetry have them. */
  private static final List<String> SERVICE =
      List.of("instance", "pod", "job", "application", "service", "service_name");

  /** Labels of the host that calls go to, as Micrometer and OpenTelemetry have them. */
  private static final Set<String> CALLED =
      Set.of("client_name", "clientName", "server_address", "cluster_id", "remote");

  private static final Set<MetricMeaning> OF_CALLS =
      EnumSet.of(MetricMeaning.CALLS, MetricMeaning.CALL_SECONDS);

  /** Not to be added up: of several the greatest counts. */
  private static final Set<MetricMeaning> MAXIMA =
      EnumSet.of(
          MetricMeaning.GC_LONGEST_PAUSE,
          MetricMeaning.POOL_LONGEST_ACQUIRE,
          MetricMeaning.POOL_LONGEST_USAGE);

  /** Requests of the monitoring itself are none of the users'. */
  private static final List<String> MONITORING = List.of("/actuator", "/metrics", "/q/metrics");

  private static final List<String> COUNTERS = List.of("_total", "_count", "_sum", "_bucket");

  private static final String SECONDS = "s";

  private final MetricNames names = MetricNames.standard();
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

  /**
   * An empty collector.
   *
   * @param named meanings by name of series, as the user gave them; they go before those known
   */
  MetricCollector(Map<String, MetricMeaning> named) {
    this.named = Map.copyOf(named);
  }

  /**
   * Takes one sample. What is not a finite number is left out: exporters write NaN for "no value".
   *
   * @param name the series' name
   * @param labels its labels
   * @param at when it was taken
   * @param value its value, in the exporter's unit
   * @param source where it was read
   */
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
    if (raw == null) {
      if (series.size() >= MOST_SERIES) {
        full = true;
        return;
      }
      raw = new Raw(known(name, labels), isCounter(name), source);
      series.put(key, raw);
    }
    if (points >= MOST_POINTS) {
      full = true;
      return;
    }
    raw.unitSaid |= converted;
    if (raw.values.put(at, converted ? value : value * raw.known.factor()) == null) {
      points++;
    }
  }

  private MetricNames.Known known(String name, SortedMap<String, String> labels) {
    return Optional.ofNullable(named.get(name))
        .map(meaning -> new MetricNames.Known(meaning, factor(name, meaning)))
        .orElseGet(() -> names.lookup(name, labels));
  }

  /** For a series that the user named: the unit is read off the end of its own name. */
  private static double factor(String name, MetricMeaning meaning) {
    return meaning.unit().equals(SECONDS) ? TimeUnits.factor(name).orElse(1) : 1;
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

  private static boolean isCounter(String name) {
    return COUNTERS.stream().anyMatch(name.replaceAll("[^A-Za-z0-9]", "_")::endsWith);
  }

  /** Whether nothing was collected yet. */
  boolean isEmpty() {
    return series.isEmpty();
  }

  /** Whether something had to be left out for its amount. */
  boolean isFull() {
    return full;
  }

  /** What was collected, added up; histograms of requests are in {@link #requests()}. */
  public List<MetricSeries> series() {
    Map<Group, List<Raw>> groups = new LinkedHashMap<>();
    series.forEach(
        (key, raw) -> {
          if (raw.known.meaning() != MetricMeaning.REQUEST_BUCKET) {
            groups.computeIfAbsent(group(key, raw), any -> new ArrayList<>()).add(raw);
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

  private Group group(Key key, Raw raw) {
    MetricMeaning meaning = raw.known.meaning();
    // Containers and the pod they are in are counted side by side.
    boolean other = meaning == MetricMeaning.OTHER || meaning.ofContainer();
    TreeMap<String, String> kept = new TreeMap<>();
    key.labels()
        .forEach(
            (label, value) -> {
              if (MetricSeries.MACHINE_LABELS.contains(label)) {
                kept.put(label, machine(value));
              } else if ((other
                      || TELLING.contains(label)
                      || OF_CALLS.contains(meaning) && CALLED.contains(label))
                  && !label.equals("job")) {
                kept.put(label, value);
              }
            });
    return new Group(meaning, key.name(), kept, raw.counter);
  }

  private String machine(String name) {
    return String.valueOf(machines.computeIfAbsent(name, any -> machines.size() + 1));
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
      EnumSet.of(MetricMeaning.REQUESTS, MetricMeaning.REQUEST_BUCKET);

  /** Whose requests they are: those of one service on one machine are added up. */
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
              .add(raw.known.meaning(), key.labels(), raw.values);
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

  /** Units of time at the end of a series' name: {@code p95_ms}, {@code latency (seconds)}. */
  static final class TimeUnits {

    private static final Map<String, Double> SECONDS =
        Map.ofEntries(
            Map.entry("ns", 1e-9),
            Map.entry("nanos", 1e-9),
            Map.entry("nanoseconds", 1e-9),
            Map.entry("us", 1e-6),
            Map.entry("micros", 1e-6),
            Map.entry("microseconds", 1e-6),
            Map.entry("ms", 1e-3),
            Map.entry("millis", 1e-3),
            Map.entry("milliseconds", 1e-3),
            Map.entry("s", 1.0),
            Map.entry("sec", 1.0),
            Map.entry("secs", 1.0),
            Map.entry("seconds", 1.0),
            Map.entry("min", 60.0),
            Map.entry("minutes", 60.0));

    /** {@code latency_ms}, {@code latency.ms}, {@code latency [ms]}; {@code latencyMs}. */
    private static final Pattern LAST_WORD =
        Pattern.compile("(?:[^A-Za-z]|(?<=[a-z0-9])(?=[A-Z]))([A-Za-z]+)\\W*$");

    private TimeUnits() {}

    /** What brings values to seconds; absent if the name says no unit. */
    static OptionalDouble factor(String name) {
      Matcher last = LAST_WORD.matcher(name);
      Double factor = last.find() ? SECONDS.get(last.group(1).toLowerCase(Locale.ROOT)) : null;
      return factor == null ? OptionalDouble.empty() : OptionalDouble.of(factor);
    }
  }

  /** What the names of exporters' series mean; kept in the readable file {@value #RESOURCE}. */
  static final class MetricNames {

    static final String RESOURCE = "metric-names.txt";

    private final Map<String, List<Entry>> byName = new HashMap<>();

    /**
     * What a series measures.
     *
     * @param meaning its meaning
     * @param factor brings its values to the meaning's unit
     */
    record Known(MetricMeaning meaning, double factor) {}

    private record Entry(Map<String, String> labels, Known known) {}

    private static final Known UNKNOWN = new Known(MetricMeaning.OTHER, 1);

    private MetricNames() {}

    /** The names that come with this program. */
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
                          label -> label.getValue().equals(normal(of(labels, label.getKey())))))
          .map(Entry::known)
          .findFirst()
          .orElse(UNKNOWN);
    }

    private static String of(Map<String, String> labels, String name) {
      return labels.getOrDefault(name, "");
    }

    private static String normal(String name) {
      return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
    }
  }
}
