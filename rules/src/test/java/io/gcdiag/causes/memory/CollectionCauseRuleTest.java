package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static io.gcdiag.sketches.Threads.threads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectionCauseRuleTest {

  private final Rule rule = new CollectionCauseRule();

  @Test
  void collectionsThatWereAskedForBelongToTheAsker() {
    // Before: 20 x 5 ms = 100 ms. During: 20 x 5 ms + 5 x 100 ms = 600 ms. All 500 ms of the
    // growth are the forced collections.
    Finding finding =
        only(
            rule,
            incident()
                .pauses(20, 0, 60, young(0, 5))
                .pauses(20, 60, 120, young(0, 5))
                .pauses(5, 61, 121, full(0, 100).cause("System.gc()")));
    assertEquals(
        "5 of 25 pauses have the cause 'System.gc()' (500 ms in total, longest 100 "
            + "ms); share of the growth in pause time: 100.0 %",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.EXPLICIT_GC, Effect.STOPPED), 1e-9);
  }

  @Test
  void whoWantsToSeeTheLiveObjectsIsToldHowToDoSoWithoutACollection() {
    IncidentBuilder histograms =
        incident().pauses(5, 61, 121, full(0, 100).cause("Heap Inspection Initiated GC"));
    String advice = only(rule, histograms).actions().get(Hypothesis.EXPLICIT_GC);
    assertTrue(advice.contains("with the option -all"), advice);
    IncidentBuilder calls = incident().pauses(5, 61, 121, full(0, 100).cause("System.gc()"));
    assertFalse(only(rule, calls).actions().containsKey(Hypothesis.EXPLICIT_GC));
    IncidentBuilder commands =
        incident().pauses(5, 61, 121, full(0, 100).cause("Diagnostic Command"));
    String stop = only(rule, commands).actions().get(Hypothesis.EXPLICIT_GC);
    assertTrue(stop.contains("jcmd PID GC.run"), stop);
  }

  /** JDK 20 and later empty the code cache by collections of the heap. */
  @Test
  void collectionsForTheCodeCacheAreItsOwn() {
    IncidentBuilder filling =
        incident().pauses(30, 60, 120, young(0, 100).cause("CodeCache GC Threshold"));
    Finding finding = only(rule, filling);
    assertEquals(1, explains(finding, Hypothesis.JIT_PRESSURE, Effect.STOPPED), 1e-9);
    String advice = finding.actions().get(Hypothesis.JIT_PRESSURE);
    assertTrue(advice.contains("-XX:ReservedCodeCacheSize"), advice);
  }

  @Test
  void aGcLockerPauseCountsByWhatItTookLongerThanOthers() {
    // Before: 10 x 10 ms = 100 ms. During: 9 x 10 ms + 40 ms = 130 ms, growth 30 ms; the GCLocker
    // pause took 40 - 10 = 30 ms longer than the others.
    Finding finding =
        only(
            rule,
            incident()
                .pauses(10, 0, 60, young(0, 10))
                .pauses(9, 60, 120, young(0, 10))
                .pause(young(65, 40).cause("GCLocker Initiated GC")));
    assertEquals(1, explains(finding, Hypothesis.GC_LOCKER, Effect.STOPPED), 1e-9);
  }

  @Test
  void aGcLockerPauseNoLongerThanOthersExplainsNothing() {
    Finding finding =
        only(
            rule,
            incident()
                .pauses(10, 0, 60, young(0, 5))
                .pauses(10, 60, 120, young(0, 10))
                .pause(young(65, 10).cause("GCLocker Initiated GC")));
    assertEquals(List.of(), finding.bearings());
    assertEquals(0, value(finding, "ownShare"));
  }

  /** Eleven of twenty: native code is held nearly always. */
  @Test
  void whereMostCollectionsHaveToWaitForNativeCodeThatIsALead() {
    IncidentBuilder incident =
        incident()
            .pauses(10, 0, 60, young(0, 10))
            .pauses(11, 60, 120, young(0, 10).cause("GCLocker Initiated GC"));
    assertTrue(
        supports(only(rule, incident.pauses(9, 60, 120, young(0, 10))), Hypothesis.GC_LOCKER));
  }

  @Test
  void askedForAgainAndAgainTheyAreWorthAWarningEvenIfNothingElseIs() {
    // 5 x 200 ms = 1 s of 60 s: 1.7 % of the requests meet one.
    assertTrue(
        warns(
            only(rule, incident().pauses(5, 60, 120, full(0, 200).cause("System.gc()"))),
            Hypothesis.EXPLICIT_GC));
    // 2 of them are no habit, and 5 x 100 ms are less than a hundredth of the time.
    assertFalse(
        warns(
            only(rule, incident().pauses(2, 60, 120, full(0, 500).cause("System.gc()"))),
            Hypothesis.EXPLICIT_GC));
    assertFalse(
        warns(
            only(rule, incident().pauses(5, 60, 120, full(0, 100).cause("System.gc()"))),
            Hypothesis.EXPLICIT_GC));
  }

  @Test
  void whoAskedIsNamedWhereARecordingTells() {
    Finding finding =
        only(
            rule,
            incident()
                .pause(full(70, 100).cause("System.gc()"))
                .sample(
                    new ExplicitCollection(
                        IncidentBuilder.at(70),
                        IncidentBuilder.millis(102),
                        "shop.Cleaner.run",
                        false,
                        new Source(IncidentBuilder.RECORDING, "jdk.SystemGC"))));
    assertEquals(
        List.of("1 call of System.gc() by shop.Cleaner.run, 102 ms in total"),
        finding.arithmetic());
  }

  @Test
  void whatTheJdkAsksForItselfIsNotLookedForInTheCode() {
    Finding finding =
        only(
            rule,
            incident()
                .pause(full(70, 100).cause("System.gc()"))
                .sample(
                    new ExplicitCollection(
                        IncidentBuilder.at(70),
                        IncidentBuilder.millis(102),
                        "shop.Pages.print",
                        true,
                        new Source(IncidentBuilder.RECORDING, "jdk.SystemGC"))));
    assertEquals(
        "1 of 1 pause has the cause 'System.gc()', called by the JDK itself because "
            + "direct buffers reached their limit (-XX:MaxDirectMemorySize) (100 ms in "
            + "total, longest 100 ms); share of the growth in pause time: 100.0 %",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.DIRECT_MEMORY, Effect.STOPPED), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.EXPLICIT_GC, Effect.STOPPED), 1e-9);
    assertEquals(
        List.of(
            "1 call of System.gc() by shop.Pages.print, which allocates direct buffers, 102 ms in total"),
        finding.arithmetic());
  }

  @Test
  void fullCollectionsAfterALargeObjectAreCountedWithIt() {
    Finding finding =
        only(
            rule,
            incident()
                .pause(young(70, 5).cause("G1 Humongous Allocation"))
                .pause(full(70.005, 300)));
    assertEquals(
        "1 of 2 pauses have the cause 'G1 Humongous Allocation', with 1 full GC (300 "
            + "ms in total, longest 300 ms); share of the growth in pause time: 100.0 %",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.HUMONGOUS_ALLOCATION));
  }

  @Test
  void everyCauseIsNamedByItself() {
    List<Finding> findings =
        rule.examine(
            incident()
                .pause(young(61, 10).cause("G1 Humongous Allocation"))
                .pause(full(62, 10).cause("Metadata GC Threshold"))
                .pause(full(63, 10).cause("Heap Dump Initiated GC"))
                .build());
    assertEquals(
        List.of(
            Hypothesis.EXPLICIT_GC, Hypothesis.HUMONGOUS_ALLOCATION, Hypothesis.METASPACE_PRESSURE),
        findings.stream().map(finding -> finding.bearings().get(0).hypothesis()).toList());
  }

  @Test
  void ordinaryCausesAreNotNamed() {
    assertSilent(rule, incident().pauses(10, 60, 120, young(0, 10)));
  }

  @Test
  void withoutPausesThereIsNothingToSay() {
    assertSilent(rule, incident());
  }

  @Test
  void theEndOfAMarkingIsNoneOfALargeObjectsDoing() {
    // One of 10 ms came for it; the marking that it began was due, and ends in 300 ms.
    IncidentBuilder builder =
        incident()
            .pauses(10, 0, 59, young(0, 5).cause("G1 Evacuation Pause"))
            .pause(young(61, 10).cause("G1 Humongous Allocation"))
            .pause(young(62, 200).kind(PauseKind.REMARK).cause("G1 Humongous Allocation"))
            .pause(young(63, 100).kind(PauseKind.CLEANUP).cause("G1 Humongous Allocation"));
    Finding finding = only(rule, builder);
    assertEquals(1, value(finding, "pauses"), 1e-9);
    assertEquals(0.01, value(finding, "pauseSeconds"), 1e-9);
  }

  /** The same pauses, at the times of a load and not of a timer. */
  private static IncidentBuilder irregular() {
    IncidentBuilder builder = incident();
    for (double second : List.of(61.0, 63.0, 70.0, 81.0, 82.0, 97.0)) {
      builder.pause(full(second, 100).cause("System.gc()"));
    }
    return builder;
  }

  @Test
  void withoutAStackOrATimerTheCallerMayBeTheCodeOrTheJdk() {
    Finding finding = only(rule, irregular());
    assertEquals(0.5, explains(finding, Hypothesis.EXPLICIT_GC, Effect.STOPPED), 1e-9);
    assertEquals(0.5, explains(finding, Hypothesis.DIRECT_MEMORY, Effect.STOPPED), 1e-9);
    assertEquals(Hypothesis.DIRECT_MEMORY, finding.inseparable().get(0).other());
    // The command of a tool is no call.
    Finding histograms =
        only(rule, incident().pause(full(61, 100).cause("Heap Inspection Initiated GC")));
    assertEquals(1, explains(histograms, Hypothesis.EXPLICIT_GC, Effect.STOPPED), 1e-9);
  }

  @Test
  void threadsThatWaitForABufferOrAnErrorOfThemShowThatItIsTheJdk() {
    List<ThreadState> waiting = threads("exec-", 3, ThreadActivity.WAITING_FOR_DIRECT_MEMORY, true);
    Source log = new Source("service.log", "1");
    for (IncidentBuilder incident :
        List.of(
            irregular().dump(80, waiting),
            irregular().waits(5, 60, 120, WaitKind.DIRECT_MEMORY, "direct buffers", 300),
            irregular()
                .sample(
                    new LoggedError(
                        IncidentBuilder.at(90),
                        LoggedError.Kind.DIRECT_MEMORY_FULL,
                        "",
                        "",
                        log)))) {
      Finding finding = only(rule, incident);
      assertEquals(1, explains(finding, Hypothesis.DIRECT_MEMORY, Effect.STOPPED), 1e-9);
      assertEquals(List.of(), finding.inseparable());
    }
  }
}
