package io.gcdiag.accounts.collections;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.heap.CollectionTrigger;
import io.gcdiag.measures.heap.FullHeap;
import io.gcdiag.measures.stops.PauseTotals;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/** Full GCs and evacuation failures: the plain signs of a heap that has run out of room. */
@Judges(value = Hypothesis.MEMORY_PRESSURE, needs = Signal.GC_PAUSES)
public final class CollectionFailureRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Pauses full = full(incident, window);
    Pauses failed = failed(timeline, window);
    if (full.isEmpty() && failed.isEmpty()) {
      return List.of();
    }
    List<String> parts = new ArrayList<>();
    if (!full.isEmpty()) {
      PauseTotals totals = PauseTotals.of(full, 1);
      parts.add(
          "%s (%s in total, longest %s)"
              .formatted(
                  Numbers.counted(full.size(), "full GC"),
                  Durations.format(totals.sum()),
                  Durations.format(totals.longest())));
    }
    if (!failed.isEmpty()) {
      parts.add(Numbers.counted(failed.size(), "evacuation failure"));
    }
    GcPause first = full.isEmpty() ? failed.get(0) : full.get(0);
    OptionalDouble left = leastLeft(timeline, full);
    boolean staysFull = left.orElse(0) >= FullHeap.AT_CEILING;
    FindingBuilder finding =
        Finding.of(
                id(),
                String.join(" and ", parts)
                    + " in the window"
                    + (staysFull
                        ? "; after each full GC at least %s of the %s is in use"
                            .formatted(
                                new Ratio(left.getAsDouble()),
                                timeline.jvm().maxHeap().isPresent() ? "maximum heap" : "heap")
                        : ""))
            .figure(
                (full.isEmpty() ? "evacuation failures" : "full GCs") + " per minute",
                incident,
                one ->
                    CollectionCauseRule.perMinute(
                        full.isEmpty() ? failed(timeline, one) : full(incident, one), one))
            .value("fullCollections", full.size())
            .value("evacuationFailures", failed.size())
            .from(first.source());
    left.ifPresent(
        share ->
            finding.figure(
                "heap in use after each full GC, at least", new Ratio(share).toString()));
    return List.of(finding.supports(Hypothesis.MEMORY_PRESSURE, staysFull).build());
  }

  /** Full GCs for want of memory; those that large objects alone force are another cause. */
  private static Pauses full(Case incident, Window window) {
    Set<GcPause> humongous = incident.heap(window).humongousFulls();
    Pauses ordinary =
        incident
            .timeline()
            .pauses(window)
            .ofType(type -> type.kind() == PauseKind.FULL && CollectionTrigger.isOrdinary(type));
    return humongous.isEmpty()
        ? ordinary
        : ordinary.where(i -> !humongous.contains(ordinary.get(i)));
  }

  private static Pauses failed(Timeline timeline, Window window) {
    return timeline
        .pauses(window)
        .ofType(
            type ->
                type.kind() != PauseKind.FULL
                    && (type.evacuationFailure() || CollectionTrigger.isDegenerated(type)));
  }

  /**
   * The least share of the maximum heap, 0 to 1, that one of several full GCs left; of the
   * committed one where the largest is not known: it has grown by then as far as it may.
   */
  private static OptionalDouble leastLeft(Timeline timeline, Pauses full) {
    Pauses telling = full.tellingHeap();
    if (telling.size() < Policy.FEWEST_DUMPS) {
      return OptionalDouble.empty();
    }
    Optional<Bytes> largest = timeline.jvm().maxHeap();
    return IntStream.range(0, telling.size())
        .mapToDouble(
            i ->
                (double) telling.usedAfter(i)
                    / largest.map(Bytes::value).orElse(telling.committedAfter(i)))
        .min();
  }
}
