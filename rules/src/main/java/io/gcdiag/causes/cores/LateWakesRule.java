package io.gcdiag.causes.cores;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.WakeDelay;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;

/**
 * Asks whether threads got a CPU when they needed one, by how late their timed waits ended. A full
 * machine alone does not show it: Linux's scheduler favours threads that slept, and other processes
 * may have a lower priority.
 */
@Judges(
    value = {Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_SATURATION},
    needs = Signal.CPU_LOAD)
final class LateWakesRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    Optional<CpuUse> full = CrowdedCores.of(incident).map(CrowdedCores::then);
    Optional<WakeDelay> delay = WakeDelay.of(incident.timeline(), incident.window());
    return full.isPresent() && delay.isPresent()
        ? List.of(judge(incident, full.get(), delay.get()))
        : List.of();
  }

  private Finding judge(Incident incident, CpuUse use, WakeDelay delay) {
    Timeline timeline = incident.timeline();
    Optional<WakeDelay> before =
        incident.baseline().flatMap(baseline -> WakeDelay.of(timeline, baseline));
    FindingBuilder finding =
        Finding.of(
                id(),
                "%s: timed waits overran by %s on average%s"
                    .formatted(
                        delay.isLate()
                            ? "threads waited for CPU"
                            : "threads got CPU at once although the cores were full",
                        lateness(delay),
                        before.map(baseline -> " (before: " + lateness(baseline) + ")").orElse("")))
            .figure(
                "mean overrun of timed waits", before.map(LateWakesRule::lateness), lateness(delay))
            .value("waits", delay.waits())
            .value("meanLateSeconds", delay.meanSeconds())
            .value("meanLateSecondsBefore", Numbers.of(before, WakeDelay::meanSeconds))
            .from(delay.source());
    boolean others = use.others() >= MachineLoad.OTHERS_NEGLIGIBLE;
    if (!delay.isLate()) {
      finding.weakens(Hypothesis.HOST_CPU_CONTENTION);
    } else if (others && use.others() > use.service()) {
      boolean every = before.filter(baseline -> delaysAll(delay, baseline)).isPresent();
      finding.supports(Hypothesis.HOST_CPU_CONTENTION, every && !timeline.areRequestsMeasured());
    } else {
      finding.supports(Hypothesis.CPU_SATURATION);
    }
    return finding.build();
  }

  /**
   * Whether late wake-ups delay all requests. Each request starts by waking a thread, and that
   * thread waits for CPU like one whose timed wait ended.
   */
  private static boolean delaysAll(WakeDelay delay, WakeDelay baseline) {
    return LoadTestDelays.mayMultiply(delay.meanSeconds() - baseline.meanSeconds());
  }

  private static String lateness(WakeDelay delay) {
    return Durations.format(delay.meanSeconds());
  }
}
