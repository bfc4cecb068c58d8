package io.gcdiag.causes.workers;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitSample.OverflowTime;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.measures.threads.AsyncWaits;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Asks what happens to work that finds no free thread: it queues, it waits behind tasks that wait
 * for it, or its caller runs it.
 */
public final class WorkerQueueRule implements CombinedRule {

  @Override
  public List<Rule> sensors() {
    return List.of(new QueuedWork(id()), new StarvedExecutor(id()), new CallerRuns(id()));
  }

  /**
   * Asks whether an executor waits for itself: each of its threads runs a task that waits for
   * another task, and the awaited tasks are in the queue behind them.
   */
  @Judges(value = Hypothesis.THREAD_POOL_EXHAUSTED, needs = Signal.THREAD_DUMPS)
  private record StarvedExecutor(String id) implements Rule {

    /**
     * What {@code ExecutorService.submit} returns (AbstractExecutorService.newTaskFor): only a
     * thread of an executor can complete it. Other futures are completed by clients that have no
     * thread.
     */
    private static final String TASK = "java.util.concurrent.FutureTask";

    /** What tasks of a fork-join pool wait for; another task or a client completes it. */
    private static final String FUTURE = "java.util.concurrent.CompletableFuture$Signaller";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      List<ThreadSnapshot> dumps = DumpTimes.during(incident);
      return first(starved(dumps, false), found -> DumpTimes.areOften(found.size(), dumps))
          .map(group -> finding(group, dumps.size(), true))
          // If all its threads wait in each dump, it is a lead even with a single dump, and also
          // for a fork-join pool that waits for futures, which a client may complete.
          .or(
              () ->
                  first(starved(dumps, true), found -> found.size() == dumps.size())
                      .map(group -> finding(group, dumps.size(), false)))
          .stream()
          .toList();
    }

    private static Optional<Map.Entry<String, List<ThreadSnapshot>>> first(
        Map<String, List<ThreadSnapshot>> groups, Predicate<List<ThreadSnapshot>> often) {
      return groups.entrySet().stream().filter(group -> often.test(group.getValue())).findFirst();
    }

    /**
     * Groups whose threads all wait for tasks, by name, with the dumps in which they do so and no
     * other thread runs a task.
     *
     * @param futures whether a fork-join pool that waits for futures is one of them
     */
    private static Map<String, List<ThreadSnapshot>> starved(
        List<ThreadSnapshot> dumps, boolean futures) {
      return ExhaustedGroup.byGroup(
          dumps.stream().filter(dump -> !ThreadsAtWork.isAnyTaskRun(dump)).toList(),
          (dump, group) ->
              isStarved(group.getValue(), futures && group.getKey().startsWith("ForkJoinPool")));
    }

    private static boolean isStarved(List<ThreadState> group, boolean futures) {
      return group.size() >= Policy.FEWEST_QUEUED
          && group.stream()
              .allMatch(
                  one ->
                      !one.requestThread()
                          && (awaits(TASK, one) || futures && awaits(FUTURE, one)));
    }

    private static boolean awaits(String what, ThreadState thread) {
      return thread.is(ThreadActivity.OTHER) && thread.subject().equals(what);
    }

