package io.gcdiag.causes.stops;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Nanos;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Stops of one kind, one after another, to be asked about at times that rise. Times are nanoseconds
 * after the window's start.
 */
final class StopSteps {

  private final int size;
  private final IntToLongFunction start;
  private final IntToLongFunction length;
  private int next;

  private StopSteps(int size, IntToLongFunction start, IntToLongFunction length) {
    this.size = size;
    this.start = start;
    this.length = length;
  }

  static StopSteps ofPauses(Timeline timeline, Window window) {
    Pauses pauses = timeline.pauses(window);
    long origin = Nanos.since1970(window.from());
    return new StopSteps(pauses.size(), i -> pauses.startNanos(i) - origin, pauses::nanos);
  }

  /** Without the collections that are done at them. */
  static StopSteps ofSafepoints(Timeline timeline, Window window) {
    List<SafepointStop> stops = timeline.safepoints(window);
    long origin = Nanos.since1970(window.from());
    return new StopSteps(
        stops.size(),
        i -> Nanos.since1970(stops.get(i).start()) - origin,
        i -> Nanos.of(stops.get(i).lost()));
  }

  /** Whether everything is stopped then. */
  boolean isStopped(long at) {
    while (next < size && Nanos.plus(start.applyAsLong(next), length.applyAsLong(next)) <= at) {
      next++;
    }
    return next < size && start.applyAsLong(next) <= at;
  }

  /** The time of the next change, provided that no other stop begins before this one ends. */
  long nextEdge(long at) {
    if (next >= size) {
      return Long.MAX_VALUE;
    }
    long from = start.applyAsLong(next);
    return from > at ? from : Nanos.plus(from, length.applyAsLong(next));
  }
}
