package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.cores.CpuSaturationCause.CpuDemandRule;
import io.gcdiag.causes.cores.ExceptionStormCause.ExceptionRateRule;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.jvm.JvmSample.ThrownErrors;
import io.gcdiag.evidence.jvm.JvmSample.ThrownExceptions;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExceptionRateRuleTest {

  private static final Source COUNTER = new Source(RECORDING, "jdk.ExceptionStatistics");
  private static final Source THROWS = new Source(RECORDING, "jdk.JavaExceptionThrow");

  private final Rule rule = new ExceptionRateRule();

  /** So many exceptions a second in the baseline and in the incident. */
  private static IncidentBuilder thrown(IncidentBuilder to, long before, long during) {
    long total = 0;
    for (int second = 0; second < 120; second++) {
      to.sample(new ExceptionCount(at(second), total, COUNTER));
      total += second < 60 ? before : during;
    }
    return to;
  }

  /** Two cores, of which the JVM takes a tenth in the baseline. */
  private static IncidentBuilder computing(IncidentBuilder to, double during) {
    to.cpus(2);
    for (int second = 0; second < 120; second++) {
      double jvm = second < 60 ? 0.1 : during;
      to.cpu(second, jvm, jvm + 0.05);
    }
    return to;
  }

  /** Those of the baseline, such as at a start, are not of the incident. */
  @Test
  void errorsOfTheWindowAreNamed() {
    IncidentBuilder incident = thrown(incident(), 0, 10);
    incident.sample(new ThrownErrors(at(30), "java.lang.AssertionError", "shop.Start.main", 9));
    incident.sample(new ThrownErrors(at(70), "java.lang.NoClassDefFoundError", "shop.Pdf.of", 3));
    incident.sample(new ThrownErrors(at(80), "java.lang.NoClassDefFoundError", "shop.Pdf.of", 4));
    assertEquals(
        "errors created: 7 of java.lang.NoClassDefFoundError at shop.Pdf.of",
        only(rule, incident).arithmetic().get(0));
  }

  @Test
  void whatCpuUseGrewByAndSamplesDoNotShowIsTheirs() {
    // 20,000 x 51.2 us = 1.024 cores at most, of 1.6 that the service takes more.
    IncidentBuilder incident = computing(thrown(incident(), 0, 20_000), 0.9);
    incident.sample(new ThrownExceptions(at(70), "shop.Unknown", "shop.Prices.parse", 75));
    incident.sample(new ThrownExceptions(at(71), "shop.Refused", "shop.Prices.find", 25));
    Finding finding = only(rule, incident);
    assertEquals(
        "20,000 exceptions per second (before: 0), which take 64.0 % of the growth "
            + "in CPU use; most are shop.Unknown at shop.Prices.parse (75.0 %)",
        finding.statement());
    assertEquals(0.64, explains(finding, Hypothesis.EXCEPTION_STORM, Effect.RUNNING), 1e-9);
    assertTrue(warns(finding, Hypothesis.EXCEPTION_STORM));
  }

  @Test
  void theirPartOfTheFullCoresIsNotTheServicesWork() {
    IncidentBuilder incident = computing(thrown(incident(), 0, 20_000), 0.9);
    Finding finding = only(new CpuLoadRule(), incident);
    assertEquals(0.64, explains(finding, Hypothesis.EXCEPTION_STORM, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0.36, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void theirPartOfWhatEachRequestComputesIsNotEither() {
    // 12,500 x 51.2 us = 0.64 cores, of 1.0 that the service takes more.
    IncidentBuilder incident = computing(thrown(incident(), 0, 12_500), 0.6).requests(40, 50);
    Finding finding = only(new CpuDemandRule(), incident);
    assertEquals(0.36, explains(finding, Hypothesis.CPU_SATURATION, Effect.RUNNING), 1e-9);
  }

  @Test
  void requestsAreDelayedByThemAndByTheQueueTheyMake() {
    // 0.64 cores at 65 % use: 0.64 / 0.35 = 1.8286 threads, of 1,000 s / 60 s = 16.667 delayed.
    IncidentBuilder incident =
        computing(thrown(incident(), 0, 12_500), 0.6).loadTestFrom(100, 1_100).rate(10);
    Finding finding = only(rule, incident);
    assertEquals(1.8286 / 16.667, passes(finding, Effect.UNACCOUNTED, Effect.RUNNING), 1e-4);
  }

  @Test
  void someHundredsASecondCostNothingToSpeakOf() {
    // 500 x 51.2 us = 0.026 cores: timeouts and refused calls, the incident's effect.
    Finding finding = only(rule, computing(thrown(incident(), 0, 500), 0.9));
    assertTrue(refutes(finding, Hypothesis.EXCEPTION_STORM));
  }

  @Test
  void whatWentOnInTheBaselineIsNotTheCause() {
    Finding finding = only(rule, computing(thrown(incident(), 20_000, 20_000), 0.9));
    assertTrue(refutes(finding, Hypothesis.EXCEPTION_STORM));
  }

  @Test
  void withoutABaselineAnEvenRateIsToldAndExplainsNothing() {
    IncidentBuilder incident = computing(thrown(incident(), 20_000, 20_000), 0.9).withoutBaseline();
    Finding finding = only(rule, incident);
    assertFalse(refutes(finding, Hypothesis.EXCEPTION_STORM));
    assertTrue(supports(finding, Hypothesis.EXCEPTION_STORM));
    assertFalse(warns(finding, Hypothesis.EXCEPTION_STORM));
    assertEquals(0, explains(finding, Hypothesis.EXCEPTION_STORM, Effect.RUNNING), 1e-9);
  }

  /** Ten samples a second, of which so many are in an exception's constructor. */
  private static IncidentBuilder sampled(IncidentBuilder to, int creating) {
    CpuProfile.Builder profile = new CpuProfile.Builder().source(THROWS);
    CodeSite site = new CodeSite("shop.Unknown.<init>", "shop.Orders.list", true, false);
    for (int second = 0; second < 120; second++) {
      for (int i = 0; i < 10; i++) {
        profile.add(at(second), site, List.of("shop.Orders.list"), false, i < creating);
      }
    }
    return to.profile(profile.build());
  }

  @Test
  void withoutABaselineSamplesSayWhatAnEvenRateCosts() {
    // Half of the samples, so of the 1.8 cores that the service takes; 20,000 x 51.2 us = 1.02.
    IncidentBuilder incident =
        sampled(computing(thrown(incident(), 20_000, 20_000), 0.9), 5).withoutBaseline();
    Finding finding = only(rule, incident);
    assertEquals(
        "20,000 exceptions per second, which take 50.0 % of the service's CPU use",
        finding.statement());
    assertEquals(0.5, explains(finding, Hypothesis.EXCEPTION_STORM, Effect.RUNNING), 1e-9);
    assertTrue(supports(finding, Hypothesis.EXCEPTION_STORM));
    assertTrue(warns(finding, Hypothesis.EXCEPTION_STORM));
  }

  @Test
  void withoutABaselineAndSamplesTheyCostWhatTheyUsuallyDo() {
    // 160,000 x 5 us = 0.8 cores, of the 1.0 that the service takes outside system calls.
    IncidentBuilder incident = thrown(incident(), 160_000, 160_000).cpus(2).withoutBaseline();
    for (int second = 0; second < 120; second++) {
      incident.cpu(second, 0.5, 0.6);
    }
    Finding finding = only(rule, incident);
    assertEquals(
        "160,000 exceptions per second, which take 80.0 % of the service's CPU use",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.EXCEPTION_STORM));
  }

  @Test
  void aQueueThatEitherCauseKeepsUpIsSharedBetweenThem() {
    // Others have half of the cores, 0.5 / 0.5; the service's own threads queue on all of them.
    IncidentBuilder incident = thrown(incident(), 160_000, 160_000).cpus(2).withoutBaseline();
    for (int second = 0; second < 120; second++) {
      incident.cpu(second, 0.5, 1);
    }
    Finding finding = only(new CpuLoadRule(), incident);
    assertEquals(0.65, explains(finding, Hypothesis.EXCEPTION_STORM, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0.25, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0.1, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void halfOfTheServicesWorkIsNotRuledOutForHavingBeenThereBefore() {
    Finding finding = only(rule, sampled(computing(thrown(incident(), 20_000, 20_000), 0.9), 5));
    assertFalse(refutes(finding, Hypothesis.EXCEPTION_STORM));
    assertTrue(weakens(finding, Hypothesis.EXCEPTION_STORM));
    assertEquals(0, explains(finding, Hypothesis.EXCEPTION_STORM, Effect.RUNNING), 1e-9);
  }

  @Test
  void manyThatTakeNoCpuAreCheap() {
    Finding finding = only(rule, computing(thrown(incident(), 0, 20_000), 0.1));
    assertTrue(weakens(finding, Hypothesis.EXCEPTION_STORM));
  }

  @Test
  void withoutTheCounterThereIsNothingToSay() {
    assertSilent(rule, computing(incident(), 0.9));
  }
}
