package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.LazyList;
import io.gcdiag.evidence.time.RowIndex;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Threads waiting at several sites together, over time, as the mean over buckets of {@link
 * WaitSeries#BUCKET}. The running time of a pass depends on the buckets with waits only; all others
 * are skipped.
 */
public final class WaitingThreads {

  /**
   * If a pause takes a smaller share of its buckets than this, it does not stand out from the
   * normal variation of the waiting.
   */
  private static final double LEAST_STOPPED = 0.25;

  private final WaitSeries.Cells cells;

  /** Threads in short waits, by row of the cells. */
  private final double[] threads;

  private WaitingThreads(WaitSeries.Cells cells, double[] threads) {
    this.cells = cells;
    this.threads = threads;
  }

  /** Called for the steps of a window. */
  @FunctionalInterface
  public interface Visitor {

    /**
     * Called in order for each step in which a thread waits.
     *
     * @param step its number, from 0
     * @param threads waiting threads, the mean over the bucket in which the step begins
     */
    void visit(long step, double threads);
  }

  public static WaitingThreads at(List<WaitSeries> sites) {
    WaitSeries.Cells unordered = new WaitSeries.Cells();
    sites.forEach(site -> unordered.addAll(site.cells()));
    WaitSeries.Cells all = unordered.inOrder();
    return new WaitingThreads(all, threads(sites, all));
  }

  /** Kahan summation, like {@link java.util.stream.DoubleStream#sum}. */
  private static double[] threads(List<WaitSeries> sites, WaitSeries.Cells all) {
    double[] sums = new double[all.count()];
    double[] errors = new double[all.count()];
    for (WaitSeries site : sites) {
      for (int row = 0; row < site.cells().count(); row++) {
        int into = all.find(site.cells().bucket(row));
        double more = site.cells().threadsInRow(row) - errors[into];
        double sum = sums[into] + more;
        errors[into] = sum - sums[into] - more;
        sums[into] = sum;
      }
    }
    Arrays.setAll(sums, row -> sums[row] - errors[row]);
    return sums;
  }

  public double at(Instant instant) {
    return in(WaitSeries.bucket(instant));
  }

  /**
   * Threads that wait during a pause. No wait begins or ends during a pause, so each of these waits
   * lasts throughout it: it began long before, or in a bucket of the pause or the one before, and
   * is at least as long as the pause. Other waits in these buckets are as frequent as in the
   * neighbouring buckets. If the pause is short compared with its buckets it does not stand out,
   * and the mean of the buckets is used.
   */
  public double during(Instant from, Duration stop) {
    long first = WaitSeries.bucket(from);
    long last = WaitSeries.bucket(from.plus(stop));
    double buckets = last - first + 1.0;
    double stopped = (double) stop.toNanos() / WaitSeries.BUCKET_NANOS;
    double waited = 0;
    double most = in(first - 1) + cells.begunAsLong(first - 1, stop.toNanos());
    for (long bucket = first; bucket <= last; bucket++) {
      waited += in(bucket);
      most += cells.begunAsLong(bucket, stop.toNanos());
    }
    double mean = waited / buckets;
    if (stopped < LEAST_STOPPED * buckets) {
      return mean;
    }
    double beside = Math.min(mean, Math.min(in(first - 1), in(last + 1)));
    return Math.min(most, (waited - beside * (buckets - stopped)) / stopped);
  }

  private double in(long bucket) {
    int row = cells.find(bucket);
    return (row == RowIndex.NONE ? 0 : threads[row]) + cells.inLongWaits(bucket);
  }

  /** Thread time spent waiting in a window, whose borders are rounded to buckets, in seconds. */
  public double seconds(Window window) {
    return cells.waitedBetween(WaitSeries.bucket(window.from()), WaitSeries.bucket(window.to()))
        / Duration.ofSeconds(1).toNanos();
  }

  /**
   * The largest number of waiting threads in any bucket of a window, whose borders are rounded to
   * buckets.
   */
  public double peak(Window window) {
    return cells.mostThreads(WaitSeries.bucket(window.from()), WaitSeries.bucket(window.to()));
  }

  /** Number of steps of a bucket's width that begin in a window, the first one at its start. */
  public static long steps(Window window) {
    Duration length = window.length();
    long whole = length.dividedBy(WaitSeries.BUCKET);
    return WaitSeries.BUCKET.multipliedBy(whole).compareTo(length) < 0 ? whole + 1 : whole;
  }

  /** Visits the steps of a window in which a thread waits. */
  public void forEach(Window window, Visitor visitor) {
    long first = WaitSeries.bucket(window.from());
    long end = first + steps(window);
    for (long at = cells.firstWaited(first); at < end; at = cells.firstWaited(at + 1)) {
      visitor.visit(at - first, in(at));
    }
  }

  /**
   * Starts of all buckets that describe the number of threads over time: buckets with waits and
   * their neighbours on both sides. For a long wait only its beginning and end.
   */
  public List<Instant> changes() {
    long[] buckets = cells.changes();
    return LazyList.of(buckets.length, i -> Nanos.instant(buckets[i] * WaitSeries.BUCKET_NANOS));
  }
}
