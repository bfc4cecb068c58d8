package io.gcdiag.rules;

import io.gcdiag.evidence.CpuLoad;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import java.util.List;

/**
 * How much of what the service's own CPU use grew by is not its work but the cost of how it is run:
 * threads that were never ended.
 *
 * @param keptThreads share of the growth that threads used which do not end, 0 to 1
 */
record RuntimeWork(double keptThreads) {

  /** Measures an incident; without a calm all CPU use counts as growth. */
  static RuntimeWork of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    double during = jvm(timeline, window);
    double growth = during - incident.windows().baseline().map(w -> jvm(timeline, w)).orElse(0.0);
    List<KeptThreads> leaks = KeptThreads.of(incident);
    if (growth <= 0 || leaks.isEmpty()) {
      return new RuntimeWork(0);
    }
    // They were not there before: all that they use is growth.
    double used = KeptThreads.cpuShare(timeline, window, leaks) * during;
    return new RuntimeWork(Math.min(1, used / growth));
  }

  private static double jvm(Timeline timeline, Window window) {
    return timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).average().orElse(0);
  }

  /** All of it, 0 to 1. */
  double total() {
    return keptThreads;
  }
}
