package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MemoryLeakCause.GrowingClassesRule;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.ClassHistogram.ClassCount;
import io.gcdiag.evidence.jvm.ClassHistogram.Scope;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GrowingClassesRuleTest {

  private final Rule rule = new GrowingClassesRule();

  /** A histogram of all objects together and of sessions of 2 KiB each, in MiB. */
  private static ClassHistogram histogram(Scope scope, double all, double sessions) {
    long bytes = Math.round(sessions * (1 << 20));
    return new ClassHistogram(
        Optional.empty(),
        scope,
        1_000_000,
        Bytes.of(Math.round(all * (1 << 20))),
        List.of(
            new ClassCount("byte[]", 500_000, Bytes.ofMebi(50)),
            new ClassCount("shop.Session", bytes / 2048, Bytes.of(bytes))),
        true,
        new Source("histogram.txt", "1"));
  }

  @Test
  void theClassThatGrewMostIsNamed() {
    Finding finding =
        only(
            rule,
            incident()
                .histogram(histogram(Scope.LIVE, 100, 10))
                .histogram(histogram(Scope.LIVE, 160, 50)));
    // 40 MiB / 2 KiB = 20,480.
    assertEquals(
        "the objects in the heap grew from 100 MiB to 160 MiB between the first and "
            + "the last of 2 class histograms, most of it shop.Session (+40 MiB, 20,480 "
            + "more objects)",
        finding.statement());
    // No log and no recording tells how the live set goes on: a lead.
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void theFirstStepIsTheClassOutsideTheJdkThatGrewMost() {
    // byte[] +60 MiB, shop.Session +40 MiB.
    Finding finding =
        only(
            rule,
            incident()
                .histogram(histogram(Scope.LIVE, 100, 10))
                .histogram(
                    new ClassHistogram(
                        Optional.empty(),
                        Scope.LIVE,
                        1_000_000,
                        Bytes.ofMebi(200),
                        List.of(
                            new ClassCount("byte[]", 1_100_000, Bytes.ofMebi(110)),
                            new ClassCount("shop.Session", 25_600, Bytes.ofMebi(50))),
                        true,
                        new Source("histogram.txt", "1"))));
    assertTrue(finding.statement().contains("most of it byte[]"), finding.statement());
    assertTrue(
        finding
            .actions()
            .get(Hypothesis.MEMORY_LEAK)
            .startsWith(
                "find what holds the objects of shop.Session (+40 MiB, 20,480 more objects)"),
        finding.actions().toString());
  }

  @Test
  void twoHistogramsSayNothingWhereTheLiveSetIsSeen() {
    Finding finding =
        only(
            rule,
            incident()
                .recorded(Signal.HEAP_AROUND_GC)
                .histogram(histogram(Scope.LIVE, 100, 10))
                .histogram(histogram(Scope.LIVE, 160, 50)));
    assertFalse(supports(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void threeCountsOfWhatIsReachedThatRiseSpeakForALeak() {
    Finding finding =
        only(
            rule,
            incident()
                .histogram(histogram(Scope.LIVE, 100, 10))
                .histogram(histogram(Scope.LIVE, 120, 30))
                .histogram(histogram(Scope.LIVE, 160, 50)));
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void garbageMayBeAmongThoseOfAllObjects() {
    Finding finding =
        only(
            rule,
            incident()
                .histogram(histogram(Scope.ALL, 100, 10))
                .histogram(histogram(Scope.ALL, 120, 30))
                .histogram(histogram(Scope.ALL, 160, 50)));
    assertFalse(supports(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void whatStaysAsItIsSpeaksAgainst() {
    Finding finding =
        only(
            rule,
            incident()
                .histogram(histogram(Scope.LIVE, 100, 10))
                .histogram(histogram(Scope.LIVE, 101, 11)));
    assertTrue(weakens(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void whatIsReachedAndWhatIsNotAreNotCompared() {
    assertSilent(
        rule,
        incident()
            .histogram(histogram(Scope.LIVE, 100, 10))
            .histogram(histogram(Scope.ALL, 160, 50)));
  }
}
