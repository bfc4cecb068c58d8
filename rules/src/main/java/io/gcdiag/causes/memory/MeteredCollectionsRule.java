package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.FullHeap;
import io.gcdiag.measures.jvm.HeapRoom;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Judges the collector by the service's own meters, where neither a recording nor a log has its
 * pauses. What is left in the old generation after collections says whether the heap is short of
 * room; how much of the delays the pauses account for follows from their number and sum within
 * bounds.
 */
@Judges(Hypothesis.MEMORY_PRESSURE)
final class MeteredCollectionsRule implements Rule {

  /** A heap that has as much free as HotSpot itself wants is not short of memory. */
  private static final double ROOM = 1 - HeapRoom.DEFAULT_WANTED.value();

  @Override
  public List<Finding> examine(Case incident) {
    return CollectorMeters.of(incident.timeline()).map(meters -> judge(incident, meters)).stream()
        .toList();
  }

  private Finding judge(Incident incident, CollectorMeters meters) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    PauseTotals totals = PauseTotals.of(timeline, window);
    OptionalDouble old = meters.oldInUse(window);
    FindingBuilder finding =
        Finding.of(id(), statement(totals, old))
            .figure(
                "share of time in GC pauses",
                incident,
                one -> new Ratio(PauseTotals.of(timeline, one).shareStopped()).toString())
            .value("pausesPerMinute", totals.countPerMinute())
            .value("shareStopped", totals.shareStopped())
            .value("meanPauseSeconds", totals.meanSeconds())
            .sum(totals.shareSum())
            .from(meters.source());
    if (totals.count() > 0) {
      Estimate lost = meters.lost(incident);
      finding
          .value("lostAtLeastSeconds", lost.low())
          .value("lostAtMostSeconds", lost.high())
          .sum(
              ("request time that the pauses delayed: %s if they were as equal as the meters"
                      + " allow, up to %s if as unequal; the lower figure is used")
                  .formatted(Durations.format(lost.low()), Durations.format(lost.high())));
    }
    old.ifPresent(
        share -> {
          finding.value("oldInUse", share);
          if (share >= FullHeap.AT_CEILING) {
            finding.explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1);
          } else if (share <= ROOM) {
            finding.refutes(Hypothesis.MEMORY_PRESSURE);
          }
        });
    return finding.build();
  }

  private static String statement(PauseTotals totals, OptionalDouble old) {
    return "by the service's own meters GC paused it "
        + new Ratio(totals.shareStopped())
        + " of the time"
        + (totals.count() == 0
            ? ""
            : ": %s pauses per minute, mean %s, longest at least %s"
                .formatted(
                    Numbers.threeDigits(totals.countPerMinute()),
                    Durations.format(totals.meanSeconds()),
                    Durations.format(totals.longest())))
        + (old.isEmpty()
            ? ""
            : "; after GC "
                + new Ratio(old.getAsDouble())
                + " of the old generation's maximum size is in use");
  }
}
