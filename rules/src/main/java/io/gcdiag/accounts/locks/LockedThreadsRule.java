package io.gcdiag.accounts.locks;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.measures.calls.DownstreamCalls;
import io.gcdiag.measures.cores.DumpedCpu;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks thread dumps whether requests wait for locks, where no recording can see it: there is none,
 * or the waits are those of virtual threads, or none of them has ended yet.
 */
public final class LockedThreadsRule implements Rule {

  private static final String EXPERIMENT =
      "read the machine's CPU use while requests wait: with all cores busy with what the lock"
          + " guards, threads wait for CPU, with the lock or without it";

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.LOCK_CONTENTION, Hypothesis.CPU_SATURATION, Hypothesis.SLOW_DISK);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    boolean circle = dumps.stream().anyMatch(dump -> dump.deadlocks().found());
    if (circle || !EffectTimes.of(incident).fromDumps().contains(Effect.LOCK_WAIT)) {
      return List.of();
    }
    List<ThreadSnapshot> locked = ThreadsAtWork.mostly(dumps, ThreadActivity.WAITING_FOR_LOCK);
    if (locked.isEmpty() && dumps.size() >= Policy.FEWEST_DUMPS) {
      locked = ThreadsAtWork.queues(dumps, ThreadActivity.WAITING_FOR_LOCK);
    }
    return locked.isEmpty() ? List.of() : List.of(blame(incident, dumps.size(), locked));
  }

  private static long waiting(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.WAITING_FOR_LOCK);
  }

  private Finding blame(Incident incident, int dumps, List<ThreadSnapshot> locked) {
    ThreadSnapshot worst =
        locked.stream().max(Comparator.comparingLong(LockedThreadsRule::waiting)).orElseThrow();
    Optional<OwnersTime> owners = OwnersTime.of(incident);
    double file = share(owners, WaitKind.FILE);
    double pool = share(owners, WaitKind.POOL);
    double log = share(owners, WaitKind.LOG_QUEUE);
    double buffers = share(owners, WaitKind.DIRECT_MEMORY);
    double clients = share(owners, WaitKind.CLIENT);
    double answers =
        owners
            .map(time -> time.shareOfSlowCalls(DownstreamCalls.inflation(incident)))
            .filter(part -> part >= Policy.NEGLIGIBLE)
            .orElse(0.0);
    double own = 1 - file - pool - log - buffers - clients - answers;
    String how = owners.map(OwnersTime::statement).orElse("");
    FindingBuilder finding =
        Finding.of(
                id(),
                waiting(worst)
                    + " of "
                    + ThreadsAtWork.of(worst).size()
                    + " threads at work wait for a lock ("
                    + ThreadsAtWork.most(List.of(worst), ThreadActivity.WAITING_FOR_LOCK, false)
                    + "); at least half of those at work do in "
                    + locked.size()
                    + " of "
                    + dumps
                    + (dumps == 1 ? " dump" : " dumps")
                    + (how.isEmpty() ? "" : "; " + how))
            .figure(
                "busy threads that wait for a lock, in a dump",
                waiting(worst) + " of " + ThreadsAtWork.of(worst).size())
            .value("waiting", waiting(worst))
            .value("atWork", ThreadsAtWork.of(worst).size())
            .value("dumps", locked.size())
            .from(locked.stream().map(ThreadSnapshot::source).toList())
            .from(owners.map(OwnersTime::sources).orElse(List.<Source>of()))
            .passes(Effect.LOCK_WAIT, Effect.POOL_WAIT, pool, how)
            .passes(Effect.LOCK_WAIT, Effect.LOG_WAIT, log, how)
            .passes(Effect.LOCK_WAIT, Effect.DIRECT_MEMORY_WAIT, buffers, how)
            .passes(Effect.LOCK_WAIT, Effect.CLIENT_WAIT, clients, how)
            .passes(Effect.LOCK_WAIT, Effect.DOWNSTREAM_WAIT, answers, how);
    if (owners.isEmpty() && areCoresInUse(incident)) {
      finding.explainsEither(
          Hypothesis.LOCK_CONTENTION, Hypothesis.CPU_SATURATION, Effect.LOCK_WAIT, own, EXPERIMENT);
    } else {
      finding.explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, own);
    }
    LockAdvice.of(owners, "", "")
        .ifPresent(advice -> finding.advises(Hypothesis.LOCK_CONTENTION, advice));
    if (incident.timeline().coverage().of(Signal.FILE_IO).recorded()) {
      finding.passes(Effect.LOCK_WAIT, Effect.FILE_WAIT, file, how);
    } else {
      // One thread at a time writes a file, with the lock or without.
      finding.explains(Hypothesis.SLOW_DISK, Effect.LOCK_WAIT, file);
    }
    return finding.build();
  }

  /**
   * Whether the cores became full, by the recorded CPU load, or the JVM's threads leave no clear
   * room on them, by dumps: then the owners, of which nothing is known, may be what computes.
   */
  private static boolean areCoresInUse(Incident incident) {
    int cores = incident.timeline().jvm().cpus().orElse(0);
    return incident.timeline().coverage().of(Signal.CPU_LOAD).recorded()
        ? MachineLoad.becameFull(incident)
        : DumpedCpu.between(DumpTimes.during(incident))
            .filter(used -> cores > 0 && used.atMostCores() >= Policy.CLEAR_ROOM * cores)
            .isPresent();
  }

  /** Parts too small to be distinguished from chance count as none. */
  private static double share(Optional<OwnersTime> owners, WaitKind kind) {
    double share = owners.map(own -> own.share(kind)).orElse(0.0);
    return share < Policy.NEGLIGIBLE ? 0 : share;
  }
}
