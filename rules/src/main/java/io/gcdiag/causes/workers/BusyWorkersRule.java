package io.gcdiag.causes.workers;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.threads.BackgroundWorkers;
import io.gcdiag.measures.threads.ClientDispatcher;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Asks whether a group of worker threads has no free thread. Work that waits for one is in a queue
 * that no event and no stack shows.
 */
final class BusyWorkersRule implements CombinedRule {

  @Override
  public List<Rule> sensors() {
    return List.of(
        new JobBacklog(id()),
        new BusyLoops(id()),
        new BusyInDumps(id()),
        new NeverFreeWorkers(id()));
  }

  /** Groups of worker threads without a free thread in dump after dump. */
  @Judges(
      value = {Hypothesis.THREAD_POOL_EXHAUSTED, Hypothesis.CONNECTION_POOL_UNDERSIZED},
      needs = Signal.THREAD_DUMPS)
  private record BusyInDumps(String id) implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
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

    /** Whether most of them are stuck in a deadlock, so that more threads would get stuck, too. */
    private static boolean areDeadlocked(List<ThreadSnapshot> dumps, String name) {
      ThreadSnapshot last = dumps.get(dumps.size() - 1);
      List<ThreadState> group = WorkerQueue.group(last, name);
      long stuck = group.stream().filter(one -> last.isDeadlocked(one.activity())).count();
      return stuck > Policy.MAJORITY * group.size();
    }

    /**
     * More threads do not add cores for threads that compute; threads in calls need none. If the
     * load of the cores is unknown, computing threads are no reason for more of them.
     */
    private static boolean mostlyRuns(List<ThreadSnapshot> dumps, String name) {
      List<ThreadState> threads =
          dumps.stream().flatMap(dump -> WorkerQueue.group(dump, name).stream()).toList();
      return threads.stream().filter(thread -> thread.is(ThreadActivity.RUNNING)).count()
          >= Policy.MAJORITY * threads.size();
    }

