package io.gcdiag.accounts.collections;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.pauses.GcCpu;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;

/** Asks whether pauses are long because the GC threads did not get the cores. */
@Judges(
    value = Hypothesis.HOST_CPU_CONTENTION,
    needs = {Signal.GC_PAUSES, Signal.CPU_LOAD})
public final class CollectorStarvationRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    List<GcCpu> times = incident.timeline().gcCpu(incident.window());
    double share = StoppedTimeSplit.of(incident).share(Hypothesis.HOST_CPU_CONTENTION);
    if (times.isEmpty() || share < Policy.NEGLIGIBLE) {
      return List.of();
    }
    Duration cpu = cpu(times);
    Duration real = real(times);
    return List.of(
        Finding.of(
                id(),
                ("the GC threads got %s cores on average during pauses while other processes"
                        + " used the CPU: %s of the growth in pause time is waiting for CPU")
                    .formatted(cores(times), new Ratio(share)))
            .brief(new Ratio(share) + " of the pause growth is waiting for CPU")
            .figure(
                "cores that GC threads get in a pause",
                incident
                    .baseline()
                    .map(window -> incident.timeline().gcCpu(window))
                    .filter(before -> !before.isEmpty())
                    .map(CollectorStarvationRule::cores),
                cores(times))
            .sum(
                "cores in pauses = CPU time / elapsed time = %s / %s"
                    .formatted(Durations.format(cpu), Durations.format(real)))
            .value("coresInPauses", Durations.seconds(cpu) / Durations.seconds(real))
            .value("share", share)
            .from(new Source(times.get(0).file(), "CPU time of collections"))
            .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED, share)
            .build());
  }

  private static String cores(List<GcCpu> times) {
    return Numbers.threeDigits(Durations.seconds(cpu(times)) / Durations.seconds(real(times)));
  }

  private static Duration cpu(List<GcCpu> times) {
    return times.stream()
        .map(time -> time.user().plus(time.system()))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration real(List<GcCpu> times) {
    return times.stream().map(GcCpu::real).reduce(Duration.ZERO, Duration::plus);
  }
}
