package io.gcdiag.accounts.collections;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.AllocationStalls;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.heap.HeapHeadroom;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
public final class AllocationStallRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    List<WaitSeries> all = UserWaits.of(incident.timeline(), WaitKind.ALLOCATION_STALL);
    List<WaitSeries> locker =
        all.stream().filter(s -> s.site().name().equals(AllocationStalls.GC_LOCKER)).toList();
    List<WaitSeries> paced =
        all.stream().filter(s -> s.site().name().equals(AllocationStalls.PACING)).toList();
    List<WaitSeries> collector =
        all.stream().filter(s -> !locker.contains(s) && !paced.contains(s)).toList();
    double total = WaitSeries.seconds(all, incident.window());
    List<Finding> findings = new ArrayList<>();
    if (WaitSeries.seconds(collector, incident.window()) > 0) {
      findings.add(
          collector(
              incident,
              stalls(incident, collector, "the collector had not freed enough memory yet"),
              WaitSeries.seconds(collector, incident.window()) / total));
    }
    if (WaitSeries.seconds(paced, incident.window()) > 0) {
      findings.add(
          collector(
              incident,
              pacing(incident, paced),
              WaitSeries.seconds(paced, incident.window()) / total));
    }
    if (WaitSeries.seconds(locker, incident.window()) > 0) {
      findings.add(locker(incident, locker, WaitSeries.seconds(locker, incident.window()) / total));
    }
    return findings;
  }

  private static Finding collector(Case incident, FindingBuilder finding, double share) {
    Hypothesis cause = whoLeftNoMemory(incident);
    return finding.explains(cause, Effect.ALLOCATION_STALL, share).supports(cause).build();
  }

  private Finding locker(Incident incident, List<WaitSeries> series, double share) {
    Window window = incident.window();
    String holder =
        WaitSeries.longest(series, window)
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
    Timeline timeline = incident.timeline();
    HeapHeadroom room = incident.heap().headroom();
    boolean roomy = room.live().isPresent() && !room.isShort();
    return roomy ? Hypothesis.ALLOCATION_CHURN : StoppedTimeSplit.whoFillsTheHeap(incident);
  }

  private FindingBuilder stalls(Incident incident, List<WaitSeries> series, String why) {
    Totals totals = Totals.of(incident, series);
    return finding(
        incident,
        Numbers.count(totals.count())
            + (totals.count() == 1 ? " allocation stall, " : " allocation stalls, ")
            + Durations.format(totals.waited())
            + " in total, longest "
            + Durations.format(totals.longest())
            + ": "
            + why,
        totals,
        series);
  }

  private FindingBuilder pacing(Incident incident, List<WaitSeries> series) {
    Totals totals = Totals.of(incident, series);
    double threads = WaitSeries.threads(series, incident.window());
    return finding(
        incident,
        ("the collector freed memory more slowly than threads allocated, and delayed"
                + " them by %s in total (pacing; %s threads on average), at most %s for one"
                + " thread in one GC cycle")
            .formatted(
                Durations.format(totals.waited()),
                Numbers.threeDigits(threads),
                Durations.format(totals.longest())),
        totals,
        series);
  }

  private FindingBuilder finding(
      Incident incident, String statement, Totals totals, List<WaitSeries> series) {
    return Finding.of(id(), statement)
        .figure(
            "threads in allocation stalls, mean",
            incident
                .baseline()
                .map(window -> Numbers.threeDigits(WaitSeries.threads(series, window))),
            Numbers.threeDigits(WaitSeries.threads(series, incident.window())))
        .figure("longest allocation stall", Durations.format(totals.longest()))
        .value("stalls", totals.count())
        .value("stalledSeconds", totals.waited())
        .value("longestStallSeconds", Durations.seconds(totals.longest()))
        .from(series.get(0).source());
  }

  private record Totals(long count, Duration longest, double waited) {
    static Totals of(Incident incident, List<WaitSeries> series) {
      Window window = incident.window();
      long count = 0;
      Duration longest = Duration.ZERO;
      for (WaitSeries one : series) {
        WaitSeries.Totals totals = one.within(window);
        count += totals.count();
        longest = totals.longest().compareTo(longest) > 0 ? totals.longest() : longest;
      }
      return new Totals(count, longest, WaitSeries.seconds(series, incident.window()));
    }
  }
}
