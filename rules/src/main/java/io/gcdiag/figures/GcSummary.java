package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The GC pauses of the incident window, by length and by cause.
 *
 * @param pauses their number
 * @param throughput share of the window in which none was, 0 to 1
 * @param percentiles lengths that 50, 90, 99 and 100 % of them do not exceed, in nanoseconds: the
 *     smallest recorded length of that rank
 * @param lengths how many were how long, the shortest first, without empty ends
 * @param causes by the JVM's own names, the longest sum first
 * @param outside pauses of the files that neither the incident nor the baseline has: with those of
 *     both they are what the JDK's own tools count
 * @param outsideNanos their sum
 */
public record GcSummary(
    int pauses,
    double throughput,
    List<Percentile> percentiles,
    List<Length> lengths,
    List<Cause> causes,
    int outside,
    long outsideNanos) {

  /**
   * A percentile.
   *
   * @param percent how many of the pauses are no longer, in per cent
   */
  public record Percentile(double percent, long nanos) {}

  /**
   * A column of the histogram.
   *
   * @param fromNanos the shortest that counts
   * @param toNanos the first that does not
   * @param pauses how many are between
   */
  public record Length(long fromNanos, long toNanos, int pauses) {
    /** Whether it has all longer ones. */
    public boolean isOpen() {
      return toNanos == LIMITS[LIMITS.length - 1];
    }
  }

  /**
   * A cause of collections.
   *
   * @param name such as {@code G1 Evacuation Pause}; empty if it is not recorded
   * @param pauses how many it has
   * @param nanos their sum
   */
  public record Cause(String name, int pauses, long nanos, long longestNanos) {}

  private static final double[] PERCENTS = {50, 90, 99, 100};

  /** Limits of the histogram: powers of ten of the milliseconds, and their halves. */
  private static final long[] LIMITS =
      DoubleStream.of(0, 1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 1e9)
          .mapToLong(millis -> Duration.ofMillis((long) millis).toNanos())
          .toArray();

  public GcSummary {
    percentiles = List.copyOf(percentiles);
    lengths = List.copyOf(lengths);
    causes = List.copyOf(causes);
  }

  /** The pauses that begin in the incident, and how many begin in neither window. */
  public static GcSummary of(Timeline timeline, Windows windows) {
    Window window = windows.incident();
    Pauses pauses = timeline.pauses(window);
    Pauses before = windows.baseline().map(timeline::pauses).orElse(Pauses.of(List.of()));
    Pauses all = timeline.pauses();
    long[] nanos = IntStream.range(0, pauses.size()).mapToLong(pauses::nanos).sorted().toArray();
    double stopped = Arrays.stream(nanos).sum();
    return new GcSummary(
        nanos.length,
        Math.max(0, 1 - stopped / window.length().toNanos()),
        pauses.isEmpty()
            ? List.of()
            : Arrays.stream(PERCENTS).mapToObj(percent -> percentile(percent, nanos)).toList(),
        pauses.isEmpty() ? List.of() : lengths(nanos),
        causes(pauses),
        all.size() - pauses.size() - before.size(),
        all.sum().minus(pauses.sum()).minus(before.sum()).toNanos());
  }

  private static Percentile percentile(double percent, long[] sorted) {
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return new Percentile(percent, sorted[Math.max(1, rank) - 1]);
  }

  private static List<Length> lengths(long[] nanos) {
    List<Length> lengths = new ArrayList<>();
    for (int i = 1; i < LIMITS.length; i++) {
      long from = LIMITS[i - 1];
      long to = LIMITS[i];
      lengths.add(
          new Length(
              from, to, (int) Arrays.stream(nanos).filter(n -> n >= from && n < to).count()));
    }
    int first = 0;
    int last = lengths.size();
    while (lengths.get(first).pauses() == 0) {
      first++;
    }
    while (lengths.get(last - 1).pauses() == 0) {
      last--;
    }
    return lengths.subList(first, last);
  }

  private static List<Cause> causes(Pauses pauses) {
    Map<String, List<Integer>> byCause =
        IntStream.range(0, pauses.size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    i -> pauses.type(i).cause(), TreeMap::new, Collectors.toList()));
    return byCause.entrySet().stream()
        .map(
            cause ->
                new Cause(
                    cause.getKey(),
                    cause.getValue().size(),
                    cause.getValue().stream().mapToLong(pauses::nanos).sum(),
                    cause.getValue().stream().mapToLong(pauses::nanos).max().orElse(0)))
        .sorted(Comparator.comparingLong(Cause::nanos).reversed())
        .toList();
  }
}
