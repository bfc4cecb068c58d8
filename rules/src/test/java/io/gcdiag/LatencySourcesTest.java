package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.verdict.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Blind runs with an access log, spans and timers: beside the recording each source alone names
 * what all files name, or nothing.
 */
@Tag("slow")
@Tag("incidents")
class LatencySourcesTest {

  private static final List<String> SOURCES = List.of("access", "spans", "metrics");

  /** The suspect by all files, and those by one source and the recording. */
  private record Answer(String run, String source, Optional<String> all, List<String> alone) {}

  /** Of all of them together 40 s of CPU would be needed. */
  private static final int ONE_IN = 7;

  @Test
  void eachSourceOfLatencyAloneNamesTheSameSuspectOrNone() {
    List<RecordedIncident> runs =
        Incidents.onceBlind().stream()
            .filter(run -> SOURCES.stream().allMatch(name -> file(run, name).isPresent()))
            .toList();
    List<Answer> answers =
        IntStream.range(0, runs.size())
            .filter(number -> number % ONE_IN == 0)
            .mapToObj(runs::get)
            .flatMap(LatencySourcesTest::answers)
            .toList();
    assertTrue(answers.stream().filter(one -> one.all().isPresent()).count() >= 9);
    assertEquals(
        List.of(),
        answers.stream()
            .filter(one -> !one.alone().isEmpty())
            .filter(one -> one.all().filter(one.alone()::contains).isEmpty())
            .toList());
  }

  private static Stream<Answer> answers(RecordedIncident run) {
    Optional<String> all = IncidentDiagnoses.of(run).primarySuspect().map(Hypothesis::id);
    Path recording = file(run, "recording").orElseThrow();
    return SOURCES.stream()
        .map(
            source ->
                new Answer(
                    run.name(), source, all, suspects(recording, file(run, source).orElseThrow())));
  }

  /** One, none, or two that are not separable. */
  private static List<String> suspects(Path recording, Path source) {
    return Analysis.run(AnalysisRequest.of(recording, source)).judgements().stream()
        .filter(one -> one.verdict() == Verdict.PRIMARY_SUSPECT)
        .map(one -> one.hypothesis().id())
        .toList();
  }

  private static Optional<Path> file(RecordedIncident run, String start) {
    try (Stream<Path> files = Files.list(run.folder())) {
      return files.filter(file -> file.getFileName().toString().startsWith(start)).findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
