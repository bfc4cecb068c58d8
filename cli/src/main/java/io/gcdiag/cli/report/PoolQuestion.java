package io.gcdiag.cli.report;

import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is asked of Little's law and Erlang's formula.
 *
 * @param rate arrivals, above 0 and at most {@value #MOST_PER_SECOND} per second
 * @param hold how long each holds a connection, above 0
 * @param holdIsBound whether it is known only that they hold it no longer than that; no pool can be
 *     sized by this
 * @param pool connections there are, at least 1
 * @param pause a stop of the whole process; needs a pool
 * @param target the wait that is wanted
 * @param origins where figures come from that the user did not give, one sentence each
 */
public record PoolQuestion(
    Rate rate,
    Duration hold,
    boolean holdIsBound,
    OptionalInt pool,
    Optional<Duration> pause,
    Optional<TargetWait> target,
    List<String> origins) {

  /** One arrival per nanosecond; higher rates are not meaningful. */
  public static final double MOST_PER_SECOND = 1e9;

  private static final double PERCENT = 100;

  /**
   * A wait that most arrivals must not exceed.
   *
   * @param limit the longest wait that is in order, 0 or more
   * @param percentile the share of arrivals in percent, above 0 and below 100
   */
  public record TargetWait(Duration limit, double percentile) {

    private static final double USUAL_PERCENTILE = 99;

    /**
     * Reads {@code 5ms@p99}, {@code 5ms@99} or {@code 5ms}, which mean the same.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static TargetWait parse(String text) {
      int at = text.indexOf('@');
      if (at < 0) {
        return new TargetWait(Durations.parse(text), USUAL_PERCENTILE);
      }
      String percentile = text.substring(at + 1).trim();
      if (!percentile.matches("[pP]?\\d{1,2}(\\.\\d{1,6})?")) {
        throw new IllegalArgumentException(
            "'" + text + "' is not a wait with a percentile; write it like 5ms@p99");
      }
      double value = Double.parseDouble(percentile.replaceFirst("^[pP]", ""));
      if (value <= 0) {
        throw new IllegalArgumentException("a percentile lies between 0 and 100, not " + value);
      }
      return new TargetWait(Durations.parse(text.substring(0, at)), value);
    }

    /** The share of arrivals as a fraction. */
    double probability() {
      return percentile / PERCENT;
    }

    /** {@code p99} or {@code p99.9}. */
    String name() {
      return "p" + Numbers.threeDigits(percentile);
    }
  }

  public PoolQuestion {
    if (!(rate.perSecond() > 0 && rate.perSecond() <= MOST_PER_SECOND)) {
      throw new IllegalArgumentException(
          "the rate must be above 0 and at most " + Numbers.decimals(MOST_PER_SECOND, 0) + "/s");
    }
    if (hold.isZero() || hold.isNegative()) {
      throw new IllegalArgumentException("the hold time must be longer than 0");
    }
    if (pool.isPresent() && pool.getAsInt() < 1) {
      throw new IllegalArgumentException("a pool has at least 1 connection");
    }
    if (holdIsBound && target.isPresent()) {
      throw new IllegalArgumentException(
          "no pool can be sized by a hold time of which only the most is known");
    }
    if (pause.isPresent() && pool.isEmpty()) {
      throw new IllegalArgumentException("a pause needs a pool to meet");
    }
  }
}
