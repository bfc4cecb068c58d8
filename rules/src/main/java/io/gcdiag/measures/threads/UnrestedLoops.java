package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.UnrestedRun;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Event loops of one group that are never idle, looked at one by one: each loop has its own
 * connections, and no other loop takes their work, even if that one is idle.
 *
 * @param unrested number of loops that are never idle
 * @param seconds time of the window in which this was so, for the loop with the least
 * @param samples samples of these loops in that time
 * @param waiting share of these samples inside a call that waits, 0 to 1
 */
public record UnrestedLoops(int unrested, int loops, long seconds, long samples, double waiting) {

  /** A shorter time than this may be a burst. */
  private static final double SHORTEST_SECONDS = 15;

  /**
   * For one group of loops.
   *
   * @return empty if each of them is idle now and then
   */
  public static Optional<UnrestedLoops> of(Timeline timeline, Window window, String group) {
    List<UnrestedRun> runs =
        inCalls(timeline, window).stream().filter(run -> run.group().equals(group)).toList();
    Set<Long> threads = new HashSet<>();
    long samples = 0;
    long waiting = 0;
    double seconds = window.seconds();
    for (UnrestedRun run : runs) {
      threads.add(run.thread());
      samples += run.samples();
      waiting += run.waiting();
      seconds = Math.min(seconds, inside(run, window));
    }
    return threads.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new UnrestedLoops(
                threads.size(),
                Math.max(threads.size(), members(timeline, group)),
                (long) seconds,
                samples,
                waiting / (double) samples));
  }

  /** Number of request threads that are never idle for some time, most of it in a call. */
  public static long usersInCalls(Timeline timeline, Window window) {
    Set<String> groups =
        SampledTime.ofUsers(timeline.samples(SampledTime.class, window)).stream()
            .map(SampledTime::group)
            .collect(Collectors.toSet());
    return inCalls(timeline, window).stream()
        .filter(run -> groups.contains(run.group()))
        .map(UnrestedRun::thread)
        .distinct()
        .count();
  }

  private static List<UnrestedRun> inCalls(Timeline timeline, Window window) {
    return timeline.samples(UnrestedRun.class).stream()
        .filter(run -> run.waiting() >= Policy.MAJORITY * run.samples())
        .filter(run -> inside(run, window) >= SHORTEST_SECONDS)
        .toList();
  }

  private static double inside(UnrestedRun run, Window window) {
    return Durations.seconds(window.overlap(run.at(), run.length()));
  }

  /** How many threads of a group a recording has, event loops included. */
  public static int members(Timeline timeline, String group) {
    return timeline.samples(WorkerTime.class).stream()
        .filter(time -> time.group().equals(group))
        .mapToInt(time -> (int) Math.round(time.workers()) + time.loops())
        .max()
        .orElse(0);
  }
}
