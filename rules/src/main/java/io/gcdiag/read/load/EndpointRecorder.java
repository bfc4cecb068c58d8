package io.gcdiag.read.load;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sums of requests by endpoint and time, in bounded memory: names beyond the first hundred share
 * one, and the intervals double in length when a test lasts too long.
 */
final class EndpointRecorder {

  /** More endpoints than a service has, unless its paths contain values. */
  static final int MOST_ENDPOINTS = 100;

  /** Half an hour of seconds. */
  private static final int MOST_SLOTS = 1_800;

  private static final int LONGEST_NAME = 120;

  private static final Pattern HOST = Pattern.compile("(?:https?|wss?)://[^/?#]*");

  /** Only after a path: in other names of a test, such characters are ordinary text. */
  private static final Pattern QUERY = Pattern.compile("(?<=/|/[^\\s?#;]{1,500})[?#;].*");

  /** A number, a UUID, or a long run of digits and letters that begins with or holds digits. */
  private static final Pattern VALUE =
      Pattern.compile("(?<=/)(?:\\d+|[0-9a-fA-F-]{32,36}|(?=[\\w.~-]*\\d)[\\w.~-]{16,})(?=/|$)");

  private static final Pattern VERB = Pattern.compile("[A-Z]{3,7}");

  private final Map<String, TreeMap<Long, Cell>> endpoints = new HashMap<>();
  private final Map<String, String> known = new HashMap<>();
  private long stepSeconds = 1;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

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
    add(start, latency, name, 1);
  }

  /** Adds so many requests of one latency. */
  void add(Instant start, Duration latency, String name, long requests) {
    if (name.isEmpty()) {
      return;
    }
    long second = start.getEpochSecond();
    first = Math.min(first, second);
    last = Math.max(last, second);
    endpoints
        .computeIfAbsent(known(name), any -> new TreeMap<>())
        .computeIfAbsent(Math.floorDiv(second, stepSeconds), any -> new Cell())
        .add(requests, Durations.seconds(latency) * requests);
    bound();
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
    long shrink = stepSeconds / other.stepSeconds;
    first = Math.min(first, other.first);
    last = Math.max(last, other.last);
    other.endpoints.forEach(
        (name, slots) -> {
          TreeMap<Long, Cell> mine = endpoints.computeIfAbsent(known(name), any -> new TreeMap<>());
          slots.forEach(
              (index, cell) ->
                  mine.computeIfAbsent(Math.floorDiv(index, shrink), any -> new Cell())
                      .add(cell.requests, cell.seconds));
        });
    bound();
  }

  /** Cached, because most names occur many times. */
  private String known(String name) {
    String endpoint = known.get(name);
    if (endpoint == null) {
      endpoint = endpoint(name);
      if (!endpoints.containsKey(endpoint) && endpoints.size() >= MOST_ENDPOINTS) {
        endpoint = EndpointSeries.OTHERS;
      }
      if (known.size() < MOST_SLOTS) {
        known.put(name, endpoint);
      }
    }
    return endpoint;
  }

  /** Without host, query and values in the path, which would give one endpoint many names. */
  private static String endpoint(String name) {
    String path = QUERY.matcher(HOST.matcher(name).replaceAll("")).replaceAll("");
    String plain = VALUE.matcher(path).replaceAll("{id}").strip();
    String whole = plain.isEmpty() || plain.matches("[A-Z]+") ? (plain + " /").strip() : plain;
    return whole.length() > LONGEST_NAME ? whole.substring(0, LONGEST_NAME) + "..." : whole;
  }

  private void widen() {
    stepSeconds *= 2;
    endpoints.replaceAll(
        (name, narrow) -> {
          TreeMap<Long, Cell> wide = new TreeMap<>();
          narrow.forEach(
              (index, cell) ->
                  wide.computeIfAbsent(Math.floorDiv(index, 2L), any -> new Cell())
                      .add(cell.requests, cell.seconds));
          return wide;
        });
  }

  List<EndpointSeries> series() {
    return endpoints.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            endpoint ->
                new EndpointSeries(
                    endpoint.getKey(),
                    endpoint.getValue().entrySet().stream()
                        .map(cell -> slot(cell.getKey(), cell.getValue()))
                        .toList()))
        .toList();
  }

  /** Where an interval with any request begins or ends, by time. */
  List<Instant> bounds() {
    return endpoints.values().stream()
        .flatMap(slots -> slots.keySet().stream())
        .flatMap(index -> Stream.of(index, index + 1))
        .distinct()
        .sorted()
        .map(index -> Instant.ofEpochSecond(index * stepSeconds))
        .toList();
  }

  private Slot slot(long index, Cell cell) {
    return new Slot(Instant.ofEpochSecond(index * stepSeconds), cell.requests, cell.seconds);
  }
}
