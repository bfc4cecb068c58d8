package io.gcdiag.cli.report;

import io.gcdiag.books.Finding;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.units.Ratio;
import io.gcdiag.verdict.Diagnosis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a colleague checks first, a line each where the files have the figures: the free heap
 * against MinHeapFreeRatio, allocation per request, pauses by number and by sum, the pool by
 * Little's law, and who allocates outside of TLABs.
 */
final class FiveChecks {

  /** The name of the value that a rule compares the free heap with. */
  private static final String LEAST_FREE = "minHeapFreeRatio";

  /** Places that one line holds. */
  private static final int MOST_SITES = 2;

  private final Diagnosis diagnosis;

  private FiveChecks(Diagnosis diagnosis) {
    this.diagnosis = diagnosis;
  }

  static List<Fact> of(Diagnosis diagnosis) {
    return new FiveChecks(diagnosis).facts();
  }

  private List<Fact> facts() {
    List<Fact> facts = new ArrayList<>();
    course("heap.free.ratio")
        .ifPresent(
            free ->
                facts.add(
                    Fact.of("Free heap", free + " of the committed heap after GC" + leastFree())));
    both(course("allocation.per.request"), " a request", course("allocation.rate"), "")
        .ifPresent(text -> facts.add(Fact.of("Allocation", text)));
    both(course("gc.pause.count"), " in number", course("gc.pause.sum"), " a minute in sum")
        .ifPresent(text -> facts.add(Fact.of("GC pauses", text)));
    finding("connectionsNeeded")
        .ifPresent(law -> facts.add(Fact.of("Pool", law.brief() + "; " + law.arithmetic().get(0))));
    outside().ifPresent(text -> facts.add(Fact.of("Outside TLABs", text)));
    return facts;
  }

  private String leastFree() {
    return finding(LEAST_FREE)
        .map(finding -> "; MinHeapFreeRatio " + Ratio.whole(finding.values().get(LEAST_FREE)))
        .orElse("");
  }

  /** The finding with a value of that name. */
  private Optional<Finding> finding(String value) {
    return diagnosis.judgements().stream()
        .flatMap(judgement -> judgement.findings().stream())
        .filter(finding -> finding.values().containsKey(value))
        .findFirst();
  }

  private static Optional<String> both(
      Optional<String> one, String ofOne, Optional<String> other, String ofOther) {
    List<String> known = new ArrayList<>();
    one.ifPresent(text -> known.add(text + ofOne));
    other.ifPresent(text -> known.add(text + ofOther));
    return known.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", known));
  }

  private Optional<String> course(String name) {
    return course(diagnosis, name);
  }

  /** Before and during, unless both are zero. */
  static Optional<String> course(Diagnosis diagnosis, String name) {
    return diagnosis.figures().metrics().stream()
        .filter(metric -> metric.name().equals(name))
        .filter(ProblemSection::isSomething)
        .findFirst()
        .map(FigureText::course);
  }

  /** The largest allocators of objects that did not fit a thread's buffer. */
  private Optional<String> outside() {
    List<AllocationSite> sites = diagnosis.figures().allocation().outsideTlabs();
    return sites.isEmpty()
        ? Optional.empty()
        : Optional.of(
            sites.stream()
                .limit(MOST_SITES)
                .map(site -> site.className() + " " + site.bytes() + " by " + site.top())
                .collect(Collectors.joining(", ")));
  }
}
