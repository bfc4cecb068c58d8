package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.util.List;

/**
 * Reads from thread dumps how much the GC threads worked, where no pause is recorded. Little work
 * bounds the time stopped; much is a lead to record the pauses.
 */
@Judges(
    value = {Hypothesis.MEMORY_PRESSURE, Hypothesis.ALLOCATION_CHURN},
    needs = Signal.THREAD_DUMPS)
final class CollectingThreadsRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    return UnrecordedStops.of(incident)
        .filter(known -> known.cores() >= Policy.NOTABLE || known.cores() < Policy.TAIL)
        .map(known -> known.cores() >= Policy.NOTABLE ? lead(known) : bound(incident, known))
        .stream()
        .toList();
  }

  private Finding lead(UnrecordedStops stops) {
    return finding(stops, "; their pauses are in no file, log them with -Xlog:gc*,safepoint")
        .supports(Hypothesis.MEMORY_PRESSURE)
        .supports(Hypothesis.ALLOCATION_CHURN)
        .build();
  }

  private Finding bound(Incident incident, UnrecordedStops stops) {
    FindingBuilder finding =
        finding(
            stops, ": at most " + new Ratio(stops.cores()) + " of the time was stopped for a GC");
    boolean most =
        Durations.seconds(stops.covered()) >= Policy.MAJORITY * incident.window().seconds();
    for (Hypothesis hypothesis : List.of(Hypothesis.MEMORY_PRESSURE, Hypothesis.ALLOCATION_CHURN)) {
      finding.contradicts(hypothesis, most);
    }
    return finding.build();
  }

  private FindingBuilder finding(UnrecordedStops stops, String so) {
    return Finding.of(
            id(),
            "GC and VM threads used %s of CPU time in the %s between thread dumps%s"
                .formatted(
                    Durations.format(stops.cores() * Durations.seconds(stops.covered())),
                    Durations.format(stops.covered()),
                    so))
        .value("collectorCores", stops.cores())
        .from(stops.dumps().stream().map(ThreadSnapshot::source).toList());
  }
}
