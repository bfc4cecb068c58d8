package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The JVM enlarged its heap because less was free than it wants. The free memory afterwards is the
 * result of that reaction, so the heap is judged by its state before.
 *
 * @param at end of the collection after which the heap was larger
 * @param used bytes in use after the collection before it
 * @param before bytes committed until then
 * @param after bytes committed from then on
 * @param source of the collection before it
 */
public record HeapExpansion(Instant at, Bytes used, Bytes before, Bytes after, Source source) {

  /**
   * During start-up a heap grows to what the service needs; loading classes and filling caches
   * takes about this long.
   */
  public static final Duration START_UP = Duration.ofSeconds(30);

  /**
   * The first enlargement in a window. Empty if the heap was not enlarged notably, or had as much
   * free memory as it wants.
   */
  static Optional<HeapExpansion> first(Timeline timeline, Window window) {
    Pauses pauses = timeline.pauses();
    double wanted = HeapRoom.Wanted.of(timeline.jvm()).ratio().value();
    long started =
        timeline.jvm().start().map(start -> Nanos.since1970(start.plus(START_UP))).orElse(0L);
    long from = Math.max(started, Nanos.since1970(window.from()));
    long to = Nanos.since1970(window.to());
    int last = -1;
    for (int i = 0; i < pauses.size() && pauses.startNanos(i) < to; i++) {
      if (pauses.tellsHeap(i)) {
        if (last >= 0
            && pauses.startNanos(i) >= from
            && pauses.committedAfter(i) >= (1 + Policy.NOTABLE) * pauses.committedAfter(last)
            && HeapHeadroom.free(pauses.usedAfter(last), pauses.committedAfter(last)) < wanted) {
          return Optional.of(of(pauses, last, i));
        }
        last = i;
      }
    }
    return Optional.empty();
  }

  private static HeapExpansion of(Pauses pauses, int last, int next) {
    return new HeapExpansion(
        pauses.get(next).start().plus(pauses.get(next).duration()),
        Bytes.of(pauses.usedAfter(last)),
        Bytes.of(pauses.committedAfter(last)),
        Bytes.of(pauses.committedAfter(next)),
        pauses.get(last).source());
  }

  /** Free share of the heap before the enlargement, 0 to 1. */
  public Ratio freeBefore() {
    return new Ratio(HeapHeadroom.free(used.value(), before.value()));
  }
}
