package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.FullHeap;
import io.gcdiag.measures.jvm.LiveSetTrend;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Asks whether the live set grows without end, has levelled off, has fallen or has filled the heap.
 */
@Judges(
    value = {Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG},
    needs = Signal.HEAP_AROUND_GC)
public final class LiveSetGrowthRule implements Rule {

  /**
   * Name of the value with the seconds until the heap is full, if the growth is live data; absent
   * if the heap is known to be full already or stays below for long.
   */
  public static final String FULL_IF_ALIVE = "secondsUntilFullIfAlive";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    return incident
        .liveSetTrend()
        .map(trend -> judge(incident, trend))
        .or(() -> HeapSurvival.of(incident).map(this::filling))
        .map(List::of)
        .orElse(List.of());
  }

  private Finding filling(HeapSurvival survival) {
    return Finding.of(id(), survival.words())
        .value("stayingShare", survival.share())
        .value("collections", survival.collections())
        .from(survival.source())
        .supports(Hypothesis.MEMORY_LEAK)
        .build();
  }

  private Finding judge(Incident incident, LiveSetTrend trend) {
    Optional<FullHeap.Rise> rise =
        trend.fullHeap() ? Optional.of(FullHeap.rise(incident)) : Optional.empty();
    Bytes first = rise.map(FullHeap.Rise::first).orElseGet(trend::first);
    Bytes last = rise.map(FullHeap.Rise::last).orElseGet(trend::last);
    FindingBuilder finding =
        Finding.of(id(), text(trend, rise))
            .figure("live set", Optional.of(first.toString()), last.toString())
            .sum(
                "slope = %s (95 %%), on %s %s"
                    .formatted(slope(trend), trend.points(), trend.basis().words()))
            .value("slopeBytesPerSecond", trend.line().slope())
            .value("slopeLowBytesPerSecond", trend.line().slopeLow())
            .value("slopeHighBytesPerSecond", trend.line().slopeHigh())
            .value("points", trend.points())
            .from(trend.source());
    seconds(finding, "secondsUntilFull", trend.untilFull());
    seconds(finding, "secondsUntilFullAtLeast", trend.untilFullAtLeast());
    seconds(finding, "secondsUntilFullAtMost", trend.untilFullAtMost());
    seconds(finding, FULL_IF_ALIVE, trend.fullSoonIfAlive());
    // While collections hardly stop the service, a heap that will be full delays no request yet.
    double stopped = PauseTotals.of(incident.timeline(), incident.window()).shareStopped();
    boolean felt = rise.isPresent() || stopped >= Policy.FELT_STOPPED;
    if (trend.growsWithoutBound() && trend.isFullSoon() && felt) {
      finding.warns(FinalizerBacklog.growth(incident));
    } else if (trend.growsWithoutBound()) {
      finding.supports(FinalizerBacklog.growth(incident));
    } else {
      // A leak of a single thread ends with that thread.
      boolean wasFull = !FullHeap.leftFull(incident.timeline()).isEmpty();
      finding.contradicts(Hypothesis.MEMORY_LEAK, trend.excludesLeak() && !wasFull);
    }
    return finding.build();
  }

  private static void seconds(FindingBuilder finding, String name, Optional<Duration> time) {
    time.ifPresent(left -> finding.value(name, Durations.seconds(left)));
  }

  /** {@code 4 min 12 s (3 min 50 s to 5 min 2 s)}: by the slope and by its interval of 95 %. */
  private static String left(LiveSetTrend trend, Duration likely) {
    String least = Durations.format(trend.untilFullAtLeast().orElse(likely));
    String most = trend.untilFullAtMost().map(Durations::format).orElse("never");
    return Durations.format(likely)
        + (least.equals(most) ? "" : " (" + least + " to " + most + ", 95 %)");
  }

  private static String text(LiveSetTrend trend, Optional<FullHeap.Rise> rise) {
    if (rise.isPresent()) {
      return "the live set grew steadily until the heap was full: "
          + movement(rise.get().first(), rise.get().last(), rise.get().length());
    }
    String movement = movement(trend.first(), trend.last(), trend.span().length());
    if (trend.growsWithoutBound()) {
      return "the live set grows steadily: "
          + movement
          + trend
              .untilFull()
              .map(likely -> "; at this rate the heap is full in about " + left(trend, likely))
              .orElse("");
    }
    if (trend.mayRiseByGarbage()) {
      return "the heap after young GCs grows, possibly by garbage that no full GC has cleared yet: "
          + slope(trend)
          + trend
              .fullSoonIfAlive()
              .map(left -> "; if it is live, the heap is full in about " + Durations.format(left))
              .orElse("");
    }
    if (!trend.watchedLongEnough()) {
      return "the recording is too short to show a leak: " + movement;
    }
    String exclusion =
        trend.excludesLeak()
            ? ""
            : "; the heap was as full before, so a leak slower than this recording can show cannot"
                + " be excluded";
    return growth(trend) + ": " + movement + ", " + slope(trend) + exclusion;
  }

  private static String movement(Bytes first, Bytes last, Duration length) {
    return "from " + first + " to " + last + " over " + Durations.format(length);
  }

  private static String growth(LiveSetTrend trend) {
    if (trend.falls()) {
      return "the live set fell";
    }
    if (trend.levelsOff() && (trend.filling().seen() || trend.isCertain())) {
      return "the live set grew and levelled off";
    }
    if (trend.risesInSteps()) {
      return "the live set rises in steps, not steadily";
    }
    return trend.isCertain() ? "the live set grew little" : "no significant growth of the live set";
  }

  /** {@code +0.3 MiB/min ± 0.9 MiB/min}, half the width of the 95 % interval. */
  private static String slope(LiveSetTrend trend) {
    double half = (trend.line().slopeHigh() - trend.line().slopeLow()) / 2;
    return (trend.line().slope() < 0 ? "-" : "+")
        + perMinute(trend.line().slope())
        + " ± "
        + perMinute(half)
        + " per minute";
  }

  private static Bytes perMinute(double bytesPerSecond) {
    return Bytes.of(Math.round(Math.abs(bytesPerSecond) * Durations.SECONDS_PER_MINUTE));
  }
}
