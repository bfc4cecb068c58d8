package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.time.TimedIndex;
import io.gcdiag.units.Halving;
import io.gcdiag.units.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;

/**
 * The logs that were placed so far. Parts of a rotated set may overlap, where rotation went by
 * copying: what two of them tell counts once. That they are of one JVM shows by a pause that both
 * have, with its time, its length and its number.
 */
final class PlacedLogs {

  /** The first pause of a part may lack the line with its start, and be dated a little later. */
  private static final int TRIED = 3;

  private final List<Placed> placed = new ArrayList<>();

  /** A log's pauses in their order, and from when to when its pauses, safepoints and lines are. */
  private record Placed(PauseStore pauses, TimedIndex order, Span span, Span stops, Span lines) {}

  /** Times in nanoseconds since 1970, both inclusive; none if the end is before the start. */
  private record Span(long from, long to) {
    static Span of(IntToLongFunction start, TimedIndex order) {
      return order.size() == 0
          ? new Span(0, -1)
          : new Span(start.applyAsLong(order.of(0)), start.applyAsLong(order.of(order.size() - 1)));
    }

    boolean has(long time) {
      return from <= time && time <= to;
    }
  }

  /**
   * What was read before.
   *
   * @param pause whether a pause that began at that time was, in nanoseconds since 1970
   * @param stop whether a safepoint that began at that time was
   * @param line whether what a line of that time says was
   */
  record Told(LongPredicate pause, LongPredicate stop, LongPredicate line) {}

  /**
   * Adds a log; says which times of it one before covers.
   *
   * @param last when its last line was written, in nanoseconds since 1970; {@link Nanos#NO_TIME} if
   *     that is not known
   */
  Told add(PauseStore pauses, TimedIndex order, LoggedStalls stalls, TimedIndex stops, long last) {
    List<Placed> same = placed.stream().filter(other -> shares(other, pauses, order)).toList();
    Told told =
        new Told(
            time -> same.stream().anyMatch(other -> other.span().has(time)),
            time -> same.stream().anyMatch(other -> other.stops().has(time)),
            time -> same.stream().anyMatch(other -> other.lines().has(time)));
    Span span = Span.of(pauses::start, order);
    Span lines = new Span(span.from(), Math.max(span.to(), last));
    placed.add(new Placed(pauses, order, span, Span.of(stalls::start, stops), lines));
    return told;
  }

  private static boolean shares(Placed other, PauseStore pauses, TimedIndex order) {
    int first = place(pauses, order, other.span().from());
    for (int i = first; i < Math.min(order.size(), first + TRIED); i++) {
      if (has(other, pauses, order.of(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(Placed other, PauseStore pauses, int pause) {
    long start = pauses.start(pause);
    int at = place(other.pauses(), other.order(), start);
    for (int i = at; i < other.order().size(); i++) {
      int same = other.order().of(i);
      if (other.pauses().start(same) != start) {
        return false;
      }
      if (other.pauses().nanos(same) == pauses.nanos(pause)
          && other.pauses().gcId(same) == pauses.gcId(pause)) {
        return true;
      }
    }
    return false;
  }

  /** The place of the first pause that does not begin before a time. */
  private static int place(PauseStore pauses, TimedIndex order, long time) {
    return Halving.place(order.size(), i -> pauses.start(order.of((int) i)) >= time);
  }
}
