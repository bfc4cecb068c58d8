package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.threads.DumpTimes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Upper bound of the time that the JVM was stopped if no pause is recorded. While the JVM is
 * stopped, at least one of its internal threads (those that run no Java code) works. So these
 * threads use at least as much CPU time as the JVM is stopped. Thread dumps contain that CPU time
 * since JDK 11.
 *
 * @param cores cores that these threads used between thread dumps, on average; an upper bound of
 *     the share of time stopped
 * @param covered the time between the dumps
 */
public record UnrecordedStops(double cores, Duration covered, List<ThreadSnapshot> dumps) {

  /**
   * Empty if pauses are known from recordings, logs or metrics, or if fewer than two dumps have the
   * CPU time of these threads: they come last, and many who pass on a dump leave them out.
   */
  public static Optional<UnrecordedStops> of(Incident incident) {
    List<ThreadSnapshot> dumps =
        DumpTimes.during(incident).stream()
            .filter(dump -> dump.totals().filter(all -> !all.ownCpu().isZero()).isPresent())
            .toList();
    return arePausesKnown(incident.timeline()) || dumps.size() < 2
        ? Optional.empty()
        : DumpedCpu.between(dumps)
            .map(cpu -> new UnrecordedStops(cpu.collectorCores(), cpu.covered(), dumps));
  }

  /**
   * Upper bound of the share of time, 0 to 1, that the JVM was stopped in pauses that no file has:
   * 0 if pauses are known, 1 if nothing shows it.
   */
  public static double atMost(Incident incident) {
    return arePausesKnown(incident.timeline())
        ? 0
        : of(incident).map(stops -> Math.min(1, stops.cores())).orElse(1.0);
  }

  private static boolean arePausesKnown(Timeline timeline) {
    return timeline.sees(Signal.GC_PAUSES) || CollectorMeters.of(timeline).isPresent();
  }
}
