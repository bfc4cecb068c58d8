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
 * How long the JVM can have been stopped where no pause is recorded. Of the threads that run no
 * Java code at least one works while the JVM is stopped; so they use as much CPU as it is stopped,
 * or more. Thread dumps state that CPU time since JDK 11.
 *
 * @param cores cores that these threads used between thread dumps, on average: at most that share
 *     of the time was stopped
 * @param covered the time between the dumps
 * @param dumps the dumps
 */
public record UnrecordedStops(double cores, Duration covered, List<ThreadSnapshot> dumps) {

  /** Copies the list. */
  public UnrecordedStops {
    dumps = List.copyOf(dumps);
  }

  /** Measures an incident; absent if pauses are recorded or metered, or dumps do not show. */
  public static Optional<UnrecordedStops> of(Incident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    boolean told = dumps.stream().filter(dump -> dump.totals().isPresent()).count() > 1;
    return arePausesKnown(incident.timeline()) || !told
        ? Optional.empty()
        : DumpedCpu.between(dumps)
            .map(cpu -> new UnrecordedStops(cpu.collectorCores(), cpu.covered(), dumps));
  }

  /**
   * The most of the time, 0 to 1, that the JVM can have been stopped in pauses that are in no file:
   * 0 where pauses are known, 1 where nothing shows.
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
