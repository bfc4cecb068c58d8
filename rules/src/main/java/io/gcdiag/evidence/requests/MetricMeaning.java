package io.gcdiag.evidence.requests;

import io.gcdiag.units.Named;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a series of a metric export measures, as far as gcdiag makes use of it. Names of exporters
 * are brought to these by a readable file beside the readers; everything else stays {@link #OTHER}.
 */
public enum MetricMeaning implements Named {
  /** Connections in use. */
  POOL_ACTIVE("connections"),
  /** Connections lying idle in the pool. */
  POOL_IDLE("connections"),
  /** Threads waiting for a connection. */
  POOL_PENDING("threads"),
  /** Most connections the pool may open. */
  POOL_MAX("connections"),
  /** Requests for a connection that gave up; a counter. */
  POOL_TIMEOUTS("requests"),
  /** Time spent waiting for connections, in all; a counter. */
  POOL_ACQUIRE_SECONDS("s"),
  /** Connections obtained; a counter. */
  POOL_ACQUIRED("connections"),
  /** Time connections were held, in all; a counter. */
  POOL_USAGE_SECONDS("s"),
  /** Connections returned; a counter. */
  POOL_USED("connections"),
  /** The longest of the latest waits for a connection, as the exporter forgets older ones. */
  POOL_LONGEST_ACQUIRE("s"),
  /** The longest that a connection was held of late, as the exporter forgets older ones. */
  POOL_LONGEST_USAGE("s"),
  /** Queries sent to databases; a counter. */
  QUERIES("queries"),
  /** Pauses of the collector; a counter. */
  GC_PAUSES("pauses"),
  /** Time stopped by the collector; a counter. */
  GC_PAUSE_SECONDS("s"),
  /** The longest of the collector's latest pauses, as the exporter forgets older ones. */
  GC_LONGEST_PAUSE("s"),
  /** Heap in use. */
  HEAP_USED("bytes"),
  /** Heap committed. */
  HEAP_COMMITTED("bytes"),
  /** What the latest collection left in the old generation, as a share of its largest size. */
  OLD_AFTER_GC("ratio"),
  /** The same in bytes. */
  OLD_AFTER_GC_BYTES("bytes"),
  /** Largest size of the old generation. */
  OLD_MAX("bytes"),
  /** Bytes allocated; a counter. */
  ALLOCATED("bytes"),
  /** CPU used by the process, 0 to 1 of the machine. */
  PROCESS_CPU("ratio"),
  /** CPU used on the machine, 0 to 1. */
  MACHINE_CPU("ratio"),
  /** Request threads at work. */
  REQUEST_THREADS_BUSY("threads"),
  /** Most request threads. */
  REQUEST_THREADS_MAX("threads"),
  /** Tasks in an executor's queue. */
  EXECUTOR_QUEUED("tasks"),
  /** Threads of an executor at work. */
  EXECUTOR_ACTIVE("threads"),
  /** Threads of an executor. */
  EXECUTOR_THREADS("threads"),
  /** Live threads. */
  THREADS("threads"),
  /** Requests answered; a counter. */
  REQUESTS("requests"),
  /** Requests that failed; a counter. */
  REQUESTS_FAILED("requests"),
  /** Time spent in requests; a counter. */
  REQUEST_SECONDS("s"),
  /** Requests per second. */
  REQUEST_RATE("1/s"),
  /** A latency percentile; the label {@code quantile} says which. */
  LATENCY("s"),
  /** Requests by upper bound of latency, cumulative; a counter with the label {@code le}. */
  REQUEST_BUCKET("requests"),
  /** Found in a cache; a counter. */
  CACHE_HITS("lookups"),
  /** Not found in a cache; a counter. */
  CACHE_MISSES("lookups"),
  /** Something else; usable for correlation only. */
  OTHER("");

  private final String unit;

  MetricMeaning(String unit) {
    this.unit = unit;
  }

  /**
   * The meaning of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static MetricMeaning named(String id) {
    return Arrays.stream(values())
        .filter(meaning -> meaning.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no meaning '%s'; choose one of %s"
                        .formatted(
                            id,
                            Arrays.stream(values())
                                .map(MetricMeaning::id)
                                .collect(Collectors.joining(", ")))));
  }

  /** The unit of the values as they are kept: seconds, bytes, ratios of 0 to 1. */
  public String unit() {
    return unit;
  }
}
