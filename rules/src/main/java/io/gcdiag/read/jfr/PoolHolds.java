package io.gcdiag.read.jfr;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Time;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What threads do while they hold a connection of a pool.
 *
 * <p>No event shows the return of a connection. It is known that a thread has a connection when its
 * wait for one ends. The stacks show the code that uses the connection ({@link BorrowSite}). While
 * the thread is seen inside that code it holds the connection, whatever it does there. The time
 * after it was last seen there is left out, and so is everything from its next wait for the same
 * pool or for new work on.
 */
final class PoolHolds {

  /** Longer holds are followed no further. */
  private static final long LONGEST = 120 * ThreadSpans.SECOND;

  /** A borrower that was woken in vain waits again at once. */
  private static final long AT_ONCE = ThreadSpans.SECOND / 1_000;

  private final String file;
  private final FrameBook book;

  /** What threads did; a sample has no duration. */
  final ThreadSpans<Step> steps = new ThreadSpans<>();

  private final ThinnedSeconds<Long, Borrow> borrows = new ThinnedSeconds<>(Borrow::to);

  PoolHolds(String file, FrameBook book) {
    this.file = file;
    this.book = book;
  }

  /**
   * What a thread did.
   *
   * @param waiting what it waited for; empty if it ran Java code
   * @param what the remote address, file, pool or lock
   */
  record Step(Optional<WaitKind> waiting, String what, StackKind stack) {}

  private record Borrow(long from, long to, String pool, StackKind stack, String event) {}

  /** A second, the pool or lock, and the type of the events. */
  record Slot(long second, String name, String event) implements Comparable<Slot> {

    private static final Comparator<Slot> ORDER =
        Comparator.comparingLong(Slot::second).thenComparing(Slot::name).thenComparing(Slot::event);

    @Override
    public int compareTo(Slot other) {
      return ORDER.compare(this, other);
    }
  }

  private record Part(Step step, long from, long to) {}

  /** How long something was held, and what its holders did, by events and by samples. */
  static final class Sums<D, T> {
    long holds;
    double held;
    final Map<D, T> timed = new LinkedHashMap<>();
    final Map<D, Double> sampled = new LinkedHashMap<>();
  }

  /** Adds what a thread did; times in nanoseconds, start since 1970; a sample has no length. */
  void step(long thread, long start, long length, Step step) {
    steps.add(thread, start, length, step);
  }

  /** Adds the end of a thread's wait for a connection; times in nanoseconds, start since 1970. */
  void borrowed(long thread, long start, long length, String pool, StackKind stack, String event) {
    borrows.add(thread, new Borrow(start, start + length, pool, stack, event));
  }

  /**
   * What the holders did, by second.
   *
   * @param nativeSeconds thread time per sample of a thread in a native call
   * @param javaSeconds thread time per sample of a thread running Java code
   */
  List<PoolHold> holds(ToDoubleFunction<Instant> nativeSeconds, double javaSeconds) {
    Map<StackKind, BorrowSite> sites = new IdentityHashMap<>();
    eachHold(
        (thread, borrow, parts) -> {
          BorrowSite site = sites.computeIfAbsent(borrow.stack(), this::site);
          for (Part part : parts) {
            if (isOwnCall(borrow, part.step())) {
              site.learn(part.step().stack());
            }
          }
        });
    Map<Slot, Sums<Doing, Time>> sums = new TreeMap<>();
    eachHold(
        (thread, borrow, parts) -> {
          BorrowSite site = sites.get(borrow.stack());
          if (site.isKnown()) {
            new Hold(borrow, site, parts, sums).sum(nativeSeconds, javaSeconds);
          }
        });
    List<PoolHold> holds = new ArrayList<>();
    sums.forEach(
        (slot, sum) ->
            holds.add(
                new PoolHold(
                    Instant.ofEpochSecond(slot.second()),
                    slot.name(),
                    sum.holds,
                    sum.held,
                    sum.timed,
                    sum.sampled,
                    new Source(file, slot.event()))));
    return holds;
  }

  private BorrowSite site(StackKind stack) {
    List<String> frames = stack.frames();
    return new BorrowSite(
        frames, frames.size() - book.framesOutsidePool(frames), book.transaction(frames));
  }