    private Finding exhausted(MeasuredIncident incident, List<ThreadSnapshot> dumps, String name) {
      List<List<ThreadState>> busy =
          dumps.stream()
              .map(dump -> WorkerQueue.group(dump, name))
              .filter(threads -> !threads.isEmpty())
              .filter(threads -> threads.stream().noneMatch(t -> t.is(ThreadActivity.IDLE)))
              .toList();
      List<ThreadState> group = busy.get(0);
      IntSummaryStatistics sizes = busy.stream().mapToInt(List::size).summaryStatistics();
      // A pool ends threads and starts others meanwhile.
      String count =
          (sizes.getMin() < sizes.getMax() ? sizes.getMin() + " to " : "") + sizes.getMax();
      String times = busy.size() + " of " + dumps.size();
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "all %s threads %s are busy in %s dumps%s"
                      .formatted(
                          count,
                          name,
                          times,
                          group.get(0).requestThread()
                              ? ": requests queue for a thread"
                              : ", and request threads wait for their results"))
              .figure("dumps with all " + count + " threads " + name + " busy", times)
              .value("workers", sizes.getMax())
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
     * Whether the recording shows the group's threads in calls all the time, each as long as in the
     * baseline. Slower calls are another cause.
     */
    private static boolean isNeverFree(
        MeasuredIncident incident, List<ThreadSnapshot> dumps, List<ThreadState> group) {
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

  /** Idle request threads in every dump, so that there are enough of them. */
  private static final class IdleRequestThreads {

    private static final String COMMON_POOL = "ForkJoinPool.commonPool-worker-N";

    /** The smallest number of idle ones; empty if a dump has none. */
    static Optional<Finding> of(
        String rule, MeasuredIncident incident, List<ThreadSnapshot> dumps) {
      long least = Long.MAX_VALUE;
      List<ThreadState> fewest = List.of();
      for (List<ThreadState> requests : serving(dumps)) {
        long idle = requests.stream().filter(thread -> thread.is(ThreadActivity.IDLE)).count();
        fewest = idle < least ? requests : fewest;
        least = Math.min(least, idle);
      }
      // Idle request threads say nothing about jobs or the requests' tasks on other threads.
      boolean elsewhere =
          incident
                  .workerQueue()
                  .filter(queue -> queue.role() != WorkerQueue.Role.SERVER)
                  .isPresent()
              || NeverFreeWorkers.takingAnswers(incident).isPresent()
              || dumps.stream()
                  .flatMap(dump -> dump.threads().stream())
                  .anyMatch(ThreadState::overflow);
      if (least == 0 || elsewhere || BackgroundWorkers.neverFree(incident).isPresent()) {
        return Optional.empty();
      }
      String idle = "at least %s of %s".formatted(least, inWords(fewest));
      FindingBuilder finding =
          Finding.of(rule, idle + (least == 1 ? " is" : " are") + " idle in every dump")
              .value("idle", least)
              .value("requestThreads", fewest.size())
              .from(dumps.stream().map(ThreadSnapshot::source).toList());
      // Busy request threads may wait for an executor with too few threads. A recording takes its
      // dumps before and after the load, so these prove neither.
      List<ThreadSnapshot> atWork =
          dumps.stream().filter(IdleRequestThreads::isAnybodyAtWork).toList();
      // Threads that wait for something other than a pool, a lock or a call.
      double awaiting =
          dumps.stream().mapToLong(d -> d.requestsAt(ThreadActivity.OTHER)).average().orElse(0);
      boolean certain =
          awaiting < Policy.FEWEST_QUEUED
              && !isAnExecutorBusy(atWork.isEmpty() ? dumps : atWork)
              && !isALoopHeldUp(dumps)
              // A single thread that all requests pass through is what they wait for.
              && QueueBeforeGroup.singles(incident).isEmpty();
      finding.brief(idle + " idle in every dump" + (certain ? ": no request waits for one" : ""));
      return Optional.of(finding.contradicts(Hypothesis.THREAD_POOL_EXHAUSTED, certain).build());
    }

    /** Their number, and their group if it is one; other tables group threads differently. */
    private static String inWords(List<ThreadState> threads) {
      List<String> names =
          threads.stream().map(thread -> ThreadNames.numbered(thread.name())).distinct().toList();
      return threads.size()
          + " request threads"
          + (names.size() == 1 ? " (" + names.get(0) + ")" : "");
    }

    /**
     * Each group of request threads by itself, in each dump: an idle thread of one is of no help to
     * the requests of another. Names say so of whole groups, and some of those serve none: a
     * default dispatcher beside the one that blocks, an executor beside event loops, another port's
     * workers. Where one group is seen at work in any of the dumps, a group that never is takes
     * none of its requests; where none is, all are one.
     */
    private static List<List<ThreadState>> serving(List<ThreadSnapshot> dumps) {
      Map<String, List<List<ThreadState>>> groups = new TreeMap<>();
      for (ThreadSnapshot dump : dumps) {
        dump.requestThreads().stream()
            .collect(Collectors.groupingBy(thread -> ThreadNames.numbered(thread.name())))
            .forEach(
                (name, group) -> groups.computeIfAbsent(name, n -> new ArrayList<>()).add(group));
      }
      groups.values().removeIf(found -> !isGroup(found) || !isAtWork(found));
      if (groups.isEmpty()) {
        return dumps.stream().map(ThreadSnapshot::requestThreads).toList();
      }
      List<List<ThreadState>> serving = new ArrayList<>();
      for (List<List<ThreadState>> group : groups.values()) {
        serving.addAll(group);
        if (group.size() < dumps.size()) {
          serving.add(List.of());
        }
      }
      return serving;
    }

    /** Whether there are several of them; a single thread has no group to help it. */
    private static boolean isGroup(List<List<ThreadState>> inDumps) {
      return inDumps.stream().anyMatch(threads -> threads.size() >= Policy.FEWEST_QUEUED);
    }

    private static boolean isAtWork(List<List<ThreadState>> inDumps) {
      return inDumps.stream()
          .flatMap(List::stream)
          .anyMatch(thread -> !thread.is(ThreadActivity.IDLE));
    }

    /**
     * Whether in every dump all threads of another group are in calls: requests may wait for it
     * without a waiting thread. A thread that waits for the JVM's common pool helps with its work
     * and so looks busy itself.
     */
    private static boolean isAnExecutorBusy(List<ThreadSnapshot> dumps) {
      return ExhaustedGroup.byGroup(dumps, (dump, group) -> areAllInCalls(group)).values().stream()
          .anyMatch(found -> found.size() == dumps.size());
    }

    /** Whether any thread runs code of the service, makes a call, or waits to do so. */
    private static boolean isAnybodyAtWork(ThreadSnapshot dump) {
      return dump.threads().stream()
          .anyMatch(
              thread ->
                  thread.is(ThreadActivity.IN_DOWNSTREAM_CALL)
                      || thread.requestThread() && !thread.is(ThreadActivity.IDLE));
    }

    /**
     * Whether an event loop is in a call, or waits for a lock or a connection. The requests of its
     * connections wait for it, and no other loop takes them, even if it is idle. A loop without
     * work is in its selector, which a dump shows as running, while a worker without work parks.
     */
    private static boolean isALoopHeldUp(List<ThreadSnapshot> dumps) {
      Set<String> loops = new HashSet<>(groupsWith(dumps, IdleRequestThreads::isResting));
      loops.removeAll(groupsWith(dumps, WorkerQueue::isFree));
      loops.retainAll(
          groupsWith(dumps, one -> one.requestThread() && ThreadsAtWork.isInCallOrQueue(one)));
      return !loops.isEmpty();
    }

    private static Set<String> groupsWith(List<ThreadSnapshot> dumps, Predicate<ThreadState> any) {
      return ExhaustedGroup.byGroup(dumps, (dump, group) -> group.getValue().stream().anyMatch(any))
          .keySet();
    }

    private static boolean isResting(ThreadState thread) {
      return thread.requestThread()
          && thread.is(ThreadActivity.IDLE)
          && thread.state().equals("RUNNABLE");
    }

    private static boolean areAllInCalls(Map.Entry<String, List<ThreadState>> group) {
      List<ThreadState> threads = group.getValue();
      return threads.size() >= (group.getKey().equals(COMMON_POOL) ? 1 : Policy.FEWEST_QUEUED)
          && threads.stream().allMatch(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL));
    }
  }
}
