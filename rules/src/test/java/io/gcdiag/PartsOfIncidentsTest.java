package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Confidence;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is said of an incident from a part of its files, against {@code parts} of its {@code
 * truth.json}: what can be known from these, by hand. Saying less is allowed, within limits; saying
 * something false is not.
 */
@Tag("slow")
@Tag("incidents")
class PartsOfIncidentsTest {

  private static final List<PartialAnswer> ANSWERS =
      PartialAnswer.of(Incidents.recorded(), EnumSet.allOf(Part.class));

  @Test
  void everyIncidentSaysWhatCanBeKnownFromItsParts() {
    assertEquals(
        List.of(),
        ANSWERS.stream()
            .filter(answer -> answer.ofIncident() && answer.part() != Part.ALL)
            .filter(answer -> !answer.incident().truth().parts().containsKey(answer.part().words()))
            .map(PartialAnswer::words)
            .toList());
  }

  @Test
  void noPartLeadsToAWrongSuspectOrToHealthThatIsNone() {
    assertEquals(
        List.of(),
        ANSWERS.stream()
            .filter(answer -> answer.grade() == Grade.WRONG)
            .map(PartialAnswer::words)
            .toList());
  }

  @Test
  void noPartRulesOutATrueCause() {
    assertEquals(
        List.of(),
        ANSWERS.stream()
            .filter(PartialAnswer::rulesOutTheTruth)
            .map(PartialAnswer::words)
            .toList());
  }

  @ParameterizedTest
  @CsvSource({"ALL, 0.95", "RECORDING, 0.95", "LOG_AND_DUMPS, 0.75", "LOAD_AND_DUMPS, 0.75"})
  void mostIncidentsAreNamedFromAPart(Part part, double least) {
    PartialAnswer.assertNamed(ANSWERS, part, least);
  }

  @ParameterizedTest
  @CsvSource({"HIGH, 0.97", "MEDIUM, 0.85"})
  void confidenceIsHowOftenASuspectIsRight(Confidence confidence, double least) {
    List<PartialAnswer> named =
        ANSWERS.stream()
            .filter(answer -> answer.confidence().equals(Optional.of(confidence)))
            .toList();
    long right = named.stream().filter(answer -> answer.grade() == Grade.RIGHT).count();
    assertTrue(right >= least * named.size(), right + " of " + named.size());
  }
}
