package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.warns;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.ContainerMemoryCause.MemoryLimitRule;
import io.gcdiag.evidence.jvm.JvmSample.UnfinishedRecording;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.NativeMemory;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryLimitRuleTest {

  private static final Source READ = new Source("recording.jfr", "jdk.ResidentSetSize");

  private final Rule rule = new MemoryLimitRule();

  /** A container of 1,000 MiB, and a heap of 512 of at most so many. */
  private static IncidentBuilder process(int before, int during, int largestHeap) {
    return incident()
        .maxHeap(largestHeap)
        .heapAfterCollection(90, Bytes.ofMebi(300), Bytes.ofMebi(512))
        .sample(new MemoryLimit(at(0), Bytes.ofMebi(1000), READ))
        .sample(new ResidentMemory(at(30), Bytes.ofMebi(before), READ))
        .sample(new ResidentMemory(at(90), Bytes.ofMebi(during), READ));
  }

  @Test
  void aProcessThatFillsItsLimitIsCloseToItsEnd() {
    // 960 of 1000 MiB are 96 %; outside the heap 960 - 512 = 448 MiB, which fits with 512.
    Finding finding = only(rule, process(700, 960, 512));
    assertEquals(
        "the process has 960 MiB in memory, 96.0 % of the container's limit (1,000 MiB)",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.CONTAINER_MEMORY));
    assertEquals(Optional.of("700 MiB"), finding.figures().get(0).before());
  }

  @Test
  void aProcessThatHasLongFilledItIsALeadOnly() {
    // 960 - 900 = 60 MiB more are 6 % of the limit.
    Finding finding = only(rule, process(900, 960, 512));
    assertTrue(supports(finding, Hypothesis.CONTAINER_MEMORY));
    assertFalse(warns(finding, Hypothesis.CONTAINER_MEMORY));
  }

  @Test
  void aHeapThatWillNotFitIsSaidBeforeItIsTaken() {
    // 700 - 512 = 188 MiB outside of it, and 900 with it: 1,088 MiB.
    Finding finding = only(rule, process(700, 700, 900));
    assertEquals(
        "the process has 700 MiB in memory, 70.0 % of the container's limit (1,000 MiB); the maximum"
            + " heap (900 MiB) and the memory outside the heap (at least 188 MiB) take 1.06 GiB together",
        finding.statement());
    assertTrue(weakens(finding, Hypothesis.CONTAINER_MEMORY));
    assertFalse(supports(finding, Hypothesis.CONTAINER_MEMORY));
  }

  /** A stalled pool: the heap's samples come from collections, and none is in the incident. */
  @Test
  void withoutACollectionInTheIncidentTheHeapIsThatOfTheTimeBefore() {
    // Of 700 MiB it is not known how much is heap.
    assertSilent(rule, withoutCollections());
    // 700 - 512 = 188 MiB outside of it, and 900 with it: 1,088 MiB = 1.06 GiB.
    assertTrue(
        only(
                rule,
                withoutCollections().heapAfterCollection(30, Bytes.ofMebi(300), Bytes.ofMebi(512)))
            .statement()
            .endsWith("the memory outside the heap (at least 188 MiB) take 1.06 GiB together"));
  }

  private static IncidentBuilder withoutCollections() {
    return incident()
        .maxHeap(900)
        .sample(new MemoryLimit(at(0), Bytes.ofMebi(1000), READ))
        .sample(new ResidentMemory(at(90), Bytes.ofMebi(700), READ));
  }

  /** Mapped files fill a limit too, and the kernel can take their pages back. */
  @Test
  void whatFilledTheLimitBeforeIsNotWhatChanged() {
    Finding finding = only(rule, process(960, 970, 512));
    assertTrue(weakens(finding, Hypothesis.CONTAINER_MEMORY));
    assertFalse(supports(finding, Hypothesis.CONTAINER_MEMORY));
    assertEquals(Optional.of("960 MiB"), finding.figures().get(0).before());
  }

  @Test
  void whatIsLargerThanTheLimitIsNotInMemory() {
    assertSilent(rule, process(700, 1500, 900));
  }

  /** Its heap is mapped three times, and the resident set counts each. */
  @Test
  void theResidentSetOfZgcWithoutGenerationsIsNotJudged() {
    assertSilent(rule, process(700, 960, 512).collector("ZGC").jdk("21.0.4"));
    for (IncidentBuilder once :
        List.of(
            process(700, 960, 512).collector("ZGC").jdk("21.0.4").flag("ZGenerational", "true"),
            process(700, 960, 512).collector("ZGC").jdk("25.0.1"))) {
      assertTrue(supports(only(rule, once), Hypothesis.CONTAINER_MEMORY));
    }
    assertSilent(
        rule, process(700, 960, 512).collector("ZGC").jdk("23").flag("ZGenerational", "false"));
  }

  @Test
  void whatHasRoomIsNotWorthAWord() {
    assertSilent(rule, process(700, 700, 512));
  }

  @Test
  void whereTheKernelSwapsItDoesNotKill() {
    assertSilent(
        rule,
        process(700, 990, 512)
            .sample(new SwapSpace(at(90), Bytes.ofMebi(100), Optional.empty(), READ)));
    // 20 of 1,000 MiB are what most machines have there.
    Finding finding =
        only(
            rule,
            process(700, 990, 512)
                .sample(new SwapSpace(at(90), Bytes.ofMebi(20), Optional.empty(), READ)));
    assertTrue(supports(finding, Hypothesis.CONTAINER_MEMORY));
  }

  @Test
  void withoutALimitOrTheMemoryInUseNothingIsSaid() {
    assertSilent(
        rule, incident().maxHeap(900).sample(new ResidentMemory(at(90), Bytes.ofMebi(990), READ)));
    assertSilent(
        rule, incident().maxHeap(900).sample(new MemoryLimit(at(0), Bytes.ofMebi(100), READ)));
  }

  @Test
  void thePartsThatGrewMostAreNamed() {
    IncidentBuilder incident = process(700, 960, 512);
    grow(incident, "Thread", 50, 300);
    grow(incident, "Code", 40, 48);
    grow(incident, "Java Heap", 512, 512);
    assertEquals(
        List.of("committed by Thread: 50 MiB -> 300 MiB", "committed by Code: 40 MiB -> 48 MiB"),
        only(rule, incident).arithmetic());
  }

  private static void grow(IncidentBuilder incident, String part, int from, int to) {
    incident
        .sample(new NativeMemory(at(1), part, Bytes.ofMebi(from), READ))
        .sample(new NativeMemory(at(100), part, Bytes.ofMebi(to), READ));
  }

  /** 800, 880, 930 of 1,000 MiB: another step of 80 does not fit into the 70 that are left. */
  @Test
  void aRecordingThatBreaksOffBeforeAStepBeyondTheLimitIsThatOfAKilledProcess() {
    ResidentMemory between = new ResidentMemory(at(80), Bytes.ofMebi(880), READ);
    assertTrue(
        weakens(only(rule, process(800, 930, 700).sample(between)), Hypothesis.CONTAINER_MEMORY));
    Finding finding =
        only(
            rule,
            process(800, 930, 700).sample(between).sample(new UnfinishedRecording(at(0), READ)));
    assertTrue(warns(finding, Hypothesis.CONTAINER_MEMORY));
    assertTrue(
        finding
            .arithmetic()
            .contains(
                "largest rise between two readings: 80 MiB > 70 MiB left; the recording breaks off"),
        finding.arithmetic()::toString);
  }

  @Test
  void aProcessThatShrankAgainOrWhoseHeapFitsWasNotKilledForItsMemory() {
    Finding shrank =
        only(
            rule,
            process(800, 930, 700)
                .sample(new ResidentMemory(at(80), Bytes.ofMebi(880), READ))
                .sample(new ResidentMemory(at(100), Bytes.ofMebi(850), READ))
                .sample(new UnfinishedRecording(at(0), READ)));
    assertTrue(weakens(shrank, Hypothesis.CONTAINER_MEMORY));
    // 930 - 512 = 418 MiB outside the heap, and 512 in it: 930 of 1,000.
    assertSilent(
        rule,
        process(800, 930, 512)
            .sample(new ResidentMemory(at(80), Bytes.ofMebi(880), READ))
            .sample(new UnfinishedRecording(at(0), READ)));
  }
}
