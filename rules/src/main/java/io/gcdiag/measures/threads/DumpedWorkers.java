package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Trials;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One group of threads over all dumps. */
final class DumpedWorkers {

  /**
   * A result more likely by chance than this does not count. The smallest that counts: three
   * threads, all at work in the only dump.
   */
  private static final double CHANCE = Math.pow(Policy.MAJORITY, Policy.RECURRING);

  private final String name;
  private final Map<ThreadActivity, Double> work = new EnumMap<>(ThreadActivity.class);
  private final List<Source> sources = new ArrayList<>();
  private boolean serving;
  private String client = "";
  private final List<Part> working = new ArrayList<>();
  private String spare = "";
  private int busy;
  private int size;
  private double seen;
  private double awaited;

  DumpedWorkers(String name) {
    this.name = name;
  }

  /** The threads at work in a dump that found most of the group at work. */
  private record Part(List<ThreadState> threads, long waitingForAnswers, Source source) {}

  void add(List<ThreadState> threads, long waitingForAnswers, Source source) {
    List<ThreadState> notIdle =
        threads.stream().filter(t -> t.activity() != ThreadActivity.IDLE).toList();
    serving |= threads.stream().anyMatch(ThreadState::requestThread);
    if (notIdle.size() >= Policy.FEWEST_QUEUED
        && notIdle.size() > Policy.MAJORITY * threads.size()
        && notIdle.stream().anyMatch(DumpedWorkers::isAtWork)) {
      Part part = new Part(notIdle, waitingForAnswers, source);
      working.add(part);
      if (notIdle.size() == threads.size()) {
        addFull(part);
      }
    }
  }

  private void addFull(Part part) {
    client = busy == 0 ? ClientDispatcher.of(part.threads()).orElse("") : client;
    busy++;
    size = Math.max(size, part.threads().size());
    seen += part.threads().size();
    awaited += part.waitingForAnswers();
    part.threads().forEach(thread -> work.merge(thread.activity(), 1.0, Double::sum));
    sources.add(part.source());
  }

  /**
   * Counts idle threads as spare if every dump finds the same number of threads at work although
   * more requests are in the system. That number is then the limit of the group; a pool without a
   * limit keeps one or two threads more.
   *
   * @param inSystem requests in the system, by what users measured
   */
  void setSpareApart(int dumps, double inSystem) {
    long counts = working.stream().map(part -> part.threads().size()).distinct().count();
    if (!serving
        && counts == 1
        && working.size() == dumps
        && dumps >= Policy.FEWEST_DUMPS
        && busy < dumps
        && WorkerQueue.isShort(inSystem, working.get(0).threads().size())) {
      working.stream().filter(part -> !sources.contains(part.source())).forEach(this::addFull);
      spare = ", beside idle ones";
    }
  }

  /**
   * Threads that serve no requests mostly sleep between two rounds of work, so a sleep is no work
   * there.
   */
  private static boolean isAtWork(ThreadState thread) {
    return !thread.is(ThreadActivity.OTHER)
        && (thread.requestThread() || !thread.is(ThreadActivity.SLEEPING));
  }

  /**
   * Whether all threads were found at work in at least half of the dumps; for the server's own
   * threads, in any dump if there are more requests in the system than threads. The result must be
   * unlikely for threads that are at work half of the time: with two threads, one dump in four
   * finds both at work by chance.
   *
   * @param inSystem requests in the system, by what users measured
   */
  boolean isOccupied(int dumps, double inSystem) {
    return busy > 0
        && (2 * busy >= dumps || serving && inSystem > size)
        && Trials.atLeast(busy, dumps, Math.pow(Policy.MAJORITY, seen / busy)) <= CHANCE;
  }

  boolean isServing() {
    return serving;
  }

  /** Whether request threads wait for more tasks than the group has threads. */
  boolean isExecutor() {
    return !serving && busy > 0 && WorkerQueue.isShort(awaited, seen);
  }

  private WorkerQueue.Role role() {
    WorkerQueue.Role other = isExecutor() ? WorkerQueue.Role.EXECUTOR : WorkerQueue.Role.HANDED;
    return serving ? WorkerQueue.Role.SERVER : other;
  }

  String name() {
    return name;
  }

  int size() {
    return size;
  }

  /**
   * The queue for these threads in the dumps that found all of them at work. For a server's own
   * threads, the average over all of the time by Little's law: the requests in the system beyond
   * the number of threads.
   */
  WorkerQueue queue(int dumps, Optional<RequestExcess> requests) {
    double inGroup = serving ? 0 : awaited / busy;
    double inSystem = requests.map(RequestExcess::inSystem).orElse(0.0);
    requests.ifPresent(known -> sources.add(known.source()));
    work.replaceAll((activity, count) -> count / seen);
    return new WorkerQueue(
        name,
        role(),
        client,
        Math.max(0, Math.max(inGroup, inSystem) - size) * (serving ? 1 : busy / (double) dumps),
        size,
        Numbers.of(requests, known -> known.inSystem()),
        "in " + busy + " of " + Numbers.counted(dumps, "dump") + spare,
        work,
        sources);
  }
}
