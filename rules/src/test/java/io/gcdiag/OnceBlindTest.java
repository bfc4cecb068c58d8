package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Confidence;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is said of the runs of a blind test, today, beside what was said first. Most rules have been
 * changed since, some for these very runs: the first answers are the measure, and these hold what
 * was gained.
 */
@Tag("slow")
@Tag("incidents")
class OnceBlindTest {

  private static final List<PartialAnswer> ANSWERS =
      PartialAnswer.of(Incidents.onceBlind(), PartialAnswer.USUAL);

  @Test
  void thePageIsNotStale() throws IOException {
    TablePage.write("blind-test.md", OnceBlindTable.rows(ANSWERS));
    TablePage.check("blind-test.md", OnceBlindTable.table(ANSWERS));
  }

  @Test
  void thePageOfConfidenceIsNotStale() throws IOException {
    TablePage.check("reference/confidence.md", ConfidenceTable.table(ANSWERS));
  }

  @Test
  void noSuspectOfHighConfidenceIsWrong() {
    assertEquals(
        List.of(),
        ANSWERS.stream()
            .filter(answer -> answer.confidence().equals(Optional.of(Confidence.HIGH)))
            .filter(answer -> answer.grade() == Grade.WRONG)
            .map(PartialAnswer::words)
            .toList());
  }
}
