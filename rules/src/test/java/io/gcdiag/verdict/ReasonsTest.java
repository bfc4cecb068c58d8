package io.gcdiag.verdict;

import static io.gcdiag.books.Hypothesis.MEMORY_PRESSURE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Which finding is the first that a report has of a cause, and what it says of a missing signal.
 */
class ReasonsTest {

  private final List<Finding> findings =
      List.of(
          finding("refutes").refutes(MEMORY_PRESSURE).build(),
          finding("weakens").weakens(MEMORY_PRESSURE).build(),
          finding("accompanies").accompanies(MEMORY_PRESSURE).build(),
          finding("supports").supports(MEMORY_PRESSURE).build(),
          finding("explains").explains(MEMORY_PRESSURE, Effect.STOPPED, 1).build(),
          finding("proves").proves(MEMORY_PRESSURE).build(),
          finding("pending").supports(MEMORY_PRESSURE, true).build());

  private static FindingBuilder finding(String statement) {
    return Finding.of("a-rule", statement).from(new Source("gc.log", "pauses"));
  }

  private List<String> ordered(Verdict verdict) {
    return Reasons.ordered(findings, MEMORY_PRESSURE, verdict).stream()
        .map(Finding::statement)
        .toList();
  }

  @Test
  void ofASuspectTheEvidenceForItComesFirst() {
    List<String> strongestFirst =
        List.of("pending", "explains", "proves", "supports", "accompanies", "weakens", "refutes");
    assertEquals(strongestFirst, ordered(Verdict.PRIMARY_SUSPECT));
    assertEquals(strongestFirst, ordered(Verdict.CONTRIBUTING));
  }

  @Test
  void ofAnyOtherCauseTheEvidenceAgainstItComesFirst() {
    assertEquals(
        List.of("refutes", "weakens", "accompanies", "supports", "explains", "proves", "pending"),
        ordered(Verdict.RULED_OUT));
  }

  @Test
  void theReasonNamesASignalThatIsMissingOnlyWhereItLeavesTheCauseOpen() {
    List<Finding> one = findings.subList(3, 4);
    List<Signal> missing = List.of(Signal.GC_PAUSES);
    String needs =
        "needs " + Signal.GC_PAUSES.description() + ": " + Signal.GC_PAUSES.howToRecord();
    assertEquals("supports; " + needs, reason(Verdict.NOT_ENOUGH_DATA, one, missing));
    assertEquals("supports", reason(Verdict.NOT_ENOUGH_DATA, one, List.of()));
    assertEquals("supports", reason(Verdict.NOT_INDICATED, one, missing));
    assertEquals(needs, reason(Verdict.NOT_ENOUGH_DATA, List.of(), missing));
    assertEquals(
        "the inputs hold no data on it", reason(Verdict.NOT_ENOUGH_DATA, List.of(), List.of()));
    assertEquals("checked, not indicated", reason(Verdict.NOT_INDICATED, List.of(), missing));
  }

  @Test
  void thePrimarySuspectHasTwoReasonsAndNoneAgainstIt() {
    List<Finding> both =
        List.of(findings.get(4), findings.get(1), findings.get(3), findings.get(2));
    assertEquals("explains; supports", reason(Verdict.PRIMARY_SUSPECT, both, List.of()));
    assertEquals("explains", reason(Verdict.CONTRIBUTING, both, List.of()));
  }

  private static String reason(Verdict verdict, List<Finding> about, List<Signal> missing) {
    return Reasons.of(MEMORY_PRESSURE, verdict, about, missing);
  }
}
