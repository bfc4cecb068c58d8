package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.ListSelection;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.TimedIndex;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Halving;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;

/**
 * The pauses of one or several files by start (at equal times, the first file's first). It is a
 * list, and also gives access to the values of each pause as numbers directly in {@link
 * PauseStore}. Code that goes through all pauses uses the numbers, and creates objects only for the
 * few that it names.
 *
 * <p>Rules ask for the pauses of some type a dozen times, and mostly all or none match, so each
 * type has a number. They ask twenty times for the time stopped in a window, so the sum and the
 * longest of each block of pauses are cached.
 */
public final class Pauses extends AbstractList<GcPause> implements RandomAccess {

  private static final int[] IN_ORDER = {};

  private static final Pauses NONE = of(List.of());

  private final Part[] parts;

  private final List<PauseType> types;

  /** The part of the pause at each place; empty if there is one part. */
  private final int[] partOf;

  /** Its row in that part; empty if there is one part, whose rows are in order. */
  private final int[] rowOf;

  private final ListSelection places;

  private final Lazy<Blocks> blocks;

  /**
   * The pauses of a file.
   *
   * @param types this list's numbers of the store's types, by their numbers in the store
   */
  private record Part(String file, PauseStore store, int[] types) {}

  private Pauses(Part[] parts, List<PauseType> types, int[] partOf, int[] rowOf, int size) {
    this.parts = parts;
    this.types = types;
    this.partOf = partOf;
    this.rowOf = rowOf;
    places = ListSelection.all(size);
    blocks = new Lazy<>(() -> new Blocks(size, this::nanos));
  }

  private Pauses(Pauses all, ListSelection places) {
    parts = all.parts;
    types = all.types;
    partOf = all.partOf;
    rowOf = all.rowOf;
    blocks = all.blocks;
    this.places = places;
  }

  /** The pauses of a file that have a time; no more can be added to it. */
  public static Pauses of(String file, PauseStore store) {
    store.close();
    List<PauseType> types = new ArrayList<>();
    Part[] one = {part(file, store, types)};
    TimedIndex timed = TimedIndex.of(store.size(), store::start);
    int[] rows = timed.isAll() ? IN_ORDER : new int[timed.size()];
    Arrays.setAll(rows, timed::of);
    return new Pauses(one, types, IN_ORDER, rows, timed.size());
  }

  /** The given pauses, in any order. */
  public static Pauses of(Collection<GcPause> pauses) {
    if (pauses instanceof Pauses ready) {
      return ready;
    }
    PauseStore store = new PauseStore();
    pauses.forEach(store::add);
    return of("", store);
  }

  public static Pauses none() {
    return NONE;
  }

  /** The pauses of several files, merged. */
  public static Pauses joined(List<Pauses> parts) {
    List<Pauses> filled = parts.stream().filter(part -> !part.isEmpty()).toList();
    return switch (filled.size()) {
      case 0 -> NONE;
      case 1 -> filled.get(0);
      default -> inOneOrder(filled);
    };
  }

  private static Pauses inOneOrder(List<Pauses> joined) {
    int size = joined.stream().mapToInt(Pauses::size).sum();
    int[] ofPart = new int[size];
    int[] ofRow = new int[size];
    List<Part> parts = new ArrayList<>();
    List<PauseType> types = new ArrayList<>();
    int next = 0;
    for (Pauses pauses : joined) {
      int first = parts.size();
      for (Part one : pauses.parts) {
        parts.add(part(one.file(), one.store(), types));
      }
      for (int i = 0; i < pauses.size(); i++) {
        ofPart[next] = first + pauses.partAt(i);
        ofRow[next++] = pauses.row(i);
      }
    }
    TimedIndex timed = TimedIndex.of(size, i -> parts.get(ofPart[i]).store().start(ofRow[i]));
    int[] partOf = new int[size];
    int[] rowOf = new int[size];
    Arrays.setAll(partOf, place -> ofPart[timed.of(place)]);
    Arrays.setAll(rowOf, place -> ofRow[timed.of(place)]);
    return new Pauses(parts.toArray(Part[]::new), types, partOf, rowOf, size);
  }

