package io.gcdiag.rules;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.AllocationRate;
import io.gcdiag.ledger.PauseTotals;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whose doing the growth of the time stopped in collections is, each second of it counted once. The
 * questions are asked in this order, and each takes its part of what the earlier ones left:
 *
 * <ol>
 *   <li>Pauses with a cause of their own (System.gc(), GCLocker, humongous allocation, metaspace)
 *       belong to it: wholly if it forced the collection, else by what they took longer than
 *       others.
 *   <li>Collector threads that did not get the cores they need make pauses long by themselves: see
 *       {@link CollectorStarvation}.
 *   <li>Pauses in which the heap was resized belong to the resizing by what they took longer than
 *       pauses of their kind in which it was not.
 *   <li>More allocation is churn by what it would have cost with the room and the pauses of the
 *       baseline.
 *   <li>The rest is the heap's shortage of room, if it is short: collections come sooner and take
 *       longer because of it. The shortage is the leak's if the live set keeps growing. If the heap
 *       is not short of room, the rest stays unexplained.
 * </ol>
 *
 * @param byCause share of the growth by root cause, 0 to 1 each, at most 1 together
 * @param shortOfRoom whether the heap has less free after collections than it wants
 * @param resizingPauses pauses in which the committed size changed
 * @param churnPerMinuteSeconds what the allocation alone would have added, in seconds a minute
 */
