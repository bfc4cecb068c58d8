package io.gcdiag.read.jfr.events;

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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What threads do while they hold a connection of a pool.
 *
 * <p>No event says that a connection was returned. What is known: when a wait for a connection
 * ended, its thread had one. The stacks show the code that uses it ({@link BorrowSite}). While the
 * thread is seen inside that code it holds the connection, whatever it does there; the time after
 * it was last seen there is left out, and so is everything from its next wait for the same pool or
 * for new work on.
 */
public final class PoolHolds {

  /** Who holds a connection for longer is followed no further. */
  private static final long LONGEST = 120 * ThreadSpans.SECOND;

  /** A borrower that was woken in vain waits again at once. */
  private static final long AT_ONCE = ThreadSpans.SECOND / 1_000;

  private final String file;
  private final FrameBook book;
  private final ThreadSpans<Step> steps = new ThreadSpans<>();
  private final ThinnedSeconds<Long, Borrow> borrows = new ThinnedSeconds<>(Borrow::to);

  public PoolHolds(String file, FrameBook book) {
    this.file = file;
    this.book = book;
  }

  /**
   * What a thread was seen at.
   *
   * @param waiting what it waited for; absent if it executed Java code
   * @param what the remote address, file, pool or lock
   * @param stack where
   */
  record Step(Optional<WaitKind> waiting, String what, StackKind stack) {}

  private record Borrow(long from, long to, String pool, StackKind stack, String event) {}

  private record Slot(long second, String pool, String event) {}

  private record Part(Step step, long from, long to) {}

  /** A second's sums in the making. */
  private static final class Sums {
    private long holds;
    private double held;
    private final Map<Doing, Time> timed = new LinkedHashMap<>();
    private final Map<Doing, Double> sampled = new LinkedHashMap<>();
  }

  /** A thread was at that, in nanoseconds, the start since 1970; a sample has no length. */
  void step(long thread, long start, long length, Step step) {
    steps.add(thread, start, length, step);
  }

  /** A thread's wait for a connection ended; in nanoseconds, the start since 1970. */
  void borrowed(long thread, long start, long length, String pool, StackKind stack, String event) {
    borrows.add(thread, new Borrow(start, start + length, pool, stack, event));
  }

  /**
   * What the holders did, second by second.
   *
   * @param nativeSeconds the thread time that a sample of a thread in a native call stands for
   * @param javaSeconds the same of a thread that executes Java code
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
    Map<Slot, Sums> sums =
        new TreeMap<>(
            Comparator.comparingLong(Slot::second)
                .thenComparing(Slot::pool)
                .thenComparing(Slot::event));
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
                    slot.pool(),
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

  /** Shows each borrow with all that its thread was at until it cannot hold the connection. */
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

  /** One connection in one thread's hands. */
  private final class Hold {
    private final Borrow borrow;
    private final List<Part> parts;
    private final Map<Slot, Sums> sums;
    private final long end;

    Hold(Borrow borrow, BorrowSite site, List<Part> parts, Map<Slot, Sums> sums) {
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
        // Of a wait over several seconds only the first part is its beginning.
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

    private Sums slot(long at) {
      return sums.computeIfAbsent(
          new Slot(ThreadSpans.second(at), borrow.pool(), borrow.event()), any -> new Sums());
    }
  }

  private static double seconds(long nanos) {
    return nanos / (double) ThreadSpans.SECOND;
  }
}