    private Finding finding(
        Map.Entry<String, List<ThreadSnapshot>> starved, int dumps, boolean certain) {
      String name = starved.getKey();
      ThreadSnapshot last = starved.getValue().get(starved.getValue().size() - 1);
      List<ThreadState> group = WorkerQueue.group(last, name);
      String place = group.get(0).standing().at();
      long requests = last.requestsAt(ThreadActivity.OTHER);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  ("all %s threads %s wait for other tasks in %s of %s%s, and no thread runs one:"
                          + " these %s queued behind them%s")
                      .formatted(
                          group.size(),
                          name,
                          starved.getValue().size(),
                          Numbers.counted(dumps, "dump"),
                          place.isEmpty() ? "" : ", at " + place,
                          certain ? "are" : "may be",
                          requests == 0 ? "" : "; " + requests + " request threads wait as well"))
              .value("workers", group.size())
              .value("dumps", starved.getValue().size())
              .value("requestThreads", requests)
              .from(starved.getValue().stream().map(ThreadSnapshot::source).toList())
              .supports(Hypothesis.THREAD_POOL_EXHAUSTED, certain);
      return certain
          ? finding
              .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED, 1)
              .advises(Hypothesis.THREAD_POOL_EXHAUSTED, inner(name))
              .build()
          : finding.build();
    }

    static String inner(String group) {
      return "do not wait in a task of "
          + group
          + " for another task of the same executor: give the inner tasks an executor of their own,"
          + " or combine their results without waiting (CompletableFuture.thenCombine)";
    }
  }

  /**
   * Asks whether request threads run tasks of a full executor themselves, as its rejection policy
   * says. Tasks meant to run concurrently then run one after another.
   */
  @Judges(Hypothesis.THREAD_POOL_EXHAUSTED)
  private record CallerRuns(String id) implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      List<ThreadSnapshot> dumps = DumpTimes.during(incident);
      List<ThreadSnapshot> met = dumps.stream().filter(dump -> count(dump) > 0).toList();
      double recorded = recorded(timeline, window);
      double seen = dumps.stream().mapToLong(CallerRuns::count).average().orElse(0);
      double threads = Math.max(recorded, 2 * met.size() >= dumps.size() ? seen : 0);
      if (threads < Policy.FEWEST_QUEUED) {
        return List.of();
      }
      Optional<Double> baseline = incident.baseline().map(w -> recorded(timeline, w));
      FindingBuilder finding =
          Finding.of(id(), sentence(recorded, baseline, dumps.size(), met))
              .value("threadsByEvents", recorded)
              .value("threadsInDumps", seen)
              .from(sources(timeline, window, met));
      double more = (threads - baseline.orElse(0.0)) * window.seconds();
      double unaccounted = incident.effects().excessSeconds(Effect.UNACCOUNTED);
      boolean grown =
          baseline.filter(before -> recorded >= Policy.CLEARLY_MORE * before).isPresent();
      if (DownstreamCalls.inflation(incident) > 1) {
        // Slower calls fill up any executor.
        finding.supports(Hypothesis.THREAD_POOL_EXHAUSTED);
      } else if (unaccounted > 0) {
        double share = Math.max(0, Math.min(1, more / unaccounted));
        finding.explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED, share);
      } else {
        finding.supports(Hypothesis.THREAD_POOL_EXHAUSTED, grown || mostlyInDumps(dumps));
      }
      return List.of(finding.build());
    }

    private static double recorded(Timeline timeline, Window window) {
      return timeline.samples(OverflowTime.class, window).stream()
              .mapToDouble(overflow -> Durations.seconds(overflow.time()))
              .sum()
          / window.seconds();
    }

    private static long count(ThreadSnapshot dump) {
      return ThreadsAtWork.of(dump).stream()
          .filter(thread -> thread.requestThread() && thread.overflow())
          .count();
    }

    /** Whether most of the requests in progress do so, in at least two dumps and half of all. */
    private static boolean mostlyInDumps(List<ThreadSnapshot> dumps) {
      long mostly =
          dumps.stream()
              .filter(dump -> count(dump) > 0)
              .filter(dump -> count(dump) >= Policy.MAJORITY * ThreadsAtWork.of(dump).size())
              .count();
      return DumpTimes.areOften(mostly, dumps);
    }

    private static String sentence(
        double recorded, Optional<Double> baseline, int dumps, List<ThreadSnapshot> met) {
      String events =
          recorded > 0
              ? Numbers.threeDigits(recorded)
                  + " threads on average by events"
                  + baseline.map(b -> " (before: " + Numbers.threeDigits(b) + ")").orElse("")
              : "";
      long most = met.stream().mapToLong(CallerRuns::count).max().orElse(0);
      String stacks =
          met.isEmpty()
              ? ""
              : "up to %s threads in %s of %s%s"
                  .formatted(
                      Numbers.count(most), met.size(), Numbers.counted(dumps, "dump"), place(met));
      return "an executor has no free thread and no queue space, so request threads run its tasks"
          + " themselves, one after another (CallerRunsPolicy): "
          + events
          + (events.isEmpty() || stacks.isEmpty() ? "" : ", ")
          + stacks;
    }

    private static String place(List<ThreadSnapshot> met) {
      return met.stream()
          .flatMap(dump -> dump.threads().stream())
          .filter(ThreadState::overflow)
          .map(thread -> thread.standing().at())
          .filter(at -> !at.isEmpty())
          .findFirst()
          .map(at -> ", at " + at)
          .orElse("");
    }

    private static List<Source> sources(
        Timeline timeline, Window window, List<ThreadSnapshot> met) {
      return Stream.concat(
              timeline.samples(OverflowTime.class, window).stream()
                  .map(OverflowTime::source)
                  .limit(1),
              met.stream().map(ThreadSnapshot::source))
          .toList();
    }
  }

  /**
   * Passes waiting for a free thread on to what the threads do meanwhile (see {@link WorkerQueue}):
   * a thread that waits for something else delays the queue. If the threads do normal work, there
   * are too few of them.
   */
  // Samples and parks of a recording show that no worker is free.
  @Judges(
      value = {Hypothesis.THREAD_POOL_EXHAUSTED, Hypothesis.CONNECTION_POOL_UNDERSIZED},
      needs = Signal.THREAD_DUMPS,
      standIns = {Signal.CPU_SAMPLES, Signal.THREAD_PARKS})
  record QueuedWork(String id) implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return incident.workerQueue().map(queue -> hand(incident, queue)).stream().toList();
    }

    Finding hand(MeasuredIncident incident, WorkerQueue queue) {
      FindingBuilder finding =
          Finding.of(id(), sentence(queue))
              .figure(
                  "requests queued for a thread, mean",
                  "at least " + Numbers.threeDigits(queue.waiting()))
              .value("threads", queue.workers())
              .value("waitingForAThread", queue.waiting())
              .from(queue.sources());
      queue.inSystem().ifPresent(requests -> finding.value("requestsInSystem", requests));
      double own = 0;
      Map<Effect, Double> others = new EnumMap<>(Effect.class);
      Optional<Effect> blocked = blocked(queue);
      for (ThreadActivity activity : ThreadActivity.values()) {
        double share = queue.work().getOrDefault(activity, 0.0);
        Optional<Effect> cause = cause(incident, queue, activity).or(() -> blocked);
        double grown = cause.map(effect -> grownShare(incident, effect)).orElse(0.0);
        if (grown > 0) {
          others.merge(cause.get(), share * grown, Double::sum);
        }
        own += share * (1 - grown);
      }
      if (waitForTasks(incident, queue)) {
        finding.advises(Hypothesis.THREAD_POOL_EXHAUSTED, StarvedExecutor.inner(queue.group()));
      }
      if (queue.role() == WorkerQueue.Role.METERED && others.containsKey(Effect.UNACCOUNTED)) {
        finding.supports(Hypothesis.THREAD_POOL_EXHAUSTED);
      }
      others.forEach(
          (cause, share) ->
              finding.passes(Effect.WORKER_WAIT, cause, share, how(share, cause, blocked)));
      if (isUsualCallUnknown(incident) && own >= Policy.MAJORITY && areMostInCalls(queue)) {
        finding.inseparable(
            tooSmall(queue), Hypothesis.SLOW_DOWNSTREAM, NeverFreeWorkers.EXPERIMENT);
      }
      return finding
          .value("shareOfThreadsAtNormalWork", own)
          .explains(tooSmall(queue), Effect.WORKER_WAIT, own)
          .build();
    }

    /**
     * What at least half of the threads wait for, if other threads of the group hold it; more
     * threads would wait for it as well.
     */
    private static Optional<Effect> blocked(WorkerQueue queue) {
      double pool = queue.work().getOrDefault(ThreadActivity.WAITING_FOR_POOL, 0.0);
      double lock = queue.work().getOrDefault(ThreadActivity.WAITING_FOR_LOCK, 0.0);
      return pool + lock < Policy.MAJORITY
          ? Optional.empty()
          : Optional.of(pool >= lock ? Effect.POOL_WAIT : Effect.LOCK_WAIT);
    }

    /** Used without a baseline, or if only dumps of the incident show calls. */
    private static boolean isUsualCallUnknown(MeasuredIncident incident) {
      return incident.baseline().isEmpty()
          || incident.effects().isBoundBefore(Effect.DOWNSTREAM_WAIT);
    }

    private static boolean areMostInCalls(WorkerQueue queue) {
      return queue.work().getOrDefault(ThreadActivity.IN_DOWNSTREAM_CALL, 0.0) >= Policy.MAJORITY;
    }

    /** A client has as many threads as it may have calls in progress. */
    private static Hypothesis tooSmall(WorkerQueue queue) {
      return queue.client().isEmpty()
          ? Hypothesis.THREAD_POOL_EXHAUSTED
          : Hypothesis.CONNECTION_POOL_UNDERSIZED;
    }

    /** More threads would not serve more requests if the present ones keep every core busy. */
    private static boolean takesAllCores(MeasuredIncident incident, WorkerQueue queue) {
      double running = queue.workers() * queue.work().getOrDefault(ThreadActivity.RUNNING, 0.0);
      int cores = incident.timeline().jvm().cpus().orElse(Integer.MAX_VALUE);
      return running >= (1 - Policy.SUBSTANTIAL) * cores;
    }

    /** Running threads may then lack cores as well as be too few. */
    private static boolean areCoresUnknown(MeasuredIncident incident) {
      return incident.timeline().jvm().cpus().isEmpty()
          && !incident.timeline().sees(Signal.CPU_LOAD);
    }

    private static String sentence(WorkerQueue queue) {
      if (!queue.client().isEmpty()) {
        return ("%s makes %s calls at a time %s (its dispatcher's limit: maxRequestsPerHost,"
                + " 5 unless set, or maxRequests), while request threads wait for results: at"
                + " least %s calls wait for their turn")
            .formatted(
                queue.client(),
                queue.workers(),
                queue.seen(),
                Numbers.threeDigits(queue.waiting()));
      }
      String busy =
          queue.workers() == 1
              ? "the only thread %s is at work %s".formatted(queue.group(), queue.seen())
              : "all %s%s%s are at work %s"
                  .formatted(
                      queue.workers(),
                      queue.role() == WorkerQueue.Role.SERVER ? " request threads " : " threads ",
                      queue.group(),
                      queue.seen());
      String load =
          queue.inSystem().isPresent()
              ? Numbers.threeDigits(queue.inSystem().getAsDouble())
                  + " requests are in the system on average and "
              : "";
      return load
          + busy
          + came(queue.role())
          + ": at least "
          + Numbers.threeDigits(queue.waiting())
          + " wait for a thread";
    }

    private static String came(WorkerQueue.Role role) {
      return switch (role) {
        case SERVER, METERED -> "";
        case EXECUTOR -> " and request threads wait for their results";
        case HANDED -> ", to which the server's own threads hand requests";
      };
    }

    /**
     * What makes a thread with that activity hold its request longer; empty if it does normal work.
     */
    private static Optional<Effect> cause(
        MeasuredIncident incident, WorkerQueue queue, ThreadActivity activity) {
      return switch (activity) {
        case WAITING_FOR_POOL -> Optional.of(Effect.POOL_WAIT);
        case WAITING_FOR_LOCK -> Optional.of(Effect.LOCK_WAIT);
        case WAITING_TO_LOG -> Optional.of(Effect.LOG_WAIT);
        case WAITING_FOR_DIRECT_MEMORY -> Optional.of(Effect.DIRECT_MEMORY_WAIT);
        case WAITING_FOR_CLIENT -> Optional.of(Effect.CLIENT_WAIT);
        case IN_FILE -> grown(incident, Effect.FILE_WAIT);
        case SLEEPING -> grown(incident, Effect.SLEEP);
        case IN_DOWNSTREAM_CALL ->
            DownstreamCalls.inflation(incident) > 1
                    || areMostUnconnected(incident, queue)
                    || areMostStuck(incident)
                    || incident.effects().areCallsMore()
                    || blocked(queue).isEmpty()
                        && OccupiedWorkers.areKeptLonger(incident, queue.group())
                ? Optional.of(Effect.DOWNSTREAM_WAIT)
                : Optional.empty();
        case RUNNING -> running(incident, queue);
        case OTHER ->
            waitForTasks(incident, queue)
                ? Optional.empty()
                : unseen(incident, queue).or(() -> Optional.of(Effect.UNACCOUNTED));
        case IDLE -> Optional.of(Effect.UNACCOUNTED);
      };
    }

    /**
     * Whether most of what an executor's threads wait for are results, and no asynchronous client
     * is known that could bring them. Those of tasks that are queued behind them come when a thread
     * is free, so that nothing else makes them long.
     */
    private static boolean waitForTasks(MeasuredIncident incident, WorkerQueue queue) {
      List<ThreadState> waiting =
          DumpTimes.during(incident).stream()
              .flatMap(dump -> WorkerQueue.group(dump, queue.group()).stream())
              .filter(thread -> thread.activity() == ThreadActivity.OTHER)
              .toList();
      long results = waiting.stream().filter(one -> UserWaits.isFuture(one.subject())).count();
      return queue.role() == WorkerQueue.Role.EXECUTOR
          && queue.waiting() > queue.workers()
          && AsyncWaits.clients(incident.timeline()).isEmpty()
          && results > Policy.MAJORITY * waiting.size();
    }

    /** What holds threads longer that only their executor's meters show: what other meters do. */
    private static Optional<Effect> unseen(MeasuredIncident incident, WorkerQueue queue) {
      return queue.role() != WorkerQueue.Role.METERED
          ? Optional.empty()
          : running(incident, queue)
              .or(
                  () ->
                      Stream.of(Effect.POOL_WAIT, Effect.DOWNSTREAM_WAIT)
                          .filter(effect -> incident.effects().excessSeconds(effect) > 0)
                          .findFirst());
    }

    /**
     * Whether most of the calls are still connecting or resolving the host's address. In a healthy
     * service this takes a moment, however long calls usually are.
     */
    private static boolean areMostUnconnected(MeasuredIncident incident, WorkerQueue queue) {
      boolean byDumps = incident.effects().fromDumps().contains(Effect.DOWNSTREAM_WAIT);
      double inCalls =
          queue.workers() * queue.work().getOrDefault(ThreadActivity.IN_DOWNSTREAM_CALL, 0.0);
      return ConnectWaits.during(incident, byDumps)
          >= Math.max(Policy.FEWEST_QUEUED, Policy.MAJORITY * inCalls);
    }

    /**
     * Whether most calls do not end: they write no event, and more threads would get stuck as well.
     */
    private static boolean areMostStuck(MeasuredIncident incident) {
      List<ThreadSnapshot> dumps = DumpTimes.during(incident);
      StuckThreads stuck = StuckThreads.in(dumps);
      return stuck.inCalls() >= Policy.FEWEST_QUEUED && stuck.areMostOfEarlierCalls(dumps);
    }

    private static Optional<Effect> running(MeasuredIncident incident, WorkerQueue queue) {
      // Threads that the collector stops for most of the time are runnable in a dump.
      if (PauseTotals.of(incident.timeline(), incident.window()).shareStopped()
          >= Policy.MAJORITY) {
        return Optional.of(Effect.STOPPED);
      }
      if (Throttling.isFull(incident.timeline(), incident.window())) {
        return Optional.of(Effect.THROTTLED);
      }
      boolean unseen = queue.role() == WorkerQueue.Role.METERED;
      if (MachineLoad.isFull(incident) || !unseen && takesAllCores(incident, queue)) {
        return Optional.of(Effect.CPU_QUEUE);
      }
      if (queue.leavesCores(DumpTimes.during(incident))) {
        return Optional.empty();
      }
      if (!unseen && areCoresUnknown(incident)) {
        return Optional.of(Effect.UNACCOUNTED);
      }
      return CpuPerRequest.grew(incident) && !(unseen && computesOnFew(incident, queue))
          ? Optional.of(Effect.RUNNING)
          : Optional.empty();
    }

    /**
     * Whether cores are free and all that requests compute more keeps fewer than half of the
     * threads: the others hold their tasks for something else.
     */
    private static boolean computesOnFew(MeasuredIncident incident, WorkerQueue queue) {
      Window window = incident.window();
      double more = incident.effects().excessSeconds(Effect.RUNNING) / window.seconds();
      return MachineLoad.worstStretch(incident.timeline(), window).orElse(1) < Policy.CLEAR_ROOM
          && more < Policy.MAJORITY * queue.workers();
    }

    /**
     * An activity that takes no more time than in the baseline is normal work; without a baseline
     * this is unknown.
     */
    private static Optional<Effect> grown(MeasuredIncident incident, Effect effect) {
      EffectTimes times = incident.effects();
      if (times.excessSeconds(effect) > 0) {
        return Optional.of(effect);
      }
      return times.before(effect).isPresent() ? Optional.empty() : Optional.of(Effect.UNACCOUNTED);
    }

    /**
     * Share of the growth of sleeps and calls that is their own: longer ones, or more per request.
     * The rest is due to more requests, for which the threads are too few. Other waits are never
     * normal work of a thread.
     */
    private static double grownShare(MeasuredIncident incident, Effect effect) {
      EffectTimes times = incident.effects();
      double more = times.during(effect) - times.before(effect).orElse(0);
      boolean normal = effect == Effect.SLEEP || effect == Effect.DOWNSTREAM_WAIT;
      double own = times.excessSeconds(effect) / incident.window().seconds();
      return normal && times.before(effect).isPresent() && more > 0 && own > 0
          ? Math.min(1, own / more)
          : 1;
    }

    private static String how(double share, Effect cause, Optional<Effect> blocked) {
      return "work queues for a thread because %s of the threads are %s%s"
          .formatted(
              new Ratio(share),
              cause.title(),
              blocked.filter(cause::equals).isPresent() ? " or hold what the others wait for" : "");
    }
  }
}
