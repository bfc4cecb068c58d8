package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.time.TimedIndex;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.units.Halving;
import io.gcdiag.units.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;

/**
 * The logs of one analysis as the parts of a rotated set, to find missing parts. Collections are
 * numbered from 0 without gaps, and rotation deletes the oldest parts.
 */
public final class LogParts {

  /**
   * Up to this many consecutive GC numbers may have no pause: a cancelled concurrent cycle has a
   * number and stops no thread.
   */
  private static final long SILENT_CYCLES = 8;

  /**
   * Up to this many collections may run during a concurrent cycle, so its final pauses, with the
   * lower number, may be in the next part.
   */
  private static final long DURING_A_CYCLE = 64;

  private final List<Part> parts = new ArrayList<>();
  private final PlacedLogs placed = new PlacedLogs();

  /** The object shared by the logs of an analysis. */
  public static LogParts of(IngestContext intake) {
    return intake.shared(LogParts.class, LogParts::new);
  }

  /** A log and its GC numbers, in order, each once. */
  private record Part(String file, long[] numbers) {

    long first() {
      return numbers[0];
    }

    long last() {
      return numbers[numbers.length - 1];
    }
  }

  /** Adds a log; a log with several runs of a JVM has no single order and is ignored. */
  void add(String file, GcLog log) {
    long[] numbers = numbers(log);
    if (numbers.length > 0 && log.extent().runs() == 1) {
      parts.add(new Part(file, numbers));
    }
  }

  /** The logs already on the common clock. */
  PlacedLogs placed() {
    return placed;
  }

  private static long[] numbers(GcLog log) {
    long[] all = new long[log.pauses.size()];
    int count = 0;
    for (int i = 0; i < all.length; i++) {
      long id = log.pauses.gcId(i);
      if (id >= 0) {
        all[count++] = id;
      }
    }
    Arrays.sort(all, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[distinct++] = all[i];
      }
    }
    return Arrays.copyOf(all, distinct);
  }

  /** One sentence for each range of collections that no part contains. */
  public List<String> missing() {
    List<String> notes = new ArrayList<>();
    List<Part> sorted = parts.stream().sorted(Comparator.comparingLong(Part::first)).toList();
    for (int i = 0; i < sorted.size(); i++) {
      inside(sorted.get(i), notes);
    }
    if (sorted.isEmpty() || overlap(sorted)) {
      return notes;
    }
    Part first = sorted.get(0);
    if (first.first() > SILENT_CYCLES) {
      notes.add(
          ("%s begins with collection %s of its JVM: what was before is not in these" + " inputs")
              .formatted(first.file(), first.first()));
    }
    for (int i = 1; i < sorted.size(); i++) {
      Part earlier = sorted.get(i - 1);
      Part later = sorted.get(i);
      if (isGap(earlier.last(), later.first())) {
        notes.add(
            "%s lie between %s and %s and are not in these inputs"
                .formatted(range(earlier.last(), later.first()), earlier.file(), later.file()));
      }
    }
    return notes;
  }

  /** Logs with overlapping numbers are of different JVMs, or copies, and no parts of one set. */
  private static boolean overlap(List<Part> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      Part earlier = sorted.get(i - 1);
      Part later = sorted.get(i);
      if (later.last() <= earlier.last() || earlier.last() - later.first() > DURING_A_CYCLE) {
        return true;
      }
    }
    return false;
  }

  private static void inside(Part part, List<String> notes) {
    for (int i = 1; i < part.numbers().length; i++) {
      if (isGap(part.numbers()[i - 1], part.numbers()[i])) {
        notes.add(
            "%s lacks %s: a part of it is missing"
                .formatted(part.file(), range(part.numbers()[i - 1], part.numbers()[i])));
      }
    }
  }

  private static boolean isGap(long before, long after) {
    return after - before > SILENT_CYCLES + 1;
  }

  private static String range(long before, long after) {
    return "collections " + (before + 1) + " to " + (after - 1);
  }

  /**
   * The logs that were placed so far. Parts of a rotated set may overlap, where rotation went by
   * copying: what two of them tell counts once. That they are of one JVM shows by a pause that both
   * have, with its time, its length and its number.
   */
  static final class PlacedLogs {

    /** The first pause of a part may lack the line with its start, and be dated a little later. */
    private static final int TRIED = 3;

    private final List<Placed> placed = new ArrayList<>();

    /**
     * A log's pauses in their order, and from when to when its pauses, safepoints and lines are.
     */
    private record Placed(PauseStore pauses, TimedIndex order, Span span, Span stops, Span lines) {}

    /** Times in nanoseconds since 1970, both inclusive; none if the end is before the start. */
    private record Span(long from, long to) {
      static Span of(IntToLongFunction start, TimedIndex order) {
        return order.size() == 0
            ? new Span(0, -1)
            : new Span(
                start.applyAsLong(order.of(0)), start.applyAsLong(order.of(order.size() - 1)));
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
     * @param last when its last line was written, in nanoseconds since 1970; {@link Nanos#NO_TIME}
     *     if that is not known
     */
    Told add(
        PauseStore pauses, TimedIndex order, LoggedStalls stalls, TimedIndex stops, long last) {
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
}
