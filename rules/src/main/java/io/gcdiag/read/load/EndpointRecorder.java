package io.gcdiag.read.load;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Latencies.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Sums of requests by endpoint and time, and their latencies, in bounded memory: names beyond the
 * first hundred share one, and the intervals double in length when a test lasts too long; those of
 * the latencies also when they differ too much.
 */
final class EndpointRecorder {

  /** More endpoints than a service has, unless its paths contain values. */
  static final int MOST_ENDPOINTS = 100;

  /** Half an hour of seconds. */
  private static final int MOST_SLOTS = 1_800;

  /** Some twenty megabytes, with the evidence that is made of them. */
  private static final int MOST_RANGES = 250_000;

  private static final int LONGEST_NAME = 120;

  private static final double NANOS_PER_SECOND = 1e9;

  private static final Pattern HOST = Pattern.compile("(?:https?|wss?)://[^/?#]*");

  /** Datadog's agent writes {@code /orders/?/lines}. */
  private static final Pattern UNNAMED = Pattern.compile("(?<=[^ /]/)\\?(?=/|$)");

  /** Only after a path: in other names of a test, such characters are ordinary text. */
  private static final Pattern QUERY = Pattern.compile("(?<=/|/[^\\s?#;]{1,500})[?#;].*");

  /** A number, a UUID, or a long run of digits and letters that begins with or holds digits. */
  private static final Pattern VALUE =
      Pattern.compile("(?<=/)(?:\\d+|[0-9a-fA-F-]{32,36}|(?=[\\w.~-]*\\d)[\\w.~-]{16,})(?=/|$)");

  private static final Pattern VERB = Pattern.compile("[A-Z]{3,7}");

  private final Map<String, Slots> endpoints = new HashMap<>();
  private final Map<String, Slots> known = new HashMap<>();
  private long stepSeconds = 1;
  private long spreadSeconds = 1;

  /** Of all endpoints, with at least one request each. */
  private int ranges;

  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  /** The cells of one endpoint; that of the latest request is at hand for the next one. */
  private final class Slots {
    private TreeMap<Long, Cell> cells = new TreeMap<>();
    private TreeMap<Long, Counter> spreads = new TreeMap<>();
    private Cell latest = new Cell();
    private Counter latestSpread = new Counter();
    private long latestSecond = Long.MIN_VALUE;

    Cell cell(long second) {
      return cells.computeIfAbsent(Math.floorDiv(second, stepSeconds), any -> new Cell());
    }

    private Counter spread(long second) {
      return spreads.computeIfAbsent(Math.floorDiv(second, spreadSeconds), any -> new Counter());
    }

    void add(long second, int range, long requests, double seconds) {
      if (second != latestSecond) {
        latest = cell(second);
        latestSpread = spread(second);
        latestSecond = second;
      }
      latest.add(requests, seconds);
      ranges -= latestSpread.ranges();
      latestSpread.addTo(range, requests);
      ranges += latestSpread.ranges();
    }

    void add(long second, Counter more) {
      Counter mine = spread(second);
      ranges -= mine.ranges();
      mine.add(more);
      ranges += mine.ranges();
    }

    /** Latencies of intervals that are twice as long. */
    void spread() {
      TreeMap<Long, Counter> narrow = spreads;
      spreads = new TreeMap<>();
      latestSecond = Long.MIN_VALUE;
      narrow.forEach((index, one) -> add(index * (spreadSeconds / 2), one));
    }

    /** Cells that are twice as long. */
    void widen() {
      TreeMap<Long, Cell> narrow = cells;
      cells = new TreeMap<>();
      latestSecond = Long.MIN_VALUE;
      narrow.forEach(
          (index, one) -> cell(index * (stepSeconds / 2)).add(one.requests, one.seconds));
    }
  }

  private static final class Cell {
    private long requests;
    private double seconds;

    void add(long more, double moreSeconds) {
      requests += more;
      seconds += moreSeconds;
    }
  }

  /** The name of an HTTP request: its path, with the method in front if there is one. */
  static String name(String method, String path) {
    return VERB.matcher(method).matches() && !path.isEmpty() ? method + " " + path : path;
  }

