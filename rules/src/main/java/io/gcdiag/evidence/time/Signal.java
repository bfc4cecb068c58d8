package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Map;

/** A kind of evidence that a rule may need, and how to record it next time. */
public enum Signal implements Named {
  GC_PAUSES,
  SAFEPOINTS,
  HEAP_AROUND_GC,
  FLAGS,
  ALLOCATION_SAMPLES,
  OUTSIDE_TLAB,
  THREAD_PARKS,
  MONITOR_WAITS,
  THREAD_SLEEPS,
  SOCKET_READS,
  FILE_IO,
  PINNED_THREADS,
  THREAD_COUNTS,
  CODE_CACHE,
  EXCEPTION_COUNTS,
  CPU_LOAD,
  CPU_SAMPLES,
  THREAD_CPU,
  CPU_THROTTLING,
  MACHINE_MEMORY,
  THREAD_DUMPS,
  CLASS_HISTOGRAMS,
  REQUEST_STATS,
  POOL_SIZE,
  HOLD_TIME;

  private static final Map<String, List<String>> TEXTS =
      ResourceText.table(Signal.class, "signals.txt");

  public String description() {
    return TEXTS.get(name()).get(0);
  }

  public String howToRecord() {
    return TEXTS.get(name()).get(1);
  }
}
