package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.threads.ClientDispatcher;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Groups of worker threads that have no free thread, dump after dump. */
@Judges(
    value = {Hypothesis.THREAD_POOL_EXHAUSTED, Hypothesis.CONNECTION_POOL_UNDERSIZED},
    needs = Signal.THREAD_DUMPS)
record BusyInDumps(String id) implements Rule {

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
      return coresAreMissing || areDeadlocked(dumps, group.get())
          ? List.of()
          : List.of(exhausted(incident, dumps, group.get()));
    }
    return IdleRequestThreads.of(id, incident, dumps).stream().toList();
  }

  /** Whether most of them cannot go on because of a deadlock: more threads would not either. */
  private static boolean areDeadlocked(List<ThreadSnapshot> dumps, String name) {
    ThreadSnapshot last = dumps.get(dumps.size() - 1);
    List<ThreadState> group = WorkerQueue.group(last, name);
    long stuck = group.stream().filter(one -> last.isDeadlocked(one.activity())).count();
    return stuck > Policy.MAJORITY * group.size();
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
}
