package io.gcdiag.evidence;

import io.gcdiag.units.Named;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a metric series measures, as far as gcdiag uses it. A text file beside the readers maps
 * exporters' names to these; everything else is {@link #OTHER}.
 */
public enum MetricMeaning implements Named {
  POOL_ACTIVE("connections", "connections in use"),
  POOL_IDLE("connections", "connections idle"),
  POOL_PENDING("threads", "threads waiting for a connection"),
  POOL_MAX("connections", "size of the pool"),
  /** Requests for a connection that gave up; a counter. */
  POOL_TIMEOUTS("requests", "timeouts of the pool"),
  /** Time spent waiting for connections, in all; a counter. */
  POOL_ACQUIRE_SECONDS("s", "wait for connections, by the pool's meter"),
  /** Connections obtained; a counter. */
  POOL_ACQUIRED("connections", "connections obtained"),
  /** Time connections were held, in all; a counter. */
  POOL_USAGE_SECONDS("s", "time connections were held"),
  /** Connections returned; a counter. */
  POOL_USED("connections", "connections returned"),
  /** The longest recent wait for a connection; the exporter forgets older ones. */
  POOL_LONGEST_ACQUIRE("s", "longest recent wait for a connection"),
  /** The longest recent hold of a connection; the exporter forgets older ones. */
  POOL_LONGEST_USAGE("s", "longest recent hold of a connection"),
  /** Queries sent to databases; a counter. */
  QUERIES("queries", "database queries"),
  /** Calls to other services that ended; a counter. */
  CALLS("calls", "calls to other services"),
  /** Time spent in them; a counter. */
  CALL_SECONDS("s", "time in calls to other services"),
  /** Calls of which the spans of the called service are known, too; a counter. */
  SERVED_CALLS("calls", "calls with spans of the called service"),
  /** How long that service took for them; a counter. */
  SERVED_SECONDS("s", "time of the called service"),
  /** Time until that service began; a counter. */
  BEFORE_SERVED_SECONDS("s", "time of calls before the called service began"),
  /** Parts of requests that have a span and are no call; a counter. */
  STEPS("spans", "internal spans of requests"),
  /** Time spent in them, without their own parts; a counter. */
  STEP_SECONDS("s", "time in internal spans of requests"),
  /** Pauses of the collector; a counter. */
  GC_PAUSES("pauses", "GC pauses, by meter"),
  /** Time stopped by the collector; a counter. */
  GC_PAUSE_SECONDS("s", "time stopped in GC pauses, by meter"),
  /** The part of it in full GCs, by the cause that the exporter states; a counter. */
  FULL_GC_SECONDS("s", "time stopped in full GCs, by meter"),
  /** The longest recent GC pause; the exporter forgets older ones. */
  GC_LONGEST_PAUSE("s", "longest recent GC pause, by meter"),
  HEAP_USED("bytes", "heap used, by meter"),
  HEAP_COMMITTED("bytes", "heap committed, by meter"),
  /** Old generation in use after the latest GC, as a share of its maximum size. */
  OLD_AFTER_GC("ratio", "old generation after GC"),
  OLD_AFTER_GC_BYTES("bytes", "old generation after GC"),
  OLD_MAX("bytes", "maximum size of the old generation"),
  ALLOCATED("bytes", "bytes allocated, by meter"),
  /** CPU used by the process, 0 to 1 of the machine. */
  PROCESS_CPU("ratio", "CPU used by the process, by meter"),
  /** CPU time that the process used, in all; a counter. */
  PROCESS_CPU_SECONDS("s", "CPU time of the process, by meter"),
  /** CPU time of all processes in the container, in all; a counter. */
  CONTAINER_CPU_SECONDS("s", "CPU time of the container, by meter"),
  PROCESS_CORES("CPUs", "cores that the process used"),
  MACHINE_CPU("ratio", "CPU used on the machine, by meter"),
  RUNNABLE("processes", "processes that run or wait for a CPU"),
  /** Share of the time in which some thread of the machine or container waits for a CPU. */
  CPU_WAITING("ratio", "share of time that threads wait for a CPU"),
  /** The same time in total; a counter. */
  CPU_WAITING_SECONDS("s", "time that threads wait for a CPU"),
  /** Share of the time in which a disk had something to do. */
  DISK_BUSY("ratio", "share of time a disk is busy"),
  /** Time of a request to a disk, in its queue included. */
  DISK_AWAIT("s", "time of a disk request"),
  MEMORY_TOTAL("bytes", "memory of the machine"),
  MEMORY_AVAILABLE("bytes", "memory available on the machine"),
  SWAP_TOTAL("bytes", "swap space of the machine"),
  SWAP_FREE("bytes", "swap space free"),
  SWAP_USED("bytes", "swap space in use"),
  SWAP_TRAFFIC("bytes/s", "swapped out and in"),
  PROCESS_SWAP("bytes", "memory of the process that is swapped out"),
  /** Memory of one part of the JVM, named by the label {@code part}. */
  NATIVE_COMMITTED("bytes", "native memory committed"),
  RESIDENT("bytes", "resident memory"),
  /** Memory of a container that the kernel cannot take back at once: resident, and files in use. */
  WORKING_SET("bytes", "working set of the container"),
  /** Processes of a container that the kernel killed for its memory limit; a counter. */
  OOM_KILLS("kills", "processes killed for the memory limit"),
  /** Pages read from disk because they were not in memory (major page faults); a counter. */
  PAGES_FETCHED("pages", "pages read from disk again"),
  /** Times the memory limit of the container was reached; a counter. */
  MEMORY_LIMIT_REACHED("times", "memory limit of the container reached"),
  /** None if zero or larger than any machine. */
  MEMORY_LIMIT("bytes", "memory limit of the container"),
  /** Threads of the machine that run, are runnable or wait for a disk, over the last minute. */
  LOAD_AVERAGE("threads", "load average of the machine"),
  CPUS("CPUs", "CPUs"),
  /** Periods of the container's CPU quota in which a thread was runnable; a counter. */
  CPU_PERIODS("periods", "periods of the CPU quota"),
  /** Periods in which the quota was used up; a counter. */
  CPU_PERIODS_THROTTLED("periods", "periods in which the CPU quota was used up"),
  /** Time that threads were kept from running by the quota; a counter. */
  CPU_THROTTLED_SECONDS("s", "time throttled by the CPU quota"),
  /** CPU time that the quota allows in a period; none or negative without a limit. */
  CPU_QUOTA("s", "CPU quota of a period"),
  CPU_PERIOD("s", "period of the CPU quota"),
  REQUEST_THREADS_BUSY("threads", "request threads busy"),
  REQUEST_THREADS_MAX("threads", "maximum of request threads"),
  EXECUTOR_QUEUED("tasks", "tasks in an executor's queue"),
  EXECUTOR_ACTIVE("threads", "busy threads of an executor"),
  EXECUTOR_THREADS("threads", "threads of an executor"),
  /** Tasks that ended; a counter. */
  EXECUTOR_DONE("tasks", "tasks of an executor that ended"),
  THREADS("threads", "live threads"),
  /** Requests answered; a counter. */
  REQUESTS("requests", "requests, by meter"),
  /** Requests that failed; a counter. */
  REQUESTS_FAILED("requests", "failed requests, by meter"),
  /** Time spent in requests; a counter. */
  REQUEST_SECONDS("s", ""),
  REQUEST_RATE("1/s", "request rate, by meter"),
  /** A latency percentile; the label {@code quantile} says which. */
  LATENCY("s", ""),
  /** Requests by upper bound of latency, cumulative; a counter with the label {@code le}. */
  REQUEST_BUCKET("requests", ""),
  /** Found in a cache; a counter. */
  CACHE_HITS("lookups", "cache hits"),
  /** Not found in a cache; a counter. */
  CACHE_MISSES("lookups", "cache misses"),
  /** Something else; usable for correlation only. */
  OTHER("", "");