record StoppedTimeSplit(
    Map<Hypothesis, Double> byCause,
    boolean shortOfRoom,
    List<GcPause> resizingPauses,
    double churnPerMinuteSeconds) {

  private static final double SECONDS_PER_MINUTE = 60;

  static StoppedTimeSplit of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    List<GcPause> pauses = timeline.pauses(window);
    Map<Hypothesis, Double> shares = new EnumMap<>(Hypothesis.class);
    List<GcPause> resizing = resizing(timeline, window);
    boolean shortOfRoom = isShortOfRoom(incident);
    PauseTotals during = PauseTotals.of(timeline, window);
    double before =
        incident
            .windows()
            .baseline()
            .map(calm -> PauseTotals.of(timeline, calm).shareStopped())
            .orElse(0.0);
    // All in seconds over the incident window.
    double total = Durations.seconds(during.sum());
    double growth = total - before * window.seconds();
    boolean roomKnown = shortOfRoom || HeapRoom.after(timeline, window).isPresent();
    double churn = roomKnown ? churnSeconds(incident, during, shortOfRoom) : 0;
    if (growth > 0) {
      double left = growth;
      Map<PauseKind, Double> ordinary =
          CollectionCause.typicalSeconds(pauses, pause -> CollectionCause.of(pause).isEmpty());
      for (GcPause pause : pauses) {
        Optional<Hypothesis> own = CollectionCause.of(pause);
        if (own.isPresent()) {
          left -=
              take(
                  shares,
                  own.get(),
                  CollectionCause.ownSeconds(pause, own.get(), ordinary),
                  left,
                  growth);
        }
      }
      left -=
          take(
              shares,
              Hypothesis.HOST_CPU_CONTENTION,
              CollectorStarvation.share(incident) * left,
              left,
              growth);
      left -=
          take(shares, Hypothesis.HEAP_RESIZING, resizingExcess(pauses, resizing), left, growth);
      left -= take(shares, Hypothesis.ALLOCATION_CHURN, churn, left, growth);
      if (shortOfRoom) {
        take(shares, whoFillsTheHeap(incident), left, left, growth);
      }
    }
    return new StoppedTimeSplit(
        Map.copyOf(shares), shortOfRoom, resizing, churn / window.seconds() * SECONDS_PER_MINUTE);
  }

  double share(Hypothesis hypothesis) {
    return Math.max(0, Math.min(1, byCause.getOrDefault(hypothesis, 0.0)));
  }

  /** Books at most what is left, as a share of the whole growth; returns what was booked. */
  private static double take(
      Map<Hypothesis, Double> shares,
      Hypothesis hypothesis,
      double seconds,
      double left,
      double growth) {
    double taken = Math.max(0, Math.min(seconds, left));
    if (taken > 0) {
      shares.merge(hypothesis, taken / growth, Double::sum);
    }
    return taken;
  }

  private static Hypothesis whoFillsTheHeap(Incident incident) {
    return LiveSetTrend.of(incident).filter(LiveSetTrend::growsWithoutBound).isPresent()
        ? Hypothesis.MEMORY_LEAK
        : Hypothesis.MEMORY_PRESSURE;
  }

  /**
   * What allocation alone adds, in seconds over the incident window; asked only if the heap's room
   * is known, because without it more collections may as well come from less room.
   *
   * <p>A heap short of room is collected more often at any rate of allocation, so only the growth
   * of that rate counts, at the baseline's cost. A heap with room is collected as often as
   * allocation fills it: every collection counts, at the baseline's mean pause.
   */
  private static double churnSeconds(Incident incident, PauseTotals during, boolean shortOfRoom) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    Optional<Window> calm = incident.windows().baseline();
    if (calm.isEmpty()) {
      return shortOfRoom ? 0 : Durations.seconds(during.sum());
    }
    PauseTotals before = PauseTotals.of(timeline, calm.get());
    double usual = before.shareStopped() * window.seconds();
    if (!shortOfRoom) {
      double pause =
          before.count() == 0
              ? during.meanSeconds()
              : Math.min(before.meanSeconds(), during.meanSeconds());
      return Math.max(0, during.count() * pause - usual);
    }
    Optional<AllocationRate> allocBefore = AllocationRate.of(timeline, calm.get());
    Optional<AllocationRate> allocDuring = AllocationRate.of(timeline, window);
    if (allocBefore.isEmpty() || allocDuring.isEmpty() || allocBefore.get().bytesPerSecond() <= 0) {
      return 0;
    }
    double factor = allocDuring.get().bytesPerSecond() / allocBefore.get().bytesPerSecond();
    return Math.max(0, usual * (factor - 1));
  }

  /** Low room after collections, or the plain signs of it: full collections and failed copies. */
  private static boolean isShortOfRoom(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    double wanted = HeapRoom.Wanted.of(timeline.jvm()).ratio().value();
    boolean low =
        HeapRoom.after(timeline, window).filter(r -> r.freeRatio().value() < wanted).isPresent();
    boolean failing =
        timeline.pauses(window).stream()
            .anyMatch(
                pause ->
                    pause.evacuationFailure()
                        || pause.kind() == PauseKind.FULL
                            && CollectionCause.of(pause).isEmpty()
                            && pause.heap().filter(heap -> hasRoom(heap, wanted)).isEmpty());
    return low || failing;
  }

  /** A full collection that leaves as much free as is wanted had another reason than shortage. */
  private static boolean hasRoom(HeapChange heap, double wanted) {
    Bytes committed = heap.committedAfter();
    return committed.value() > 0
        && committed.minusOrZero(heap.usedAfter()).shareOf(committed).value() >= wanted;
  }

  /** Pauses after which the committed heap has another size than after the one before. */
  private static List<GcPause> resizing(Timeline timeline, Window window) {
    List<GcPause> resizing = new ArrayList<>();
    long committed = -1;
    for (GcPause pause : timeline.pauses()) {
      if (pause.heap().isPresent()) {
        long now = pause.heap().get().committedAfter().value();
        if (committed >= 0 && now != committed && window.contains(pause.start())) {
          resizing.add(pause);
        }
        committed = now;
      }
    }
    return resizing;
  }

  private static double resizingExcess(List<GcPause> pauses, List<GcPause> resizing) {
    Set<GcPause> resized = new HashSet<>(resizing);
    Map<PauseKind, Double> others =
        CollectionCause.typicalSeconds(pauses, pause -> !resized.contains(pause));
    double excess = 0;
    for (GcPause pause : resizing) {
      double typical = others.getOrDefault(pause.kind(), 0.0);
      if (typical > 0 && CollectionCause.of(pause).isEmpty()) {
        excess += Math.max(0, Durations.seconds(pause.duration()) - typical);
      }
    }
    return excess;
  }
}
