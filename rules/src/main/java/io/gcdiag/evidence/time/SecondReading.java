package io.gcdiag.evidence.time;

import java.time.Duration;

/**
 * The pauses of one log, read a second time by another program.
 *
 * @param part the part that both have read; empty for all of it
 * @param own the result of gcdiag's reader
 * @param other the result of the other program
 */
public record SecondReading(String file, String reader, String part, Totals own, Totals other) {

  /**
   * Totals of pauses.
   *
   * @param longest the longest; zero without any
   */
  public record Totals(int count, Duration sum, Duration longest) {

    /** Sums up durations. */
    public static Totals of(Iterable<Duration> durations) {
      int count = 0;
      Duration sum = Duration.ZERO;
      Duration longest = Duration.ZERO;
      for (Duration duration : durations) {
        count++;
        sum = sum.plus(duration);
        longest = duration.compareTo(longest) > 0 ? duration : longest;
      }
      return new Totals(count, sum, longest);
    }
  }
}
