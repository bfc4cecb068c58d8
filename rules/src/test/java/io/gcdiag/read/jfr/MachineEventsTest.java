package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.units.Bytes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Figures as {@code jfr print} shows them. */
@Tag("slow")
class MachineEventsTest {

  private static Timeline recording(String incident) {
    return Recordings.read(Incidents.folder(incident).resolve("recording.jfr.gz"));
  }

  @Test
  void aQuotaAndItsCountersAreRead() {
    Timeline timeline = recording("quota");
    List<CpuQuota> quotas = timeline.samples(CpuQuota.class);
    assertEquals(1, quotas.size());
    assertEquals(Optional.of(Duration.ofMillis(60)), quotas.get(0).quota());
    assertEquals(Duration.ofMillis(100), quotas.get(0).period());
    List<ThrottleCount> counts = timeline.samples(ThrottleCount.class);
    assertEquals(2, counts.size());
    assertEquals(333, counts.get(0).periods());
    assertEquals(221, counts.get(0).throttled());
    assertEquals(661, counts.get(1).periods());
    assertEquals(294, counts.get(1).throttled());
    assertEquals(23.8, counts.get(0).throttledTime().toMillis() / 1e3, 0.05);
    assertEquals(27.9, counts.get(1).throttledTime().toMillis() / 1e3, 0.05);
  }

  /**
   * {@code jfr summary}: no event of a container in the first, of which {@code jfr print} has the
   * setting enabled = true of jdk.ContainerCPUThrottling; one in the second, and two with a quota
   * of -1.
   */
  @Test
  void withoutAnEventOfAContainerNothingIsKnownOfAQuota() {
    Timeline unseen = recording("busy-but-healthy");
    assertFalse(unseen.sees(Signal.CPU_THROTTLING));
    assertEquals(
        "jdk.ContainerCPUThrottling was on, and the JVM wrote none: it sees no container",
        unseen.coverage().of(Signal.CPU_THROTTLING).note());
    assertTrue(recording("atlas-shared").sees(Signal.CPU_THROTTLING));
    assertTrue(recording("quota").sees(Signal.CPU_THROTTLING));
  }

  @Test
  void memoryAndSwapSpaceAreRead() {
    Timeline timeline = recording("quota");
    assertEquals(2, timeline.samples(MachineMemory.class).size());
    List<SwapSpace> swap = timeline.samples(SwapSpace.class);
    Optional<Bytes> none = Optional.of(Bytes.ZERO);
    assertEquals(List.of(none, none), swap.stream().map(SwapSpace::total).toList());
  }

  @Test
  void whatIsSwappedOutOfAContainerIsRead() {
    // jdk.SwapSpace has a total of -340 MB there. 489.4 MB with swap, 340.0 MB without.
    List<SwapSpace> swap = recording("depot-stock-swapped").samples(SwapSpace.class);
    assertEquals(Bytes.ZERO, swap.get(0).used());
    assertEquals(149, swap.get(swap.size() - 1).used().value() / (1 << 20));
    assertEquals(Optional.empty(), swap.get(0).total());
  }

  /**
   * {@code jfr print}: hwThreads = 2, parallelGCThreads = 1 by its default, no container; in the
   * second jdk.CPULoad jvmUser 27.72 %, jvmSystem 0.50 %, machineTotal 99.50 %.
   */
  @Test
  void theCpusThatItMayUseFollowFromTheCollectorsThreads() {
    Path folder =
        Incidents.onceBlind().stream()
            .filter(run -> run.name().equals("drover"))
            .findFirst()
            .orElseThrow()
            .folder();
    Timeline timeline = Recordings.read(folder.resolve("recording.jfr.gz"));
    assertEquals(OptionalInt.of(1), timeline.jvm().cpus());
    assertEquals(2, timeline.samples(HardwareThreads.class).get(0).count());
    // Of its CPU it uses 56.44 %; of 142.56 % that others use the other CPU can hold 100.
    assertEquals(0.5644, timeline.cpu().get(0).jvm(), 1e-4);
    assertEquals(0.99, timeline.cpu().get(0).machineTotal(), 1e-4);
  }

  /** {@code jfr print}: 46 readings of the process, the largest of 1,200,148,480 bytes. */
  @Test
  void whatTheProcessTakesIsRead() {
    Timeline timeline = recording("depot-scheduled-collect");
    List<ResidentMemory> resident = timeline.samples(ResidentMemory.class);
    assertEquals(46, resident.size());
    assertEquals(
        1_200_148_480L,
        resident.stream().mapToLong(reading -> reading.inUse().value()).max().orElseThrow());
    List<DirectBuffers> buffers = timeline.samples(DirectBuffers.class);
    assertEquals(10, buffers.size());
    assertEquals(20, buffers.get(9).count());
    assertEquals(Bytes.ofMebi(1024), buffers.get(9).limit());
    assertEquals(List.of(), timeline.samples(MemoryLimit.class));
  }

  @Test
  void theLimitOfAContainerIsRead() {
    assertEquals(
        List.of(Bytes.ofMebi(340)),
        recording("depot-stock-swapped").samples(MemoryLimit.class).stream()
            .map(MemoryLimit::limit)
            .toList());
  }

  @Test
  void noQuotaIsNotAQuotaOfNothing() {
    Timeline timeline = recording("machine-shared");
    assertEquals(
        List.of(Optional.empty()),
        timeline.samples(CpuQuota.class).stream().map(CpuQuota::quota).toList());
    assertEquals(0, timeline.samples(ThrottleCount.class).get(0).periods());
  }
}
