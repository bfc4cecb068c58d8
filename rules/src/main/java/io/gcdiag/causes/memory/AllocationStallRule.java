package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.GcSample.StarvedAllocation;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.HeapHeadroom;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Threads that waited inside an allocation, and for what: a concurrent collector that had no memory
 * left, or a JNI critical section that kept the collection from beginning.
 */
// A log of ZGC without any pause may be full of stalls.
@Judges({
  Hypothesis.MEMORY_PRESSURE,
  Hypothesis.MEMORY_LEAK,
  Hypothesis.FINALIZER_BACKLOG,
  Hypothesis.ALLOCATION_CHURN,
  Hypothesis.GC_LOCKER
})
final class AllocationStallRule implements Rule {

  private static final String RETRY_MORE =
      "find the JNI critical callers (compression, array copies by native code); G1 of JDK 22 and"
          + " later pins regions instead, until then -XX:+UnlockDiagnosticVMOptions"
          + " -XX:GCLockerRetryAllocationCount=100 gives up later";

  @Override
  public List<Finding> examine(Case incident) {
    Window window = incident.window();
    List<WaitSeries> all = UserWaits.of(incident.timeline(), WaitKind.ALLOCATION_STALL);
    Map<String, List<WaitSeries>> byReason =
        all.stream()
            .filter(series -> series.within(window).waitedSeconds() > 0)
            .collect(
                Collectors.groupingBy(
                    AllocationStallRule::reason, TreeMap::new, Collectors.toList()));
    double total = WaitSeries.seconds(all, window);
    List<Finding> findings = new ArrayList<>();
    byReason.forEach(
        (reason, series) -> {
          double share = WaitSeries.seconds(series, window) / total;
          findings.add(
              reason.equals(AllocationStalls.GC_LOCKER)
                  ? locker(incident, series, share)
                  : collector(incident, stalls(incident, series, why(reason)), share));
        });
    starved(incident).ifPresent(findings::add);
    return findings;
  }

  /**
   * A thread that gives up an allocation has waited for critical sections, whatever the heap holds.
   */
  private Optional<Finding> starved(Case incident) {
    List<StarvedAllocation> given =
        incident.timeline().samples(StarvedAllocation.class, incident.window());
    if (given.isEmpty()) {
      return Optional.empty();
    }
    long threads = given.stream().map(StarvedAllocation::thread).distinct().count();
    FindingBuilder finding =
        Finding.of(
                id(),
                "%s given up by %s, because JNI critical sections kept the heap from being collected ('Retried waiting for GCLocker too often')"
                    .formatted(
                        given.size() == 1
                            ? "1 allocation was"
                            : Numbers.count(given.size()) + " allocations were",
                        Numbers.counted((int) threads, "thread")))
            .figure(
                "allocations given up because of JNI critical sections",
                incident,
                window ->
                    Numbers.count(
                        incident.timeline().samples(StarvedAllocation.class, window).size()))
            .value("starvedAllocations", given.size())
            .advises(Hypothesis.GC_LOCKER, RETRY_MORE)
            .from(given.get(0).source());
    return Optional.of(
        given.size() >= Policy.RECURRING
            ? finding.proves(Hypothesis.GC_LOCKER).build()
            : finding.supports(Hypothesis.GC_LOCKER).build());
  }

  private static String reason(WaitSeries series) {
    String name = series.site().name();
    return Set.of(AllocationStalls.GC_LOCKER, AllocationStalls.PACING).contains(name) ? name : "";
  }

  private static String why(String reason) {
    return reason.equals(AllocationStalls.PACING)
        ? "the collector freed memory more slowly than threads allocated, and delayed them"
            + " (pacing: one sum for each thread and GC cycle)"
        : "the collector had not freed enough memory yet";
  }

  private static Finding collector(Case incident, FindingBuilder finding, double share) {
    Hypothesis cause = whoLeftNoMemory(incident);
    return finding.explains(cause, Effect.ALLOCATION_STALL, share).supports(cause).build();
  }

  private Finding locker(Incident incident, List<WaitSeries> series, double share) {
    String holder =
        WaitSeries.longest(series, incident.window())
            .map(s -> s.site().stack())
            .filter(frame -> !frame.isEmpty())
            .map(frame -> ", most under " + frame)
            .orElse("");
    return stalls(incident, series, "a JNI critical section delayed the GC" + holder)
        .explains(Hypothesis.GC_LOCKER, Effect.ALLOCATION_STALL, share)
        .supports(Hypothesis.GC_LOCKER)
        .build();
  }

  /** A heap with room in which the collector is still overrun is allocated to death. */
  private static Hypothesis whoLeftNoMemory(Case incident) {
    HeapHeadroom room = incident.heap().headroom();
    boolean roomy = room.live().isPresent() && !room.isShort();
    return roomy ? Hypothesis.ALLOCATION_CHURN : StoppedTimeSplit.whoFillsTheHeap(incident);
  }

  private FindingBuilder stalls(Incident incident, List<WaitSeries> series, String why) {
    WaitSeries.Totals totals = WaitSeries.totals(series, incident.window());
    return Finding.of(
            id(),
            "%s, %s in total, longest %s: %s"
                .formatted(
                    Numbers.counted(totals.count(), "allocation stall"),
                    Durations.format(totals.waitedSeconds()),
                    Durations.format(totals.longest()),
                    why))
        .figure(
            "threads in allocation stalls, mean",
            incident,
            window -> Numbers.threeDigits(WaitSeries.threads(series, window)))
        .figure("longest allocation stall", Durations.format(totals.longest()))
        .value("stalls", totals.count())
        .value("stalledSeconds", totals.waitedSeconds())
        .value("longestStallSeconds", Durations.seconds(totals.longest()))
        .from(series.get(0).source());
  }
}
