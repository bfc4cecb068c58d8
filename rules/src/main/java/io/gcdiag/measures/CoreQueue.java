package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.SafepointTimes;
import io.gcdiag.measures.jvm.WakeDelay;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UntimedWaits;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Request work that is ready to run and waits for CPU.
 *
 * <p>No event shows it, because the sampler skips threads without a CPU. Thread dumps show it. So
 * does the difference between the latency of requests and everything recorded of them ({@link
 * Effect#UNACCOUNTED}). If there is only a recording, it is derived from CPU utilisation with the
 * queue M/M/c: work that computes for a second waits for C / (c (1 - u)) seconds, with Erlang's C
 * for c cores and utilisation u, in any order of service (L. Kleinrock, "Queueing Systems" I, 1975,
 * section 3.5).
 */
public final class CoreQueue {

  /**
   * Close to full utilisation the queue grows without bound, while a reading is accurate to about a
   * percent. Up to this value the estimate is usable: on two cores, a wait of 24 times the work.
   */
  public static final double MOST_USED = 0.98;

  /** With more runnable threads per core than this a machine is unusable. */
  public static final int MOST_COMPETING = 10;

  private CoreQueue() {}

  /**
   * Threads waiting for CPU by thread dumps: runnable request threads beyond the number of cores,
   * while the machine was full.
   */
  static double inDumps(Timeline timeline, Window window) {
    if (!timeline.sees(Signal.CPU_LOAD) && timeline.cpu(window).isEmpty()) {
      double queued = Crowd.of(timeline, window).map(Crowd::queued).orElse(0.0);
      return inSystem(timeline, window).map(all -> Math.min(all, queued)).orElse(queued);
    }
    int cores = MachineLoad.cores(timeline);
    List<ThreadSnapshot> dumps = timeline.dumps(window);
    if (cores == 0 || dumps.isEmpty() || !MachineLoad.isFull(timeline, window)) {
      return 0;
    }
    long queued =
        dumps.stream().mapToLong(dump -> Math.max(0, dump.runningRequests() - cores)).sum();
    // During a pause a runnable thread waits for the collector and not for CPU.
    double threads = DumpTimes.running(timeline, window) * queued / dumps.size();
    // No more threads can have waited than the load test had requests in the system.
    return inSystem(timeline, window).map(all -> Math.min(all, threads)).orElse(threads);
  }

  /**
   * Request threads that dumps find running, many more than the whole cores that the JVM's threads
   * use by their CPU times: the others wait for a CPU, however many the machine has. A JVM that
   * uses a part of a core only waits for something else: a quota, or other processes.
   *
   * @param cores the cores in use
   * @param queued threads beyond these, on average
   * @param dumps the dumps that show it
   */
  public record Crowd(int cores, double queued, List<ThreadSnapshot> dumps) {

    /**
     * From this CPU utilisation of the service alone on, the collector, the compilers and the
     * system use up the rest.
     */
    public static final double FULL = 0.85;

    /**
     * From dumps of a window; empty if hardly any, if the collector's threads take the cores, or if
     * no load test shows that requests take longer for it.
     */
    public static Optional<Crowd> of(Timeline timeline, Window window) {
      List<ThreadSnapshot> dumps = timeline.dumps(window);
      boolean one = dumps.size() == 1;
      Optional<DumpedCpu> used = one ? DumpedCpu.inLife(dumps.get(0)) : DumpedCpu.between(dumps);
      if (!timeline.areRequestsMeasured()
          || used.isEmpty()
          || used.get().collectorCores() >= Policy.NOTABLE * used.get().atMostCores()) {
        return Optional.empty();
      }
      int whole = (int) Math.ceil(used.get().atMostCores());
      int cores = Math.max(1, timeline.jvm().cpus().orElse(whole));
      // One dump shows the mean since the JVM's start, most of it before the incident.
      int least = one ? MOST_COMPETING * Math.max(cores, whole) : cores + 1;
      List<ThreadSnapshot> crowded =
          dumps.stream().filter(dump -> dump.runningRequests() >= least).toList();
      boolean full = one || used.get().atMostCores() >= FULL * cores;
      return full && !crowded.isEmpty() && (one || DumpTimes.areOften(crowded.size(), dumps))
          ? Optional.of(
              new Crowd(
                  cores,
                  dumps.stream().mapToLong(d -> Math.max(0, d.runningRequests() - cores)).sum()
                      / (double) dumps.size(),
                  crowded))
          : Optional.empty();
    }
  }

  private static Optional<Double> inSystem(Timeline timeline, Window window) {
    Optional<RequestStats> stats = timeline.mainRequestStats();
    return stats
        .filter(known -> known.requests().isPresent())
        .flatMap(RequestStats::mean)
        .map(
            mean ->
                Durations.seconds(mean) * stats.get().requests().getAsLong() / window.seconds());
  }

  /**
   * Lower bound of the threads that waited for CPU. It is estimated from the machine's load in the
   * seconds in which the CPUs were full. It is at most the number of request threads in no recorded
   * wait, and at least the number of those that cannot have been in short waits either ({@link
   * UntimedWaits}).
   */
  static double atLeast(Timeline timeline, Window window) {
    if (!CrowdedCores.isCrowded(timeline, window)) {
      return 0;
    }
    // CPUs that are full of other processes' work do not prove that requests waited.
    double byLoad =
        isContended(timeline, window) ? mean(timeline, window, Policy.FULL, Policy.FULL) : 0;
    return untimed(timeline, window)
        .map(untimed -> Math.max(untimed.queuedAtLeast(), Math.min(byLoad, untimed.threads())))
        .orElse(byLoad);
  }

  /**
   * Whether full CPUs mean that requests wait for CPU: their own work fills the CPUs, or threads of
   * this JVM were seen to get a CPU late. Whether work of other processes or of the service's other
   * threads delays requests depends on the scheduler.
   */
  public static boolean isContended(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window)
            .filter(CpuUse::isOwnWork)
            .filter(use -> usersOf(timeline, window, use) >= Policy.MAJORITY)
            .isPresent()
        || WakeDelay.of(timeline, window).filter(WakeDelay::isLate).isPresent()
        || CollectorTimes.of(timeline, window).starved() > 0
        || SafepointTimes.of(timeline, window).starved();
  }

  /**
   * Whether the CPUs became full for most of the incident, or were so of work that lets this JVM's
   * go first and no longer do: threads get a CPU late, and did not in the baseline.
   */
  public static boolean becameContended(Incident incident) {
    Timeline timeline = incident.timeline();
    boolean late = isContended(timeline, incident.window());
    return CrowdedCores.of(incident).filter(cores -> cores.share() >= Policy.MAJORITY).isPresent()
        && incident
            .baseline()
            .filter(before -> CrowdedCores.isCrowded(timeline, before))
            .filter(before -> !late || isContended(timeline, before))
            .isEmpty();
  }

  /**
   * Lower bound of the additional threads that waited for CPU, compared with a baseline. If the
   * CPUs are not contended ({@link #isContended}), it is limited to the growth of the threads in no
   * recorded wait: waits too short for events in the baseline are too short in the incident as
   * well.
   *
   * @param baseline if empty, all threads of the incident count
   */
  public static double moreAtLeast(Timeline timeline, Window window, Optional<Window> baseline) {
    double during = atLeast(timeline, window);
    if (during <= 0) {
      return 0;
    }
    double before = baseline.map(usual -> atLeast(timeline, usual)).orElse(0.0);
    double most =
        isContended(timeline, window)
            ? during
            : baseline.map(usual -> untimedMore(timeline, window, usual)).orElse(during);
    return Math.max(0, Math.min(during - before, most));
  }

  /** Growth of the threads in no recorded wait; infinite if unknown. */
  private static double untimedMore(Timeline timeline, Window window, Window baseline) {
    Optional<UntimedWaits> during = untimed(timeline, window);
    Optional<UntimedWaits> before = untimed(timeline, baseline);
    return during.isPresent() && before.isPresent()
        ? Math.max(0, during.get().threads() - before.get().threads())
        : Double.MAX_VALUE;
  }

  /** Only if it covers everything that requests wait for. */
  private static Optional<UntimedWaits> untimed(Timeline timeline, Window window) {
    return UntimedWaits.of(timeline, window)
        .filter(untimed -> untimed.ofAll() && !othersAnswer(timeline, window));
  }

  /**
   * Upper bound of the threads that waited for CPU, by the CPU time of requests. Schedulers give
   * every ready thread its turn, so request work that uses less CPU than one always-ready thread
   * gets was ready only now and then, and each time waited for the turns of the others.
   *
   * @return infinite if it uses as much: one of its threads may always have been waiting, with any
   *     number of requests behind it
   */
  public static double mostByShare(Timeline timeline, Window window) {
    int cores = MachineLoad.cores(timeline);
    double users = users(timeline, window);
    double computing =
        timeline.cpu(window).stream()
            .mapToDouble(load -> users * load.jvm() * cores)
            .average()
            .orElse(0);
    return users <= 0 || computing * (1 + MOST_COMPETING) >= 1
        ? Double.POSITIVE_INFINITY
        : computing * MOST_COMPETING;
  }

  /** Upper bound of the threads that waited for CPU, by the machine's load. */
  public static double atMost(Timeline timeline, Window window) {
    return mean(timeline, window, 0, MOST_USED);
  }

  /**
   * Upper bound of the requests that waited for CPU, by thread dumps: those of running threads,
   * plus those that the machine's load implies ({@link #atMost}), whose waits are too short for
   * dumps. If the server has idle threads there are no others, because each request that waits for
   * CPU has a thread.
   *
   * @return empty if there are too few dumps, or if all threads were at work, so that requests may
   *     wait where no dump shows them
   */
  public static OptionalDouble seenInDumps(Incident incident) {
    List<ThreadSnapshot> dumps = withRequestThreads(incident);
    long spare = dumps.stream().filter(dump -> dump.requestsAt(ThreadActivity.IDLE) > 0).count();
    if (dumps.size() < Policy.FEWEST_DUMPS || 2 * spare < dumps.size()) {
      return OptionalDouble.empty();
    }
    double running = dumps.stream().mapToLong(ThreadSnapshot::runningRequests).average().orElse(0);
    return OptionalDouble.of(running + atMost(incident.timeline(), incident.window()));
  }

  /**
   * The same if dumps find every request thread at work: requests of running threads, those that
   * the machine's load implies, and a part of the requests that wait for a thread, namely the share
   * of running threads among all. The others wait for what the other threads wait for.
   *
   * @param queued requests, on average, that no thread is known to work on
   * @return infinite if there are too few dumps
   */
  public static double mostInDumps(Incident incident, double queued) {
    List<ThreadSnapshot> dumps = withRequestThreads(incident);
    if (dumps.size() < Policy.FEWEST_DUMPS) {
      return Double.POSITIVE_INFINITY;
    }
    double running = 0;
    for (ThreadSnapshot dump : dumps) {
      long now = dump.runningRequests();
      long all = dump.requestThreads().size();
      running += now + queued * now / all;
    }
    return running / dumps.size() + atMost(incident.timeline(), incident.window());
  }

  private static List<ThreadSnapshot> withRequestThreads(Incident incident) {
    return DumpTimes.during(incident).stream().filter(ThreadSnapshot::showsRequests).toList();
  }

  /** The upper bound in each bucket of a span; 0 in a bucket without a reading. */
  static double[] byBucket(Timeline timeline, Window span, Duration bucket) {
    int count = (int) (span.length().getSeconds() / bucket.getSeconds());
    double[] sums = new double[count];
    int[] readings = new int[count];
    int cores = MachineLoad.cores(timeline);
    double users = users(timeline, span);
    for (CpuLoad load : timeline.cpu(span)) {
      int i = (int) (Duration.between(span.from(), load.at()).toNanos() / bucket.toNanos());
      if (i < count) {
        sums[i] += waiting(load, users, cores, MOST_USED);
        readings[i]++;
      }
    }
    for (int i = 0; i < count; i++) {
      sums[i] /= Math.max(1, readings[i]);
    }
    return sums;
  }

  private static double mean(Timeline timeline, Window window, double fullest, double most) {
    int cores = MachineLoad.cores(timeline);
    double users = users(timeline, window);
    return timeline.cpu(window).stream()
        .mapToDouble(load -> load.machineTotal() < fullest ? 0 : waiting(load, users, cores, most))
        .average()
        .orElse(0);
  }

  private static double waiting(CpuLoad load, double users, int cores, double most) {
    double computing = users * load.jvm() * cores;
    return computing <= 0 ? 0 : computing * waitPerWork(cores, Math.min(most, load.most()));
  }

  /** Share of the JVM's CPU time that is spent on requests. */
  public static double users(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window)
        .filter(use -> use.jvm() > 0)
        .map(use -> use.service() / use.jvm() * usersOf(timeline, window, use))
        .orElse(0.0);
  }

  /**
   * CPU share of request threads; all of the service's CPU if request threads wait for other
   * threads' results.
   */
  private static double usersOf(Timeline timeline, Window window, CpuUse use) {
    return othersAnswer(timeline, window) ? 1 : use.requestThreads();
  }

  /** Whether other threads do the work and request threads wait for their results. */
  private static boolean othersAnswer(Timeline timeline, Window window) {
    return WaitSeries.threads(WaitSeries.ofRequests(UserWaits.withTasks(timeline)), window) >= 1;
  }

  /** Waiting time for each second of CPU time. */
  private static double waitPerWork(int cores, double used) {
    return ErlangC.of(cores * used, Duration.ofSeconds(1), cores)
        .meanWait()
        .map(Durations::seconds)
        .orElse(0.0);
  }
}
