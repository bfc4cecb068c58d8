package io.gcdiag.causes.workers;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.StillThread;
import io.gcdiag.measures.threads.UnendedWaits;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Threads that did not move from one dump to another: same name, same stack, and no CPU time used
 * in between. The CPU time distinguishes one long wait from a new request at the same place.
 *
 * @param threads the threads, from the last dump
 * @param dumps number of consecutive dumps with each of them, smallest value
 * @param length from the first of these dumps to the last, smallest value
 */
public record StuckThreads(
    List<ThreadState> threads, int dumps, Duration length, List<Source> sources) {

  private static final Set<ThreadActivity> WAITS =
      Set.of(
          ThreadActivity.WAITING_FOR_POOL,
          ThreadActivity.WAITING_FOR_LOCK,
          ThreadActivity.IN_DOWNSTREAM_CALL);

  /** A thread with the first dump since which it has not moved. */
  private record Since(ThreadState thread, Instant first, int dumps) {}

  /** How many of them are in a call. */
  public long inCalls() {
    return threads.stream().filter(one -> one.is(ThreadActivity.IN_DOWNSTREAM_CALL)).count();
  }

  public boolean areMost(List<ThreadState> calls) {
    List<String> names = threads.stream().map(ThreadState::name).toList();
    return calls.stream().filter(call -> names.contains(call.name())).count()
        > Policy.MAJORITY * calls.size();
  }

  /**
   * Whether most of the calls in the first dump with stuck threads have not ended since. It is
   * unknown whether later calls will end.
   */
  boolean areMostOfEarlierCalls(List<ThreadSnapshot> all) {
    return all.stream()
        .filter(dump -> sources.stream().limit(1).anyMatch(dump.source()::equals))
        .anyMatch(
            dump ->
                areMost(
                    dump.requestThreads().stream()
                        .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
                        .toList()));
  }

  /** Threads that are still stuck in the last dump; dumps without a timestamp do not count. */
  public static StuckThreads in(List<ThreadSnapshot> all) {
    List<ThreadSnapshot> dated = all.stream().filter(dump -> dump.at().isPresent()).toList();
    Map<String, Since> standing = Map.of();
    for (ThreadSnapshot dump : dated) {
      Map<String, Since> now = new HashMap<>();
      for (ThreadState thread : single(dump).values()) {
        Since before = standing.get(thread.name());
        Instant at = dump.at().orElseThrow();
        now.put(
            thread.name(),
            // Compared with the first dump of the row, because many small steps are movement, too.
            before != null
                    && StillThread.isInSameWait(
                        before.thread(), thread, Duration.between(before.first(), at))
                ? new Since(before.thread(), before.first(), before.dumps() + 1)
                : new Since(thread, at, 1));
      }
      standing = now;
    }
    Instant last = dated.isEmpty() ? Instant.MIN : dated.get(dated.size() - 1).at().orElseThrow();
    List<Since> stuck =
        standing.values().stream()
            .filter(since -> since.dumps() >= Policy.RECURRING)
            .filter(one -> Duration.between(one.first(), last).compareTo(UnendedWaits.LONG) >= 0)
            .toList();
    int dumps = stuck.stream().mapToInt(Since::dumps).min().orElse(0);
    return new StuckThreads(
        stuck.stream().map(Since::thread).toList(),
        dumps,
        stuck.stream()
            .map(since -> Duration.between(since.first(), last))
            .min(Duration::compareTo)
            .orElse(Duration.ZERO),
        dated.subList(dated.size() - dumps, dated.size()).stream()
            .map(ThreadSnapshot::source)
            .toList());
  }

  /**
   * Threads that wait for others while a request waits for them, by name; names that occur twice
   * are left out.
   */
  private static Map<String, ThreadState> single(ThreadSnapshot dump) {
    Map<String, ThreadState> byName = new HashMap<>();
    Set<String> twice = new HashSet<>();
    for (ThreadState thread : dump.threads()) {
      boolean counts =
          thread.requestThread()
              && WAITS.contains(thread.activity())
              && thread.standing().cpuNanos() != ThreadPosition.UNKNOWN_CPU;
      if (counts && byName.put(thread.name(), thread) != null) {
        twice.add(thread.name());
      }
    }
    byName.keySet().removeAll(twice);
    return byName;
  }
}
