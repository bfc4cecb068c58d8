package io.gcdiag.causes.cores;

import io.gcdiag.books.FindingBuilder;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;

/**
 * Lost time when requests need more CPU time each. In addition to that time, they wait for threads
 * and CPUs that work for other requests: at utilisation rho, work takes 1 / (1 - rho) times its own
 * length (M/M/1).
 */
final class AddedCpuTime {

  /**
   * Attributes unaccounted time of requests to computing, as far as the added CPU time explains it.
   *
   * @param share the share of the growth in CPU use that counts, 0 to 1
   */
  static void claim(MeasuredIncident incident, double share, FindingBuilder finding) {
    double unaccounted = incident.effects().excessSeconds(Effect.UNACCOUNTED);
    double waiting = incident.effects().excessSeconds(Effect.WORKER_WAIT);
    RuntimeWork work = RuntimeWork.of(incident);
    double use = MachineLoad.mean(incident.timeline(), incident.window()).orElse(0);
    double stretched = share * work.grownCores() / (1 - Math.min(CoreQueue.MOST_USED, use));
    double seconds = stretched * incident.window().seconds();
    String how =
        "requests use more CPU time, and so wait longer for threads and CPU: "
            + Numbers.threeDigits(share * work.grownCores())
            + " more cores at a utilisation of "
            + new Ratio(use);
    // Requests that need more CPU time wait in both queues, and time that one does not explain may
    // be in the other.
    double both = unaccounted + waiting;
    double fraction = both > 0 ? Math.min(1, seconds / both) : 0;
    finding
        .passes(Effect.UNACCOUNTED, Effect.RUNNING, fraction, how)
        .passes(Effect.WORKER_WAIT, Effect.RUNNING, fraction, how);
  }
}
