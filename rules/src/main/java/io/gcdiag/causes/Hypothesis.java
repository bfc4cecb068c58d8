package io.gcdiag.causes;

import io.gcdiag.measures.waits.Effect;
import io.gcdiag.units.Named;
import java.util.List;

/**
 * Root causes that the rules can judge. Each constant has a page under {@code docs/hypotheses/}
 * named by its id. A root cause is what, once removed, makes the incident go away; waiting
 * borrowers, busy threads and long pauses are {@linkplain Effect effects}.
 */
public enum Hypothesis implements Named {
  /** The heap is too small for the live set and the allocation rate. */
  MEMORY_PRESSURE(
      "Memory pressure: heap too small for its live set",
      "raise -Xms and -Xmx to one size that leaves 40 % of the heap free after a full GC; then measure"
          + " again"),
  /** Growing or shrinking the committed heap is itself the stall. */
  HEAP_RESIZING("Heap resizing at run time", "set -Xms to the present value of -Xmx"),
  /** The live set grows without bound. */
  MEMORY_LEAK(
      "Memory leak: live set grows without bound",
      "find the growing type and its holder: compare two class histograms"
          + " (jcmd PID GC.class_histogram) taken some minutes apart"),
  /** The application allocates so fast that young collections are very frequent. */
  ALLOCATION_CHURN(
      "Allocation churn: too much garbage per request",
      "reduce what a request allocates: start with the stacks that allocate most; cache or stream"
          + " large responses, make fewer calls per request"),
  /** Demand exceeds the pool. */
  CONNECTION_POOL_UNDERSIZED(
      "Connection pool undersized",
      "raise the pool's maximum size to what the demand needs: request rate x time a connection is"
          + " held, and some more for bursts"),
  /** Connections are not returned, or kept through work that does not need them. */
  CONNECTION_LEAK(
      "Connections held too long or not returned",
      "find the code that holds them, and return the connection (of an HTTP client: close the response)"
          + " in a finally block; JDBC pools can print the stack that acquired one (leak detection)"),
  /** A database or remote service answers slowly. */
  SLOW_DOWNSTREAM(
      "Slow database or remote service",
      "look at the named remote host: its own latency, its slowest statements or calls"),
  /** The JVM's own work fills its cores. */
  CPU_SATURATION(
      "CPU saturation by the service's own work",
      "profile the hot methods and do less of that work, or add cores; an executor sized to"
          + " the cores shortens the longest waits but serves no more requests"),
  /** A CPU quota stops the JVM. */
  CPU_THROTTLING(
      "Throttling by the container's CPU quota",
      "raise the container's CPU limit or remove it; or make the work less bursty: fewer collector"
          + " threads (-XX:ParallelGCThreads) and worker threads at once"),
  /** The machine is out of memory. */
  SWAPPING(
      "Swapping: the machine is out of memory",
      "find what uses the machine's memory, and give this JVM a heap that fits into the rest; on"
          + " a server give it no swap space (memory.swap.max=0 of its control group, or swapoff)"),
  /** Objects larger than half a G1 region force collections. */
  HUMONGOUS_ALLOCATION(
      "Humongous allocation (G1)",
      "raise -XX:G1HeapRegionSize so that the objects fit half a region, or chunk the buffers"),
  /** JNI critical sections delay or force collections. */
  GC_LOCKER(
      "GCLocker: JNI critical sections delay GC",
      "find the JNI critical callers (compression, array copies by native code); G1 of JDK 22 and"
          + " later pins regions instead"),
  /** The application or a tool asks for collections. */
  EXPLICIT_GC(
      "Explicit GC: System.gc() and diagnostic commands",
      "remove the call, or with G1 use -XX:+ExplicitGCInvokesConcurrent; if the JDK makes it for"
          + " direct buffers, reuse these or raise -XX:MaxDirectMemorySize"),
  /** Objects wait for finalization, and the finalizer thread is blocked or too slow. */
  FINALIZER_BACKLOG(
      "Finalizer backlog: finalizers do not keep up",
      "look at what the named finalizer waits for; close such objects explicitly, and replace finalize()"
          + " by java.lang.ref.Cleaner or try-with-resources"),
  /** Class metadata forces collections. */
  METASPACE_PRESSURE(
      "Metaspace pressure",
      "raise -XX:MetaspaceSize, and the limit where there is one (-XX:MaxMetaspaceSize,"
          + " -XX:CompressedClassSpaceSize), or find the class loader that leaks"),
  /** Threads queue for a monitor or lock. */
  LOCK_CONTENTION(
      "Lock contention", "look at the owner of the named lock and shorten what it does inside"),
  /** Requests wait for room in the queue of an asynchronous logger. */
  LOG_QUEUE_FULL(
      "Log queue full: requests wait to log",
      "log less (levels, duplicate appenders) or write faster; let the appender drop events when its"
          + " queue is full (Logback: neverBlock=true; Log4j 2: -Dlog4j2.asyncQueueFullPolicy=Discard)"),
  /** Clients read or send slowly, and request threads wait for them. */
  SLOW_CLIENTS(
      "Slow clients: request threads wait for their clients",
      "put a proxy that buffers requests and responses in front of the service (nginx:"
          + " proxy_buffering, proxy_request_buffering), or read and write large ones without a thread"
          + " (asynchronous servlets); a timeout ends the slowest"),
  /** Threads wait for each other: a deadlock. */
  DEADLOCK(
      "Deadlock: threads wait for each other",
      "take the named locks in one order everywhere, or with a timeout; restart the JVM to recover"),
  /** Virtual threads block and keep their carriers. */
  VIRTUAL_THREAD_PINNING(
      "Pinned virtual threads block their carriers",
      "replace the synchronized block around the blocking call by a ReentrantLock, or call outside"
          + " it; JDK 24 and later release the carrier inside synchronized"),
  /** Too few threads serve requests. */
  THREAD_POOL_EXHAUSTED(
      "Too few worker threads",
      "give the named group more threads (request rate x duration of one task, and some more for"
          + " bursts), or let no thread wait for a call"),
  /** Threads reach safepoints late, or non-GC safepoints are long. */
  SAFEPOINT_STALL(
      "Long safepoints outside GC",
      "find the loop without a safepoint poll (long counted loops: -XX:+UseCountedLoopSafepoints,"
          + " from JDK 10 on with -XX:LoopStripMiningIter=1000), or the tool that requests the named"
          + " operation"),
  /** File reads, writes or fsyncs delay requests. */
  SLOW_DISK(
      "Slow disk or file I/O",
      "call fsync less often (several writes at once), write logs from a thread of their own, or"
          + " use another disk"),
  /** The number of threads grows without bound. */
  THREAD_LEAK(
      "Thread leak: threads are started and never end",
      "end what the named code starts: cancel the timer, shut the executor down, or share one; then"
          + " watch the number of threads"),
  /** Hot code runs in the interpreter. */
  JIT_PRESSURE(
      "Interpreted code: code cache full or repeated deoptimization",
      "raise -XX:ReservedCodeCacheSize and leave -XX:+UseCodeCacheFlushing on; if the named method is"
          + " deoptimized again and again, look at what varies in it"),
  /** Exceptions with stack traces in bulk. */
  EXCEPTION_STORM(
      "Exception storm: many exceptions per second",
      "look at where they are thrown (record with jdk.JavaExceptionThrow#enabled=true) and test before"
          + " trying; an exception for control flow needs no stack trace"),
  /** Requests sleep: between retries, in a rate limiter, in a polling loop. */
  REQUESTS_SLEEP(
      "Requests sleep: retries, limiters, polling",
      "look at the named code: let a limiter reject at once or admit more, fix what a retry repeats,"
          + " and wait for an event instead of polling"),
  /** Other processes take the CPU. */
  HOST_CPU_CONTENTION(
      "Other processes take the CPU", "find the other process, or move the service"),
  /** The memory of the container or machine is exhausted before the JVM's heap. */
  CONTAINER_MEMORY(
      "Memory limit of the container or machine: the JVM is killed",
      "raise the memory limit, or lower what the JVM takes outside its heap (threads, direct buffers,"
          + " metaspace, code cache): heap and all of these have to fit the limit"),
  /** The memory for direct buffers is full. */
  DIRECT_MEMORY(
      "Direct buffer memory is full",
      "find the code that keeps or leaks direct buffers (Netty:"
          + " -Dio.netty.leakDetection.level=paranoid), or raise -XX:MaxDirectMemorySize within the"
          + " container's limit"),
  /** Most request threads are in one method that no other cause covers. */
  NATIVE_OR_UNKNOWN(
      "Most request threads are in one method: a native call, a latch, a loop",
      "look at the named code: what does it call or wait for, and who is to end that? Take three"
          + " dumps some seconds apart (jcmd PID Thread.print -l) to see whether it gets on");

  private final String title;
  private final String firstAction;

  Hypothesis(String title, String firstAction) {
    this.title = title;
    this.firstAction = firstAction;
  }

  /** The title in reports. */
  public String title() {
    return title;
  }

  /** What to change first if this is the cause. */
  public String firstAction() {
    return firstAction;
  }

  /** The whole catalogue in its order. */
  public static List<Hypothesis> catalogue() {
    return List.of(values());
  }
}
