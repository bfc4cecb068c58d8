package io.gcdiag.read.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.read.metrics.MetricCollector.TimeUnits;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeUnitsTest {

  @ParameterizedTest
  @CsvSource({
    "p95_ms, 0.001",
    "latency.millis, 0.001",
    "latency [ms], 0.001",
    "P99 (s), 1",
    "latencyMs, 0.001",
    "request_duration_seconds, 1",
    "wait_us, 0.000001"
  })
  void theEndOfANameSaysTheUnit(String name, double factor) {
    assertEquals(OptionalDouble.of(factor), TimeUnits.factor(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"p95", "latency", "items", "ms_latency", "requests", "s"})
  void otherNamesSayNone(String name) {
    assertEquals(OptionalDouble.empty(), TimeUnits.factor(name));
  }
}
