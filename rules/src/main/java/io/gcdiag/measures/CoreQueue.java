package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
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
 * <p>No event shows it: the sampler passes over threads without a core. Thread dumps show it. So
 * does the difference between what requests took and all that is recorded of them, which is {@link
 * Effect#UNACCOUNTED}. Where a recording is all there is, it follows from how full the cores are,
 * as in the queue M/M/c: work that computes for a second then waits C / (c (1 - u)) seconds, with
 * Erlang's C for c cores and the share u of them in use, in whatever order it is served (L.
 * Kleinrock, "Queueing Systems" I, 1975, section 3.5).
 */
public final class CoreQueue {

  /**
   * Near to all cores in use the queue grows without bound, and a reading is good to a percent or
   * so. Up to here the estimate means something: on two cores, a wait of 24 times the work.
   */
  public static final double MOST_USED = 0.98;

  /** More that are ready to run, for each core, make an unusable machine. */
  public static final int MOST_COMPETING = 10;

  private CoreQueue() {}

  /**
   * Threads waiting for CPU that thread dumps show: runnable request threads beyond the cores,
   * while the machine was full.
   */
  static double inDumps(Timeline timeline, Window window) {
    int cores = MachineLoad.cores(timeline);
    List<ThreadSnapshot> dumps = timeline.dumps(window);
    if (cores == 0 || dumps.isEmpty() || !MachineLoad.isFull(timeline, window)) {
      return 0;
    }
    long queued =
        dumps.stream().mapToLong(dump -> Math.max(0, dump.runningRequests() - cores)).sum();
    // While everything is stopped, a runnable thread waits for the collector and not for a core.
    double threads = DumpTimes.running(timeline, window) * queued / dumps.size();
    // No more threads can have waited than the load test saw requests in the system altogether.
    return inSystem(timeline, window).map(all -> Math.min(all, threads)).orElse(threads);
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
   * Threads that must have waited for CPU: a lower bound. By the machine's load, of which only
   * seconds count in which the cores were full, and as no fuller than that; but no more than there
   * were request threads that were in no recorded wait, and no fewer than those of them that cannot
   * have been in short waits either ({@link UntimedWaits}).
   */
  static double atLeast(Timeline timeline, Window window) {
    if (!CrowdedCores.isCrowded(timeline, window)) {
      return 0;
    }
    // Cores that are full of others' work are no wait that users had.
    double byLoad =
        isContended(timeline, window) ? mean(timeline, window, Policy.FULL, Policy.FULL) : 0;
    return untimed(timeline, window)
        .map(untimed -> Math.max(untimed.queuedAtLeast(), Math.min(byLoad, untimed.threads())))
        .orElse(byLoad);
  }

  /**
   * Whether full cores mean that requests queue for them: if their own work fills them, or if
   * threads of this JVM were seen to get one late. Whether other work stands in their way, that of
   * other processes or of the service's other threads, is up to the scheduler.
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
   * Threads more than in a baseline that must have waited for CPU. Unless threads were seen to get
   * one late, the load alone does not make it more than what grew: waits that were too short for
   * events in the baseline are so in the incident.
   *
   * @param baseline absent if there is none: then all of them
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

  /** No bound where it is not known. */
  private static double untimedMore(Timeline timeline, Window window, Window baseline) {
    Optional<UntimedWaits> during = untimed(timeline, window);
    Optional<UntimedWaits> before = untimed(timeline, baseline);
    return during.isPresent() && before.isPresent()
        ? Math.max(0, during.get().threads() - before.get().threads())
        : Double.MAX_VALUE;
  }

  /** Where it stands for all that users wait for. */
  private static Optional<UntimedWaits> untimed(Timeline timeline, Window window) {
    return UntimedWaits.of(timeline, window)
        .filter(untimed -> untimed.ofAll() && !othersAnswer(timeline, window));
  }

  /**
   * Threads that can have waited for CPU, by what they computed: schedulers give every ready thread
   * its turn. Request work that uses less of a core than one thread gets that is always ready was
   * ready now and then only, and waited for the turns of the others each time.
   *
   * @return infinite where it uses as much: a thread of it may always have been waiting, and any
   *     number of requests for that
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

  /** Threads that can have waited for CPU, by the machine's load: an upper bound. */
  public static double atMost(Timeline timeline, Window window) {
    return mean(timeline, window, 0, MOST_USED);
  }

  /**
   * Requests that can have waited for CPU by what thread dumps show: those on threads that run, and
   * as many as the machine's load makes ({@link #atMost}), which are too short for dumps. A server
   * with a thread to spare has no others: a request that waits for CPU is on a thread.
   *
   * @return empty if too few dumps were taken, or if their threads were all at work, so that
   *     requests may wait where no dump shows them
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
   * Requests that can have waited for CPU where dumps find every request thread at work: those on
   * threads that run, as many as the machine's load makes, and of those that wait for a thread the
   * share that running threads have of all. The others wait for what the threads wait for.
   *
   * @param queued requests on average that no thread is known to be at, in any state recorded
   * @return infinite if too few dumps were taken
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

  /** The upper bound in each of a span's buckets; 0 in one without a reading. */
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

  /** Share of the JVM's CPU that is spent on work that users wait for. */
  public static double users(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window)
        .filter(use -> use.jvm() > 0)
        .map(use -> use.service() / use.jvm() * usersOf(timeline, window, use))
        .orElse(0.0);
  }

  /** Request threads, and those whose answers they wait for. */
  private static double usersOf(Timeline timeline, Window window, CpuUse use) {
    return othersAnswer(timeline, window) ? 1 : use.requestThreads();
  }

  /** Whether request threads have others do the work, and wait for their answers. */
  private static boolean othersAnswer(Timeline timeline, Window window) {
    return WaitSeries.threads(WaitSeries.ofRequests(UserWaits.withTasks(timeline)), window) >= 1;
  }

  /** How long work waits for CPU, for each second that it needs one. */
  private static double waitPerWork(int cores, double used) {
    return ErlangC.of(cores * used, Duration.ofSeconds(1), cores)
        .meanWait()
        .map(Durations::seconds)
        .orElse(0.0);
  }
}
