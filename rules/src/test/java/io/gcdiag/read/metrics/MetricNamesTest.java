package io.gcdiag.read.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.read.metrics.MetricCollector.MetricNames;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricNamesTest {

  @ParameterizedTest
  @CsvSource({
    "POOL_PENDING, r2dbc.pool.pending.connections, pool, orders",
    "POOL_PENDING, vertx_pool_queue_pending, pool_type, sql",
    "POOL_ACQUIRE_SECONDS, vertx_pool_queue_time_seconds_sum, pool_type, sql",
    "POOL_PENDING, reactor_netty_connection_provider_pending_connections, name, partner",
    "POOL_PENDING, commons_pool2_num_waiters, name, redis",
    // Vert.x meters its worker threads by the same names: those are no connections.
    "OTHER, vertx_pool_queue_pending, pool_type, worker"
  })
  void poolsThatBlockNoThreadAreKnownByTheirMeters(
      MetricMeaning meaning, String name, String label, String value) {
    assertEquals(meaning, MetricNames.standard().lookup(name, Map.of(label, value)).meaning());
  }

  @ParameterizedTest
  @CsvSource({
    "QUERIES, db_client_operation_duration_seconds_count",
    "CALL_SECONDS, db_client_operation_duration_seconds_sum",
    "QUERIES, jdbc_query_seconds_count",
    "CALL_SECONDS, jdbc_query_seconds_sum",
    "REQUEST_BUCKET, http_server_duration_milliseconds_bucket",
    "REQUEST_BUCKET, http_server_duration_bucket",
    "REQUEST_BUCKET, http_server_requests_milliseconds_bucket",
    "LATENCY, http_server_requests_seconds"
  })
  void timersOfRequestsAndQueriesAreKnown(MetricMeaning meaning, String name) {
    assertEquals(meaning, MetricNames.standard().lookup(name, Map.of()).meaning());
  }

  @ParameterizedTest
  @CsvSource({
    "EXECUTOR_QUEUED, executor_queued_tasks",
    "EXECUTOR_QUEUED, executor.queued",
    "EXECUTOR_ACTIVE, executor_active_threads",
    "EXECUTOR_THREADS, executor_pool_size_threads",
    "EXECUTOR_DONE, executor_completed_tasks_total",
    "EXECUTOR_QUEUED, jetty_threads_jobs"
  })
  void executorsAreKnownByMicrometersNames(MetricMeaning meaning, String name) {
    assertEquals(meaning, MetricNames.standard().lookup(name, Map.of("name", "mail")).meaning());
  }

  @ParameterizedTest
  @CsvSource({
    "GC_PAUSE_SECONDS, jvm_gc_pause_seconds_sum, gc, G1 Young Generation",
    "GC_LONGEST_PAUSE, jvm.gc.pause.seconds.max, gc, G1 Young Generation",
    "GC_PAUSE_SECONDS, jvm_gc_collection_seconds_sum, gc, ZGC Pauses",
    "GC_PAUSE_SECONDS, jvm_gc_duration_seconds_sum, jvm_gc_name, G1 Old Generation",
    // The application runs meanwhile.
    "OTHER, jvm_gc_collection_seconds_sum, gc, ZGC Cycles",
    "OTHER, jvm_gc_duration_seconds_count, jvm_gc_name, Shenandoah Cycles",
    "OLD_AFTER_GC, jvm_memory_usage_after_gc, area, heap",
    "OLD_AFTER_GC_BYTES, jvm_gc_live_data_size_bytes, application, shop",
    "OLD_MAX, jvm_gc_max_data_size_bytes, application, shop",
    "OLD_AFTER_GC_BYTES, jvm_memory_pool_collection_used_bytes, pool, PS Old Gen",
    "OLD_AFTER_GC_BYTES, jvm_memory_used_after_last_gc_bytes, jvm_memory_pool_name, G1 Old Gen",
    "OTHER, jvm_memory_pool_collection_used_bytes, pool, G1 Eden Space"
  })
  void theCollectorIsKnownByItsMeters(
      MetricMeaning meaning, String name, String label, String value) {
    assertEquals(meaning, MetricNames.standard().lookup(name, Map.of(label, value)).meaning());
  }
}
