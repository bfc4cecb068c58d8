package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.evidence.EvidenceWithout;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.properties.IncidentFiles;
import io.gcdiag.properties.IncidentFiles.Kind;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Diagnoser;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is said of an incident's recording as if one signal had been switched off when it was
 * recorded. The cause may then not be seen; nothing else may be named in its place with high
 * confidence, and that nothing was seen is no health.
 */
@Tag("slow")
@Tag("incidents")
class MissingSignalsTest {

  /** Without one of these a recording shows only a part of what requests wait for. */
  private static final Set<Signal> OF_DELAYS =
      EnumSet.of(
          Signal.THREAD_PARKS,
          Signal.MONITOR_WAITS,
          Signal.THREAD_SLEEPS,
          Signal.SOCKET_READS,
          Signal.FILE_IO,
          Signal.SAFEPOINTS,
          Signal.CPU_LOAD,
          Signal.CPU_SAMPLES,
          Signal.THREAD_DUMPS);

  private record Answer(Signal missing, PartialAnswer given) {

    String words() {
      return "without " + missing + ": " + given.words();
    }
  }

  private static List<Answer> answers;

  @BeforeAll
  static void askWithoutEach() {
    answers =
        IncidentFiles.onePerService().parallelStream()
            .filter(incident -> IncidentFiles.of(incident).containsKey(Kind.RECORDING))
            .flatMap(MissingSignalsTest::answers)
            .toList();
  }

  private static Stream<Answer> answers(RecordedIncident incident) {
    Timeline whole = read(IncidentFiles.of(incident).get(Kind.RECORDING));
    return OF_DELAYS.stream()
        .filter(signal -> whole.coverage().of(signal).kind() == SignalState.Kind.SEEN)
        .map(
            signal ->
                new Answer(
                    signal,
                    new PartialAnswer(
                        incident,
                        Part.RECORDING,
                        Diagnoser.diagnose(
                            EvidenceWithout.of(whole, signal),
                            Optional.empty(),
                            Optional.empty()))));
  }

  private static Timeline read(List<Path> files) {
    return Ingest.read(
        files.stream()
            .map(file -> new Ingest.Request(file, Optional.empty(), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.hiding(),
        ReadOptions.STANDARD);
  }

  @Test
  void noOtherCauseIsNamedWithHighConfidence() {
    assertEquals(
        List.of(),
        answers.stream()
            .filter(answer -> answer.given().grade() == Grade.WRONG)
            .filter(answer -> answer.given().confidence().equals(Optional.of(Confidence.HIGH)))
            .map(Answer::words)
            .toList());
  }

  @Test
  void aRecordingWithoutASensorOfDelaysIsNeverHealthy() {
    assertEquals(
        List.of(),
        answers.stream()
            .filter(answer -> answer.given().diagnosis().conclusion() == Conclusion.HEALTHY)
            .map(Answer::words)
            .toList());
  }

  @Test
  void whatIsMissingIsNamed() {
    Answer silent =
        answers.stream()
            .filter(answer -> answer.given().incident().name().equals("relay-slow-partner"))
            .filter(answer -> answer.missing() == Signal.SOCKET_READS)
            .findFirst()
            .orElseThrow();
    String summary = silent.given().diagnosis().summary();
    assertTrue(summary.contains(Signal.SOCKET_READS.description()), summary);
  }
}
