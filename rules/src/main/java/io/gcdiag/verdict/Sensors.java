package io.gcdiag.verdict;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Signals that must have been recorded to conclude from "no request was seen waiting" that none
 * waited. Each is the only evidence of some root causes.
 */
final class Sensors {

  private static final Set<Signal> OF_DELAYS =
      EnumSet.of(
          Signal.SAFEPOINTS,
          Signal.THREAD_PARKS,
          Signal.MONITOR_WAITS,
          Signal.THREAD_SLEEPS,
          Signal.SOCKET_READS,
          Signal.FILE_IO,
          Signal.CPU_LOAD,
          // For calls below the events' thresholds.
          Signal.CPU_SAMPLES,
          // For waits that had not ended when the recording ended.
          Signal.THREAD_DUMPS);

  /**
   * Signals that show what threads do while they hold a connection, a lock or a thread that others
   * wait for.
   */
  private static final Set<Signal> OF_HOLDERS =
      EnumSet.of(
          Signal.MONITOR_WAITS,
          Signal.THREAD_SLEEPS,
          Signal.SOCKET_READS,
          Signal.FILE_IO,
          Signal.CPU_SAMPLES);

  /** Signals that show which threads run, and whether their number grew. */
  private static final Set<Signal> OF_COMPUTING =
      EnumSet.of(Signal.CPU_SAMPLES, Signal.THREAD_CPU, Signal.THREAD_COUNTS);

  /** The missing ones, in the order of the enumeration. */
  static List<Signal> missing(Timeline timeline) {
    return without(OF_DELAYS, timeline);
  }

  /**
   * The missing signals that would show whether a cause of these effects has a cause itself: a pool
   * may be too small, or its connections may be held by slow calls.
   */
  static List<Signal> missing(Set<Effect> effects, Timeline timeline) {
    Set<Signal> wanted = EnumSet.noneOf(Signal.class);
    for (Effect effect : effects) {
      wanted.addAll(
          switch (effect) {
            case WORKER_WAIT, POOL_WAIT, LOCK_WAIT -> OF_HOLDERS;
            case RUNNING, CPU_QUEUE -> OF_COMPUTING;
            default -> Set.of();
          });
    }
    return without(wanted, timeline);
  }

  private static List<Signal> without(Set<Signal> wanted, Timeline timeline) {
    return wanted.stream().filter(signal -> !timeline.sees(signal)).toList();
  }
}
