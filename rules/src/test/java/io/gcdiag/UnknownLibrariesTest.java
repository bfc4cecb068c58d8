package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.frames.JdkFrames;
import io.gcdiag.verdict.Confidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is said of the incidents if none of their servers, pools, clients and libraries is known, as
 * it is with those of a company's own: the figures remain, and words of the code itself. Less may
 * then be said, and nothing false with confidence.
 */
@Tag("slow")
@Tag("incidents")
class UnknownLibrariesTest {

  private static final ReadOptions NOTHING_KNOWN =
      new ReadOptions(Map.of(), JdkFrames.book(), JfrReader.OWN, false, Progress.NONE);

  private static final List<PartialAnswer> ANSWERS =
      PartialAnswer.of(some(), PartialAnswer.USUAL, NOTHING_KNOWN);

  /**
   * A third of the incidents, or with {@code -Dgcdiag.choices=all} all: each is read anew. They are
   * chosen by name, so that a new incident changes nothing for the others.
   */
  private static List<RecordedIncident> some() {
    int parts = "all".equals(System.getProperty("gcdiag.choices")) ? 1 : 3;
    return Incidents.recorded().stream()
        .filter(incident -> Math.floorMod(incident.name().hashCode(), parts) == 0)
        .toList();
  }

  @Test
  void noWrongSuspectIsNamedWithHighConfidence() {
    assertEquals(
        List.of(),
        ANSWERS.stream()
            .filter(answer -> answer.grade() == Grade.WRONG)
            .filter(answer -> answer.confidence().equals(Optional.of(Confidence.HIGH)))
            .map(PartialAnswer::words)
            .toList());
  }

  // By all files: a limiter that is not known looks like a pool to which nothing is returned.
  @ParameterizedTest
  @CsvSource({"ALL, 1", "RECORDING, 2", "LOG_AND_DUMPS, 0", "LOAD_AND_DUMPS, 1"})
  void hardlyAnyAnswerIsWrong(Part part, int most) {
    List<String> wrong =
        ANSWERS.stream()
            .filter(answer -> answer.part() == part && answer.grade() == Grade.WRONG)
            .map(PartialAnswer::words)
            .toList();
    assertTrue(wrong.size() <= most, wrong::toString);
  }

  @ParameterizedTest
  @CsvSource({"ALL, 0.8", "RECORDING, 0.75", "LOG_AND_DUMPS, 0.6", "LOAD_AND_DUMPS, 0.55"})
  void mostIncidentsAreNamedAllTheSame(Part part, double least) {
    PartialAnswer.assertNamed(ANSWERS, part, least);
  }
}
