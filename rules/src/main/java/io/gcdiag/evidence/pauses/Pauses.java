package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.ListSelection;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Pauses by start. A list like any other, and beside it the figures of each pause as numbers (see
 * {@link PauseColumns}): code that goes through all of them asks for these, and lets the list make
 * objects of those few that it names.
 */
public final class Pauses extends AbstractList<GcPause> implements RandomAccess {

  private static final Pauses NONE = of(List.of());

  /** Pauses that are there as objects, as those of recordings are. */
  private record Listed(List<GcPause> pauses) implements PauseColumns {
    @Override
    public int size() {
      return pauses.size();
    }

    @Override
    public GcPause get(int place) {
      return pauses.get(place);
    }
  }

  private final PauseColumns columns;
  private final ListSelection places;

  /** Of all pauses of the columns, shared by every part of them. */
  private final Lazy<PauseIndex> found;

  private Pauses(PauseColumns columns, ListSelection places, Lazy<PauseIndex> found) {
    this.columns = columns;
    this.places = places;
    this.found = found;
  }

  /** All pauses of those columns. */
  public static Pauses of(PauseColumns columns) {
    return new Pauses(
        columns, ListSelection.all(columns.size()), new Lazy<>(() -> new PauseIndex(columns)));
  }

  /** The given pauses, in any order. */
  public static Pauses of(Collection<GcPause> pauses) {
    if (pauses instanceof Pauses ready) {
      return ready;
    }
    List<GcPause> sorted = new ArrayList<>(pauses);
    sorted.sort(Comparator.comparing(GcPause::start));
    return of(new Listed(sorted));
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
      default -> of(new JoinedPauses(filled));
    };
  }

  @Override
  public int size() {
    return places.size();
  }

  @Override
  public GcPause get(int index) {
    return columns.get(places.of(Objects.checkIndex(index, size())));
  }

  @Override
  public Pauses subList(int from, int to) {
    Objects.checkFromToIndex(from, to, size());
    return part(places.part(from, to));
  }

  private Pauses part(ListSelection some) {
    return some == places ? this : new Pauses(columns, some, found);
  }

  /** Those that start inside the window. */
  public Pauses within(Window window) {
    int from = places.firstFrom(Nanos.since1970(window.from()), columns::start);
    int to = places.firstFrom(Nanos.since1970(window.to()), columns::start);
    return part(places.part(from, Math.max(from, to)));
  }

  /** Those whose index here meets the condition. */
  public Pauses where(IntPredicate condition) {
    return part(places.where(condition));
  }

  /** Those of the types that meet the condition. */
  public Pauses ofType(Predicate<PauseType> condition) {
    PauseIndex known = found.get();
    boolean[] met = known.met(condition);
    int howMany = 0;
    for (boolean one : met) {
      howMany += one ? 1 : 0;
    }
    if (howMany == 0) {
      return part(places.part(0, 0));
    }
    return howMany == met.length ? this : where(i -> met[known.number(places.of(i))]);
  }

  /** Whether one of them is of a type that meets the condition. */
  public boolean anyOfType(Predicate<PauseType> condition) {
    return types().stream().anyMatch(condition);
  }

  /** The types that there are among them. */
  public Set<PauseType> types() {
    PauseIndex known = found.get();
    List<PauseType> all = known.all();
    Set<PauseType> types = new HashSet<>();
    boolean[] seen = new boolean[all.size()];
    for (int i = 0; i < size() && types.size() < all.size(); i++) {
      int number = known.number(places.of(i));
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
    return columns.start(places.of(index));
  }

  /** When the application went on, in nanoseconds since 1970. */
  public long endNanos(int index) {
    int place = places.of(index);
    return Nanos.plus(columns.start(place), columns.nanos(place));
  }

  /** How long one lasts, in nanoseconds. */
  public long nanos(int index) {
    return columns.nanos(places.of(index));
  }

  /** How long one lasts, in seconds. */
  public double seconds(int index) {
    return Nanos.seconds(nanos(index));
  }

  /** What pauses like that one have in common. */
  public PauseType type(int index) {
    return found.get().of(places.of(index));
  }

  /** What one was for. */
  public PauseKind kind(int index) {
    return type(index).kind();
  }

  /** Whether the heap around one is known; if not, the sizes must not be asked for. */
  public boolean tellsHeap(int index) {
    return columns.tellsHeap(places.of(index));
  }

  /** Bytes in use when one began. */
  public long usedBefore(int index) {
    return columns.usedBefore(places.of(index));
  }

  /** Bytes in use when one ended. */
  public long usedAfter(int index) {
    return columns.usedAfter(places.of(index));
  }

  /** Bytes committed when one ended. */
  public long committedAfter(int index) {
    return columns.committedAfter(places.of(index));
  }

  /** The file in which one was read. */
  public String file(int index) {
    return columns.file(places.of(index));
  }

  /** The line there, or {@link Source#NO_LINE}. */
  public long line(int index) {
    return columns.line(places.of(index));
  }

  /** Their time together. */
  public Duration sum() {
    if (places.isRange()) {
      return Duration.ofNanos(isEmpty() ? 0 : found.get().sum(places.of(0), places.of(0) + size()));
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
      return Duration.ofNanos(
          isEmpty() ? 0 : found.get().longest(places.of(0), places.of(0) + size()));
    }
    long longest = 0;
    for (int i = 0; i < size(); i++) {
      longest = Math.max(longest, nanos(i));
    }
    return Duration.ofNanos(longest);
  }

  /**
   * The pauses of several files in one order of time; of two at one time the first file's goes
   * first.
   */
  private static final class JoinedPauses implements PauseColumns {

    private final List<Pauses> parts;
    private final int[] part;
    private final int[] index;

    JoinedPauses(List<Pauses> parts) {
      this.parts = List.copyOf(parts);
      int total = parts.stream().mapToInt(Pauses::size).sum();
      part = new int[total];
      index = new int[total];
      int[] next = new int[parts.size()];
      for (int i = 0; i < total; i++) {
        int first = earliest(next);
        part[i] = first;
        index[i] = next[first]++;
      }
    }

    private int earliest(int[] next) {
      int first = -1;
      long start = 0;
      for (int p = 0; p < next.length; p++) {
        if (next[p] < parts.get(p).size()) {
          long own = parts.get(p).startNanos(next[p]);
          if (first < 0 || own < start) {
            first = p;
            start = own;
          }
        }
      }
      return first;
    }

    @Override
    public int size() {
      return part.length;
    }

    private Pauses at(int place) {
      return parts.get(part[place]);
    }

    @Override
    public long start(int place) {
      return at(place).startNanos(index[place]);
    }

    @Override
    public long nanos(int place) {
      return at(place).nanos(index[place]);
    }

    @Override
    public PauseType type(int place) {
      return at(place).type(index[place]);
    }

    @Override
    public boolean tellsHeap(int place) {
      return at(place).tellsHeap(index[place]);
    }

    @Override
    public long usedBefore(int place) {
      return at(place).usedBefore(index[place]);
    }

    @Override
    public long usedAfter(int place) {
      return at(place).usedAfter(index[place]);
    }

    @Override
    public long committedAfter(int place) {
      return at(place).committedAfter(index[place]);
    }

    @Override
    public String file(int place) {
      return at(place).file(index[place]);
    }

    @Override
    public long line(int place) {
      return at(place).line(index[place]);
    }

    @Override
    public GcPause get(int place) {
      return at(place).get(index[place]);
    }
  }
}
