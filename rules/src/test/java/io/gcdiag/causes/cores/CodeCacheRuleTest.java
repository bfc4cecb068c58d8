package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.leavesOpen;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.warns;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.cores.JitPressureCause.CodeCacheRule;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.evidence.jvm.JvmSample.CompilerCount;
import io.gcdiag.evidence.jvm.JvmSample.Deoptimized;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodeCacheRuleTest {

  private static final Source SAMPLES = new Source(RECORDING, "jdk.ExecutionSample");
  private static final Source FULL = new Source(RECORDING, "jdk.CodeCacheFull");
  private static final Source COUNTS = new Source(RECORDING, "jdk.CompilerStatistics");
  private static final Source LEFT = new Source(RECORDING, "jdk.Deoptimization");

  private final Rule rule = new CodeCacheRule();

  /**
   * One compiled sample a second in the baseline; in the incident five, of which so many are
   * interpreted. The JVM takes a tenth of two cores in the baseline and six tenths in the incident.
   */
  private static IncidentBuilder sampled(int interpreted) {
    IncidentBuilder to = incident().cpus(2);
    CpuProfile.Builder profile = new CpuProfile.Builder().source(SAMPLES);
    CodeSite site = new CodeSite("shop.Prices.find", "shop.Orders.list", true, false);
    for (int second = 0; second < 120; second++) {
      boolean incident = second >= 60;
      for (int i = 0; i < (incident ? 5 : 1); i++) {
        profile.add(
            at(second), site, List.of("shop.Prices.find"), incident && i < interpreted, false);
      }
      to.cpu(second, incident ? 0.6 : 0.1, incident ? 0.65 : 0.15);
    }
    return to.profile(profile.build());
  }

  private static IncidentBuilder full(IncidentBuilder to, int compiledPerSecond) {
    to.sample(new CodeCacheFull(at(60), false, Bytes.ofMebi(6), FULL));
    for (int second = 60; second < 120; second++) {
      to.sample(new CompilerCount(at(second), 9_000 + second * compiledPerSecond));
    }
    return to;
  }

  @Test
  void aFullCacheThatStopsTheCompilersExplainsTheInterpretedGrowth() {
    // 300 samples in the incident against 60: 240 more, 240 interpreted: all of the growth.
    Finding finding = only(rule, full(sampled(4), 0));
    assertEquals(
        "the code cache of 6 MiB was full, and nothing was compiled from then on; 80.0 % of the"
            + " samples are interpreted code (before: none)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.JIT_PRESSURE, Effect.RUNNING), 1e-9);
    assertTrue(warns(finding, Hypothesis.JIT_PRESSURE));
  }

  @Test
  void aCacheThatHadBeenFullBeforeTheRecordingStopsTheCompilersAllTheSame() {
    IncidentBuilder incident = sampled(4);
    incident.sample(new CodeCacheFull(at(0), true, Bytes.ofMebi(6), FULL));
    for (int second = 0; second < 120; second++) {
      incident.sample(new CompilerCount(at(second), 9_000));
    }
    Finding finding = only(rule, incident);
    assertEquals(
        "the code cache of 6 MiB was full before the recording started, and nothing was compiled"
            + " from then on; 80.0 % of the samples are interpreted code (before: none)",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.JIT_PRESSURE));
  }

  @Test
  void withTheCompilersOffThereNeedBeNoBaseline() {
    Finding finding = only(rule, full(sampled(4), 0).withoutBaseline());
    assertTrue(warns(finding, Hypothesis.JIT_PRESSURE));
    assertEquals(0.8, explains(finding, Hypothesis.JIT_PRESSURE, Effect.RUNNING), 1e-9);
  }

  @Test
  void whileMethodsAreStillCompiledItIsALead() {
    // 59 readings apart by 2: 118 methods.
    Finding finding = only(rule, full(sampled(4), 2));
    assertTrue(finding.statement().contains("118 methods were compiled from then on"));
    assertTrue(supports(finding, Hypothesis.JIT_PRESSURE));
  }

  @Test
  void aFullCacheWithoutInterpretedCodeHarmsNobody() {
    assertTrue(weakens(only(rule, full(sampled(0), 0)), Hypothesis.JIT_PRESSURE));
  }

  @Test
  void aMethodThrownOutAgainAndAgainIsNamed() {
    IncidentBuilder incident = sampled(4);
    incident.sample(
        new Deoptimized(at(70), "shop.Prices.find", "unstable_if", InterpretedCode.STORM));
    Finding finding = only(rule, incident);
    assertTrue(
        finding
            .statement()
            .startsWith("shop.Prices.find (unstable_if) was deoptimized 100" + " times"));
    assertTrue(warns(finding, Hypothesis.JIT_PRESSURE));
  }

  /**
   * One compiled sample a second of another method all the time; in the incident four more of a
   * method that is interpreted until a second, and compiled from then on.
   */
  private static IncidentBuilder newMethod(boolean large, int interpretedUntil) {
    IncidentBuilder to = incident().cpus(2);
    CpuProfile.Builder profile = new CpuProfile.Builder().source(SAMPLES);
    if (large) {
      profile.tooLarge("shop.Tariff.of");
    }
    CodeSite usual = new CodeSite("shop.Prices.find", "shop.Orders.list", true, false);
    CodeSite tariff = new CodeSite("shop.Tariff.of", "shop.Orders.list", true, false);
    for (int second = 0; second < 120; second++) {
      profile.add(at(second), usual, List.of("shop.Prices.find"), false, false);
      for (int i = 0; i < 4 && second >= 60; i++) {
        profile.add(
            at(second), tariff, List.of("shop.Tariff.of"), second < interpretedUntil, false);
      }
      to.cpu(second, second >= 60 ? 0.6 : 0.1, second >= 60 ? 0.65 : 0.15);
    }
    return to.profile(profile.build());
  }

  @Test
  void aMethodTooLargeToCompileExplainsTheInterpretedGrowth() {
    // 300 samples in the incident against 60: 240 more, all of that method, all interpreted.
    Finding finding = only(rule, newMethod(true, 120));
    assertEquals(
        "shop.Tariff.of is too large: HotSpot compiles no method of more than 8,000 bytes of"
            + " bytecode; 80.0 % of the samples are interpreted code (before: none)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.JIT_PRESSURE, Effect.RUNNING), 1e-9);
    assertTrue(warns(finding, Hypothesis.JIT_PRESSURE));
  }

  @Test
  void whetherThatMethodIsLargeMustBeSeen() {
    Finding finding = only(rule, newMethod(false, 120));
    assertEquals(
        "80.0 % of the samples are interpreted code (before: none), and nothing shows why",
        finding.statement());
    assertTrue(leavesOpen(finding, Hypothesis.JIT_PRESSURE));
    assertFalse(supports(finding, Hypothesis.JIT_PRESSURE));
    assertEquals(0, explains(finding, Hypothesis.JIT_PRESSURE, Effect.RUNNING), 1e-9);
  }

  @Test
  void aMethodThatIsCompiledAtTheEndIsNotTooLarge() {
    // Interpreted in 52 of its 60 seconds: 208 of 300 samples are 69 %.
    assertTrue(leavesOpen(only(rule, newMethod(true, 112)), Hypothesis.JIT_PRESSURE));
  }

  @Test
  void withDontCompileHugeMethodsOffNoMethodIsTooLarge() {
    IncidentBuilder incident = newMethod(true, 120).flag("DontCompileHugeMethods", "false");
    assertTrue(leavesOpen(only(rule, incident), Hypothesis.JIT_PRESSURE));
  }

  @Test
  void aLargeMethodThatIsInterpretedAsEverIsNoCause() {
    // Four times the samples, of the same method, interpreted before as well.
    CpuProfile.Builder profile = new CpuProfile.Builder().source(SAMPLES);
    profile.tooLarge("shop.Tariff.of");
    CodeSite tariff = new CodeSite("shop.Tariff.of", "shop.Orders.list", true, false);
    for (int second = 0; second < 120; second++) {
      for (int i = 0; i < (second < 60 ? 1 : 4); i++) {
        profile.add(at(second), tariff, List.of("shop.Tariff.of"), true, false);
      }
    }
    assertSilent(rule, incident().profile(profile.build()));
  }

  @Test
  void interpretedCodeInTheFirstMinuteOfTheJvmIsWarmUp() {
    // The last ten seconds of the incident begin at 110.
    assertSilent(rule, sampled(4).jvmStart(51));
    assertSilent(rule, newMethod(true, 120).jvmStart(51));
    assertTrue(leavesOpen(only(rule, sampled(4).jvmStart(49)), Hypothesis.JIT_PRESSURE));
    assertTrue(warns(only(rule, newMethod(true, 120).jvmStart(49)), Hypothesis.JIT_PRESSURE));
  }
}
