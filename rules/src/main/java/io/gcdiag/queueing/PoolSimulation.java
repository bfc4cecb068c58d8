package io.gcdiag.queueing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Simulates a pool in which the whole process now and then stands still.
 *
 * <p>During a stall no hold makes progress, and arrivals stay outside: they try to borrow at its
 * end, in the order they came. In between, the connection that is free first goes to the one who
 * waits longest (the recursion of J. Kiefer and J. Wolfowitz, "On the theory of queues with many
 * servers", Transactions of the AMS 78, 1955). Time is counted in whole nanoseconds, and draws come
 * from a fixed generator, so that a seed gives the same run everywhere.
 */
public final class PoolSimulation {
  /** Sets the stream of hold times apart from that of arrivals: the golden ratio in 64 bits. */
  private static final long HOLD_STREAM = 0x9E3779B97F4A7C15L;

  private PoolSimulation() {}

  /**
   * One run. Arrivals depend on the seed alone, not on the pool, so that two pool sizes can be
   * compared under the same load.
   */
  public static PoolRun run(PoolModel model, long seed) {
    long[] arrivals =
        arrivals(
            model.arrivals(), model.arrivalsPerSecond(), model.horizon(), new Well19937c(seed));
    RandomGenerator holds = new Well19937c(seed ^ HOLD_STREAM);
    ProcessClock clock = new ProcessClock(model.stalls());
    PoolRunRecorder recorder =
        new PoolRunRecorder(clock, arrivals.length, model.horizon().toNanos());
    PriorityQueue<Long> freeAt = new PriorityQueue<>(Math.min(model.poolSize(), 1024));
    for (long arrival : arrivals) {
      long attempt = clock.thaw(arrival);
      long attemptOnProcess = clock.toProcess(attempt);
      long start = attemptOnProcess;
      if (freeAt.size() == model.poolSize()) {
        start = Math.max(start, freeAt.remove());
      }
      long end = start + model.hold().nextNanos(holds);
      freeAt.add(end);
      recorder.record(arrival, attempt, attemptOnProcess, start, end);
    }
    return recorder.finish();
  }

  /**
   * Several runs with consecutive seeds.
   *
   * @param runs how many, at least 1; 2 or more for a spread
   * @param firstSeed the seed of the first
   * @throws IllegalArgumentException if there are no runs
   */
  public static PoolRuns run(PoolModel model, int runs, long firstSeed) {
    if (runs < 1) {
      throw new IllegalArgumentException("runs must be at least 1, was " + runs);
    }
    List<PoolRun> all = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      all.add(run(model, firstSeed + i));
    }
    return new PoolRuns(all);
  }

  /** When requests arrive, in nanoseconds since the start, ascending. */
  static long[] arrivals(
      PoolModel.Arrivals kind, double perSecond, Duration until, RandomGenerator random) {
    if (perSecond == 0) {
      return new long[0];
    }
    double gap = Checks.NANOS_PER_SECOND / perSecond;
    long horizon = until.toNanos();
    boolean even = kind == PoolModel.Arrivals.EVEN;
    long[] times = new long[(int) (horizon / gap) + 16];
    int count = 0;
    double next = even ? 0 : Draws.exponential(gap, random);
    while (Math.round(next) < horizon) {
      if (count == times.length) {
        times = Arrays.copyOf(times, count + count / 2);
      }
      times[count++] = Math.round(next);
      // Even times are products, not sums, so that rounding does not pile up.
      next = even ? count * gap : next + Draws.exponential(gap, random);
    }
    return Arrays.copyOf(times, count);
  }
}
