package io.gcdiag.read.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MachineMetersTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final MetricCollector metrics = new MetricCollector(Map.of());

  /** A series that is scraped every 15 s. */
  private void scraped(String name, Map<String, String> labels, double... values) {
    for (int i = 0; i < values.length; i++) {
      metrics.add(
          name,
          new TreeMap<>(labels),
          START.plusSeconds(15L * i),
          values[i],
          new Source("metrics.json", name));
    }
  }

  private Timeline timeline(TimelineBuilder builder) {
    MachineMeters.into(builder, metrics.series());
    return builder.build();
  }

  @Test
  void theMetersOfOneProcessAreItsLoad() {
    Map<String, String> one = Map.of("instance", "10.0.0.5:8080");
    scraped("process_cpu_usage", one, 0.25, 0.88);
    scraped("system_cpu_usage", one, 0.3, 0.92);
    scraped("system_cpu_count", one, 4, 4);
    Timeline timeline = timeline(new TimelineBuilder());
    assertEquals(
        List.of(
            new CpuLoad(START, 0.25, 0, 0.3), new CpuLoad(START.plusSeconds(15), 0.88, 0, 0.92)),
        timeline.cpu());
    assertEquals(4, timeline.jvm().cpus().orElseThrow());
    assertTrue(timeline.sees(Signal.CPU_LOAD));
  }

  /** 12 and 54 s of CPU time in 15 s on four CPUs are 20 and 90 %; the restart says nothing. */
  @Test
  void theGrowthOfTheCpuTimeIsTheLoadOfTheProcess() {
    scraped("process_cpu_seconds_total", Map.of(), 100, 112, 166, 3);
    scraped("system_cpu_count", Map.of(), 4, 4, 4, 4);
    assertEquals(
        List.of(
            new CpuLoad(START.plusSeconds(15), 0.2, 0, 0.2, 1),
            new CpuLoad(START.plusSeconds(30), 0.9, 0, 0.9, 1)),
        timeline(new TimelineBuilder()).cpu());
  }

  @Test
  void cpuTimeOnAnUnknownNumberOfCpusIsNoLoad() {
    scraped("process_cpu_seconds_total", Map.of(), 100, 112, 166);
    assertEquals(List.of(), timeline(new TimelineBuilder()).cpu());
  }

  @Test
  void whatOtherProcessesUseIsNotKnownByTheProcessAlone() {
    scraped("jvm_cpu_recent_utilization_ratio", Map.of(), 0.25);
    assertEquals(
        List.of(new CpuLoad(START, 0.25, 0, 0.25, 1)), timeline(new TimelineBuilder()).cpu());
  }

  @Test
  void theMachineAloneSaysNothingOfTheProcess() {
    scraped("system_cpu_usage", Map.of(), 0.9, 0.9);
    Timeline timeline = timeline(new TimelineBuilder());
    assertEquals(List.of(), timeline.cpu());
    assertFalse(timeline.sees(Signal.CPU_LOAD));
  }

  /**
   * 500 MB of 1 GiB, then nearly all of it; the kernel kills the process, and two meters say so.
   */
  @Test
  void aContainersWorkingSetItsLimitAndItsKillsAreKnown() {
    Map<String, String> one = Map.of("container", "shop");
    scraped("container_memory_working_set_bytes", one, 500e6, 1070e6, 300e6);
    scraped("container_spec_memory_limit_bytes", one, 1 << 30, 1 << 30, 1 << 30);
    scraped("container_oom_events_total", one, 0, 0, 1);
    scraped(
        "kube_pod_container_status_last_terminated_reason", Map.of("reason", "OOMKilled"), 0, 0, 1);
    Timeline timeline = timeline(new TimelineBuilder());
    assertEquals(
        List.of(500_000_000L, 1_070_000_000L, 300_000_000L),
        timeline.samples(ResidentMemory.class).stream().map(r -> r.inUse().value()).toList());
    assertEquals(1L << 30, timeline.samples(MemoryLimit.class).get(0).limit().value());
    assertEquals(
        List.of(START.plusSeconds(30)),
        timeline.samples(LoggedError.class).stream().map(LoggedError::at).toList());
  }

  @Test
  void aRecordingGoesBeforeMeters() {
    scraped("process_cpu_usage", Map.of(), 0.25, 0.88);
    CpuLoad recorded = new CpuLoad(START, 0.5, 0, 0.6);
    assertEquals(List.of(recorded), timeline(new TimelineBuilder().cpu(recorded)).cpu());
  }

  @Test
  void theContainersCountersAreThoseOfTheQuota() {
    // The pod's own group has the same counters again, and so has a container that hardly runs.
    for (String container : List.of("", "checkout", "proxy")) {
      Map<String, String> labels = Map.of("pod", "checkout-1", "container", container);
      double part = container.equals("proxy") ? 0.1 : 1;
      scraped("container_cpu_cfs_periods_total", labels, 150 * part, 300 * part);
      scraped("container_cpu_cfs_throttled_periods_total", labels, 1 * part, 90 * part);
      scraped("container_cpu_cfs_throttled_seconds_total", labels, 0.05 * part, 6.5 * part);
      scraped("container_spec_cpu_quota", labels, 400_000, 100_000);
      scraped("container_spec_cpu_period", labels, 100_000, 100_000);
    }
    Timeline timeline = timeline(new TimelineBuilder());
    Source source = new Source("metrics.json", "container_cpu_cfs_throttled_periods_total");
    assertEquals(
        List.of(
            new ThrottleCount(START, 150, 1, Duration.ofMillis(50), source),
            new ThrottleCount(START.plusSeconds(15), 300, 90, Duration.ofMillis(6_500), source)),
        timeline.samples(ThrottleCount.class));
    // 400,000 us of 100,000 us are four cores.
    assertEquals(
        List.of(Optional.of(Duration.ofMillis(400)), Optional.of(Duration.ofMillis(100))),
        timeline.samples(CpuQuota.class).stream().map(CpuQuota::quota).toList());
    assertTrue(timeline.sees(Signal.CPU_THROTTLING));
  }

  @Test
  void aContainersCpuTimeIsAShareOfItsQuotaAndNotOfItsPods() {
    for (String container : List.of("", "checkout")) {
      Map<String, String> labels = Map.of("pod", "checkout-1", "container", container);
      // 6 s in 15 s are 0.4 cores: a tenth of four, four tenths of one.
      scraped("container_cpu_usage_seconds_total", labels, 100, 106, 112);
      scraped("container_spec_cpu_quota", labels, 400_000, 400_000, 100_000);
      scraped("container_spec_cpu_period", labels, 100_000, 100_000, 100_000);
    }
    assertEquals(
        List.of(
            new CpuLoad(START.plusSeconds(15), 0.1, 0, 0.1, 1),
            new CpuLoad(START.plusSeconds(30), 0.4, 0, 0.4, 1)),
        timeline(new TimelineBuilder()).cpu());
  }

  @Test
  void aContainersCpuTimeWithoutAQuotaIsNoLoad() {
    scraped("container_cpu_usage_seconds_total", Map.of("container", "checkout"), 100, 106);
    assertEquals(List.of(), timeline(new TimelineBuilder()).cpu());
  }

  /** Else dumps and the load average, which speak of that time, would not be asked. */
  @Test
  void aReadingOfAnotherTimeIsNoLoadOfTheIncident() {
    scraped("process_cpu_usage", Map.of(), 0.25);
    Window later = new Window(START.plusSeconds(60), START.plusSeconds(120));
    assertFalse(timeline(new TimelineBuilder().log(later)).sees(Signal.CPU_LOAD));
    Window then = new Window(START.minusSeconds(60), START.plusSeconds(60));
    assertTrue(timeline(new TimelineBuilder().log(then)).sees(Signal.CPU_LOAD));
  }
}
