package io.gcdiag.figures;

import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.Pauses;
import java.time.Duration;

/**
 * Young collections that were given up before they began. Where the old generation has no room for
 * what a young collection may promote, Serial does a full one in its place ({@code
 * collection_attempt_is_safe} in HotSpot's {@code defNewGeneration.cpp}): the log has two lines for
 * the attempt, the recording has no event.
 */
final class AbandonedCollections {

  /** An attempt takes a tenth of it, and the full GC follows within as little. */
  private static final long LONGEST_NANOS = Duration.ofMillis(1).toNanos();

  private AbandonedCollections() {}

  /** The pauses without those that were none. */
  static Pauses leftOutOf(Pauses pauses) {
    return pauses.where(i -> !isAbandoned(pauses, i));
  }

  private static boolean isAbandoned(Pauses pauses, int i) {
    return i + 1 < pauses.size()
        && pauses.nanos(i) < LONGEST_NANOS
        && pauses.kind(i) == PauseKind.YOUNG
        && pauses.tellsHeap(i)
        && pauses.usedBefore(i) == pauses.usedAfter(i)
        && pauses.kind(i + 1) == PauseKind.FULL
        && pauses.startNanos(i + 1) - pauses.endNanos(i) < LONGEST_NANOS;
  }
}
