package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.policy.Policy;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What samples found the threads of one group at, in thread-seconds.
 *
 * @param samples how often they were met
 * @param idle at rest in a selector, or without work
 * @param running executing Java code
 * @param waiting in a call that waits
 */
public record SampledGroup(long samples, double idle, double running, double waiting) {

  /** All groups that some samples met. */
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

  /** All of it. */
  public double all() {
    return idle + running + waiting;
  }

  /** Whether they rest in their selector now and then, as event loops do. */
  public boolean isLoop() {
    return idle >= Policy.NOTABLE * all();
  }

  /** Share of their time that they do not rest, 0 to 1. */
  public double busyShare() {
    return 1 - idle / all();
  }
}
