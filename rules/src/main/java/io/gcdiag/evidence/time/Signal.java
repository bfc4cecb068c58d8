package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;

/** A kind of evidence that a rule may need, and how to record it next time. */
public enum Signal implements Named {
  /** Stop-the-world pauses. */
  GC_PAUSES("GC pauses", "a recording, or -Xlog:gc*,safepoint:file=gc.log:time,uptime"),
  /** Time to safepoints, and non-GC safepoints. */
  SAFEPOINTS(
      "time to safepoint, and non-GC safepoints",
      "-Xlog:gc*,safepoint:file=gc.log:time,uptime, or record with"
          + " jdk.SafepointBegin#threshold=1ms"),
  /** Heap used and committed around collections. */
  HEAP_AROUND_GC("heap used and committed around GCs", "a recording, or -Xlog:gc*:file=gc.log"),
  /** Flags in force. */
  FLAGS("the JVM's flags", "a recording, or jcmd PID VM.flags -all"),
  /** Sampled allocation with stacks. */
  ALLOCATION_SAMPLES(
      "sampled allocation with stacks",
      "a recording (jdk.ObjectAllocationSample is on in default and profile settings)"),
  /** Allocation outside thread-local buffers. */
  OUTSIDE_TLAB(
      "allocation outside TLABs with object sizes",
      "record with jdk.ObjectAllocationOutsideTLAB#enabled=true (off in the JDK's default"
          + " and profile settings)"),
  /** Waits in parks, with stacks. */
  THREAD_PARKS(
      "parked threads with stacks", "record with jdk.ThreadPark#threshold=1ms (profile: 10 ms)"),
  /** Blocked monitor entries. */
  MONITOR_WAITS("threads blocked on monitors", "record with jdk.JavaMonitorEnter#threshold=1ms"),
  /** Sleeps, with stacks. */
  THREAD_SLEEPS("sleeping threads with stacks", "record with jdk.ThreadSleep#threshold=1ms"),
  /** Blocking socket reads. */
  SOCKET_READS("socket reads with remote address", "record with jdk.SocketRead#threshold=1ms"),
  /** File I/O: reads, writes and fsyncs. */
  FILE_IO("file reads and writes", "record with jdk.FileRead#threshold=1ms and jdk.FileWrite"),
  /** Virtual threads that block while pinned to their carriers. */
  PINNED_THREADS("pinned virtual threads", "record with jdk.VirtualThreadPinned#threshold=1ms"),
  /** The number of threads over time, and the code that starts them. */
  THREAD_COUNTS(
      "the number of threads over time",
      "a recording (jdk.JavaThreadStatistics and jdk.ThreadStart are on by default)"),
  /** Whether the code cache was full, and deoptimizations. */
  CODE_CACHE(
      "full code cache and deoptimizations",
      "a recording (jdk.CodeCacheFull and jdk.Deoptimization are on by default)"),
  /** Exceptions created. */
  EXCEPTION_COUNTS(
      "the number of exceptions", "a recording (jdk.ExceptionStatistics is on by default)"),
  /** CPU load of JVM and machine. */
  CPU_LOAD("CPU load of the JVM and the machine", "a recording (jdk.CPULoad is on by default)"),
  /** Samples of running code. */
  CPU_SAMPLES(
      "execution samples",
      "a recording (jdk.ExecutionSample is on in default and profile settings)"),
  /** CPU of each thread. */
  THREAD_CPU("CPU time by thread", "a recording of more than 10 s (jdk.ThreadCPULoad)"),
  /** Throttling counters of the container. */
  CPU_THROTTLING(
      "the container's throttling counters",
      "record inside the container with jdk.ContainerCPUThrottling#period=1s (JDK 17 or"
          + " later), or read cpu.stat of its control group twice"),
  /** Memory and swap space of the machine. */
  MACHINE_MEMORY(
      "memory and swap space of the machine",
      "record with jdk.PhysicalMemory#period=10s and jdk.SwapSpace#period=10s (JDK 23 or"
          + " later), and run vmstat beside it"),
  /** Thread dumps. */
  THREAD_DUMPS("thread dumps", "jcmd PID Thread.print -l, two or three times some seconds apart"),
  /** Class histograms. */
  CLASS_HISTOGRAMS(
      "objects in the heap by class", "jcmd PID GC.class_histogram, twice some minutes apart"),
  /** Latency and rate of requests. */
  REQUEST_STATS(
      "request rate and latency", "the load generator's summary (k6 --summary-export), or --rps"),
  /** Size of the connection pool. */
  POOL_SIZE("the pool's size", "--pool-size N, from the pool's configuration"),
  /** Undisturbed hold time of a connection. */
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

  /** How to record it. */
  public String howToRecord() {
    return howToRecord;
  }
}