  private boolean isOwnCall(Borrow borrow, Step step) {
    return step.waiting().filter(kind -> kind == WaitKind.DOWNSTREAM).isPresent()
        && book.isOwnCall(borrow.stack().name(), step.stack());
  }

  private interface Visitor {
    void visit(long thread, Borrow borrow, List<Part> parts);
  }

  /** Visits each borrow with everything that its thread did while it may hold the connection. */
  private void eachHold(Visitor visitor) {
    borrows.forEach(
        (thread, list) -> {
          for (int i = 0; i < list.size(); i++) {
            Borrow borrow = list.get(i);
            long limit = borrow.to() + LONGEST;
            for (int next = i + 1; next < list.size() && list.get(next).from() < limit; next++) {
              if (list.get(next).pool().equals(borrow.pool())) {
                limit = list.get(next).from();
              }
            }
            if (limit - borrow.to() > AT_ONCE) {
              visitor.visit(thread, borrow, parts(thread, borrow, limit));
            }
          }
        });
  }

  private List<Part> parts(long thread, Borrow borrow, long limit) {
    List<Part> parts = new ArrayList<>();
    steps.within(
        thread, borrow.to(), limit, (step, from, to) -> parts.add(new Part(step, from, to)));
    parts.sort(Comparator.comparingLong(Part::from));
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).step().waiting().filter(kind -> kind == WaitKind.IDLE).isPresent()) {
        return parts.subList(0, i);
      }
    }
    return parts;
  }

  /** One connection held by one thread. */
  private final class Hold {
    private final Borrow borrow;
    private final List<Part> parts;
    private final Map<Slot, Sums<Doing, Time>> sums;
    private final long end;

    Hold(Borrow borrow, BorrowSite site, List<Part> parts, Map<Slot, Sums<Doing, Time>> sums) {
      this.borrow = borrow;
      this.parts = parts;
      this.sums = sums;
      this.end =
          parts.stream()
              .filter(part -> site.isInside(part.step().stack()))
              .mapToLong(Part::to)
              .max()
              .orElse(borrow.to());
    }

    void sum(ToDoubleFunction<Instant> nativeSeconds, double javaSeconds) {
      if (!steps.keeps(borrow.to(), end)) {
        return;
      }
      slot(borrow.to()).holds++;
      for (long at = borrow.to(); at < end; ) {
        long next = Math.min(end, (ThreadSpans.second(at) + 1) * ThreadSpans.SECOND);
        slot(at).held += seconds(next - at);
        at = next;
      }
      for (Part part : parts) {
        if (part.from() <= end) {
          add(part, nativeSeconds, javaSeconds);
        }
      }
    }

    private void add(Part part, ToDoubleFunction<Instant> nativeSeconds, double javaSeconds) {
      Step step = part.step();
      Doing doing = new Doing(kind(step), step.what());
      boolean sample = part.from() == part.to();
      if (!sample) {
        // Only the first part of a wait over several seconds is its beginning.
        boolean begins = part.from() % ThreadSpans.SECOND != 0;
        slot(part.from())
            .timed
            .merge(doing, new Time(begins ? 1 : 0, seconds(part.to() - part.from())), Time::plus);
      } else {
        double each =
            step.waiting().isPresent()
                ? nativeSeconds.applyAsDouble(Instant.ofEpochSecond(0, part.from()))
                : javaSeconds;
        slot(part.from()).sampled.merge(doing, each, Double::sum);
      }
    }

    private Kind kind(Step step) {
      return step.waiting()
          .map(
              wait ->
                  switch (wait) {
                    case DOWNSTREAM -> isOwnCall(borrow, step) ? Kind.OWN_CALL : Kind.OTHER_CALL;
                    case POOL -> Kind.OTHER_POOL;
                    case LOCK -> Kind.LOCK;
                    case FILE -> Kind.FILE;
                    case SLEEP -> Kind.SLEEP;
                    case LOG_QUEUE, DIRECT_MEMORY, CLIENT, PINNED, ALLOCATION_STALL, OTHER, IDLE ->
                        Kind.OTHER_WAIT;
                  })
          .orElse(Kind.COMPUTING);
    }

    private Sums<Doing, Time> slot(long at) {
      return sums.computeIfAbsent(
          new Slot(ThreadSpans.second(at), borrow.pool(), borrow.event()), any -> new Sums<>());
    }
  }

  private static double seconds(long nanos) {
    return nanos / (double) ThreadSpans.SECOND;
  }

  /**
   * A place in the code that borrows a connection, and the method that uses it.
   *
   * <p>The stack of a wait for a connection and that of a later call on it share their outer
   * frames; the innermost common method is the one that uses the connection. A thread inside that
   * method after the wait holds the connection. A container-managed transaction holds it longer,
   * until the end of the method that runs the transaction.
   */
  static final class BorrowSite {

    /** Least number of common frames of two stacks that were truncated at their outer ends. */
    private static final int LEAST_COMMON = 3;

    private final List<String> frames;
    private final int outside;
    private final Map<StackKind, Integer> known = new IdentityHashMap<>();

    /** The index in the borrower's stack of the method that uses the connection. */
    private int using;

    private final boolean inTransaction;

    /**
     * Without a known call yet.
     *
     * @param frames the stack of a wait, innermost first
     * @param outside the first frame outside the pool's own
     * @param transaction the frame of the transaction that holds the connection until its end; the
     *     number of frames if there is none
     */
    BorrowSite(List<String> frames, int outside, int transaction) {
      this.frames = frames;
      this.outside = outside;
      this.inTransaction = transaction < frames.size();
      this.using = transaction;
    }

    /** Adds the stack of a call on the connection. */
    void learn(StackKind call) {
      int common = common(call);
      // A pool that tests a connection before handing it out is still borrowing.
      if (common >= outside && !inTransaction) {
        using = Math.min(using, common);
      }
    }

    /** Whether a transaction holds it, or any call on the connection was seen. */
    boolean isKnown() {
      return using < frames.size();
    }

    /** Whether a stack is inside the method that uses the connection. */
    boolean isInside(StackKind stack) {
      return isKnown() && common(stack) <= using;
    }

    private int common(StackKind stack) {
      return known.computeIfAbsent(stack, other -> common(other.frames()));
    }

    /**
     * Index of the innermost of the borrower's frames from which outwards both stacks are equal, as
     * far as both go (a recording truncates deep stacks at their outer end). The number of frames
     * if there is none.
     */
    private int common(List<String> other) {
      for (int mine = 0; mine < frames.size(); mine++) {
        for (int theirs = 0; theirs < other.size(); theirs++) {
          if (isSameOutwards(mine, other, theirs)) {
            return mine;
          }
        }
      }
      return frames.size();
    }

    private boolean isSameOutwards(int mine, List<String> other, int theirs) {
      int length = Math.min(frames.size() - mine, other.size() - theirs);
      boolean bothEnd = frames.size() - mine == other.size() - theirs;
      return (bothEnd || length >= LEAST_COMMON)
          && frames.subList(mine, mine + length).equals(other.subList(theirs, theirs + length));
    }
  }

  /**
   * Events by thread, in bounded memory. If there are too many, only those of every second, fourth,
   * eighth... second are kept, so that consecutive events stay together.
   *
   * @param <K> the thread
   * @param <V> the event
   */
  static final class ThinnedSeconds<K, V> {

    /** Some 10 MB of the small records that are kept here. */
    private static final int MOST = 100_000;

    private final ToLongFunction<V> nanos;
    private final Map<K, List<V>> kept = new HashMap<>();
    private int count;
    private long stride = 1;

    /**
     * Empty.
     *
     * @param nanos time of an event, in nanoseconds since 1970
     */
    ThinnedSeconds(ToLongFunction<V> nanos) {
      this.nanos = nanos;
    }

    void add(K whom, V what) {
      if (!isKept(what)) {
        return;
      }
      kept.computeIfAbsent(whom, any -> new ArrayList<>(2)).add(what);
      if (++count > MOST) {
        stride *= 2;
        kept.values().forEach(list -> list.removeIf(one -> !isKept(one)));
        kept.values().removeIf(List::isEmpty);
        count = kept.values().stream().mapToInt(List::size).sum();
      }
    }

    private boolean isKept(V what) {
      return Math.floorMod(ThreadSpans.second(nanos.applyAsLong(what)), stride) == 0;
    }

    /** Whether anything was left out. */
    boolean isThinned() {
      return stride > 1;
    }

    /** Visits the events of each thread, in order of time. */
    void forEach(BiConsumer<K, List<V>> viewer) {
      kept.values().forEach(list -> list.sort(Comparator.comparingLong(nanos)));
      kept.forEach(viewer);
    }
  }
}
