package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.NormalLevel;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How long each request of a baseline took, and how far its percentiles may be off.
 *
 * @param all all of them
 * @param pieces those of parts of the baseline
 * @param merged share of them that are several at once, 0 to 1: the slowest, as a rule
 * @param way how many times as long they may be for users, 1 or more
 */
record BaselineRequests(Latencies all, List<Latencies> pieces, double merged, double way) {

  /**
   * The baseline is cut into so many pieces, to see how much its percentiles move by themselves.
   */
  private static final int PIECES = 4;

  /**
   * To the worker and back a request waits for the network and for cores: seen by users, 99th
   * percentiles were up to a fifth longer than by workers in seven services whose load was known.
   */
  private static final double WAY = 1.25;

  static BaselineRequests seenByUsers(RequestSeries series, Window baseline) {
    return of(series, baseline, 0, 1);
  }

  static BaselineRequests seenByWorkers(ServedRequests served, Window baseline) {
    return of(served.series(), baseline, served.merged(), WAY);
  }

  private static BaselineRequests of(
      RequestSeries series, Window baseline, double merged, double way) {
    Duration length = baseline.length().dividedBy(PIECES);
    List<Latencies> pieces =
        IntStream.range(0, PIECES)
            .mapToObj(piece -> series.within(baseline.part(length, piece)).latencies())
            .filter(piece -> piece.count() >= Policy.FEWEST_FOR_A_TAIL)
            .toList();
    return new BaselineRequests(series.within(baseline).latencies(), pieces, merged, way);
  }

  /** The share of all of them below which a share of the single ones lies. */
  double single(double share) {
    return Math.max(1.0 / all.count(), share * (1 - merged));
  }

  /** The least that the latency may be which so many stay within. */
  Duration atLeast(double share) {
    return edge(single(share), -1);
  }

  /** The most that it may be. */
  Duration atMost(double share) {
    return Durations.ofSeconds(way * Durations.seconds(edge(share, 1)));
  }

  /** The interval of 95 % by order statistics, or the spread between pieces where that is wider. */
  private Duration edge(double share, int side) {
    double ranks = NormalLevel.OF_95_PERCENT * Math.sqrt(share * (1 - share) / all.count());
    double edge = Math.min(1, Math.max(1.0 / all.count(), share + side * ranks));
    Duration value = bound(all, edge, side).orElse(Duration.ZERO);
    for (Latencies piece : pieces) {
      Duration other = bound(piece, share, side).orElse(value);
      value = side * other.compareTo(value) > 0 ? other : value;
    }
    return value;
  }

  private static Optional<Duration> bound(Latencies latencies, double share, int side) {
    return latencies
        .percentile(share * Percentiles.WHOLE)
        .map(range -> side < 0 ? range.atLeast() : range.atMost().orElse(range.atLeast()));
  }
}
