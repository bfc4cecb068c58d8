package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collects single requests, in any order, by the second in which they began. Memory is bounded: the
 * intervals double in length when a test lasts too long.
 */
public final class RunRecorder {

  private static final long NANOS = 1_000_000_000L;

  /** Two hours of seconds, which take some ten megabytes. */
  static final int MOST_INTERVALS = 7_200;

  /** No test lasts longer; a timestamp further from the first one is damage. */
  static final Duration LONGEST_RUN = Duration.ofDays(31);

  /** No client waits longer. */
  static final Duration LONGEST_LATENCY = Duration.ofDays(1);

  private static final long LONGEST_NANOS = LONGEST_LATENCY.toNanos();
  private static final long LONGEST_RUN_NANOS = LONGEST_RUN.toNanos();

  /** Timestamps outside of these are damage. */
  private static final long EARLIEST = nanos(Instant.parse("2000-01-01T00:00:00Z"));

  private static final long LATEST = nanos(Instant.parse("2100-01-01T00:00:00Z"));

  /** From this length on a second more or less changes a rate by at most a tenth. */
  private static final Duration SHORTEST = Duration.ofSeconds(10);

  /** Percentiles that load generators state and reports show. */
  private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 95.0, 99.0);

  /** More than there are latencies in whole milliseconds of nearly all requests. */
  private static final int RANGE_BITS = 10;

  private final TreeMap<Long, Cell> cells = new TreeMap<>();
  private final EndpointRecorder endpoints = new EndpointRecorder();
  private final boolean wholeSeconds;

  /** Neighbouring requests share a second, and so a cell. */
  private long latestSecond = Long.MIN_VALUE;

  private Cell latest = new Cell();

  /** Latencies, of which many are the same, and their ranges, which take a logarithm, by hash. */
  private final long[] ranged = new long[1 << RANGE_BITS];

  private final int[] ranges = new int[1 << RANGE_BITS];

  private long stepSeconds = 1;
  private long requests;
  private long failed;
  private double latencySeconds;

  /** Latencies in nanoseconds, times in nanoseconds since 1970: a log has millions of requests. */
  private long longest;

  /** Only of successful requests, because a request rejected at once says nothing of the work. */
  private long shortest = LONGEST_NANOS;

  private long firstStart = Long.MAX_VALUE;
  private long lastStart = Long.MIN_VALUE;
  private long lastEnd = Long.MIN_VALUE;

  private static final class Cell {
    private final Latencies.Counter latencies = new Latencies.Counter();
    private long requests;
    private long failed;

    void add(Cell other) {
      latencies.add(other.latencies);
      requests += other.requests;
      failed += other.failed;
    }
  }

  /**
   * An empty recorder.
   *
   * @param wholeSeconds whether the stamps say no more than the second
   */
  public RunRecorder(boolean wholeSeconds) {
    this.wholeSeconds = wholeSeconds;
    Arrays.fill(ranged, -1);
  }

  /**
   * Adds a request.
   *
   * @return whether time and latency are possible; if not, nothing was added
   */
  boolean add(Instant start, Duration latency, boolean hasFailed) {
    return add(start, latency, hasFailed, "");
  }

  /**
   * Adds a request of an endpoint.
   *
   * @param endpoint its name as the file has it; empty if it has none
   * @return whether time and latency are possible; if not, nothing was added
   */
  public boolean add(Instant start, Duration latency, boolean hasFailed, String endpoint) {
    return add(start, latency, hasFailed, endpoint, 1);
  }

  /** Adds so many requests that are alike. */
  boolean add(Instant start, Duration latency, boolean hasFailed, String endpoint, long alike) {
    return isPossible(start)
        && !latency.isNegative()
        && latency.compareTo(LONGEST_LATENCY) <= 0
        && add(nanos(start), latency.toNanos(), hasFailed, endpoint, alike);
  }

  /** The same with a possible start in nanoseconds since 1970 and the latency in nanoseconds. */
  boolean add(long start, long latency, boolean hasFailed, String endpoint, long alike) {
    if (latency < 0
        || latency > LONGEST_NANOS
        || requests > 0 && Math.max(start - firstStart, lastStart - start) > LONGEST_RUN_NANOS) {
      return false;
    }
    long second = Math.floorDiv(start, NANOS);
    Cell cell = cell(second);
    int range = range(latency);
    cell.latencies.addTo(range, alike);
    cell.requests += alike;
    cell.failed += hasFailed ? alike : 0;
    endpoints.add(second, latency, range, endpoint, alike);
    requests += alike;
    failed += hasFailed ? alike : 0;
    latencySeconds += latency / (double) NANOS * alike;
    longest = Math.max(longest, latency);
    shortest = hasFailed ? shortest : Math.min(shortest, latency);
    firstStart = Math.min(firstStart, start);
    lastStart = Math.max(lastStart, start);
    lastEnd = Math.max(lastEnd, start + latency);
    return true;
  }

  /** The name of an HTTP request: its path, with the method in front if there is one. */
  public static String name(String method, String path) {
    return EndpointRecorder.name(method, path);
  }

  private int range(long latency) {
    int slot = Line.slot(latency, RANGE_BITS);
    if (ranged[slot] != latency) {
      ranged[slot] = latency;
      ranges[slot] = Latencies.Counter.range(latency);
    }
    return ranges[slot];
  }

  private Cell cell(long second) {
    if (second != latestSecond) {
      latest = cells.computeIfAbsent(Math.floorDiv(second, stepSeconds), any -> new Cell());
      latestSecond = second;
      bound();
    }
    return second == latestSecond ? latest : cell(second);
  }

  private void bound() {
    while (cells.lastKey() - cells.firstKey() >= MOST_INTERVALS) {
      widen();
    }
  }

  /** Adds the requests of another recorder, as if each had been added to this one. */
  public void addAll(RunRecorder other) {
    if (other.requests == 0) {
      return;
    }
    while (stepSeconds < other.stepSeconds) {
      widen();
    }
    long shrink = stepSeconds / other.stepSeconds;
    other.cells.forEach(
        (index, cell) ->
            cells.computeIfAbsent(Math.floorDiv(index, shrink), any -> new Cell()).add(cell));
    endpoints.addAll(other.endpoints);
    requests += other.requests;
    failed += other.failed;
    latencySeconds += other.latencySeconds;
    longest = Math.max(longest, other.longest);
    shortest = Math.min(shortest, other.shortest);
    firstStart = Math.min(firstStart, other.firstStart);
    lastStart = Math.max(lastStart, other.lastStart);
    lastEnd = Math.max(lastEnd, other.lastEnd);
    bound();
  }

  /** Whether a time is plausible for a test. */
  static boolean isPossible(Instant at) {
    return isPossible(at.getEpochSecond());
  }

  /** The same of a time in seconds since 1970. */
  static boolean isPossible(long second) {
    return second >= EARLIEST / NANOS && second < LATEST / NANOS;
  }

  public long requests() {
    return requests;
  }

  long failed() {
    return failed;
  }

  /** The sum of all latencies. */
  double totalSeconds() {
    return latencySeconds;
  }

  private static long nanos(Instant at) {
    return at.getEpochSecond() * NANOS + at.getNano();
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  private void widen() {
    stepSeconds *= 2;
    latestSecond = Long.MIN_VALUE;
    TreeMap<Long, Cell> narrow = new TreeMap<>(cells);
    cells.clear();
    narrow.forEach(
        (index, cell) ->
            cells.computeIfAbsent(Math.floorDiv(index, 2L), wider -> new Cell()).add(cell));
  }

  /** From the start of the first request to that of the last one; there must be one. */
  Window sent() {
    return new Window(instant(firstStart), instant(lastStart).plusMillis(1));
  }

  /**
   * All requests as evidence.
   *
   * @param stats with what else the file says; completed with the figures of the requests, but for
   *     those that failed, which not every file has
   * @throws IOException if there was no request
   */
  LoadRun run(String producer, RequestStats.Builder stats, Source source) throws IOException {
    if (requests == 0) {
      throw new IOException("no request with a time and a latency that can be read");
    }
    stats.requests(requests);
    stats.mean(Durations.ofSeconds(latencySeconds / requests));
    Duration most = Duration.ofNanos(longest);
    stats.longest(most);
    if (requests > failed) {
      stats.shortest(Duration.ofNanos(shortest));
    }
    Latencies.Counter all = new Latencies.Counter();
    cells.values().forEach(cell -> all.add(cell.latencies));
    Latencies latencies = all.latencies();
    for (double percentile : PERCENTILES) {
      latencies
          .percentile(percentile)
          .flatMap(bound -> bound.atMost())
          .ifPresent(
              bound -> stats.percentile(percentile, bound.compareTo(most) < 0 ? bound : most));
    }
    length()
        .filter(length -> !length.isZero())
        .ifPresent(length -> stats.rate(new Rate(requests / Durations.seconds(length))));
    return new LoadRun(stats.build(), Optional.of(series(producer, source)));
  }

  /** The requests over time; there must be one. */
  public RequestSeries series(String producer, Source source) {
    return new RequestSeries(
        producer,
        Duration.ofSeconds(stepSeconds),
        intervals(),
        endpoints.series(),
        RequestSeries.Holds.EACH_ANSWERED,
        source);
  }

  /**
   * Duration of the test. With timestamps in whole seconds, the first and the last second are half
   * full on average, and so count as one; not for short tests.
   */
  private Optional<Duration> length() {
    if (!wholeSeconds) {
      return Optional.of(Duration.ofNanos(lastEnd - firstStart));
    }
    long seconds = Math.floorDiv(lastStart, NANOS) - Math.floorDiv(firstStart, NANOS);
    return Optional.of(Duration.ofSeconds(seconds)).filter(s -> s.compareTo(SHORTEST) >= 0);
  }

  private List<RequestInterval> intervals() {
    List<RequestInterval> intervals = new ArrayList<>();
    for (long index = cells.firstKey(); index <= cells.lastKey(); index++) {
      Instant from = Instant.ofEpochSecond(index * stepSeconds);
      Cell cell = cells.getOrDefault(index, new Cell());
      intervals.add(
          new RequestInterval(
              from,
              Duration.ofSeconds(stepSeconds),
              cell.requests,
              cell.failed,
              cell.latencies.latencies()));
    }
    return intervals;
  }
}
