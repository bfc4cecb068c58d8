package io.gcdiag.queueing;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.util.FastMath;

/**
 * How long a caller holds its connection: fixed, exponential, log-normal or as measured. Stalls
 * come on top.
 *
 * <p>Draws use only arithmetic that is the same on every machine, in whole nanoseconds.
 */
public sealed interface HoldTime {

  /** The mean, above 0. */
  Duration mean();

  /** Draws one hold time in nanoseconds, 0 or more. */
  long nextNanos(RandomGenerator random);

  /**
   * Always the same.
   *
   * @param mean the hold time, above 0
   */
  record Fixed(Duration mean) implements HoldTime {
    public Fixed {
      QueueingArguments.positive(mean, "mean");
    }

    @Override
    public long nextNanos(RandomGenerator random) {
      return mean.toNanos();
    }
  }

  /**
   * Exponential, as in the M/M/c queue.
   *
   * @param mean its mean, above 0
   */
  record Exponential(Duration mean) implements HoldTime {
    public Exponential {
      QueueingArguments.positive(mean, "mean");
    }

    @Override
    public long nextNanos(RandomGenerator random) {
      return Draws.exponentialNanos(mean.toNanos(), random);
    }
  }

  /**
   * Log-normal: most holds short, a few long, as measured hold times usually are.
   *
   * @param mean its mean, above 0
   * @param sigma standard deviation of the logarithm, 0 or more
   */
  record LogNormal(Duration mean, double sigma) implements HoldTime {
    /** The standard normal quantile 0.99. */
    private static final double Z99 = 2.3263478740408408;

    public LogNormal {
      QueueingArguments.positive(mean, "mean");
      QueueingArguments.rate(sigma, "sigma");
    }

    /**
     * The log-normal distribution with a given mean and P99. As ln(p99 / mean) = z sigma - sigma^2
     * / 2 with z = 2.326, sigma is the smaller solution of a square equation.
     *
     * @param mean above 0
     * @param p99 at least the mean, at most exp(z^2 / 2) = 14.97 times the mean, for no log-normal
     *     distribution has more
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static LogNormal of(Duration mean, Duration p99) {
      QueueingArguments.positive(mean, "mean");
      QueueingArguments.positive(p99, "p99");
      double logRatio = FastMath.log(Durations.seconds(p99) / Durations.seconds(mean));
      double discriminant = Z99 * Z99 - 2 * logRatio;
      if (logRatio < 0 || discriminant < 0) {
        throw new IllegalArgumentException(
            "p99 must be from 1 to 14.97 times the mean, was " + p99 + " with mean " + mean);
      }
      return new LogNormal(mean, Z99 - Math.sqrt(discriminant));
    }

    @Override
    public long nextNanos(RandomGenerator random) {
      double exponent = sigma * random.nextGaussian() - sigma * sigma / 2;
      return Math.round(mean.toNanos() * FastMath.exp(exponent));
    }
  }

  /**
   * As measured: the quantiles of a sample, drawn by inversion and interpolated between neighbours.
   *
   * @param quantiles at evenly spaced probabilities from 0 to 1, ascending, each 0 or more and the
   *     last above 0; at least two
   */
  record Empirical(List<Duration> quantiles) implements HoldTime {

    /**
     * @throws IllegalArgumentException if there are fewer than two quantiles, they do not ascend,
     *     or all are 0
     */
    public Empirical {
      quantiles = List.copyOf(quantiles);
      if (quantiles.size() < 2) {
        throw new IllegalArgumentException("quantiles must be at least 2, were " + quantiles);
      }
      Duration last = QueueingArguments.notNegative(quantiles.get(0), "quantiles");
      for (Duration next : quantiles) {
        if (next.compareTo(last) < 0) {
          throw new IllegalArgumentException("quantiles must ascend, were " + quantiles);
        }
        last = next;
      }
      QueueingArguments.positive(last, "longest quantile");
    }

    /** The mean of what is drawn: neighbours are equally likely pieces. */
    @Override
    public Duration mean() {
      double nanos = 0;
      for (int i = 1; i < quantiles.size(); i++) {
        nanos += (quantiles.get(i - 1).toNanos() + (double) quantiles.get(i).toNanos()) / 2;
      }
      return Duration.ofNanos(Math.max(1, Math.round(nanos / (quantiles.size() - 1))));
    }

    @Override
    public long nextNanos(RandomGenerator random) {
      double position = random.nextDouble() * (quantiles.size() - 1);
      int below = (int) position;
      long low = quantiles.get(below).toNanos();
      long high = quantiles.get(below + 1).toNanos();
      return low + Math.round((position - below) * (high - low));
    }
  }
}
