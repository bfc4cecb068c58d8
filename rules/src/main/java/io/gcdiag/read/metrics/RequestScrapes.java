package io.gcdiag.read.metrics;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Requests over time from counters that were scraped again and again: what a counter grew by from
 * one scrape to the next happened between the two.
 */
final class RequestScrapes {

  private static final String PRODUCER = "metrics";

  private static final int MOST_ENDPOINTS = 100;

  /** A gap longer than this many usual ones is one where scrapes are missing. */
  private static final double GAP = 1.5;

  /**
   * Scrapes closer than this are one look, such as by two hands: no server is asked that often, and
   * a rate over less would be chance.
   */
  private static final Duration CLOSEST = Duration.ofSeconds(1);

  private final Source source;

  /** Upper bound in seconds to the cumulative count by time; infinity is every request. */
  private final TreeMap<Double, TreeMap<Instant, Double>> buckets = new TreeMap<>();

  private final TreeMap<Instant, Double> all = new TreeMap<>();
  private final TreeMap<Instant, Double> failed = new TreeMap<>();

  /** The seconds that all of them took, and of which counters: those of the requests, or others. */
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
    if (meaning == MetricMeaning.REQUEST_BUCKET) {
      bound(labels.getOrDefault("le", ""))
          .ifPresent(le -> addTo(buckets.computeIfAbsent(le, any -> new TreeMap<>()), values));
    } else if (meaning == MetricMeaning.REQUESTS) {
      addTo(all, values);
      counted.add(labels);
      if (isFailure(labels)) {
        addTo(failed, values);
      }
      addTo(counts, labels, values);
    } else if (meaning == MetricMeaning.REQUEST_SECONDS) {
      addTo(took, values);
      timed.add(labels);
      addTo(seconds, labels, values);
    }
  }

  private static void addTo(
      Map<String, TreeMap<Instant, Double>> endpoints,
      Map<String, String> labels,
      TreeMap<Instant, Double> values) {
    String path = path(labels);
    String method = labels.getOrDefault("method", labels.getOrDefault("http_request_method", ""));
    String name = (method + " " + path).strip();
    if (!path.isEmpty() && (endpoints.containsKey(name) || endpoints.size() < MOST_ENDPOINTS)) {
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
    TreeMap<Instant, Double> counts =
        all.isEmpty() && !buckets.isEmpty() ? buckets.lastEntry().getValue() : all;
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
        : Optional.of(new RequestSeries(PRODUCER, step, intervals, endpoints(times, step), source));
  }

  /** Of those whose latency is known. */
  private List<EndpointSeries> endpoints(List<Instant> times, Duration step) {
    return counts.entrySet().stream()
        .filter(endpoint -> seconds.containsKey(endpoint.getKey()))
        .map(
            endpoint ->
                new EndpointSeries(
                    endpoint.getKey(),
                    slots(endpoint.getValue(), seconds.get(endpoint.getKey()), times, step)))
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
    return buckets.isEmpty() && timed.equals(counted) && seconds >= 0
        ? Latencies.ofTotal(Math.max(0, grown(all, from, to)), seconds)
        : histogram(from, to);
  }

  private Latencies histogram(Instant from, Instant to) {
    SortedMap<Duration, Long> counts = new TreeMap<>();
    long below = 0;
    long beyond = 0;
    for (Map.Entry<Double, TreeMap<Instant, Double>> bucket : buckets.entrySet()) {
      long upTo = Math.max(below, grown(bucket.getValue(), from, to));
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
