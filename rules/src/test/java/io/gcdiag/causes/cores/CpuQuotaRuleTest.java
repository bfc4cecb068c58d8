package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.cores.CpuThrottlingCause.CpuQuotaRule;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CpuQuotaRuleTest {

  private static final Source SOURCE = new Source("recording.jfr", "jdk.ContainerCPUThrottling");
  private final Rule rule = new CpuQuotaRule();

  private static ThrottleCount count(double second, long periods, long throttled, long millis) {
    return new ThrottleCount(at(second), periods, throttled, Duration.ofMillis(millis), SOURCE);
  }

  private static CpuQuota quota(Optional<Duration> quota) {
    return new CpuQuota(at(0), quota, Duration.ofMillis(100), SOURCE);
  }

  @Test
  void onlyWhatWasCountedBetweenTheReadingsMatters() {
    // Before the incident 400 of 500 periods were throttled; in it 120 of 600, for 4.8 s.
    Finding finding =
        only(
            rule,
            incident()
                .sample(quota(Optional.of(Duration.ofMillis(60))))
                .sample(count(60, 500, 400, 30_000))
                .sample(count(119, 1_100, 520, 34_800)));
    assertEquals(
        "the CPU quota of 60 ms in 100 ms was used up in 120 of 600 periods, which stopped the"
            + " threads for 4.8 s, summed over the CPUs",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CPU_THROTTLING, Effect.THROTTLED), 1e-9);
  }

  @Test
  void aQuotaThatWasCutIsAFigureBeforeAndAfter() {
    Duration period = Duration.ofMillis(100);
    Finding finding =
        only(
            rule,
            incident()
                .sample(quota(Optional.of(Duration.ofMillis(400))))
                .sample(new CpuQuota(at(61), Optional.of(period), period, SOURCE))
                .sample(count(60, 500, 0, 0))
                .sample(count(119, 1_100, 520, 34_800)));
    assertTrue(
        finding.figures().stream()
            .anyMatch(
                figure ->
                    figure.before().equals(Optional.of("4 cores"))
                        && figure.during().equals("1 core")),
        finding.figures().toString());
  }

  @Test
  void readingsBeforeAndAfterTheIncidentDoNotTellWhen() {
    // Half of the CPU was used in the incident: half of the stops are booked there.
    Finding finding =
        only(
            rule,
            incident()
                .sample(quota(Optional.of(Duration.ofMillis(60))))
                .cpu(30, 0.2, 0.4)
                .cpu(90, 0.2, 0.4)
                .sample(count(0, 333, 221, 23_800))
                .sample(count(120, 661, 294, 27_900)));
    assertEquals(
        "the CPU quota of 60 ms in 100 ms was used up in 73 of 328 periods, which stopped the"
            + " threads for 4.1 s, summed over the CPUs; how much of it in the incident is unknown",
        finding.statement());
    assertEquals(0.5, value(finding, "shareInIncident"), 1e-9);
  }

  @Test
  void countersThatStandStillRuleThrottlingOut() {
    Finding finding =
        only(
            rule,
            incident().sample(count(30, 500, 400, 30_000)).sample(count(110, 900, 401, 30_010)));
    assertTrue(refutes(finding, Hypothesis.CPU_THROTTLING));
  }

  @Test
  void noQuotaRulesThrottlingOut() {
    assertTrue(
        refutes(
            only(rule, incident().sample(quota(Optional.empty())).sample(count(90, 0, 0, 0))),
            Hypothesis.CPU_THROTTLING));
  }

  @Test
  void theCountersOfAGroupAsOldAsTheJvmWereZeroAtItsStart() {
    // 1,000 periods of 100 ms at 90 s: the group began with the JVM at -10 s. Nothing is known of
    // the CPU before 0 s: of the 100 s 90 are recorded, and a third of their CPU is after 60 s.
    IncidentBuilder incident =
        incident()
            .jvmStart(-10)
            .sample(quota(Optional.of(Duration.ofMillis(60))))
            .cpu(30, 0.4, 0.5)
            .cpu(80, 0.2, 0.3)
            .sample(count(90, 1_000, 500, 25_000));
    Finding finding = only(rule, incident);
    assertEquals(
        "the CPU quota of 60 ms in 100 ms was used up in 500 of 1,000 periods, which stopped the"
            + " threads for 25 s, summed over the CPUs; how much of it in the incident is unknown",
        finding.statement());
    assertEquals(0.3, value(finding, "shareInIncident"), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.CPU_THROTTLING, Effect.THROTTLED), 1e-9);
  }

  @Test
  void whoWaitsForALockWaitsOnWhileTheQuotaStopsItsOwner() {
    // 300 stops of 50 ms in 60 s: a quarter of the time. None in the baseline.
    Finding finding =
        only(
            rule,
            incident()
                .sample(quota(Optional.of(Duration.ofMillis(60))))
                .sample(count(0, 0, 0, 0))
                .sample(count(60, 600, 0, 0))
                .sample(count(120, 1_200, 300, 15_000)));
    assertEquals(0.25, passes(finding, Effect.LOCK_WAIT, Effect.THROTTLED), 1e-9);
    assertEquals(0.25, passes(finding, Effect.STOPPED, Effect.THROTTLED), 1e-9);
    assertEquals(0, passes(finding, Effect.DOWNSTREAM_WAIT, Effect.THROTTLED), 1e-9);
  }

  @Test
  void quotaThatIsUsedUpInEachPeriodLeavesAThreadThatRunsAloneTheQuota() {
    // By the counters 600 x 50 ms, half of the time; 10 ms in 100 leave one thread a tenth.
    Finding finding =
        only(
            rule,
            incident()
                .sample(quota(Optional.of(Duration.ofMillis(10))))
                .sample(count(0, 0, 0, 0))
                .sample(count(60, 600, 0, 0))
                .sample(count(120, 1_200, 600, 30_000)));
    assertEquals(0.9, passes(finding, Effect.SAFEPOINT, Effect.THROTTLED), 1e-9);
  }

  @Test
  void quotaThatWasUsedUpBeforeAsWellIsNotWhyWaitsGrew() {
    // 30 s of stops in each minute.
    Finding finding =
        only(
            rule,
            incident()
                .sample(quota(Optional.of(Duration.ofMillis(10))))
                .sample(count(0, 0, 0, 0))
                .sample(count(60, 600, 600, 30_000))
                .sample(count(120, 1_200, 1_200, 60_000)));
    assertEquals(0, passes(finding, Effect.LOCK_WAIT, Effect.THROTTLED), 1e-9);
  }

  @Test
  void oneReadingIsToldAndExplainsNothing() {
    Finding finding =
        only(
            rule,
            incident()
                .sample(quota(Optional.of(Duration.ofMillis(60))))
                .sample(count(90, 500, 400, 30_000)));
    assertTrue(
        finding
            .statement()
            .startsWith("the CPU quota of 60 ms in 100 ms was used up in 400 of 500 periods since"),
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CPU_THROTTLING));
    assertEquals(0, explains(finding, Hypothesis.CPU_THROTTLING, Effect.THROTTLED), 1e-9);
    assertSilent(
        rule,
        incident().sample(quota(Optional.of(Duration.ofMillis(60)))).sample(count(90, 500, 0, 0)));
    assertSilent(rule, incident().sample(count(90, 0, 0, 0)));
  }

  @Test
  void aQuotaThatIsUsedUpInNearlyAllPeriodsIsAFullServer() {
    // 580 of 600 periods = 97 %; of requests that take 900 ms in place of 50 ms nothing else tells.
    Finding finding =
        only(
            rule,
            incident()
                .requests(100, 50, 900)
                .sample(quota(Optional.of(Duration.ofMillis(100))))
                .sample(count(60, 0, 0, 0))
                .sample(count(119, 600, 580, 29_000)));
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.THROTTLED), 1e-9);
  }
}
