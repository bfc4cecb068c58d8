package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.threads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.DirectMemoryCause.DirectBuffersRule;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DirectBuffersRuleTest {

  private static final Source READ = new Source("recording.jfr", "jdk.DirectBufferStatistics");

  private final Rule rule = new DirectBuffersRule();

  private static DirectBuffers buffers(double second, long count, int mebi) {
    return new DirectBuffers(at(second), count, Bytes.ofMebi(mebi), Bytes.ofMebi(256), READ);
  }

  private static ExplicitCollection requested(boolean forBuffers) {
    return new ExplicitCollection(at(95), Duration.ofMillis(90), "Net.read", forBuffers, READ);
  }

  @Test
  void buffersThatFillTheirLimitSpeakForIt() {
    // 250 / 256 = 97.7 %
    Finding finding =
        only(rule, incident().sample(buffers(30, 40, 40)).sample(buffers(90, 250, 250)));
    assertEquals(
        "250 direct buffers take 250 MiB, 97.7 % of their limit (256 MiB)", finding.statement());
    assertEquals(Optional.of("40 MiB"), finding.figures().get(0).before());
    assertTrue(supports(finding, Hypothesis.DIRECT_MEMORY));
  }

  /** A cache that takes all its buffers at the start; with GCs for them they are too few. */
  @Test
  void buffersThatFilledTheirLimitBeforeAreNotWhatChanged() {
    assertSilent(rule, incident().sample(buffers(30, 250, 250)).sample(buffers(90, 250, 250)));
    assertTrue(
        supports(
            only(
                rule,
                incident()
                    .sample(buffers(30, 250, 250))
                    .sample(buffers(90, 250, 250))
                    .sample(requested(true))),
            Hypothesis.DIRECT_MEMORY));
  }

  /** Right after such a collection most of them are gone again. */
  @Test
  void soDoCollectionsThatTheJdkRequestsForThem() {
    Finding finding = only(rule, incident().sample(buffers(90, 20, 20)).sample(requested(true)));
    assertEquals(
        "20 direct buffers take 20 MiB, 7.8 % of their limit (256 MiB); the JDK requested 1 GC to"
            + " free some",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.DIRECT_MEMORY));
  }

  @Test
  void withRoomAndCollectionsOfTheServiceThereIsNothingToSay() {
    assertSilent(rule, incident().sample(buffers(90, 100, 100)).sample(requested(false)));
    assertSilent(rule, incident());
  }

  @Test
  void requestsThatWaitForABufferAreExplainedByTheFullMemory() {
    // 600 x 200 ms / 60 s = 2 threads; the last wait ends after the window.
    Finding finding =
        only(
            rule,
            incident()
                .recorded(Signal.THREAD_SLEEPS, 10)
                .waits(600, 60, 120, WaitKind.DIRECT_MEMORY, "direct buffers", 200));
    assertTrue(
        finding
            .statement()
            .startsWith("request threads spent 120 s waiting for direct buffer memory"),
        finding.statement());
    assertEquals(2, value(finding, "threadsWaiting"), 0.01);
    assertEquals(1, explains(finding, Hypothesis.DIRECT_MEMORY, Effect.DIRECT_MEMORY_WAIT), 1e-9);
  }

  @Test
  void dumpsShowThemAsWell() {
    List<ThreadState> dump = threads("exec-", 9, ThreadActivity.WAITING_FOR_DIRECT_MEMORY, true);
    Finding finding = only(rule, incident().withoutBaseline().dump(70, dump).dump(90, dump));
    assertTrue(
        finding
            .statement()
            .startsWith("9 of 9 threads at work are waiting for direct buffer memory"),
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.DIRECT_MEMORY, Effect.DIRECT_MEMORY_WAIT), 1e-9);
  }
}
