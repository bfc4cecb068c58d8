package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.figures.Metric;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From files to an answer, each kind of input alone. */
@Tag("slow")
class AnalysisTest {

  private static Diagnosis run(Path... paths) {
    return run(Optional.empty(), paths);
  }

  private static Diagnosis run(Optional<WindowRequest> incident, Path... paths) {
    List<AnalysisRequest.Input> inputs =
        Arrays.stream(paths).map(p -> new AnalysisRequest.Input(p, Optional.empty())).toList();
    return Analysis.run(AnalysisRequest.of(inputs).within(incident, Optional.empty()));
  }

  static Stream<Path> samples() throws IOException {
    Path folder =
        SampleFiles.file("gc-logs/g1-jdk17-gc-only.log").toAbsolutePath().getParent().getParent();
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everySampleGivesAWholeAnswer(Path sample) {
    Diagnosis diagnosis = run(sample);
    // One that holds two formats is listed twice; the two archives hold two files each.
    boolean archive = sample.getFileName().toString().contains(".tar.");
    assertEquals(
        archive ? 2 : 1, diagnosis.inputs().stream().map(InputReport::file).distinct().count());
    assertEquals(Hypothesis.catalogue().size(), diagnosis.judgements().size());
    assertFalse(diagnosis.summary().isBlank());
    assertEquals(
        diagnosis.conclusion() == Conclusion.PRIMARY_SUSPECT,
        diagnosis.primarySuspect().isPresent());
    double shares =
        diagnosis.judgements().stream()
            .mapToDouble(judgement -> judgement.share().explained().orElse(0))
            .sum();
    assertTrue(shares + diagnosis.lostTime().unexplainedShare() <= 1 + 1e-9);
    assertTrue(diagnosis.lostTime().unexplainedShare() >= 0);
    for (Judgement judgement : diagnosis.judgements()) {
      assertFalse(judgement.reason().isBlank());
      judgement.findings().forEach(finding -> assertFalse(finding.sources().isEmpty()));
    }
    for (Metric metric : diagnosis.figures().metrics()) {
      assertTrue(Double.isFinite(metric.incident().orElse(0)), metric::name);
    }
  }

  @Test
  void theSameFilesAlwaysGiveTheSameAnswer() {
    Path log = SampleFiles.file("gc-logs/g1-jdk17-gc-heap-cpu.log");
    Path dump = SampleFiles.file("thread-dumps/jcmd-jdk17.txt");
    assertEquals(run(log, dump), run(log, dump));
  }

  @Test
  void aLogAloneCannotShowThatUsersWereNotKeptWaiting(@TempDir Path folder) throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("gc.log"),
            """
            [0.003s][info][gc] Using G1
            [1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
            [9.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
            [17.000s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
            """);
    Diagnosis diagnosis = run(log);
    assertEquals(Conclusion.UNDECIDED, diagnosis.conclusion());
    assertTrue(diagnosis.summary().startsWith("These inputs cannot show"));
    assertTrue(
        diagnosis.judgements().stream()
            .anyMatch(
                j ->
                    j.hypothesis() == Hypothesis.LOCK_CONTENTION
                        && j.verdict() == Verdict.NOT_ENOUGH_DATA));
  }

  @Test
  void aLogOfAMomentIsSaidToBeTooShort() {
    Diagnosis diagnosis = run(SampleFiles.file("gc-logs/zgc-jdk17-gc-only.log"));
    assertEquals(Conclusion.UNDECIDED, diagnosis.conclusion());
    assertTrue(diagnosis.summary().contains("which is too short"), diagnosis::summary);
  }

  @Test
  void aLoadTestAloneHasItsFiguresAndNoCause() {
    Diagnosis diagnosis = run(SampleFiles.file("load/k6-1.8-summary-export.json"));
    assertEquals(Status.OK, diagnosis.inputs().get(0).status());
    assertEquals(Conclusion.UNDECIDED, diagnosis.conclusion());
    assertTrue(
        diagnosis.figures().metrics().stream().anyMatch(m -> m.name().equals("request.rate")));
  }

  @Test
  void noInputAtAllIsAnAnswerToo() {
    Diagnosis diagnosis = run();
    assertEquals(List.of(), diagnosis.inputs());
    assertEquals(Conclusion.UNDECIDED, diagnosis.conclusion());
    assertFalse(diagnosis.windows().dated());
  }

  @Test
  void aWindowOutsideOfTheInputsIsRefused() {
    assertThrows(
        WindowRequest.RefusedException.class,
        () ->
            run(
                Optional.of(WindowRequest.parse("10h..11h")),
                SampleFiles.file("gc-logs/g1-jdk17-gc-only.log")));
  }
}
