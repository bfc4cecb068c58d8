package io.gcdiag.evidence.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts per second over time, in buckets of one second. Buckets without an amount are zero inside
 * the recorded span.
 */
public final class Series {

  static final Duration BUCKET = Duration.ofSeconds(1);

  private static final long SECOND = BUCKET.toNanos();

  /** Ten minutes in seconds; even an idle service allocates something in that time. */
  private static final long LONG_STRETCH = 600;

  private final NavigableMap<Long, Double> perSecond;

  private Series(NavigableMap<Long, Double> perSecond) {
    this.perSecond = Collections.unmodifiableNavigableMap(perSecond);
  }

  public static Series empty() {
    return new Series(new TreeMap<>());
  }

  public boolean isEmpty() {
    return perSecond.isEmpty();
  }

  /** Whether both have amounts for the same second, as two recordings of the same time do. */
  public boolean overlaps(Series other) {
    return perSecond.keySet().stream().anyMatch(other.perSecond::containsKey)
        && !perSecond.isEmpty()
        && perSecond.firstKey() < other.perSecond.lastKey()
        && other.perSecond.firstKey() < perSecond.lastKey();
  }

  public Series plus(Series other) {
    NavigableMap<Long, Double> sum = new TreeMap<>(perSecond);
    other.perSecond.forEach((second, amount) -> sum.merge(second, amount, Double::sum));
    return new Series(sum);
  }

  /** Seconds from the first amount to the last; 0 without any. */
  public long seconds() {
    return perSecond.isEmpty() ? 0 : perSecond.lastKey() - perSecond.firstKey() + 1;
  }

  /**
   * The amount for every second of the window, including zeros; for a long stretch without amounts
   * only its first and last second.
   */
  public SortedMap<Instant, Double> within(Window window) {
    long end = window.to().getEpochSecond();
    SortedMap<Instant, Double> amounts = new TreeMap<>();
    for (long second = window.from().getEpochSecond(); second < end; second++) {
      amounts.put(Instant.ofEpochSecond(second), perSecond.getOrDefault(second, 0.0));
      Long next = perSecond.higherKey(second);
      long last = (next == null ? end : Math.min(end, next)) - 1;
      if (last - second > LONG_STRETCH) {
        amounts.put(Instant.ofEpochSecond(second + 1), 0.0);
        second = last - 1;
      }
    }
    return amounts;
  }

  /** The sum of the amounts inside the window, whose borders are rounded to seconds. */
  public double sum(Window window) {
    return perSecond
        .subMap(window.from().getEpochSecond(), window.to().getEpochSecond())
        .values()
        .stream()
        .mapToDouble(Double::doubleValue)
        .sum();
  }

  /** The mean per second over the window; empty if nothing was recorded at all. */
  public OptionalDouble mean(Window window) {
    long seconds = window.to().getEpochSecond() - window.from().getEpochSecond();
    if (perSecond.isEmpty() || seconds <= 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(sum(window) / seconds);
  }

  /** Collects amounts in any order. */
  public static final class Builder {
    private final NavigableMap<Long, Double> perSecond = new TreeMap<>();

    /** The latest second, because amounts mostly come in order of time. */
    private long second;

    private double latest;
    private boolean any;

    /**
     * Start and end of that second in nanoseconds; cached because a division is the most expensive
     * step.
     */
    private long from;

    private long to;

    public void add(Instant at, double amount) {
      if (at.getEpochSecond() != second) {
        moveTo(at.getEpochSecond());
        to = from;
      }
      any = true;
      latest += amount;
    }

    /**
     * Adds an amount.
     *
     * @param at nanoseconds since 1970
     */
    public void add(long at, double amount) {
      if (at < from || at >= to) {
        moveTo(Math.floorDiv(at, SECOND));
        from = second * SECOND;
        to = from + SECOND;
      }
      any = true;
      latest += amount;
    }

    private void moveTo(long other) {
      keep();
      second = other;
      latest = perSecond.getOrDefault(second, 0.0);
    }

    private void keep() {
      if (any) {
        perSecond.put(second, latest);
      }
    }

    public Series build() {
      keep();
      return new Series(new TreeMap<>(perSecond));
    }
  }
}
