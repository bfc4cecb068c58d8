package io.gcdiag.causes.workers;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.policy.Policy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Threads of one name that become more from dump to dump, without need.
 *
 * @param name their name, without numbers
 * @param counts how many there were in each dump
 * @param threads those in the last dump
 * @param first the first dump
 * @param last the last dump
 */
record GrowingGroup(
    String name,
    List<Integer> counts,
    List<ThreadState> threads,
    ThreadSnapshot first,
    ThreadSnapshot last) {

  /** The group that grew most, up to the incident's end; absent if none did all the time. */
  static Optional<GrowingGroup> of(Incident incident) {
    // Growth may begin long before it hurts; undated dumps come last, in the order of the files.
    Instant end = incident.window().to();
    List<ThreadSnapshot> dumps =
        incident.timeline().dumps().stream()
            .filter(dump -> !dump.threads().isEmpty())
            .filter(dump -> dump.at().filter(at -> !at.isBefore(end)).isEmpty())
            .toList();
    return dumps.size() < 2
        ? Optional.empty()
        : groups(dumps).stream()
            .filter(GrowingGroup::isLeak)
            .max(Comparator.comparingInt(GrowingGroup::growth).thenComparing(GrowingGroup::name));
  }

  private static List<GrowingGroup> groups(List<ThreadSnapshot> dumps) {
    List<Map<String, List<ThreadState>>> grouped =
        dumps.stream()
            .map(
                dump ->
                    dump.threads().stream()
                        .filter(thread -> !thread.virtual())
                        .collect(Collectors.groupingBy(one -> ThreadNames.group(one.name()))))
            .toList();
    Map<String, List<ThreadState>> last = grouped.get(grouped.size() - 1);
    return last.keySet().stream()
        .map(
            name ->
                new GrowingGroup(
                    name,
                    grouped.stream().map(map -> map.getOrDefault(name, List.of()).size()).toList(),
                    last.get(name),
                    dumps.get(0),
                    dumps.get(dumps.size() - 1)))
        .toList();
  }

  private int growth() {
    return counts.get(counts.size() - 1) - counts.get(0);
  }

  /** How many of them run. */
  long running() {
    return threads.stream().filter(thread -> thread.is(ThreadActivity.RUNNING)).count();
  }

  private boolean isLeak() {
    // What is not there yet and then is has begun, which is no growth.
    return counts.stream().filter(threads -> threads > 0).count() > 1
        && IntStream.range(1, counts.size()).allMatch(i -> counts.get(i) > counts.get(i - 1))
        && !isOnePool()
        && growth() >= UnendedThreads.FEWEST
        && !areMost(ThreadState::requestThread)
        && !areMost(ThreadsAtWork::isInCallOrQueue);
  }

  private boolean areMost(Predicate<ThreadState> which) {
    return threads.stream().filter(which).count() >= Policy.MAJORITY * threads.size();
  }

  /**
   * A pool or executor keeps as many threads as had work at once: its bound is not known, but it
   * has one. One that is made anew each time has a number of its own in its threads' names.
   */
  private boolean isOnePool() {
    return areMost(thread -> thread.standing().inPool())
        && threads.stream().map(thread -> ThreadNames.pool(thread.name())).distinct().count() == 1;
  }
}
