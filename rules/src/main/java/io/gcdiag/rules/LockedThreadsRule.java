package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadSnapshot;
import io.gcdiag.evidence.ThreadState;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.ledger.DownstreamCalls;
import io.gcdiag.ledger.DumpTimes;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.EffectTimes;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Asks thread dumps whether requests wait for locks, where no recording can see it: there is none,
 * or the waits are those of virtual threads, or none of them has ended yet.
 */
public final class LockedThreadsRule implements Rule {

  /** One dump may meet a moment in which many wait by chance. */
  private static final int FEWEST_DUMPS = 2;

  /**
   * If half of the threads at work wait for locks, requests take twice as long as without them.
   * Fewer than that may be usual for the service: dumps alone know no calm.
   */
  private static final double LEAST = 0.5;

  /** Smaller parts than this are within the error of a few dumps. */
  private static final double NEGLIGIBLE = 0.05;

  @Override
  public String id() {
    return "locked-threads";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.LOCK_CONTENTION, Hypothesis.SLOW_DISK);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    boolean circle = dumps.stream().anyMatch(dump -> !dump.deadlocked().isEmpty());
    if (circle || !EffectTimes.of(incident).fromDumps().contains(Effect.LOCK_WAIT)) {
      return List.of();
    }
    List<ThreadSnapshot> locked = dumps.stream().filter(dump -> share(dump) >= LEAST).toList();
    if (locked.size() < FEWEST_DUMPS || 2 * locked.size() < dumps.size()) {
      return List.of();
    }
    return List.of(blame(incident, dumps.size(), locked));
  }

  /** How many of the threads that do users' work wait for a lock. */
  private static double share(ThreadSnapshot dump) {
    List<ThreadState> busy = busy(dump);
    return busy.isEmpty() ? 0 : (double) waiting(busy) / busy.size();
  }

  /** Threads of the application that have work; of requests, where such are known. */
  private static List<ThreadState> busy(ThreadSnapshot dump) {
    boolean known = dump.threads().stream().anyMatch(ThreadState::requestThread);
    return dump.threads().stream()
        .filter(thread -> !known || thread.requestThread())
        .filter(thread -> thread.activity() != ThreadActivity.IDLE)
        .filter(thread -> known || thread.activity() != ThreadActivity.OTHER)
        .toList();
  }

  private static long waiting(List<ThreadState> threads) {
    return threads.stream()
        .filter(thread -> thread.activity() == ThreadActivity.WAITING_FOR_LOCK)
        .count();
  }

  private Finding blame(Incident incident, int dumps, List<ThreadSnapshot> locked) {
    ThreadSnapshot worst =
        locked.stream().max(Comparator.comparingLong(dump -> waiting(busy(dump)))).orElseThrow();
    Optional<OwnersTime> owners = OwnersTime.of(incident);
    double file = share(owners, WaitKind.FILE);
    double pool = share(owners, WaitKind.POOL);
    double inflation = DownstreamCalls.inflation(incident);
    double answers = share(owners, WaitKind.DOWNSTREAM) * (1 - 1 / inflation);
    double own = 1 - file - pool - answers;
    String how = owners.map(OwnersTime::statement).orElse("");
    FindingBuilder finding =
        Finding.of(
                id(),
                waiting(busy(worst))
                    + " of "
                    + busy(worst).size()
                    + " threads at work wait for a lock ("
                    + mostWanted(worst)
                    + "), at least "
                    + new Ratio(LEAST)
                    + " of them in "
                    + locked.size()
                    + " of "
                    + dumps
                    + " dumps"
                    + (how.isEmpty() ? "" : "; " + how))
            .value("waiting", waiting(busy(worst)))
            .value("atWork", busy(worst).size())
            .value("dumps", locked.size())
            .from(locked.stream().map(ThreadSnapshot::source).toList())
            .from(owners.map(OwnersTime::sources).orElse(List.<Source>of()))
            .explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, own)
            .passes(Effect.LOCK_WAIT, Effect.POOL_WAIT, pool, how)
            .passes(Effect.LOCK_WAIT, Effect.DOWNSTREAM_WAIT, answers, how);
    if (incident.timeline().coverage().of(Signal.FILE_IO).recorded()) {
      finding.passes(Effect.LOCK_WAIT, Effect.FILE_WAIT, file, how);
    } else {
      // One thread at a time writes a file, with the lock or without.
      finding.explains(Hypothesis.SLOW_DISK, Effect.LOCK_WAIT, file);
    }
    return finding.build();
  }

  /** Parts too small to be told from chance count as none. */
  private static double share(Optional<OwnersTime> owners, WaitKind kind) {
    double share = owners.map(own -> own.share(kind)).orElse(0.0);
    return share < NEGLIGIBLE ? 0 : share;
  }

  private static String mostWanted(ThreadSnapshot dump) {
    Map<String, Integer> locks = new TreeMap<>();
    busy(dump).stream()
        .filter(thread -> thread.activity() == ThreadActivity.WAITING_FOR_LOCK)
        .forEach(thread -> locks.merge(thread.subject(), 1, Integer::sum));
    return locks.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseThrow();
  }
}