  private static Part part(String file, PauseStore store, List<PauseType> all) {
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

  @Override
  public int size() {
    return places.size();
  }

  @Override
  public GcPause get(int index) {
    Objects.checkIndex(index, size());
    return store(index).get(row(index), parts[partAt(index)].file());
  }

  @Override
  public Pauses subList(int from, int to) {
    Objects.checkFromToIndex(from, to, size());
    return part(places.part(from, to));
  }

  private Pauses part(ListSelection some) {
    return some == places ? this : new Pauses(this, some);
  }

  /** The pauses that start inside the window. */
  public Pauses within(Window window) {
    int from = firstFrom(window.from());
    return part(places.part(from, Math.max(from, firstFrom(window.to()))));
  }

  private int firstFrom(Instant time) {
    long nanos = Nanos.since1970(time);
    return Halving.place(size(), i -> startNanos((int) i) >= nanos);
  }

  private int partAt(int index) {
    return partOf.length == 0 ? 0 : partOf[places.of(index)];
  }

  private PauseStore store(int index) {
    return parts[partAt(index)].store();
  }

  private int row(int index) {
    return rowOf.length == 0 ? places.of(index) : rowOf[places.of(index)];
  }

  private int number(int index) {
    Part of = parts[partAt(index)];
    return of.types()[of.store().typeNumber(row(index))];
  }

  /** Whether any of them ends after a time. */
  public boolean endAfter(Instant time) {
    long nanos = Nanos.since1970(time);
    for (int i = size() - 1; i >= 0; i--) {
      if (endNanos(i) > nanos) {
        return true;
      }
    }
    return false;
  }

  /** The pauses whose index meets the condition. */
  public Pauses where(IntPredicate condition) {
    return part(places.where(condition));
  }

  /** The pauses whose type meets the condition. */
  public Pauses ofType(Predicate<PauseType> condition) {
    boolean[] met = new boolean[types.size()];
    int howMany = 0;
    for (int i = 0; i < met.length; i++) {
      met[i] = condition.test(types.get(i));
      howMany += met[i] ? 1 : 0;
    }
    if (howMany == 0) {
      return part(places.part(0, 0));
    }
    return howMany == met.length ? this : where(i -> met[number(i)]);
  }

  /** Whether any of them has a type that meets the condition. */
  public boolean anyOfType(Predicate<PauseType> condition) {
    return types().stream().anyMatch(condition);
  }

  public Set<PauseType> types() {
    Set<PauseType> found = new HashSet<>();
    boolean[] seen = new boolean[types.size()];
    for (int i = 0; i < size() && found.size() < types.size(); i++) {
      int number = number(i);
      if (!seen[number]) {
        seen[number] = true;
        found.add(types.get(number));
      }
    }
    return found;
  }

  /** The pauses with known heap sizes. */
  public Pauses tellingHeap() {
    return where(this::tellsHeap);
  }

  /** When one begins. */
  public Instant start(int index) {
    return Nanos.instant(startNanos(index));
  }

  /** When one begins, in nanoseconds since 1970. */
  public long startNanos(int index) {
    return store(index).start(row(index));
  }

  /** When the application went on, in nanoseconds since 1970. */
  public long endNanos(int index) {
    return Nanos.plus(startNanos(index), nanos(index));
  }

  /** How long one lasts, in nanoseconds, at least 0. */
  public long nanos(int index) {
    return store(index).nanos(row(index));
  }

  /** How long one lasts, in seconds. */
  public double seconds(int index) {
    return Nanos.seconds(nanos(index));
  }

  /** Kind and cause of one. */
  public PauseType type(int index) {
    return store(index).type(row(index));
  }

  public PauseKind kind(int index) {
    return type(index).kind();
  }

  /** Whether the heap sizes around one are known; if not, they must not be read. */
  public boolean tellsHeap(int index) {
    return store(index).tellsHeap(row(index));
  }

  /** Bytes in use when one began. */
  public long usedBefore(int index) {
    return store(index).usedBefore(row(index));
  }

  /** Bytes in use when one ended. */
  public long usedAfter(int index) {
    return store(index).usedAfter(row(index));
  }

  /** Bytes committed when one ended. */
  public long committedAfter(int index) {
    return store(index).committedAfter(row(index));
  }

  public String file(int index) {
    return store(index).source(row(index), parts[partAt(index)].file()).file();
  }

  /** The line there, or {@link Source#NO_LINE}. */
  public long line(int index) {
    return store(index).line(row(index));
  }

  /** Total length. */
  public Duration sum() {
    return Duration.ofNanos(over(kept -> kept.sums, Nanos::plus));
  }

  /** The longest of them; zero without any. */
  public Duration longest() {
    return Duration.ofNanos(over(kept -> kept.longest, Math::max));
  }

  /** Uses the cached values of whole blocks. */
  private long over(Function<Blocks, long[]> kept, LongBinaryOperator and) {
    boolean range = places.isRange() && !isEmpty();
    int first = range ? places.of(0) : 1;
    long[] whole = range ? kept.apply(blocks.get()) : new long[0];
    long found = 0;
    int i = 0;
    while (i < size()) {
      int place = first + i;
      boolean block = range && place % Blocks.SIZE == 0 && i + Blocks.SIZE <= size();
      found = and.applyAsLong(found, block ? whole[place / Blocks.SIZE] : nanos(i));
      i += block ? Blocks.SIZE : 1;
    }
    return found;
  }

  /** The sum and the longest of each whole block of places. */
  private static final class Blocks {

    private static final int SIZE = 1024;

    private final long[] sums;
    private final long[] longest;

    Blocks(int size, IntToLongFunction nanosAt) {
      sums = new long[size / SIZE];
      longest = new long[sums.length];
      for (int place = 0; place < sums.length * SIZE; place++) {
        long nanos = nanosAt.applyAsLong(place);
        sums[place / SIZE] = Nanos.plus(sums[place / SIZE], nanos);
        longest[place / SIZE] = Math.max(longest[place / SIZE], nanos);
      }
    }
  }
}
