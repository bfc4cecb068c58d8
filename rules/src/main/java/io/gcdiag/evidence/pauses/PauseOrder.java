package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.TimedIndex;
import io.gcdiag.units.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;

/**
 * The pauses of one or several files in one order of time; of two at one time the first file's goes
 * first. A place is the number of a pause in that order.
 *
 * <p>Rules ask for the pauses of some type a dozen times, and mostly all or none of them are meant:
 * each type has a number. They ask twenty times for the time stopped in a window: the sum and the
 * longest of each block of pauses are kept.
 */
final class PauseOrder {

  /** Pauses of a block. */
  private static final int BLOCK = 1024;

  private static final int[] NONE = {};

  /**
   * The pauses of a file.
   *
   * @param types the numbers here of the store's types, by their numbers there
   */
  private record Part(String file, PauseStore store, int[] types) {}

  private final List<PauseType> all = new ArrayList<>();
  private final Part[] parts;
  private final int size;

  /** Which part each pause is of; empty if there is one part. */
  private int[] part = NONE;

  /** The row of each pause there; empty if there is one part, whose rows are in order. */
  private int[] row = NONE;

  private final Lazy<Blocks> blocks = new Lazy<>(() -> new Blocks(this));

  /** The pauses of a file that have a time. */
  PauseOrder(String file, PauseStore store) {
    parts = new Part[] {part(file, store)};
    TimedIndex timed = TimedIndex.of(store.size(), store::start);
    size = timed.size();
    if (!timed.isAll()) {
      row = new int[size];
      Arrays.setAll(row, timed::of);
    }
  }

  /** Those of several such orders, of each at the places that are given. */
  PauseOrder(List<Pauses> joined) {
    size = joined.stream().mapToInt(Pauses::size).sum();
    int[] ofPart = new int[size];
    int[] ofRow = new int[size];
    List<Part> found = new ArrayList<>();
    int next = 0;
    for (Pauses pauses : joined) {
      int first = found.size();
      for (Part one : pauses.order().parts) {
        found.add(part(one.file(), one.store()));
      }
      for (int i = 0; i < pauses.size(); i++) {
        int place = pauses.place(i);
        ofPart[next] = first + pauses.order().partOf(place);
        ofRow[next++] = pauses.order().rowOf(place);
      }
    }
    parts = found.toArray(Part[]::new);
    TimedIndex timed = TimedIndex.of(size, i -> parts[ofPart[i]].store().start(ofRow[i]));
    part = new int[size];
    row = new int[size];
    Arrays.setAll(part, place -> ofPart[timed.of(place)]);
    Arrays.setAll(row, place -> ofRow[timed.of(place)]);
  }

  private Part part(String file, PauseStore store) {
    int[] types = new int[store.types().size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = all.indexOf(store.types().get(i));
      if (types[i] < 0) {
        types[i] = all.size();
        all.add(store.types().get(i));
      }
    }
    return new Part(file, store, types);
  }

  int size() {
    return size;
  }

  private int partOf(int place) {
    return part.length == 0 ? 0 : part[place];
  }

  /** The file's pauses that the one at that place is among. */
  PauseStore store(int place) {
    return parts[partOf(place)].store();
  }

  /** Its row there. */
  int rowOf(int place) {
    return row.length == 0 ? place : row[place];
  }

  /** When the pause at a place begins; those at higher places begin no earlier. */
  long start(int place) {
    return store(place).start(rowOf(place));
  }

  /** How long it lasts, at least 0. */
  long nanos(int place) {
    return store(place).nanos(rowOf(place));
  }

  /** The type of the pause at that place. */
  PauseType type(int place) {
    return store(place).type(rowOf(place));
  }

  /** Its number. */
  int number(int place) {
    Part of = parts[partOf(place)];
    return of.types()[of.store().typeNumber(rowOf(place))];
  }

  /** The file in which it was read. */
  String file(int place) {
    return store(place).source(rowOf(place), parts[partOf(place)].file()).file();
  }

  /** All of it as an object. */
  GcPause get(int place) {
    return store(place).get(rowOf(place), parts[partOf(place)].file());
  }

  /** All types that there are. */
  List<PauseType> all() {
    return all;
  }

  /** Which types, by their numbers, meet the condition. */
  boolean[] met(Predicate<PauseType> condition) {
    boolean[] met = new boolean[all.size()];
    for (int i = 0; i < met.length; i++) {
      met[i] = condition.test(all.get(i));
    }
    return met;
  }

  /** Nanoseconds that the pauses of a range of places took together. */
  long sum(int from, int to) {
    return over(from, to, blocks.get().sums, Nanos::plus);
  }

  /** Nanoseconds that the longest of them took. */
  long longest(int from, int to) {
    return over(from, to, blocks.get().longest, Math::max);
  }

  /** By blocks where these are whole. */
  private long over(int from, int to, long[] whole, LongBinaryOperator and) {
    long found = 0;
    int place = from;
    while (place < to) {
      boolean block = place % BLOCK == 0 && place + BLOCK <= to;
      found = and.applyAsLong(found, block ? whole[place / BLOCK] : nanos(place));
      place += block ? BLOCK : 1;
    }
    return found;
  }

  /** The sum and the longest of each whole block. */
  private static final class Blocks {

    private final long[] sums;
    private final long[] longest;

    Blocks(PauseOrder pauses) {
      sums = new long[pauses.size / BLOCK];
      longest = new long[sums.length];
      for (int place = 0; place < sums.length * BLOCK; place++) {
        long nanos = pauses.nanos(place);
        sums[place / BLOCK] = Nanos.plus(sums[place / BLOCK], nanos);
        longest[place / BLOCK] = Math.max(longest[place / BLOCK], nanos);
      }
    }
  }
}
