package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class JudgementTest {

  private static FindingBuilder finding(String statement) {
    return Finding.of("a-rule", statement).from(new Source("gc.log", "pauses"));
  }

  private static List<String> figures(Finding... findings) {
    return new Judgement(
            Hypothesis.MEMORY_PRESSURE,
            Verdict.PRIMARY_SUSPECT,
            new Judgement.Share(OptionalDouble.of(0.8), Optional.empty()),
            new Judgement.Rating(Optional.empty(), "", ""),
            "the reason",
            List.of(findings),
            List.of(),
            List.of(),
            Advice.NONE)
        .keyFigures();
  }

  @Test
  void theFirstFigureOfEachClaimComesBeforeTheSecondOfAny() {
    Finding pauses =
        finding("pauses")
            .figure("pause time per minute", Optional.of("1.5 s"), "8.97 s")
            .figure("longest pause", "972 ms")
            .explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1)
            .build();
    Finding heap =
        finding("heap")
            .figure("heap free", OptionalDouble.of(19.25), 2.5, value -> value + " %")
            .supports(Hypothesis.MEMORY_PRESSURE)
            .build();
    Finding failures =
        finding("failures")
            .figure("full GCs", "3")
            .figure("failures", "12")
            .supports(Hypothesis.MEMORY_PRESSURE)
            .build();
    assertEquals(
        List.of("pause time per minute: 1.5 s -> 8.97 s", "heap free: 19.25 % -> 2.5 %"),
        figures(pauses, heap).subList(0, 2));
    assertEquals("longest pause: 972 ms", figures(pauses, heap).get(2));
    assertEquals(
        List.of("pause time per minute: 1.5 s -> 8.97 s", "heap free: 19.25 % -> 2.5 %"),
        figures(pauses, heap, failures).subList(0, 2));
    assertEquals("full GCs: 3", figures(pauses, heap, failures).get(2));
  }

  @Test
  void whatSpeaksAgainstItOrForOthersHasNoPart() {
    Finding against =
        finding("roomy")
            .figure("heap free", "90 %")
            .weakens(Hypothesis.MEMORY_PRESSURE)
            .supports(Hypothesis.ALLOCATION_CHURN)
            .build();
    assertEquals(List.of("the reason"), figures(against));
  }

  @Test
  void withoutAFigureTheFirstClauseStandsInForIt() {
    Finding words =
        finding("the heap is full; and stays so").supports(Hypothesis.MEMORY_PRESSURE).build();
    Finding figure =
        finding("3 full GCs").figure("full GCs", "3").supports(Hypothesis.MEMORY_PRESSURE).build();
    assertEquals(List.of("the heap is full"), figures(words));
    assertEquals(List.of("full GCs: 3"), figures(words, figure));
  }

  private static String brief(Verdict verdict, double share) {
    Finding queue =
        finding("at least 15 requests wait for a thread")
            .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT, 1)
            .build();
    return new Judgement(
            Hypothesis.THREAD_POOL_EXHAUSTED,
            verdict,
            new Judgement.Share(OptionalDouble.of(share), Optional.empty()),
            new Judgement.Rating(Optional.empty(), "", ""),
            "",
            List.of(queue),
            List.of(),
            List.of(),
            Advice.NONE)
        .brief();
  }

  @Test
  void evidenceForACauseThatIsNoSuspectSaysHowLittleOfTheTimeIsLeftForIt() {
    assertEquals(
        "at least 15 requests wait for a thread: explains none of the lost time",
        brief(Verdict.NOT_INDICATED, 0));
    assertEquals(
        "at least 15 requests wait for a thread: explains little of the lost time",
        brief(Verdict.NOT_INDICATED, 0.04));
    assertEquals("at least 15 requests wait for a thread", brief(Verdict.CONTRIBUTING, 0.2));
  }
}
