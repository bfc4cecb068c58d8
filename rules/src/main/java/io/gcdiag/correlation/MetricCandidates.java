package io.gcdiag.correlation;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.requests.MetricSeries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The series of metric exports: counters as growth per second, everything else as means. */
final class MetricCandidates {

  /** Other views of the tail itself: that they move with it says nothing. */
  static final Set<MetricMeaning> SAME_AS_TAIL =
      Set.of(MetricMeaning.LATENCY, MetricMeaning.REQUEST_SECONDS, MetricMeaning.REQUEST_BUCKET);

  /** Other views of what the load test says itself. */
  private static final Set<MetricMeaning> SAME_AS_LOAD =
      Set.of(MetricMeaning.REQUESTS, MetricMeaning.REQUESTS_FAILED, MetricMeaning.REQUEST_RATE);

  private MetricCandidates() {}

  /** Those whose meaning is known first. */
  static List<Candidate> of(Timeline timeline, Tail tail) {
    List<MetricSeries> series =
        timeline.metrics().stream()
            .filter(one -> !SAME_AS_TAIL.contains(one.meaning()))
            .filter(one -> tail.requests().isEmpty() || !SAME_AS_LOAD.contains(one.meaning()))
            .sorted(Comparator.comparing(MetricSeries::meaning))
            .toList();
    Map<String, Long> sameWords =
        series.stream()
            .map(one -> words(one.meaning()))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    List<Candidate> candidates = new ArrayList<>();
    for (MetricSeries one : series) {
      String words = words(one.meaning());
      String name =
          words.isEmpty()
              ? fullName(one)
              : sameWords.get(words) > 1 ? words + ", " + fullName(one) : words;
      candidates.add(
          new Candidate(
              name,
              one.source(),
              one.counter()
                  ? Readings.rates(tail.grid(), one.points())
                  : Readings.means(tail.grid(), one.points())));
    }
    return candidates;
  }

  private static String fullName(MetricSeries series) {
    return series.labels().isEmpty() ? series.name() : series.name() + series.labels();
  }

  private static String words(MetricMeaning meaning) {
    return switch (meaning) {
      case POOL_ACTIVE -> "connections in use";
      case POOL_IDLE -> "connections idle";
      case POOL_PENDING -> "threads waiting for a connection";
      case POOL_MAX -> "size of the pool";
      case POOL_TIMEOUTS -> "timeouts of the pool";
      case POOL_ACQUIRE_SECONDS -> "wait for connections, by the pool's meter";
      case POOL_ACQUIRED -> "connections obtained";
      case POOL_USAGE_SECONDS -> "time connections were held";
      case POOL_USED -> "connections returned";
      case POOL_LONGEST_ACQUIRE -> "longest recent wait for a connection";
      case POOL_LONGEST_USAGE -> "longest recent hold of a connection";
      case QUERIES -> "database queries";
      case GC_PAUSES -> "GC pauses, by meter";
      case GC_PAUSE_SECONDS -> "time stopped in GC pauses, by meter";
      case GC_LONGEST_PAUSE -> "longest recent GC pause, by meter";
      case HEAP_USED -> "heap used, by meter";
      case HEAP_COMMITTED -> "heap committed, by meter";
      case OLD_AFTER_GC, OLD_AFTER_GC_BYTES -> "old generation after GC";
      case OLD_MAX -> "maximum size of the old generation";
      case ALLOCATED -> "bytes allocated, by meter";
      case PROCESS_CPU -> "CPU used by the process, by meter";
      case MACHINE_CPU -> "CPU used on the machine, by meter";
      case REQUEST_THREADS_BUSY -> "request threads busy";
      case REQUEST_THREADS_MAX -> "maximum of request threads";
      case EXECUTOR_QUEUED -> "tasks in an executor's queue";
      case EXECUTOR_ACTIVE -> "busy threads of an executor";
      case EXECUTOR_THREADS -> "threads of an executor";
      case THREADS -> "live threads";
      case REQUESTS -> "requests, by meter";
      case REQUESTS_FAILED -> "failed requests, by meter";
      case REQUEST_RATE -> "request rate, by meter";
      case CACHE_HITS -> "cache hits";
      case CACHE_MISSES -> "cache misses";
      case REQUEST_SECONDS, LATENCY, REQUEST_BUCKET, OTHER -> "";
    };
  }
}
