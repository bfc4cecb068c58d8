package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How fast the application allocates.
 *
 * @param basis how it was measured, for people
 * @param source where it was read
 */
public record AllocationRate(double bytesPerSecond, String basis, Source source) {

  /**
   * The rate in a window: from sampled weights if there are any (within 4 % of the threads' own
   * counters on JDK 17 and 25), otherwise from heap use between collections. The latter is 10 to 20
   * % too low, because memory freed by concurrent cycles is not seen.
   */
  public static Optional<AllocationRate> of(Timeline timeline, Window window) {
    OptionalDouble sampled = timeline.profiles().allocation().sampledBytesPerSecond().mean(window);
    if (sampled.isPresent() && timeline.profiles().allocation().source().isPresent()) {
      return Optional.of(
          new AllocationRate(
              sampled.getAsDouble(),
              "sampled allocation weights",
              new Source(
                  timeline.profiles().allocation().source().get().file(),
                  "jdk.ObjectAllocationSample")));
    }
    return fromHeap(timeline, window);
  }

  /** Heap before a collection minus heap after the previous one. */
  private static Optional<AllocationRate> fromHeap(Timeline timeline, Window window) {
    Pauses changes = timeline.pauses(window).tellingHeap();
    int last = changes.size() - 1;
    // From the first start to the last one there is one interval fewer than pauses.
    if (changes.size() < Policy.RECURRING || changes.startNanos(0) >= changes.startNanos(last)) {
      return Optional.empty();
    }
    double allocated = 0;
    for (int i = 1; i <= last; i++) {
      allocated += Math.max(0, changes.usedBefore(i) - changes.usedAfter(i - 1));
    }
    Window between = new Window(changes.start(0), changes.start(last));
    return Optional.of(
        new AllocationRate(
            allocated / between.seconds(),
            "growth of the heap between GCs",
            new Source(changes.file(0), "")));
  }
}
