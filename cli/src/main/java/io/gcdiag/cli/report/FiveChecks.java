package io.gcdiag.cli.report;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.figures.GcSummary;
import io.gcdiag.figures.Metric;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import io.gcdiag.verdict.Diagnosis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a colleague checks first, a line each where the files have the figures: the free heap
 * against MinHeapFreeRatio, allocation per request, pauses by number and by sum, the pool by
 * Little's law, and who allocates outside of TLABs.
 */
record FiveChecks(Diagnosis diagnosis) {

  /** The value that a rule compares the free heap with. */
  private static final String LEAST_FREE = "minHeapFreeRatio";

  static List<Fact> of(Diagnosis diagnosis) {
    return new FiveChecks(diagnosis).facts();
  }

  private List<Fact> facts() {
    List<Fact> facts = new ArrayList<>();
    metric(diagnosis, "heap.free.ratio")
        .ifPresent(free -> facts.add(Fact.of("Free heap", freeHeap(free) + leastFree())));
    both(course("allocation.per.request", " a request"), course("allocation.rate", ""))
        .ifPresent(text -> facts.add(Fact.of("Allocation", text)));
    both(course("gc.pause.count", " in number"), course("gc.pause.sum", " a minute in sum"))
        .ifPresent(text -> facts.add(Fact.of("GC pauses", text + elsewhere())));
    pool(true).ifPresent(law -> facts.add(Fact.of("Pool", law + inUse(";"))));
    outside().ifPresent(most -> facts.add(Fact.of("Outside TLABs", "most: " + most)));
    metric(diagnosis, "container.restarts")
        .map(FigureText::course)
        .ifPresent(
            count ->
                facts.add(
                    Fact.of(
                        "Restarts",
                        count + ", for a failed liveness probe: a result of slow answers")));
    return facts;
  }

  /** The figures alone, in one line of a small screen. */
  static List<Fact> brief(Diagnosis diagnosis) {
    FiveChecks checks = new FiveChecks(diagnosis);
    List<String> parts = new ArrayList<>();
    checks.during("heap.free.ratio").ifPresent(free -> parts.add("free heap " + free));
    checks.during("gc.pause.sum").ifPresent(sum -> parts.add("GC " + sum + "/min"));
    checks
        .during("allocation.per.request")
        .map(each -> each + "/request")
        .or(() -> checks.during("allocation.rate"))
        .ifPresent(each -> parts.add("alloc " + each));
    checks
        .pool(false)
        .ifPresent(
            law ->
                parts.add(
                    Relevance.ofAllocation(diagnosis) ? parts.size() : 0,
                    "pool needs " + law + checks.inUse(",")));
    diagnosis.figures().allocation().outsideTlabs().stream()
        .findFirst()
        .ifPresent(site -> parts.add("TLABs: " + site.className()));
    return parts.isEmpty()
        ? List.of()
        : List.of(Fact.of(BriefReport.CHECKS, String.join("; ", parts)));
  }

  private Optional<String> during(String name) {
    return metric(diagnosis, name).filter(FigureText::isKnownDuring).map(FigureText::during);
  }

  /** Where no GC of the incident is recorded, only the baseline's figures are known. */
  private String freeHeap(Metric free) {
    boolean now = FigureText.isKnownDuring(free);
    Function<Metric, String> value = now ? FigureText::course : FigureText::before;
    return value.apply(free)
        + " of the committed heap after GC"
        + metric(diagnosis, "heap.used.after")
            .map(used -> " (" + value.apply(used) + " in use)")
            .orElse("")
        + (now ? "" : " in the baseline, unknown in the incident");
  }

  /** Pauses outside the window, which the JDK's own tools count as well. */
  private String elsewhere() {
    GcSummary pauses = diagnosis.figures().collections();
    return pauses.outside() == 0 || diagnosis.windows().baseline().isPresent()
        ? ""
        : "; %s outside the window, %s"
            .formatted(
                Numbers.count(pauses.outside()),
                Durations.format(Duration.ofNanos(pauses.outsideNanos())));
  }

  /**
   * {@code rate x the baseline's hold = 797/s x 4.26 ms = 3.39 of 10: enough}.
   *
   * @param whole with the sum and the verdict; else {@code 3.39 of 10}
   */
  private Optional<String> pool(boolean whole) {
    return finding("connectionsNeeded")
        .map(
            law -> {
              String sum = law.arithmetic().get(0);
              double size = law.values().get("poolSize");
              boolean enough =
                  law.on(Hypothesis.CONNECTION_POOL_UNDERSIZED)
                      .anyMatch(bearing -> bearing instanceof Bearing.Refutes);
              boolean few = law.values().get("connectionsNeeded") > size;
              int result = sum.lastIndexOf(" = ") + 3;
              return sum.substring(whole ? sum.indexOf(" = ") + 3 : result)
                  + " of "
                  + Numbers.threeDigits(size)
                  + (!whole ? "" : enough ? ": enough" : few ? ": too few" : "");
            });
  }

  /** Connections in use, which are more where calls became slow. */
  private String inUse(String mark) {
    return diagnosis
        .figures()
        .stations(Station.Kind.CONNECTIONS)
        // Holds that are counted after a wait alone say nothing of the others.
        .filter(station -> station.cover().isEmpty())
        .max(Comparator.comparingDouble(station -> station.during().inIt()))
        .flatMap(one -> one.course(row -> OptionalDouble.of(row.inIt()), Numbers::threeDigits))
        .map(course -> mark + " in use " + course)
        .orElse("");
  }

  private String leastFree() {
    return finding(LEAST_FREE)
        .map(finding -> "; MinHeapFreeRatio " + Ratio.whole(finding.values().get(LEAST_FREE)))
        .orElse("");
  }

  private Optional<Finding> finding(String value) {
    return diagnosis.judgements().stream()
        .flatMap(judgement -> judgement.findings().stream())
        .filter(finding -> finding.values().containsKey(value))
        .findFirst();
  }

  private static Optional<String> both(Optional<String> one, Optional<String> other) {
    return Stream.concat(one.stream(), other.stream()).reduce((text, more) -> text + "; " + more);
  }

  private Optional<String> course(String name, String of) {
    return course(diagnosis, name).map(text -> text + of);
  }

  /** Before and during, unless both are zero. */
  static Optional<String> course(Diagnosis diagnosis, String name) {
    return metric(diagnosis, name).map(FigureText::course);
  }

  private static Optional<Metric> metric(Diagnosis diagnosis, String name) {
    return diagnosis.figures().metric(name).filter(ProblemSection::isSomething);
  }

  /** The largest allocator of objects that did not fit a thread's buffer. */
  private Optional<String> outside() {
    return diagnosis.figures().allocation().outsideTlabs().stream()
        .findFirst()
        .map(site -> site.className() + " " + site.bytes() + " by " + site.top());
  }
}
