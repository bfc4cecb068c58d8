package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Map;

/** A kind of evidence that a rule may need, and how to record it next time. */
public enum Signal implements Named {
  /** Stop-the-world pauses. */
  GC_PAUSES,
  /** Time to safepoints, and stops for other reasons than a collection. */
  SAFEPOINTS,
  /** Heap used and committed around collections. */
  HEAP_AROUND_GC,
  /** Flags in force. */
  FLAGS,
  /** Sampled allocation with stacks. */
  ALLOCATION_SAMPLES,
  /** Allocation outside thread-local buffers. */
  OUTSIDE_TLAB,
  /** Waits in parks, with stacks. */
  THREAD_PARKS,
  /** Blocked monitor entries. */
  MONITOR_WAITS,
  /** Sleeps, with stacks. */
  THREAD_SLEEPS,
  /** Blocking socket reads. */
  SOCKET_READS,
  /** File reads, writes and forces. */
  FILE_IO,
  /** Virtual threads that keep their carrier while they block. */
  PINNED_THREADS,
  /** The number of threads over time, and who starts them. */
  THREAD_COUNTS,
  /** Whether there was room for compiled code, and what of it was given up. */
  CODE_CACHE,
  /** Exceptions created. */
  EXCEPTION_COUNTS,
  /** CPU load of JVM and machine. */
  CPU_LOAD,
  /** Samples of executing code. */
  CPU_SAMPLES,
  /** CPU of each thread. */
  THREAD_CPU,
  /** Throttling counters of the container. */
  CPU_THROTTLING,
  /** Memory and swap space of the machine. */
  MACHINE_MEMORY,
  /** Thread dumps. */
  THREAD_DUMPS,
  /** Class histograms. */
  CLASS_HISTOGRAMS,
  /** Latency and rate as the users see them. */
  REQUEST_STATS,
  /** Size of the connection pool. */
  POOL_SIZE,
  /** Undisturbed hold time of a connection. */
  HOLD_TIME;

  private static final Map<String, List<String>> TEXTS =
      ResourceText.table(Signal.class, "signals.txt");

  /** What it is, in plain words. */
  public String description() {
    return TEXTS.get(id()).get(0);
  }

  /** What to do to have it next time. */
  public String howToRecord() {
    return TEXTS.get(id()).get(1);
  }
}
