package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.LiveSet.Point;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether a window's heap has less free than it wants, judged by what lives where collections show
 * it: what is in flight or promoted and dead fills any heap if it is allocated fast enough.
 *
 * @param live bytes that full GCs or concurrent cycles left, the middle one; empty if there were
 *     none, or too few
 * @param used bytes that collections of any kind left, the middle one; empty if not known
 * @param committed the heap's size then, or before the JVM made it larger for want of room; 0 if
 *     not known
 * @param maximum size the size that it may grow to; 0 if not known
 * @param resized share of the pauses that have figures of the heap in which its size changed, 0 to
 *     1
 * @param wanted the share that it should have free
 * @param failing whether there are the plain signs of a heap that ran out: full GCs that were not
 *     requested and leave little, evacuation failures
 */
public record HeapHeadroom(
    OptionalDouble live,
    OptionalDouble used,
    double committed,
    double ceiling,
    double resized,
    double wanted,
    boolean failing) {

  /**
   * Parallel's committed size leaves out a survivor space and never reaches the maximum size quite.
   */
  public static final double AT_CEILING = 0.95;

  static HeapHeadroom in(
      Timeline timeline,
      Window window,
      List<Point> cleared,
      Optional<HeapRoom> typical,
      Optional<HeapExpansion> expansion,
      ResizingCost resizing) {
    double committed =
        expansion
            .map(HeapExpansion::before)
            .or(() -> typical.map(room -> room.typical().committed()))
            .map(size -> (double) size.value())
            .orElse(0.0);
    double wanted = HeapRoom.Wanted.of(timeline.jvm()).ratio().value();
    return new HeapHeadroom(
        middle(cleared),
        Numbers.of(
            expansion.map(HeapExpansion::used).or(() -> typical.map(room -> room.typical().used())),
            Bytes::value),
        committed,
        timeline.jvm().maxHeap().map(Bytes::value).orElse(0L),
        (double) resizing.resizes().size()
            / Math.max(1, timeline.pauses(window).tellingHeap().size()),
        wanted,
        isFailing(timeline.pauses(window), wanted));
  }

  private static OptionalDouble middle(List<Point> points) {
    double[] sorted = points.stream().mapToDouble(Point::bytes).sorted().toArray();
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(sorted[sorted.length / 2]);
  }

  /** A full GC that leaves as much free as is wanted had another reason than shortage. */
  private static boolean isFailing(Pauses pauses, double wanted) {
    return pauses.anyOfType(CollectionTrigger::foundNoRoom)
        || pauses.ofType(CollectionTrigger::isOrdinaryFull).stream()
            .anyMatch(full -> full.heap().filter(heap -> free(heap) >= wanted).isEmpty());
  }

  /** Free share of the committed heap after a collection, 0 to 1; 0 if its size is not known. */
  private static double free(HeapChange heap) {
    return free(heap.usedAfter().value(), heap.committedAfter().value());
  }

  /** The same of numbers of bytes. */
  static double free(long used, long committed) {
    return committed == 0 ? 0 : (double) Math.max(0, committed - used) / committed;
  }

  /** Whether anything can be said at all. */
  public boolean isKnown() {
    return used.isPresent() || failing;
  }

  /** Free share of the committed size, by what lives where that is known. */
  public OptionalDouble free() {
    return freeOf(committed);
  }

  private OptionalDouble freeOf(double size) {
    if (live.isEmpty() && used.isEmpty() || size <= 0) {
      return OptionalDouble.empty();
    }
    // No more lives than a collection left: concurrent cycles may have been of a later, fuller
    // time.
    double taken = Math.min(live.orElse(Double.MAX_VALUE), used.orElse(Double.MAX_VALUE));
    return OptionalDouble.of(Math.max(0, 1 - taken / size));
  }

  /**
   * Whether the JVM is at growing the heap, below a maximum size that leaves as much free as is
   * wanted: what it is short of then is growth that lags behind, and not a larger maximum size.
   */
  public boolean isGrowing() {
    OptionalDouble free = freeOf(ceiling);
    return resized >= Policy.MAJORITY
        && committed < AT_CEILING * ceiling
        && free.isPresent()
        && free.getAsDouble() >= wanted;
  }

  /**
   * Less free than wanted of the present size, unless that is growing; failures count where it is
   * not known what lives.
   */
  public boolean isShort() {
    OptionalDouble free = free();
    boolean little = free.isPresent() && free.getAsDouble() < wanted || live.isEmpty() && failing;
    return little && !isGrowing();
  }

  /** Little lives in it, and still it ran out: what is in flight or promoted too soon fills it. */
  public boolean ranOutThoughLittleLives() {
    return failing && live.isPresent() && !isShort() && !isGrowing();
  }
}
