package io.gcdiag.causes.pool;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.measures.threads.KnownHolds;
import io.gcdiag.policy.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How many request threads the sampler found in calls, while others waited for a connection and
 * before: whether the connections are at work or lie about.
 *
 * @param whileWaiting threads in calls on average, over the seconds in which borrowers waited
 * @param usual the same in the baseline; without one, over the seconds in which no thread waited;
 *     empty if there were none, and holders are known to spend their time in calls on the
 *     connections, or if dumps find as many in calls
 * @param steady whether it hardly changed from second to second while borrowers waited
 * @param seconds seconds in which borrowers waited
 */
record SampledPool(double whileWaiting, OptionalDouble usual, boolean steady, int seconds) {

  /**
   * The connections do less than a third of their usual work while all request threads want one.
   */
  private static final double IDLE = 1.0 / 3;

  private static final Set<ThreadActivity> AT_WORK_OR_WAITING =
      Set.of(
          ThreadActivity.WAITING_FOR_POOL,
          ThreadActivity.IN_DOWNSTREAM_CALL,
          ThreadActivity.RUNNING,
          ThreadActivity.IDLE);

  static Optional<SampledPool> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    if (isDisturbed(timeline, window)) {
      return Optional.empty();
    }
    List<Double> waiting = calls(timeline, window, true);
    List<Double> usual =
        incident
            .baseline()
            .map(baseline -> calls(timeline, baseline, false))
            .orElseGet(() -> calls(timeline, timeline.span(), false));
    boolean comparable = usual.size() >= Policy.FEWEST_COUNTED;
    boolean fewer = comparable && mean(waiting) < KnownHolds.ALL * mean(usual);
    // Seconds in which no wait was long enough for an event may be like those in which one was.
    boolean inDumps = !fewer && isAsInDumps(incident, mean(waiting));
    boolean compared = comparable && !inDumps;
    boolean known = compared || inDumps || HoldersTime.mostlyAtWork(incident);
    if (waiting.size() < Policy.FEWEST_COUNTED || !known) {
      return Optional.empty();
    }
    List<Double> sorted = waiting.stream().sorted().toList();
    double fifth = sorted.get(sorted.size() / 5);
    double median = sorted.get(sorted.size() / 2);
    return Optional.of(
        new SampledPool(
            mean(waiting),
            compared ? OptionalDouble.of(mean(usual)) : OptionalDouble.empty(),
            fifth >= Policy.MAJORITY * median,
            waiting.size()));
  }

  /** Pauses and full cores keep holders from their calls. */
  static boolean isDisturbed(Timeline timeline, Window window) {
    return PauseTotals.of(timeline, window).shareStopped() >= Policy.HARDLY_STOPPED
        || MachineLoad.isFull(timeline, window);
  }

  /** Whether all that can be at work is: as much as before at least, and no more from then on. */
  boolean atWork() {
    return steady
        && whileWaiting >= Math.max(Policy.SUBSTANTIAL, usual.orElse(0))
        && (usual.isEmpty() || usual.getAsDouble() >= Policy.SUBSTANTIAL);
  }

  /** Whether connections that borrowers wait for lie about. */
  boolean idle() {
    return usual.isPresent()
        && usual.getAsDouble() >= Policy.SUBSTANTIAL
        && whileWaiting < IDLE * usual.getAsDouble();
  }

  /**
   * Whether dumps, be it the recording's own one, find about as many at work as the samples, and
   * besides those that wait and those without work no thread that may hold a connection.
   */
  private static boolean isAsInDumps(Incident incident, double calls) {
    List<ThreadSnapshot> dumps =
        incident.timeline().dumps(incident.window()).stream()
            .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) > 0)
            .toList();
    double atWork =
        dumps.stream().mapToInt(dump -> ConnectionsInUse.calls(dump).size()).average().orElse(0);
    return atWork >= Math.max(1, KnownHolds.ALL * calls)
        && dumps.stream().allMatch(SampledPool::areAllAccountedFor)
        && dumps.stream()
            .allMatch(
                dump ->
                    dump.count(ThreadActivity.WAITING_FOR_POOL) >= ConnectionsInUse.count(dump));
  }

  private static boolean areAllAccountedFor(ThreadSnapshot dump) {
    return ConnectionsInUse.elsewhere(dump).isEmpty()
        && dump.requestThreads().stream()
            .map(ThreadState::activity)
            .allMatch(AT_WORK_OR_WAITING::contains);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  /**
   * Threads in calls that connections of the pools are there for, for each second in which a thread
   * waited, or in which none did. A connection to a database is not at work while its holder calls
   * another service.
   */
  private static List<Double> calls(Timeline timeline, Window window, boolean waiting) {
    boolean known =
        timeline.samples(SampledTime.class, window).stream().anyMatch(SampledTime::onRequestThread);
    Set<String> pools =
        timeline.waits(WaitKind.POOL).stream()
            .map(one -> one.site().name())
            .collect(Collectors.toSet());
    return List.copyOf(
        bySlice(
                timeline,
                window,
                queue -> queue >= Policy.LASTING_QUEUE == waiting,
                sample ->
                    sample.waitsFor(WaitKind.DOWNSTREAM)
                        && (!known || sample.onRequestThread())
                        && (!sample.ofService() || pools.contains(sample.name())))
            .values());
  }

  /**
   * Threads that samples find so, by second.
   *
   * @param waiting how many may wait for a connection meanwhile, on average, for a second to count
   */
  static TreeMap<Instant, Double> bySlice(
      Timeline timeline, Window window, DoublePredicate waiting, Predicate<SampledTime> counts) {
    List<WaitSeries> pool = timeline.waits(WaitKind.POOL);
    TreeMap<Instant, Double> bySlice = new TreeMap<>();
    for (SampledTime sample : timeline.samples(SampledTime.class, window)) {
      Window slice = new Window(sample.at(), sample.at().plus(sample.length()));
      if (waiting.test(WaitSeries.threads(pool, slice))) {
        bySlice.merge(sample.at(), counts.test(sample) ? sample.threads() : 0, Double::sum);
      }
    }
    return bySlice;
  }
}
