package io.gcdiag.ledger;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How fast the application allocates.
 *
 * @param bytesPerSecond the rate
 * @param basis how it was measured, for people
 * @param source where it was read
 */
public record AllocationRate(double bytesPerSecond, String basis, Source source) {

  /** Fewer heap changes than this make no rate. */
  private static final int FEWEST_CHANGES = 3;

  /**
   * The rate in a window: from sampled weights where there are any (within 4 % of the threads' own
   * counters on JDK 17 and 25), else from the heap between collections, which is 10 to 20 % low
   * because what is freed by concurrent cycles is not seen.
   */
  public static Optional<AllocationRate> of(Timeline timeline, Window window) {
    return timeline.derivedIfAny(AllocationRate.class, window, () -> measured(timeline, window));
  }

  private static Optional<AllocationRate> measured(Timeline timeline, Window window) {
    OptionalDouble sampled = timeline.allocation().sampledBytesPerSecond().mean(window);
    if (sampled.isPresent() && timeline.allocation().source().isPresent()) {
      return Optional.of(
          new AllocationRate(
              sampled.getAsDouble(),
              "sampled allocation weights",
              new Source(
                  timeline.allocation().source().get().file(), "jdk.ObjectAllocationSample")));
    }
    return fromHeap(timeline, window);
  }

  /** What was in use before a collection less what the one before it had left. */
  private static Optional<AllocationRate> fromHeap(Timeline timeline, Window window) {
    List<GcPause> pauses = timeline.pauses(window, pause -> pause.heap().isPresent());
    if (pauses.size() < FEWEST_CHANGES) {
      return Optional.empty();
    }
    double allocated = 0;
    HeapChange previous = pauses.get(0).heap().orElseThrow();
    for (GcPause pause : pauses.subList(1, pauses.size())) {
      HeapChange change = pause.heap().orElseThrow();
      allocated += change.usedBefore().minusOrZero(previous.usedAfter()).value();
      previous = change;
    }
    // From start to start there are as many pauses as stretches between them.
    Instant first = pauses.get(0).start();
    Instant last = pauses.get(pauses.size() - 1).start();
    if (!first.isBefore(last)) {
      return Optional.empty();
    }
    Window between = new Window(first, last);
    return Optional.of(
        new AllocationRate(
            allocated / between.seconds(),
            "growth of the heap between collections",
            new Source(pauses.get(0).source().file(), "")));
  }
}
