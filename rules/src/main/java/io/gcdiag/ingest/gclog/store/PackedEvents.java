package io.gcdiag.ingest.gclog.store;

import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.gclog.text.PackedWords;
import java.util.function.IntToLongFunction;

/**
 * Things of a log that begin at a time and last for a while. The first two words of each are the
 * two times that a log may give it, and after {@link #place} the first is that of the common clock.
 */
public abstract class PackedEvents<T> extends PackedList<T> {

  /** Words that {@link PackedWords#stamp} fills; what follows is the elements' own. */
  static final int STAMP_WORDS = 2;

  private static final int WALL_CLOCK = 0;
  private static final int UPTIME = 1;
  private static final int START = 0;

  /** A list whose elements take so many words each. */
  PackedEvents(int words) {
    super(words);
  }

  /** The times that the log gave an element. */
  abstract LogStamp stamp(T element);

  /** How long it was, in nanoseconds; {@link Long#MAX_VALUE} if that is beyond all measure. */
  public abstract long nanos(int index);

  /** When it was by the wall clock, in nanoseconds since 1970, or {@link PackedWords#NO_TIME}. */
  public final long wallClock(int index) {
    return isOdd(index) ? PackedWords.wallClock(stamp(get(index))) : word(index, WALL_CLOCK);
  }

  /** Its uptime in nanoseconds, or {@link PackedWords#NO_TIME}. */
  public final long uptime(int index) {
    return isOdd(index) ? PackedWords.uptime(stamp(get(index))) : word(index, UPTIME);
  }

  /**
   * Puts all of them on a clock: from now on {@link #start} shows when each begins, and the two
   * times that the log gave it are no longer asked for.
   *
   * @param clock when an element begins by that clock, in nanoseconds since 1970, or {@link
   *     Packing#NO_TIME}
   */
  public final void place(IntToLongFunction clock) {
    for (int i = 0; i < size(); i++) {
      // Of an element that did not fit into its words, this one is free.
      segment(i)[offset(i) + START] = clock.applyAsLong(i);
    }
  }

  /**
   * When it begins, in nanoseconds since 1970, once that is known, or {@link PackedWords#NO_TIME}.
   */
  public final long start(int index) {
    return word(index, START);
  }

  /** When it ends, in nanoseconds since 1970, or {@link PackedWords#NO_TIME}. */
  public final long end(int index) {
    long start = start(index);
    return start == PackedWords.NO_TIME ? start : start + nanos(index);
  }
}
