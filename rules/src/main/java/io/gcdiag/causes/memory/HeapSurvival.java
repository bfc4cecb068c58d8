package io.gcdiag.causes.memory;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import java.util.Optional;

/**
 * Share of the allocated memory that survives, by a few young collections: too few for a trend
 * line, but enough to tell a filling heap from one that is reused.
 *
 * @param collections how many there were, all of them young
 * @param first what the first of them left
 * @param last what the last of them left
 * @param allocated what was allocated between them
 * @param source where the last was read
 */
public record HeapSurvival(
    int collections, Bytes first, Bytes last, Bytes allocated, Source source) {

  /** Three points are the fewest that can show a rise. */
  private static final int FEWEST = Policy.RECURRING;

  /**
   * Measures all collections that the inputs have.
   *
   * @return empty if it does not rise from each to the next, by much of what is allocated and much
   *     of the heap, or if one of them cleared old objects, or if there are enough for a line
   */
  public static Optional<HeapSurvival> of(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Pauses pauses = timeline.pauses().tellingHeap();
    boolean cleared = timeline.pauses().anyOfType(type -> type.kind() != PauseKind.YOUNG);
    if (pauses.size() < FEWEST || cleared || incident.liveSetTrend().isPresent()) {
      return Optional.empty();
    }
    int end = pauses.size() - 1;
    long allocated = 0;
    for (int i = 1; i <= end; i++) {
      if (pauses.usedAfter(i) <= pauses.usedAfter(i - 1)) {
        return Optional.empty();
      }
      allocated += Math.max(0, pauses.usedBefore(i) - pauses.usedAfter(i - 1));
    }
    long stayed = pauses.usedAfter(end) - pauses.usedAfter(0);
    long most = timeline.jvm().maxHeap().map(Bytes::value).orElse(pauses.committedAfter(end));
    return stayed < Policy.SUBSTANTIAL * allocated || stayed < Policy.SUBSTANTIAL * most
        ? Optional.empty()
        : Optional.of(
            new HeapSurvival(
                pauses.size(),
                Bytes.of(pauses.usedAfter(0)),
                Bytes.of(pauses.usedAfter(end)),
                Bytes.of(allocated),
                pauses.get(end).source()));
  }

  /** The measured survival and its uncertainty. */
  public String words() {
    return ("%s of the allocated bytes stay in the heap: from %s to %s over %s young GCs,"
            + " each of which left more than the one before; only a full GC will show"
            + " whether they are live")
        .formatted(new Ratio(share()), first, last, collections);
  }

  /** Survival rate: share of the allocated bytes that survived, 0 to 1. */
  double share() {
    return Math.min(1, (last.value() - (double) first.value()) / allocated.value());
  }
}
