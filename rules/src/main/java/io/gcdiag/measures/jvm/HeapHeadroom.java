package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
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
 * Whether a window's heap has less free memory than it wants. It is judged by the live set if
 * collections show it, because objects in use by current requests and prematurely promoted garbage
 * fill any heap if the allocation rate is high enough.
 *
 * @param live bytes after full GCs or concurrent cycles, median; empty if there were none or too
 *     few
 * @param used bytes after collections of any kind, median; empty if unknown
 * @param committed bytes of the heap then, or before the JVM enlarged it because it was too full; 0
 *     if unknown
 * @param ceiling bytes that the heap may grow to; 0 if unknown
 * @param resized share of the pauses with heap sizes in which the heap was resized, 0 to 1
 * @param wanted the share that should be free
 * @param failing whether there are clear signs that the heap ran out: unrequested full GCs that
 *     leave little free, or evacuation failures
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
   * Parallel's committed size excludes a survivor space and never quite reaches the maximum size.
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

  /** A full GC that leaves as much free as is wanted was not caused by shortage. */
  private static boolean isFailing(Pauses pauses, double wanted) {
    return pauses.anyOfType(CollectionTrigger::foundNoRoom)
        || pauses.ofType(CollectionTrigger::isOrdinaryFull).stream()
            .anyMatch(
                full ->
                    full.heap()
                        .filter(
                            heap ->
                                free(heap.usedAfter().value(), heap.committedAfter().value())
                                    >= wanted)
                        .isEmpty());
  }

  /** Free share of the committed heap, 0 to 1; 0 if its size is not known. */
  static double free(long used, long committed) {
    return committed == 0 ? 0 : (double) Math.max(0, committed - used) / committed;
  }

  /** Whether there is enough data to judge the heap. */
  public boolean isKnown() {
    return used.isPresent() || failing;
  }

  /** Free share of the committed size, by the live set if it is known. */
  public OptionalDouble free() {
    return freeOf(committed);
  }

  private OptionalDouble freeOf(double size) {
    if (live.isEmpty() && used.isEmpty() || size <= 0) {
      return OptionalDouble.empty();
    }
    // The live set is at most what a collection left; concurrent cycles may have been later, when
    // more was in use.
    double taken = Math.min(live.orElse(Double.MAX_VALUE), used.orElse(Double.MAX_VALUE));
    return OptionalDouble.of(Math.max(0, 1 - taken / size));
  }

  /**
   * Whether the JVM is still enlarging the heap, and the maximum size would leave as much free as
   * wanted. The heap then lacks faster growth, not a larger maximum size.
   */
  public boolean isGrowing() {
    OptionalDouble free = freeOf(ceiling);
    return resized >= Policy.MAJORITY
        && committed < AT_CEILING * ceiling
        && free.isPresent()
        && free.getAsDouble() >= wanted;
  }

  /**
   * Whether less is free than wanted at the present size, unless the heap is still growing.
   * Failures count if the live set is unknown.
   */
  public boolean isShort() {
    OptionalDouble free = free();
    boolean little = free.isPresent() && free.getAsDouble() < wanted || live.isEmpty() && failing;
    return little && !isGrowing();
  }

  /**
   * The heap ran out although its live set is small: objects in use by current requests, or
   * promoted too early, fill it.
   */
  public boolean ranOutThoughLittleLives() {
    return failing && live.isPresent() && !isShort() && !isGrowing();
  }
}