  private static final int MOST_LIKE = 5;

  private final String unit;
  private final String words;

  MetricMeaning(String unit, String words) {
    this.unit = unit;
    this.words = words;
  }

  /** The name in lists of series; empty if the series' own name is used. */
  @Override
  public String words() {
    return words;
  }

  /**
   * The meaning with that name.
   *
   * @throws IllegalArgumentException if there is none; the message has those like it
   */
  public static MetricMeaning named(String id) {
    return Arrays.stream(values())
        .filter(meaning -> meaning.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no meaning '%s'; write %s or another one of docs/inputs/metrics.md"
                        .formatted(id, like(id))));
  }

  /** Those whose names have it or a word of it, and before them those that people state most. */
  private static String like(String id) {
    List<String> words = Arrays.stream(id.split("[^a-z]+")).filter(w -> w.length() > 2).toList();
    return Stream.concat(
            Stream.of(LATENCY, REQUEST_RATE, POOL_PENDING),
            Arrays.stream(values())
                .filter(one -> words.stream().anyMatch(one.id()::contains))
                .limit(MOST_LIKE))
        .distinct()
        .map(MetricMeaning::id)
        .collect(Collectors.joining(", "));
  }

  /** Whether it is a metric of a container's control group. */
  public boolean ofContainer() {
    return switch (this) {
      case CONTAINER_CPU_SECONDS,
          CPU_PERIODS,
          CPU_PERIODS_THROTTLED,
          CPU_THROTTLED_SECONDS,
          CPU_QUOTA,
          CPU_PERIOD ->
          true;
      default -> false;
    };
  }

  /** The unit of the values as they are kept: seconds, bytes, ratios of 0 to 1. */
  public String unit() {
    return unit;
  }
}
