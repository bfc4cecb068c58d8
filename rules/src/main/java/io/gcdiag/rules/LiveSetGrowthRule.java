package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.util.List;
import java.util.Set;

/** Asks whether the live set still grows in the later half of the window, or has levelled off. */
public final class LiveSetGrowthRule implements Rule {

  @Override
  public String id() {
    return "live-set-growth";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.HEAP_AROUND_GC);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.MEMORY_LEAK);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    return LiveSetTrend.of(incident).map(trend -> List.of(judge(trend))).orElse(List.of());
  }

  private Finding judge(LiveSetTrend trend) {
    String points =
        trend.points()
            + (trend.onFullCollections()
                ? " full or mixed collections"
                : " slices of time (lowest use after a collection)");
    boolean grows = trend.growsWithoutBound();
    boolean unclear = !grows && trend.rises();
    String movement =
        "from "
            + trend.first()
            + " to "
            + trend.last()
            + " over the last "
            + Durations.format(trend.span().length());
    String text =
        trend.stoppedByCeiling()
            ? "the live set grew steadily until the heap's ceiling stopped it: " + movement
            : grows
                ? "the live set still grows: "
                    + movement
                    + trend
                        .untilFull()
                        .map(t -> ", full in about " + Durations.format(t))
                        .orElse("")
                : (unclear
                        ? "the heap after young collections grows, which may be garbage that no full or"
                            + " mixed collection has cleared yet: "
                        : trend.watchedLongEnough()
                            ? (trend.line().slopeLow() > 0
                                ? "the live set grows too little to matter here: "
                                : "the live set does not keep growing: ")
                            : "the live set does not grow, but too short a time to rule out a leak: ")
                    + movement;
    FindingBuilder finding =
        Finding.of(id(), text)
            .sum(
                "slope = "
                    + perSecond(trend.line().slope())
                    + ", 95 % between "
                    + perSecond(trend.line().slopeLow())
                    + " and "
                    + perSecond(trend.line().slopeHigh())
                    + ", on "
                    + points)
            .value("slopeBytesPerSecond", trend.line().slope())
            .value("slopeLowBytesPerSecond", trend.line().slopeLow())
            .value("slopeHighBytesPerSecond", trend.line().slopeHigh())
            .value("points", trend.points())
            .from(trend.source());
    if (grows && trend.isFullSoon()) {
      finding.warns(Hypothesis.MEMORY_LEAK);
    } else if (grows) {
      finding.supports(Hypothesis.MEMORY_LEAK);
    } else if (unclear || !trend.watchedLongEnough()) {
      finding.weakens(Hypothesis.MEMORY_LEAK);
    } else {
      finding.refutes(Hypothesis.MEMORY_LEAK);
    }
    return finding.build();
  }

  private static String perSecond(double bytes) {
    return (bytes < 0 ? "-" : "+") + Bytes.of(Math.round(Math.abs(bytes))) + "/s";
  }
}
