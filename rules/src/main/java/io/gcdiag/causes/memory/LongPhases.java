package io.gcdiag.causes.memory;

import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What inside the pauses of one window took long beside marking and moving objects: reference
 * processing, class unloading, weak processing, code roots. Recordings have these phases, logs of
 * JDK 8 with {@code PrintGCDetails}, later ones with {@code gc+phases=debug}.
 *
 * <p>Where references take long, fewer weak and soft ones and finalizers help, and {@code
 * -XX:+ParallelRefProcEnabled} before JDK 11 with G1, before JDK 17 with Parallel. Much class
 * unloading is pressure on metaspace.
 *
 * @param phases those of the window
 * @param totals its pauses
 */
record LongPhases(List<PausePhase> phases, PauseTotals totals) {

  /** {@code 310 ms of which are reference processing}, if that is most of the longest pause. */
  Optional<String> ofLongest() {
    return phases.stream()
        .filter(phase -> phase.pause().equals(totals.longest()))
        .max(Comparator.comparing(PausePhase::duration))
        .filter(phase -> share(phase.duration(), phase.pause()) > Policy.MAJORITY)
        .map(phase -> Durations.format(phase.duration()) + " of which are " + phase.part().words());
  }

  /** A line for each part that takes a notable share of all pauses. */
  List<String> sums() {
    Map<PausePart, Duration> sums = new EnumMap<>(PausePart.class);
    phases.forEach(phase -> sums.merge(phase.part(), phase.duration(), Duration::plus));
    return sums.entrySet().stream()
        .filter(sum -> share(sum.getValue(), totals.sum()) >= Policy.NOTABLE)
        .map(
            sum ->
                "%s in pauses: %s / %s = %s"
                    .formatted(
                        sum.getKey().words(),
                        Durations.format(sum.getValue()),
                        Durations.format(totals.sum()),
                        new Ratio(share(sum.getValue(), totals.sum()))))
        .toList();
  }

  private static double share(Duration part, Duration whole) {
    return whole.isZero() ? 0 : Durations.seconds(part) / Durations.seconds(whole);
  }
}
