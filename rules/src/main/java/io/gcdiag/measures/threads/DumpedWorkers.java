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
   * What chance brings about more often than this says nothing: three threads that the only dump
   * finds at work are the fewest that count.
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

  /** Those of a dump that are at work, most of the group. */
  private record Part(List<ThreadState> threads, long waitingForAnswers, Source source) {}

  /** Adds what a dump says of the group. */
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
   * Counts idle threads as spare ones where each dump finds as many of the group at work as any
   * other, while so much work is in the system that these are short: so many is what the group may
   * do at a time, and a pool without a limit keeps a thread or two more.
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

  /** Of other threads sleeping is what most do between two rounds of their own. */
  private static boolean isAtWork(ThreadState thread) {
    return !thread.is(ThreadActivity.OTHER)
        && (thread.requestThread() || !thread.is(ThreadActivity.SLEEPING));
  }

  /**
   * Whether all threads were found at work in half of the dumps, or in any where the server's own
   * are fewer than the requests in the system: the others may have been taken in the rest of the
   * time. It must be more than what comes about by chance with threads that work half of the time:
   * of two threads, one dump in four finds both at work.
   *
   * @param inSystem requests in the system, by what users measured
   */
  boolean isOccupied(int dumps, double inSystem) {
    return busy > 0
        && (2 * busy >= dumps || serving && inSystem > size)
        && Trials.atLeast(busy, dumps, Math.pow(Policy.MAJORITY, seen / busy)) <= CHANCE;
  }

  /** Whether they are the server's own. */
  boolean isServing() {
    return serving;
  }

  /** Whether request threads wait for the answers of more work than it has threads. */
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
   * The queue for these threads in the dumps that found all of them at work; for those of a server,
   * which serve no more requests than they are, by Little's law on average over all of the time.
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
