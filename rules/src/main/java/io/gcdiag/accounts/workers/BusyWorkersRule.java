package io.gcdiag.accounts.workers;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.calls.DownstreamCalls;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.workers.BackgroundWorkers;
import io.gcdiag.measures.workers.ClientDispatcher;
import io.gcdiag.measures.workers.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Asks whether a group of worker threads has no free thread, dump after dump. What waits for a free
 * worker stands in a queue that no event and no stack shows.
 */
@Judges(
    value = {Hypothesis.THREAD_POOL_EXHAUSTED, Hypothesis.CONNECTION_POOL_UNDERSIZED},
    needs = Signal.THREAD_DUMPS)
public final class BusyWorkersRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    List<ThreadSnapshot> dumps = ExhaustedGroup.dumps(incident);
    if (dumps.size() < Policy.FEWEST_DUMPS) {
      return List.of();
    }
    Optional<String> executor = ExhaustedGroup.of(dumps, false);
    Optional<String> group = executor.or(() -> ExhaustedGroup.of(dumps, true));
    if (group.isPresent()) {
      boolean known = incident.timeline().sees(Signal.CPU_LOAD);
      boolean coresAreMissing =
          (!known || MachineLoad.isFull(incident)) && mostlyRuns(dumps, group.get());
      return coresAreMissing ? List.of() : List.of(exhausted(incident, dumps, group.get()));
    }
    return someIdle(incident, dumps);
  }

  /**
   * More threads make no more cores for those that compute; for those in calls cores are none.
   * Where nothing says how full the cores are, threads that compute are no reason for more of them.
   */
  private static boolean mostlyRuns(List<ThreadSnapshot> dumps, String name) {
    List<ThreadState> threads =
        dumps.stream().flatMap(dump -> WorkerQueue.group(dump, name).stream()).toList();
    return threads.stream().filter(thread -> thread.is(ThreadActivity.RUNNING)).count()
        >= Policy.MAJORITY * threads.size();
  }

  private Finding exhausted(Case incident, List<ThreadSnapshot> dumps, String name) {
    List<List<ThreadState>> busy =
        dumps.stream()
            .map(dump -> WorkerQueue.group(dump, name))
            .filter(threads -> !threads.isEmpty())
            .filter(threads -> threads.stream().noneMatch(t -> t.is(ThreadActivity.IDLE)))
            .toList();
    List<ThreadState> group = busy.get(0);
    String times = busy.size() + " of " + dumps.size();
    FindingBuilder finding =
        Finding.of(
                id(),
                "all %s threads %s are busy in %s dumps%s"
                    .formatted(
                        group.size(),
                        name,
                        times,
                        group.get(0).requestThread()
                            ? ": requests queue for a thread"
                            : ", and request threads wait for their results"))
            .figure("dumps with all " + group.size() + " threads " + name + " busy", times)
            .value("workers", group.size())
            .value("dumps", dumps.size())
            .from(dumps.stream().map(ThreadSnapshot::source).toList());
    boolean never = busy.size() == dumps.size() && isNeverFree(incident, dumps, group);
    if (never) {
      finding.sum(
          "by events they are in calls for more than "
              + new Ratio(1 - Policy.NEGLIGIBLE)
              + " of the time");
    }
    Hypothesis tooSmall =
        ClientDispatcher.of(group).isPresent()
            ? Hypothesis.CONNECTION_POOL_UNDERSIZED
            : Hypothesis.THREAD_POOL_EXHAUSTED;
    return finding
        .supports(tooSmall, never || LoadTestDelays.everybodyWaits(incident.timeline()))
        .build();
  }

  /**
   * Whether the recording shows the group's threads in calls, as long as in the baseline, all the
   * time. One that became slower is another cause.
   */
  private static boolean isNeverFree(
      Case incident, List<ThreadSnapshot> dumps, List<ThreadState> group) {
    Set<String> names = group.stream().map(ThreadState::name).collect(Collectors.toSet());
    boolean alone =
        dumps.stream()
            .flatMap(dump -> dump.requestThreads().stream())
            .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
            .allMatch(thread -> names.contains(thread.name()));
    EffectTimes times = incident.effects();
    return alone
        && group.get(0).requestThread()
        && !times.fromDumps().contains(Effect.DOWNSTREAM_WAIT)
        && DownstreamCalls.inflation(incident) <= 1
        && times.during(Effect.DOWNSTREAM_WAIT) >= (1 - Policy.NEGLIGIBLE) * group.size();
  }

  /** Request threads without work in every dump: none was missing. */
  private List<Finding> someIdle(Incident incident, List<ThreadSnapshot> dumps) {
    long least = Long.MAX_VALUE;
    long of = 0;
    Predicate<ThreadState> serves = DumpGroups.serving(dumps);
    for (ThreadSnapshot dump : dumps) {
      List<ThreadState> requests = dump.threads().stream().filter(serves).toList();
      long idle = requests.stream().filter(thread -> thread.is(ThreadActivity.IDLE)).count();
      of = idle < least ? requests.size() : of;
      least = Math.min(least, idle);
    }
    // Of jobs that no request thread serves, those have nothing to say.
    if (least == 0 || BackgroundWorkers.neverFree(incident).isPresent()) {
      return List.of();
    }
    FindingBuilder finding =
        Finding.of(
                id(),
                "at least %s of %s request threads %s idle in every dump"
                    .formatted(least, of, least == 1 ? "is" : "are"))
            .brief("at least " + least + " of " + of + " request threads idle")
            .value("idle", least)
            .value("requestThreads", of)
            .from(dumps.stream().map(ThreadSnapshot::source).toList());
    // Those that wait for others may wait for an executor that has too few threads. A recording
    // takes its dumps before the load and after it: these have nothing to say of either.
    List<ThreadSnapshot> atWork = dumps.stream().filter(DumpGroups::isAnybodyAtWork).toList();
    // Of threads that wait for something that is no pool, lock or call.
    double awaiting =
        dumps.stream().mapToLong(d -> d.requestsAt(ThreadActivity.OTHER)).average().orElse(0);
    return List.of(
        awaiting < Policy.FEWEST_QUEUED
                && !DumpGroups.isAnExecutorBusy(atWork.isEmpty() ? dumps : atWork)
                && !DumpGroups.isLargestBusy(dumps)
                && !DumpGroups.isALoopHeldUp(dumps)
                // One thread that all requests go through is what they wait for.
                && QueueBeforeGroup.singles(incident).isEmpty()
            ? finding.refutes(Hypothesis.THREAD_POOL_EXHAUSTED).build()
            : finding.weakens(Hypothesis.THREAD_POOL_EXHAUSTED).build());
  }
}
