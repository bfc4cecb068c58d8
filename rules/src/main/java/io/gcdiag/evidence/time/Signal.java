package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;

/** A kind of evidence that a rule may need, and how to record it next time. */
public enum Signal implements Named {
  GC_PAUSES("GC pauses", "a recording, or -Xlog:gc*,safepoint:file=gc.log:time,uptime"),
  SAFEPOINTS(
      "time to safepoint, and non-GC safepoints",
      "-Xlog:gc*,safepoint:file=gc.log:time,uptime, or record with"
          + " jdk.SafepointBegin#threshold=1ms"),
  HEAP_AROUND_GC("heap used and committed around GCs", "a recording, or -Xlog:gc*:file=gc.log"),
  FLAGS("the JVM's flags", "a recording, or jcmd PID VM.flags -all"),
  ALLOCATION_SAMPLES(
      "sampled allocation with stacks",
      "a recording (jdk.ObjectAllocationSample is on in default and profile settings)"),
  OUTSIDE_TLAB(
      "allocation outside TLABs with object sizes",
      "record with jdk.ObjectAllocationOutsideTLAB#enabled=true (off in the JDK's default"
          + " and profile settings)"),
  THREAD_PARKS(
      "parked threads with stacks", "record with jdk.ThreadPark#threshold=1ms (profile: 10 ms)"),
  MONITOR_WAITS("threads blocked on monitors", "record with jdk.JavaMonitorEnter#threshold=1ms"),
  THREAD_SLEEPS("sleeping threads with stacks", "record with jdk.ThreadSleep#threshold=1ms"),
  SOCKET_READS("socket reads with remote address", "record with jdk.SocketRead#threshold=1ms"),
  FILE_IO("file reads and writes", "record with jdk.FileRead#threshold=1ms and jdk.FileWrite"),
  PINNED_THREADS("pinned virtual threads", "record with jdk.VirtualThreadPinned#threshold=1ms"),
  THREAD_COUNTS(
      "the number of threads over time",
      "a recording (jdk.JavaThreadStatistics and jdk.ThreadStart are on by default)"),
  CODE_CACHE(
      "full code cache and deoptimizations",
      "a recording (jdk.CodeCacheFull and jdk.Deoptimization are on by default)"),
  EXCEPTION_COUNTS(
      "the number of exceptions", "a recording (jdk.ExceptionStatistics is on by default)"),
  CPU_LOAD("CPU load of the JVM and the machine", "a recording (jdk.CPULoad is on by default)"),
  CPU_SAMPLES(
      "execution samples",
      "a recording (jdk.ExecutionSample is on in default and profile settings)"),
  THREAD_CPU("CPU time by thread", "a recording of more than 10 s (jdk.ThreadCPULoad)"),
  CPU_THROTTLING(
      "the container's throttling counters",
      "record inside the container with jdk.ContainerCPUThrottling#period=1s (JDK 17 or"
          + " later), or read cpu.stat of its control group twice"),
  MACHINE_MEMORY(
      "memory and swap space of the machine",
      "record with jdk.PhysicalMemory#period=10s and jdk.SwapSpace#period=10s (JDK 23 or"
          + " later), and run vmstat beside it"),
  THREAD_DUMPS("thread dumps", "jcmd PID Thread.print -l, two or three times some seconds apart"),
  CLASS_HISTOGRAMS(
      "objects in the heap by class", "jcmd PID GC.class_histogram, twice some minutes apart"),
  REQUEST_STATS(
      "request rate and latency", "the load generator's summary (k6 --summary-export), or --rps"),
  POOL_SIZE("the pool's size", "--pool-size N, from the pool's configuration"),
  HOLD_TIME(
      "how long a request holds a connection",
      "--hold DURATION, from the pool's usage timer in normal operation");

  private final String description;
  private final String howToRecord;

  Signal(String description, String howToRecord) {
    this.description = description;
    this.howToRecord = howToRecord;
  }

  /** The signal in words. */
  public String description() {
    return description;
  }

  public String howToRecord() {
    return howToRecord;
  }
}
