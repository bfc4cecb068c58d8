package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.policy.Policy;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the threads of one group do, in thread-seconds by samples.
 *
 * @param idle idle in a selector, or without work
 * @param running executing Java code
 * @param waiting in a call that waits
 */
public record SampledGroup(long samples, double idle, double running, double waiting) {

  public static SortedMap<String, SampledGroup> byName(Collection<SampledTime> samples) {
    SortedMap<String, SampledGroup> groups = new TreeMap<>();
    samples.forEach(one -> groups.merge(one.group(), of(one), SampledGroup::plus));
    return groups;
  }

  private static SampledGroup of(SampledTime sample) {
    boolean rests = sample.waitsFor(WaitKind.IDLE);
    boolean runs = sample.waiting().isEmpty();
    return new SampledGroup(
        sample.samples(),
        rests ? sample.seconds() : 0,
        runs ? sample.seconds() : 0,
        rests || runs ? 0 : sample.seconds());
  }

  private SampledGroup plus(SampledGroup more) {
    return new SampledGroup(
        samples + more.samples, idle + more.idle, running + more.running, waiting + more.waiting);
  }

  /**
   * Groups whose idle threads park: an event loop rests only in its selector. Some servers run
   * their selectors on threads of the pool that serves requests.
   */
  public static Set<String> parking(Timeline timeline) {
    return timeline.samples(WorkerTime.class).stream()
        .filter(time -> time.waited().getOrDefault(WaitKind.IDLE, 0.0) > 0)
        .map(WorkerTime::group)
        .collect(Collectors.toSet());
  }

  public double all() {
    return idle + running + waiting;
  }

  /** Whether they are idle in their selector now and then, as event loops are. */
  public boolean isLoop() {
    return idle >= Policy.NOTABLE * all();
  }

  /** Share of their time that they are not idle, 0 to 1. */
  public double busyShare() {
    return 1 - idle / all();
  }
}
