package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collects single requests, in any order, by the second in which they began. Memory is bounded: the
 * intervals double in length when a test lasts too long.
 */
public final class RunRecorder {

  /** Two hours of seconds, which take some ten megabytes. */
  static final int MOST_INTERVALS = 7_200;

  /** No test lasts longer; a timestamp further from the first one is damage. */
  static final Duration LONGEST_RUN = Duration.ofDays(31);

  /** No client waits longer. */
  static final Duration LONGEST_LATENCY = Duration.ofDays(1);

  /** Timestamps outside of these are damage. */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");

  /** From this length on a second more or less changes a rate by at most a tenth. */
  private static final Duration SHORTEST = Duration.ofSeconds(10);

  /** Percentiles that load generators state and reports show. */
  private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 95.0, 99.0);

  private final TreeMap<Long, Cell> cells = new TreeMap<>();
  private final Latencies.Counter all = new Latencies.Counter();
  private final EndpointRecorder endpoints = new EndpointRecorder();
  private final boolean wholeSeconds;
  private long latestIndex;

  /** The cell of {@link #latestIndex}; empty until there is one. */
  private Optional<Cell> latest = Optional.empty();

  private long stepSeconds = 1;
  private long requests;
  private long failed;
  private double latencySeconds;
  private Duration longest = Duration.ZERO;

  /** Only of successful requests, because a request rejected at once says nothing of the work. */
  private Duration shortest = LONGEST_LATENCY;

  private Instant firstStart = Instant.MAX;
  private Instant lastStart = Instant.MIN;
  private Instant lastEnd = Instant.MIN;

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
    if (!isPossible(start)
        || latency.isNegative()
        || latency.compareTo(LONGEST_LATENCY) > 0
        || requests > 0 && isFar(start)) {
      return false;
    }
    Cell cell = cell(index(start));
    int range = Latencies.Counter.range(latency.toNanos());
    cell.latencies.addTo(range, alike);
    cell.requests += alike;
    cell.failed += hasFailed ? alike : 0;
    all.addTo(range, alike);
    endpoints.add(start, latency, endpoint, alike);
    requests += alike;
    failed += hasFailed ? alike : 0;
    latencySeconds += Durations.seconds(latency) * alike;
    longest = longest.compareTo(latency) < 0 ? latency : longest;
    shortest = !hasFailed && latency.compareTo(shortest) < 0 ? latency : shortest;
    firstStart = start.isBefore(firstStart) ? start : firstStart;
    lastStart = start.isAfter(lastStart) ? start : lastStart;
    Instant end = start.plus(latency);
    lastEnd = end.isAfter(lastEnd) ? end : lastEnd;
    if (latest.isEmpty()) {
      while (cells.lastKey() - cells.firstKey() >= MOST_INTERVALS) {
        widen();
      }
      latestIndex = index(start);
      latest = Optional.ofNullable(cells.get(latestIndex));
    }
    return true;
  }

  /** The name of an HTTP request: its path, with the method in front if there is one. */
  public static String name(String method, String path) {
    return EndpointRecorder.name(method, path);
  }

  /** Neighbouring requests share one. */
  private Cell cell(long index) {
    if (index != latestIndex) {
      latest = Optional.empty();
    }
    return latest.isPresent() ? latest.get() : cells.computeIfAbsent(index, any -> new Cell());
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
    all.add(other.all);
    endpoints.addAll(other.endpoints);
    requests += other.requests;
    failed += other.failed;
    latencySeconds += other.latencySeconds;
    longest = longest.compareTo(other.longest) < 0 ? other.longest : longest;
    shortest = other.shortest.compareTo(shortest) < 0 ? other.shortest : shortest;
    firstStart = other.firstStart.isBefore(firstStart) ? other.firstStart : firstStart;
    lastStart = other.lastStart.isAfter(lastStart) ? other.lastStart : lastStart;
    lastEnd = other.lastEnd.isAfter(lastEnd) ? other.lastEnd : lastEnd;
    while (cells.lastKey() - cells.firstKey() >= MOST_INTERVALS) {
      widen();
    }
  }

  /** Whether a time is plausible for a test. */
  static boolean isPossible(Instant at) {
    return at.isAfter(EARLIEST) && at.isBefore(LATEST);
  }

  public long requests() {
    return requests;
  }

  long failed() {
    return failed;
  }

  private boolean isFar(Instant start) {
    return Duration.between(firstStart, start).compareTo(LONGEST_RUN) > 0
        || Duration.between(start, lastStart).compareTo(LONGEST_RUN) > 0;
  }

  private long index(Instant start) {
    return Math.floorDiv(start.getEpochSecond(), stepSeconds);
  }

  private void widen() {
    stepSeconds *= 2;
    latest = Optional.empty();
    TreeMap<Long, Cell> narrow = new TreeMap<>(cells);
    cells.clear();
    narrow.forEach(
        (index, cell) ->
            cells.computeIfAbsent(Math.floorDiv(index, 2L), wider -> new Cell()).add(cell));
  }

  /** From the start of the first request to that of the last one; there must be one. */
  Window sent() {
    return new Window(firstStart, lastStart.plusMillis(1));
  }

  /**
   * All requests as evidence.
   *
   * @param stats with what else the file says; completed with the figures of the requests, but for
   *     those that failed, which not every file tells
   * @throws IOException if there was no request
   */
  LoadRun run(String producer, RequestStats.Builder stats, Source source) throws IOException {
    if (requests == 0) {
      throw new IOException("no request with a time and a latency that can be read");
    }
    stats.requests(requests);
    stats.mean(Durations.ofSeconds(latencySeconds / requests));
    stats.longest(longest);
    if (requests > failed) {
      stats.shortest(shortest);
    }
    Latencies latencies = all.latencies();
    for (double percentile : PERCENTILES) {
      latencies
          .percentile(percentile)
          .flatMap(bound -> bound.atMost())
          .ifPresent(most -> stats.percentile(percentile, least(most, longest)));
    }
    length()
        .filter(length -> !length.isZero())
        .ifPresent(length -> stats.rate(new Rate(requests / Durations.seconds(length))));
    return new LoadRun(stats.build(), Optional.of(series(producer, source)));
  }

  /** The requests over time; there must be one. */
  public RequestSeries series(String producer, Source source) {
    return new RequestSeries(
        producer, Duration.ofSeconds(stepSeconds), intervals(), endpoints.series(), source);
  }

  /**
   * Duration of the test. With timestamps in whole seconds, the first and the last second are half
   * full on average, and so count as one; not for short tests.
   */
  private Optional<Duration> length() {
    if (!wholeSeconds) {
      return Optional.of(Duration.between(firstStart, lastEnd));
    }
    long seconds = lastStart.getEpochSecond() - firstStart.getEpochSecond();
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

  private static Duration least(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
