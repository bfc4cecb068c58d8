package io.gcdiag.diagnosis;

import io.gcdiag.evidence.Coverage;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.EffectTimes;
import io.gcdiag.rules.Bearing;
import io.gcdiag.rules.Finding;
import io.gcdiag.rules.Hypothesis;
import io.gcdiag.units.Durations;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ledger: each second of excess time is booked once, to the effect in which it was spent, and
 * handed on from effect to effect until a root cause takes it or it stays unexplained.
 *
 * <p>If findings together claim more than all of an effect's time, all are cut in proportion. What
 * they do not claim stays unexplained. Effects may hand time to each other in a circle (threads
 * that hold a lock wait for a connection, and those that hold a connection wait for the lock): time
 * goes round until what is left of it is negligible; so the shares are those of an absorbing Markov
 * chain.
 */
final class Attribution {

  /** A share that no report shows. */
  private static final double NEGLIGIBLE = 1e-6;

  /** A circle that keeps nine tenths of the time in it on each round is down to the above. */
  private static final int MOST_ROUNDS = 200;

  private final EffectTimes times;

  /** What lies at each effect and has not been handed on. */
  private final Map<Effect, Double> booked = new EnumMap<>(Effect.class);

  private final Map<Hypothesis, Double> byCause = new EnumMap<>(Hypothesis.class);
  private final Map<Edge, Flow> flows = new LinkedHashMap<>();
  private final double total;

  /**
   * Time that passed along one edge.
   *
   * @param from the effect it left
   * @param to the effect or cause it went to, by id
   * @param seconds thread-seconds
   * @param statement why
   */
  record Flow(Effect from, String to, double seconds, String statement) {
    Flow plus(Flow more) {
      return new Flow(from, to, seconds + more.seconds(), statement);
    }
  }

  private record Edge(Effect from, String to, String statement) {}

  Attribution(EffectTimes times, List<Finding> findings) {
    this.times = times;
    for (Effect effect : Effect.values()) {
      booked.put(effect, times.excessSeconds(effect));
    }
    total = times.totalExcessSeconds();
    for (int round = 0; round < MOST_ROUNDS && inFlight() > NEGLIGIBLE * total; round++) {
      for (Effect effect : Effect.values()) {
        settle(effect, findings);
      }
    }
  }

  private double inFlight() {
    return booked.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Share of all excess time that a cause accounts for, 0 to 1; 0 without any excess. */
  double share(Hypothesis cause) {
    return total <= 0 ? 0 : byCause.getOrDefault(cause, 0.0) / total;
  }

  /** Share that no cause accounts for. */
  double unexplained() {
    double explained = byCause.values().stream().mapToDouble(Double::doubleValue).sum();
    return total <= 0 ? 0 : Math.max(0, 1 - explained / total);
  }

  /** Thread-seconds that were spent in the effect itself, before anything was handed on. */
  double booked(Effect effect) {
    return times.excessSeconds(effect);
  }

  /** All edges along which time passed, in the order in which they were settled. */
  List<Flow> flows() {
    return List.copyOf(flows.values());
  }

  /** Hands on what lies at the effect now. */
  private void settle(Effect effect, List<Finding> findings) {
    double seconds = booked.put(effect, 0.0);
    double claimed = claims(effect, findings);
    if (seconds <= 0 || claimed <= 0) {
      return;
    }
    double scale = seconds / Math.max(1, claimed);
    for (Finding finding : findings) {
      for (Bearing bearing : finding.bearings()) {
        if (bearing instanceof Bearing.Explains explains && explains.effect() == effect) {
          double part = explains.fraction() * scale;
          byCause.merge(explains.hypothesis(), part, Double::sum);
          flow(effect, explains.hypothesis().id(), part, finding.statement());
        }
      }
      for (Finding.Transfer transfer : finding.transfers()) {
        if (transfer.from() == effect) {
          double part = transfer.fraction() * scale;
          booked.merge(transfer.to(), part, Double::sum);
          flow(effect, transfer.to().id(), part, transfer.how());
        }
      }
    }
  }

  private void flow(Effect from, String to, double seconds, String statement) {
    flows.merge(new Edge(from, to, statement), new Flow(from, to, seconds, statement), Flow::plus);
  }

  private static double claims(Effect effect, List<Finding> findings) {
    double claimed = 0;
    for (Finding finding : findings) {
      for (Bearing bearing : finding.bearings()) {
        if (bearing instanceof Bearing.Explains explains && explains.effect() == effect) {
          claimed += explains.fraction();
        }
      }
      for (Finding.Transfer transfer : finding.transfers()) {
        claimed += transfer.from() == effect ? transfer.fraction() : 0;
      }
    }
    return claimed;
  }

  /** The ledger as measured, before anything is handed on. */
  static List<LedgerEntry> ledger(Incident incident, EffectTimes times) {
    double total = times.totalExcessSeconds();
    List<LedgerEntry> entries = new ArrayList<>();
    for (Effect effect : Effect.values()) {
      double excess = times.excessSeconds(effect);
      if (excess > 0 || times.during(effect) > 0) {
        entries.add(
            new LedgerEntry(
                effect,
                times.before(effect),
                times.during(effect),
                excess,
                total > 0 ? excess / total : 0,
                note(effect, incident)));
      }
    }
    return entries;
  }

  private static String note(Effect effect, Incident incident) {
    Coverage coverage = incident.timeline().coverage();
    return switch (effect) {
      case POOL_WAIT -> limited(coverage, Signal.THREAD_PARKS, "parks in a pool's borrow method");
      case LOCK_WAIT -> limited(coverage, Signal.MONITOR_WAITS, "monitor entries and lock parks");
      case FILE_WAIT -> limited(coverage, Signal.FILE_IO, "file reads and writes");
      case DOWNSTREAM_WAIT ->
          limited(coverage, Signal.SOCKET_READS, "socket reads")
              + (incident.windows().baseline().isEmpty()
                  ? "; not counted as excess: there is no calm to compare with"
                  : "");
      case WORKER_WAIT -> "requests in the system beyond those that a thread works on";
      case SLEEP -> "sleeps of request threads";
      case PINNED -> "blocking calls of pinned virtual threads";
      case RUNNING -> "samples of running request threads, and CPU time";
      case THROTTLED -> "time that the quota took from runnable threads";
      case ALLOCATION_STALL -> "allocations that waited for the collector";
      case UNACCOUNTED -> "what requests took longer than in the calm, less all the above";
      case CPU_QUEUE -> "runnable request threads beyond the cores, in thread dumps";
      case STOPPED ->
          EffectTimes.requestRate(incident.timeline()).isPresent()
              ? "pauses, times the requests that each held up"
              : "pauses, for one piece of work at a time: the request rate is unknown";
      case SAFEPOINT -> "stops beside the pauses, times the requests that each held up";
    };
  }

  private static String limited(Coverage coverage, Signal signal, String what) {
    return what
        + coverage
            .of(signal)
            .threshold()
            .map(threshold -> " of " + Durations.format(threshold) + " or longer")
            .orElse("");
  }
}