  /** Adds a request; requests without a name are ignored. */
  void add(Instant start, Duration latency, String name) {
    long nanos = latency.toNanos();
    add(start.getEpochSecond(), nanos, Counter.range(nanos), name, 1);
  }

  /**
   * Adds so many requests of one latency, in nanoseconds, that began in a second since 1970.
   *
   * @param range of the latency
   */
  void add(long second, long latency, int range, String name, long requests) {
    if (name.isEmpty()) {
      return;
    }
    slots(name).add(second, range, requests, latency / NANOS_PER_SECOND * requests);
    if (second < first || second > last) {
      first = Math.min(first, second);
      last = Math.max(last, second);
      bound();
    }
    boundRanges();
  }

  private void boundRanges() {
    while (ranges > MOST_RANGES) {
      spread();
    }
  }

  private void spread() {
    spreadSeconds *= 2;
    ranges = 0;
    endpoints.values().forEach(Slots::spread);
  }

  private void bound() {
    while (last >= first && (last - first) / stepSeconds >= MOST_SLOTS) {
      widen();
    }
  }

  /** Adds the requests of another recorder. */
  void addAll(EndpointRecorder other) {
    while (stepSeconds < other.stepSeconds) {
      widen();
    }
    while (spreadSeconds < other.spreadSeconds) {
      spread();
    }
    first = Math.min(first, other.first);
    last = Math.max(last, other.last);
    other.endpoints.forEach(
        (name, slots) -> {
          Slots mine = slots(name);
          slots.cells.forEach(
              (index, cell) ->
                  mine.cell(index * other.stepSeconds).add(cell.requests, cell.seconds));
          slots.spreads.forEach((index, spread) -> mine.add(index * other.spreadSeconds, spread));
        });
    bound();
    boundRanges();
  }

  /** Cached, because most names occur many times. */
  private Slots slots(String name) {
    Slots slots = known.get(name);
    if (slots == null) {
      String endpoint = endpoint(name);
      boolean others = !endpoints.containsKey(endpoint) && endpoints.size() >= MOST_ENDPOINTS;
      slots =
          endpoints.computeIfAbsent(others ? EndpointSeries.OTHERS : endpoint, any -> new Slots());
      if (known.size() < MOST_SLOTS) {
        known.put(name, slots);
      }
    }
    return slots;
  }

  /** Without host, query and values in the path, which would give one endpoint many names. */
  private static String endpoint(String name) {
    String route = UNNAMED.matcher(HOST.matcher(name).replaceAll("")).replaceAll("{id}");
    String path = QUERY.matcher(route).replaceAll("");
    String plain = VALUE.matcher(path).replaceAll("{id}").strip();
    String whole = plain.isEmpty() || plain.matches("[A-Z]+") ? (plain + " /").strip() : plain;
    return whole.length() > LONGEST_NAME ? whole.substring(0, LONGEST_NAME) + "..." : whole;
  }

  private void widen() {
    stepSeconds *= 2;
    endpoints.values().forEach(Slots::widen);
  }

  List<EndpointSeries> series() {
    return endpoints.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            endpoint ->
                new EndpointSeries(
                    endpoint.getKey(),
                    endpoint.getValue().cells.entrySet().stream()
                        .map(cell -> slot(cell.getKey(), cell.getValue()))
                        .toList(),
                    endpoint.getValue().spreads.entrySet().stream()
                        .map(spread -> spread(spread.getKey(), spread.getValue().latencies()))
                        .toList()))
        .toList();
  }

  private RequestInterval spread(long index, Latencies latencies) {
    return new RequestInterval(
        Instant.ofEpochSecond(index * spreadSeconds),
        Duration.ofSeconds(spreadSeconds),
        latencies.count(),
        0,
        latencies);
  }

  /** The bounds of all slots from the first moment to the last, those without a request as well. */
  List<Instant> bounds(Instant first, Instant last) {
    return LongStream.rangeClosed(
            Math.floorDiv(first.getEpochSecond(), stepSeconds),
            Math.floorDiv(last.getEpochSecond(), stepSeconds) + 1)
        .mapToObj(index -> Instant.ofEpochSecond(index * stepSeconds))
        .toList();
  }

  private Slot slot(long index, Cell cell) {
    return new Slot(Instant.ofEpochSecond(index * stepSeconds), cell.requests, cell.seconds);
  }
}
