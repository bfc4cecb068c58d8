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
 * WaitSeries#BUCKET}. Going through them takes time with the buckets in which any thread waits:
 * those in which none does are stepped over, however many they are.
 */
public final class WaitingThreads {

  /** Below this share of its buckets a stop is lost in how much the waiting in them varies. */
  private static final double LEAST_STOPPED = 0.25;

  private final WaitSeries.Cells cells;

  /** Threads in waits of some buckets, by the row of the cells. */
  private final double[] threads;

  private WaitingThreads(WaitSeries.Cells cells, double[] threads) {
    this.cells = cells;
    this.threads = threads;
  }

  /** What is done with a step of a window. */
  @FunctionalInterface
  public interface Visitor {

    /**
     * Called for each step in which any thread waits, in their order.
     *
     * @param step its number, from 0
     * @param threads waiting, the mean over the bucket in which the step begins
     */
    void visit(long step, double threads);
  }

  /** Those that wait at any of the sites. */
  public static WaitingThreads at(List<WaitSeries> sites) {
    WaitSeries.Cells unordered = new WaitSeries.Cells();
    sites.forEach(site -> unordered.addAll(site.cells()));
    WaitSeries.Cells all = unordered.inOrder();
    return new WaitingThreads(all, threads(sites, all));
  }

  /** Summed up with compensation, as {@link java.util.stream.DoubleStream#sum} does. */
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

  /** Threads waiting at an instant. */
  public double at(Instant instant) {
    return in(WaitSeries.bucket(instant));
  }

  /**
   * Threads that wait while all are stopped. No wait begins or ends during a stop, so that each of
   * them lasts through all of it: it waited long before the stop already, or began in one of its
   * buckets or the one before, and is as long. What else waits in these buckets does so as in those
   * beside them. A stop that is short beside its buckets does not stand out of them: then it is
   * their mean.
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

  /** The most in any bucket of a window, whose borders are rounded to buckets. */
  public double peak(Window window) {
    return cells.mostThreads(WaitSeries.bucket(window.from()), WaitSeries.bucket(window.to()));
  }

  /** How many steps of a bucket's width begin in a window, the first with it. */
  public static long steps(Window window) {
    Duration length = window.length();
    long whole = length.dividedBy(WaitSeries.BUCKET);
    return WaitSeries.BUCKET.multipliedBy(whole).compareTo(length) < 0 ? whole + 1 : whole;
  }

  /** Goes through the steps of a window in which any thread waits. */
  public void forEach(Window window, Visitor visitor) {
    long first = WaitSeries.bucket(window.from());
    long end = first + steps(window);
    for (long at = cells.firstWaited(first); at < end; at = cells.firstWaited(at + 1)) {
      visitor.visit(at - first, in(at));
    }
  }

  /**
   * The starts of all buckets that tell their number over time: those in which any thread waits,
   * and the one before and after each. Of a long wait only where it begins and ends.
   */
  public List<Instant> changes() {
    long[] buckets = cells.changes();
    return LazyList.of(buckets.length, i -> Nanos.instant(buckets[i] * WaitSeries.BUCKET_NANOS));
  }
}
