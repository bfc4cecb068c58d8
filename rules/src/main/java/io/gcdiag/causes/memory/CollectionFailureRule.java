package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.measures.jvm.FullHeap;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Full GCs and evacuation failures: the plain signs of a heap that has run out of room. */
@Judges(
    value = {Hypothesis.MEMORY_PRESSURE, Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG},
    needs = Signal.GC_PAUSES)
final class CollectionFailureRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    return Stream.concat(inWindow(incident).stream(), full(incident).stream()).toList();
  }

  private Optional<Finding> inWindow(Case incident) {
    Pauses full = full(incident, incident.window());
    Pauses failed = failed(incident, incident.window());
    if (full.isEmpty() && failed.isEmpty()) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    if (!full.isEmpty()) {
      parts.add(
          "%s (%s in total, longest %s)"
              .formatted(
                  Numbers.counted(full.size(), "full GC"),
                  Durations.format(full.sum()),
                  Durations.format(full.longest())));
    }
    if (!failed.isEmpty()) {
      parts.add(Numbers.counted(failed.size(), "evacuation failure"));
    }
    return Optional.of(
        Finding.of(id(), String.join(" and ", parts) + " in the window")
            .figure(
                (full.isEmpty() ? "evacuation failures" : "full GCs") + " per minute",
                incident,
                one ->
                    CollectionCauseRule.perMinute(
                        full.isEmpty() ? failed(incident, one) : full(incident, one), one))
            .value("fullCollections", full.size())
            .value("evacuationFailures", failed.size())
            .from((full.isEmpty() ? failed : full).get(0).source())
            .supports(Hypothesis.MEMORY_PRESSURE)
            .build());
  }

  /**
   * A heap that was full, at any time: the thread that got no memory may have ended, and what it
   * held with it. In a window that the user chose, what lies outside of it decides nothing.
   */
  private Optional<Finding> full(Case incident) {
    Pauses full = FullHeap.leftFull(incident.timeline());
    if (full.isEmpty()) {
      return Optional.empty();
    }
    int last = full.size() - 1;
    boolean inside = !full.within(incident.window()).isEmpty();
    String left = new Ratio((double) full.usedAfter(last) / full.committedAfter(last)).toString();
    String when =
        "at "
            + UtcText.span(full.start(0), full.start(last))
            + (inside ? "" : ", outside the window");
    String what = "the heap was full %s: full GCs one after the other left %s of it in use";
    return Optional.of(
        Finding.of(id(), what.formatted(when, left))
            .figure("heap in use after full GCs " + when, left)
            .value("fullCollectionsLeftFull", full.size())
            .from(full.get(0).source())
            .supports(
                StoppedTimeSplit.whoFillsTheHeap(incident),
                inside || incident.windows().chosenBy() != ChosenBy.USER)
            .build());
  }

  /** Full GCs because memory ran out. Full GCs forced by large objects alone are another cause. */
  private static Pauses full(Case incident, Window window) {
    Set<GcPause> humongous = incident.heap(window).humongousFulls();
    Pauses ordinary = incident.timeline().pauses(window).ofType(CollectionTrigger::isOrdinaryFull);
    return ordinary.where(i -> !humongous.contains(ordinary.get(i)));
  }

  private static Pauses failed(Case incident, Window window) {
    return incident.timeline().pauses(window).ofType(CollectionTrigger::foundNoRoom);
  }
}
