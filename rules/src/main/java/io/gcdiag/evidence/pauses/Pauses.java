package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.ListSelection;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Pauses by start: a list like any other, and beside it the figures of each pause as numbers, read
 * where they lie ({@link PauseStore}). Code that goes through all of them asks for these, and lets
 * the list make objects of those few that it names.
 */
public final class Pauses extends AbstractList<GcPause> implements RandomAccess {

  private static final Pauses NONE = of(List.of());

  private final PauseOrder order;
  private final ListSelection places;

  private Pauses(PauseOrder order, ListSelection places) {
    this.order = order;
    this.places = places;
  }

  private static Pauses all(PauseOrder order) {
    return new Pauses(order, ListSelection.all(order.size()));
  }

  /** Those of a file that have a time; no more can be added to them. */
  public static Pauses of(String file, PauseStore store) {
    store.close();
    return all(new PauseOrder(file, store));
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

  /** No pauses. */
  public static Pauses none() {
    return NONE;
  }

  /** The pauses of several files as one. */
  public static Pauses joined(List<Pauses> parts) {
    List<Pauses> filled = parts.stream().filter(part -> !part.isEmpty()).toList();
    return switch (filled.size()) {
      case 0 -> NONE;
      case 1 -> filled.get(0);
      default -> all(new PauseOrder(filled));
    };
  }

  @Override
  public int size() {
    return places.size();
  }

  @Override
  public GcPause get(int index) {
    return order.get(places.of(Objects.checkIndex(index, size())));
  }

  @Override
  public Pauses subList(int from, int to) {
    Objects.checkFromToIndex(from, to, size());
    return part(places.part(from, to));
  }

  private Pauses part(ListSelection some) {
    return some == places ? this : new Pauses(order, some);
  }

  /** Those that start inside the window. */
  public Pauses within(Window window) {
    int from = places.firstFrom(Nanos.since1970(window.from()), order::start);
    int to = places.firstFrom(Nanos.since1970(window.to()), order::start);
    return part(places.part(from, Math.max(from, to)));
  }

  /** Of which they are part. */
  PauseOrder order() {
    return order;
  }

  /** The place there of one of them. */
  int place(int index) {
    return places.of(index);
  }

  /** Whether one of them ends after a time. */
  public boolean endAfter(Instant time) {
    long nanos = Nanos.since1970(time);
    for (int i = size() - 1; i >= 0; i--) {
      if (endNanos(i) > nanos) {
        return true;
      }
    }
    return false;
  }

  /** Those whose index here meets the condition. */
  public Pauses where(IntPredicate condition) {
    return part(places.where(condition));
  }

  /** Those of the types that meet the condition. */
  public Pauses ofType(Predicate<PauseType> condition) {
    boolean[] met = order.met(condition);
    int howMany = 0;
    for (boolean one : met) {
      howMany += one ? 1 : 0;
    }
    if (howMany == 0) {
      return part(places.part(0, 0));
    }
    return howMany == met.length ? this : where(i -> met[order.number(places.of(i))]);
  }

  /** Whether one of them is of a type that meets the condition. */
  public boolean anyOfType(Predicate<PauseType> condition) {
    return types().stream().anyMatch(condition);
  }

  /** The types that there are among them. */
  public Set<PauseType> types() {
    List<PauseType> all = order.all();
    Set<PauseType> types = new HashSet<>();
    boolean[] seen = new boolean[all.size()];
    for (int i = 0; i < size() && types.size() < all.size(); i++) {
      int number = order.number(places.of(i));
      if (!seen[number]) {
        seen[number] = true;
        types.add(all.get(number));
      }
    }
    return types;
  }

  /** Those of which the heap around them is known. */
  public Pauses tellingHeap() {
    return where(this::tellsHeap);
  }

  /** When one begins. */
  public Instant start(int index) {
    return Nanos.instant(startNanos(index));
  }

  /** When one begins, in nanoseconds since 1970. */
  public long startNanos(int index) {
    return order.start(places.of(index));
  }

  /** When the application went on, in nanoseconds since 1970. */
  public long endNanos(int index) {
    int place = places.of(index);
    return Nanos.plus(order.start(place), order.nanos(place));
  }

  /** How long one lasts, in nanoseconds. */
  public long nanos(int index) {
    return order.nanos(places.of(index));
  }

  /** How long one lasts, in seconds. */
  public double seconds(int index) {
    return Nanos.seconds(nanos(index));
  }

  /** What pauses like that one have in common. */
  public PauseType type(int index) {
    return order.type(places.of(index));
  }

  /** What one was for. */
  public PauseKind kind(int index) {
    return type(index).kind();
  }

  /** Whether the heap around one is known; if not, the sizes must not be asked for. */
  public boolean tellsHeap(int index) {
    int place = places.of(index);
    return order.store(place).tellsHeap(order.rowOf(place));
  }

  /** Bytes in use when one began. */
  public long usedBefore(int index) {
    int place = places.of(index);
    return order.store(place).usedBefore(order.rowOf(place));
  }

  /** Bytes in use when one ended. */
  public long usedAfter(int index) {
    int place = places.of(index);
    return order.store(place).usedAfter(order.rowOf(place));
  }

  /** Bytes committed when one ended. */
  public long committedAfter(int index) {
    int place = places.of(index);
    return order.store(place).committedAfter(order.rowOf(place));
  }

  /** The file in which one was read. */
  public String file(int index) {
    return order.file(places.of(index));
  }

  /** The line there, or {@link Source#NO_LINE}. */
  public long line(int index) {
    int place = places.of(index);
    return order.store(place).line(order.rowOf(place));
  }

  /** Their time together. */
  public Duration sum() {
    if (places.isRange()) {
      return Duration.ofNanos(isEmpty() ? 0 : order.sum(places.of(0), places.of(0) + size()));
    }
    long sum = 0;
    for (int i = 0; i < size(); i++) {
      sum = Nanos.plus(sum, nanos(i));
    }
    return Duration.ofNanos(sum);
  }

  /** The longest of them; zero without any. */
  public Duration longest() {
    if (places.isRange()) {
      return Duration.ofNanos(isEmpty() ? 0 : order.longest(places.of(0), places.of(0) + size()));
    }
    long longest = 0;
    for (int i = 0; i < size(); i++) {
      longest = Math.max(longest, nanos(i));
    }
    return Duration.ofNanos(longest);
  }
}
