package io.gcdiag.ingest.gclog.text;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a list of packed elements writes what several kinds of them have. */
public final class PackedWords {

  /** A time that the log did not give. */
  public static final long NO_TIME = Long.MIN_VALUE;

  /** Bits of a duration in nanoseconds, which is beside a number of {@link #WORD_BITS} bits. */
  static final int TIME_BITS = 44;

  /** Takes the duration out of such a word. */
  public static final long TIME_MASK = (1L << TIME_BITS) - 1;

  /** Bits of the number of something that repeats. */
  static final int WORD_BITS = 20;

  private static final long NANOS = 1_000_000_000L;

  /** Instants that fit, in seconds: of the years 1678 to 2262. */
  static final long MOST_SECONDS = 9_200_000_000L;

  private PackedWords() {}

  /** Writes both times of a stamp; false if one does not fit. */
  public static boolean stamp(LogStamp stamp, long[] to, int at) {
    to[at] = wallClock(stamp);
    to[at + 1] = uptime(stamp);
    return stamp.wallClock().isPresent() == (to[at] != NO_TIME)
        && stamp.uptime().isPresent() == (to[at + 1] != NO_TIME);
  }

  /** The stamp that was written there. */
  public static LogStamp stamp(long[] from, int at) {
    return stamp(from[at], from[at + 1]);
  }

  /** The stamp of two times, each {@link #NO_TIME} if it is not there. */
  public static LogStamp stamp(long wallClock, long uptime) {
    return new LogStamp(
        wallClock == NO_TIME ? Optional.empty() : Optional.of(instant(wallClock)),
        uptime == NO_TIME ? Optional.empty() : Optional.of(Duration.ofNanos(uptime)));
  }

  /** The wall clock of a stamp in nanoseconds since 1970; {@link #NO_TIME} where it has none. */
  public static long wallClock(LogStamp stamp) {
    return stamp
        .wallClock()
        .filter(wall -> Math.abs(wall.getEpochSecond()) <= MOST_SECONDS)
        .map(wall -> wall.getEpochSecond() * NANOS + wall.getNano())
        .orElse(NO_TIME);
  }

  /** The uptime of a stamp in nanoseconds; {@link #NO_TIME} where it has none. */
  public static long uptime(LogStamp stamp) {
    return stamp
        .uptime()
        .filter(uptime -> uptime.getSeconds() <= MOST_SECONDS)
        .map(Duration::toNanos)
        .orElse(NO_TIME);
  }

  /** A duration in nanoseconds, as long as one can be if it is longer. */
  public static long nanos(Duration duration) {
    return duration.getSeconds() > MOST_SECONDS ? Long.MAX_VALUE : duration.toNanos();
  }

  /** The instant so many nanoseconds after 1970 began. */
  public static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
  }

  /** A duration and a small number in one word; {@link #NO_TIME} if they do not fit. */
  public static long timed(Duration duration, int number) {
    boolean fits = duration.getSeconds() < (1L << TIME_BITS) / NANOS;
    return fits ? timed(duration.toNanos(), number) : NO_TIME;
  }

  /** The same of a duration in nanoseconds. */
  public static long timed(long nanos, int number) {
    boolean fits = nanos >>> TIME_BITS == 0 && number >= 0;
    return fits ? (long) number << TIME_BITS | nanos : NO_TIME;
  }

  /** The duration of such a word. */
  public static Duration duration(long word) {
    return Duration.ofNanos(word & TIME_MASK);
  }

  /** The number of such a word. */
  public static int number(long word) {
    return (int) (word >>> TIME_BITS);
  }

  /** Things of which a log has few, each with a number. */
  public static final class Words<W> {
    private final Map<W, Integer> numbers = new HashMap<>();
    private final List<W> all = new ArrayList<>();

    /** Its number; -1 if there are too many. */
    public int number(W word) {
      Integer known = numbers.get(word);
      if (known != null) {
        return known;
      }
      if (all.size() == 1 << WORD_BITS - 1) {
        return -1;
      }
      numbers.put(word, all.size());
      all.add(word);
      return all.size() - 1;
    }

    /** The thing with that number. */
    public W of(int number) {
      return all.get(number);
    }
  }
}
