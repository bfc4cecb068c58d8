package io.gcdiag.verdict;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Signals that must have been recorded before "no request was seen waiting" proves that none
 * waited. Each is the only sign of some root causes.
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
          // Calls that are shorter than the thresholds of the events.
          Signal.CPU_SAMPLES,
          // Waits that had not ended when the recording did.
          Signal.THREAD_DUMPS);

  /** What shows what the holders of a connection, a lock or a thread do while others wait. */
  private static final Set<Signal> OF_HOLDERS =
      EnumSet.of(
          Signal.MONITOR_WAITS,
          Signal.THREAD_SLEEPS,
          Signal.SOCKET_READS,
          Signal.FILE_IO,
          Signal.CPU_SAMPLES);

  /** Signals that show which threads run and whether more of them run. */
  private static final Set<Signal> OF_COMPUTING =
      EnumSet.of(Signal.CPU_SAMPLES, Signal.THREAD_CPU, Signal.THREAD_COUNTS);

  private Sensors() {}

  /** Those that are missing, in the order of the enumeration. */
  static List<Signal> missing(Timeline timeline) {
    return without(OF_DELAYS, timeline);
  }

  /**
   * Those without which it is not known whether a cause of these effects has a cause of its own: a
   * pool may be too small, or its connections be kept by slow calls.
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
