package io.gcdiag.evidence.time;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Amounts by code location over time: buckets of a second, which double in width whenever there are
 * too many amounts. An amount is a number in an array, because every event with a stack adds to
 * one. Not thread-safe.
 *
 * <p>Events come roughly in order of time. The latest buckets are open: each is an array by
 * location, small enough for the CPU's caches. Other buckets keep only the amounts that are not
 * zero.
 */
public final class PlaceCounts {

  /** A few megabytes; a recording of an hour stays below. */
  private static final int MOST_AMOUNTS = 200_000;

  /** Threads write their events with delays of a few seconds, so several buckets are open. */
  private static final int OPEN = 4;

  private static final long SECOND = 1_000_000_000L;

  private final int mostAmounts;
  private final TreeMap<Long, Amounts> closed = new TreeMap<>();
  private final OpenBucket[] open = new OpenBucket[OPEN];

  /**
   * The latest bucket and its borders in nanoseconds; cached because a division is the most
   * expensive step.
   */
  private OpenBucket latest = new OpenBucket();

  private long latestFrom;
  private long latestTo;

  /** Number of amounts in all buckets. */
  private int count;

  private int width = 1;

  public PlaceCounts() {
    this(MOST_AMOUNTS);
  }

  PlaceCounts(int mostAmounts) {
    this.mostAmounts = mostAmounts;
    Arrays.setAll(open, i -> new OpenBucket());
  }

  /** The amounts of a bucket by place, in any order. */
  private record Amounts(int[] places, long[] amounts) {}

  /** A bucket to which amounts are added. */
  private static final class OpenBucket {

    private static final int FIRST_SIZE = 64;

    private long bucket;
    private long[] amounts = new long[FIRST_SIZE];

    /** Locations with an amount. */
    private int[] places = new int[FIRST_SIZE];

    private int count;

    /** Returns whether it was the first amount of the location. */
    boolean add(int place, long amount) {
      if (place >= amounts.length) {
        amounts = Arrays.copyOf(amounts, Math.max(place + 1, 2 * amounts.length));
      }
      boolean first = amounts[place] == 0;
      amounts[place] += amount;
      if (first) {
        if (count == places.length) {
          places = Arrays.copyOf(places, 2 * count);
        }
        places[count++] = place;
      }
      return first;
    }

    /** Adds the stored amounts of a bucket. */
    int add(Amounts more) {
      int added = 0;
      for (int i = 0; i < more.places().length; i++) {
        added += add(more.places()[i], more.amounts()[i]) ? 1 : 0;
      }
      return added;
    }

    /** Takes the amounts out and leaves the bucket empty. */
    Amounts take() {
      Amounts taken = new Amounts(Arrays.copyOf(places, count), new long[count]);
      for (int i = 0; i < count; i++) {
        taken.amounts()[i] = amounts[places[i]];
        // A location whose damaged sum returned to 0 is listed twice.
        amounts[places[i]] = 0;
      }
      count = 0;
      return taken;
    }
  }

  /**
   * Adds an amount.
   *
   * @param place number of the location, from 0; should be small
   * @param at nanoseconds since 1970
   * @param amount greater than 0
   */
  public void add(int place, long at, long amount) {
    if (at < latestFrom || at >= latestTo) {
      goTo(Math.floorDiv(at, SECOND * width));
    }
    if (latest.add(place, amount)) {
      count++;
      while (count > mostAmounts && width < Integer.MAX_VALUE / 2) {
        coarsen();
      }
    }
  }

  /**
   * Adds the amounts of others, each at the beginning of its bucket.
   *
   * @param placeOf the number here of a location there
   */
  public void addAll(PlaceCounts others, IntUnaryOperator placeOf) {
    others.close();
    others.closed.forEach(
        (bucket, kept) -> {
          for (int i = 0; i < kept.places().length; i++) {
            int place = placeOf.applyAsInt(kept.places()[i]);
            add(place, bucket * SECOND * others.width, kept.amounts()[i]);
          }
        });
  }

  private void goTo(long bucket) {
    latest = open[(int) (bucket & OPEN - 1)];
    if (latest.bucket != bucket) {
      close(latest);
      latest.bucket = bucket;
      Amounts kept = closed.remove(bucket);
      if (kept != null) {
        latest.add(kept);
      }
    }
    latestFrom = bucket * SECOND * width;
    latestTo = latestFrom + SECOND * width;
  }

  private void close(OpenBucket bucket) {
    if (bucket.count > 0) {
      closed.put(bucket.bucket, bucket.take());
    }
  }

  /** Merges pairs of buckets. */
  private void coarsen() {
    close();
    width *= 2;
    latestTo = latestFrom;
    count = 0;
    TreeMap<Long, Amounts> narrow = new TreeMap<>(closed);
    closed.clear();
    narrow.forEach(
        (bucket, amounts) -> {
          goTo(bucket >> 1);
          count += latest.add(amounts);
        });
  }

  /** Stores all open buckets. */
  public void close() {
    for (OpenBucket bucket : open) {
      close(bucket);
    }
    latestTo = latestFrom;
  }

  /** Amounts of the buckets whose middle is in the window, by location. */
  public Map<Integer, Long> within(Window window) {
    close();
    Map<Integer, Long> sums = new HashMap<>();
    closed.forEach(
        (bucket, kept) -> {
          long middle = bucket * width + width / 2;
          if (middle >= window.from().getEpochSecond() && middle < window.to().getEpochSecond()) {
            for (int i = 0; i < kept.places().length; i++) {
              sums.merge(kept.places()[i], kept.amounts()[i], Long::sum);
            }
          }
        });
    return sums;
  }
}
