package io.gcdiag.evidence.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a load of the machine says of the CPUs that the JVM is confined to. */
class CpuLoadTest {

  private static final Instant AT = Instant.EPOCH;
  private static final List<HardwareThreads> TWO = List.of(new HardwareThreads(AT, 2));

  private static CpuQuota quota(Optional<Duration> time) {
    return new CpuQuota(AT, time, Duration.ofMillis(100), new Source("a.jfr", ""));
  }

  @Test
  void whatTheOtherCpusCannotHoldIsOnTheJvmsOwn() {
    // Of two CPUs the JVM uses 0.6 and others 1.2: the second CPU holds one of these.
    CpuLoad one = new CpuLoad(AT, 0.2, 0.1, 0.9).on(1, 2);
    assertEquals(0.4, one.jvmUser(), 1e-9);
    assertEquals(0.2, one.jvmSystem(), 1e-9);
    assertEquals(0.8, one.machineTotal(), 1e-9);
    assertEquals(1, one.most(), 1e-9);
  }

  @Test
  void whatTheOtherCpusCanHoldMayBeOnEither() {
    // Of eight CPUs the JVM uses one of its two, others 0.8, for which six have room.
    CpuLoad two = new CpuLoad(AT, 0.125, 0, 0.225).on(2, 8);
    assertEquals(0.5, two.machineTotal(), 1e-9);
    assertEquals(0.9, two.most(), 1e-9);
  }

  @Test
  void aReadingOfMoreThanItsCpusIsAllOfThem() {
    // 51 % of two CPUs, where the JVM has one.
    CpuLoad one = new CpuLoad(AT, 0.51, 0, 0.6).on(1, 2);
    assertEquals(1, one.jvm(), 1e-9);
    assertEquals(1, one.machineTotal(), 1e-9);
  }

  @Test
  void aJvmIsConfinedWhereItMayUseFewerCpusThanThereAre() {
    assertEquals(OptionalInt.of(1), HardwareThreads.confined(TWO, List.of(), OptionalInt.of(1)));
    assertEquals(
        OptionalInt.of(1),
        HardwareThreads.confined(TWO, List.of(quota(Optional.empty())), OptionalInt.of(1)));
  }

  @Test
  void aQuotaOfCpuTimeConfinesItToNoCpu() {
    Optional<Duration> time = Optional.of(Duration.ofMillis(60));
    assertEquals(
        OptionalInt.empty(),
        HardwareThreads.confined(TWO, List.of(quota(time)), OptionalInt.of(1)));
  }

  @Test
  void itIsNotConfinedWithoutAnythingKnownOfTheMachine() {
    assertEquals(
        OptionalInt.empty(), HardwareThreads.confined(List.of(), List.of(), OptionalInt.of(1)));
    assertEquals(
        OptionalInt.empty(), HardwareThreads.confined(TWO, List.of(), OptionalInt.empty()));
    assertEquals(OptionalInt.empty(), HardwareThreads.confined(TWO, List.of(), OptionalInt.of(2)));
  }
}
