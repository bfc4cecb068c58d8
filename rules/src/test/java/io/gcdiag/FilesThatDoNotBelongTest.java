package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files of several recorded incidents in one analysis: nothing of two of them is merged. */
@Tag("slow")
@Tag("incidents")
class FilesThatDoNotBelongTest {

  private static Path file(String incident, String name) {
    return Incidents.folder(incident).resolve(name);
  }

  private static Diagnosis diagnose(Path... files) {
    return Analysis.run(AnalysisRequest.of(files));
  }

  private static Set<String> leftOut(Diagnosis diagnosis) {
    return diagnosis.inputs().stream()
        .filter(input -> input.status() == Status.LEFT_OUT)
        .map(InputReport::file)
        .collect(Collectors.toSet());
  }

  /** The same suspect as without the file that is left out, but never with high confidence. */
  private static void assertNoHigherThanMedium(Diagnosis others, Diagnosis mixed) {
    assertEquals(
        confidence(others).map(sure -> sure == Confidence.HIGH ? Confidence.MEDIUM : sure),
        confidence(mixed));
  }

  private static Optional<Confidence> confidence(Diagnosis diagnosis) {
    return diagnosis.judgements().stream()
        .filter(judgement -> diagnosis.primarySuspect().equals(Optional.of(judgement.hypothesis())))
        .findFirst()
        .orElseThrow()
        .rating()
        .confidence();
  }

  @Test
  void aLogOfAnotherJvmIsLeftOut() {
    Path recording = file("desk-few-workers", "recording.jfr.gz");
    Diagnosis mixed = diagnose(recording, file("mill-journal", "gc.log"));
    assertEquals(Set.of("gc.log"), leftOut(mixed));
    Diagnosis alone = diagnose(recording);
    assertEquals(alone.primarySuspect(), mixed.primarySuspect());
    assertNoHigherThanMedium(alone, mixed);
  }

  @Test
  void ofTwoRecordingsTheOneCountsThatTheOtherFilesAreOf() {
    Path[] ofOne = {
      file("mill-journal", "recording.jfr.gz"),
      file("mill-journal", "gc.log"),
      file("mill-journal", "threads-1.txt")
    };
    Diagnosis mixed =
        diagnose(file("desk-few-workers", "recording.jfr.gz"), ofOne[0], ofOne[1], ofOne[2]);
    assertEquals(Set.of("recording.jfr.gz"), leftOut(mixed));
    assertEquals("slow-disk", mixed.primarySuspect().orElseThrow().id());
    assertNoHigherThanMedium(diagnose(ofOne), mixed);
  }

  @Test
  void aDumpOfAnotherProcessIsLeftOut() {
    Diagnosis mixed =
        diagnose(
            file("mill-journal", "threads-1.txt"),
            file("mill-journal", "threads-2.txt"),
            file("desk-few-workers", "threads-1.txt"));
    assertEquals(Set.of("desk-few-workers/threads-1.txt"), leftOut(mixed));
  }

  @Test
  void aLoadTestOfQuickRequestsIsNotThatOfRequestsThatWaited() {
    Diagnosis mixed =
        diagnose(file("mill-journal", "recording.jfr.gz"), file("quota", "load.json"));
    assertEquals(Set.of("load.json"), leftOut(mixed));
    assertNotEquals(Conclusion.HEALTHY, mixed.conclusion());
  }

  /** k6 counted 4,737 requests in the first test and 3,998 in the second. */
  @Test
  void ofTwoLoadTestsWithoutTimesOneIsUsedAndTheOtherNamed() {
    Diagnosis mixed =
        diagnose(
            file("relay-few-threads", "load.json"),
            file("orders-pool-of-three", "recording.jfr.gz"),
            file("orders-pool-of-three", "load.json"));
    assertEquals(Set.of("load.json"), leftOut(mixed));
    InputReport other =
        mixed.inputs().stream().filter(i -> i.status() == Status.LEFT_OUT).findFirst().get();
    String path = file("relay-few-threads", "load.json").toAbsolutePath().normalize().toString();
    // Quoted for the shell where a folder above has a blank in its name.
    String word = path.contains(" ") ? "'" + path + "'" : path;
    assertEquals(
        "another load test (3,998 requests, mean 2.6 s) than orders-pool-of-three/load.json (4,737"
            + " requests, mean 337 ms), which was used: it has more requests, neither has times; on"
            + " its own: gcdiag analyze "
            + word,
        other.note());
  }

  /** Each recorded folder is of one process and one test. */
  @Test
  void noFileOfARecordedIncidentIsLeftOut() {
    assertEquals(
        List.of(),
        Incidents.recorded().stream()
            .filter(incident -> !leftOut(IncidentDiagnoses.of(incident)).isEmpty())
            .map(incident -> incident.name())
            .toList());
  }

  /** What the JVM writes by itself tells its process, also where the settings are the same. */
  @Test
  void aRecordingOfOneIncidentAndTheLogOfTheNextAreOfTwoJvms() {
    List<Path> folders =
        Incidents.all().stream().filter(FilesThatDoNotBelongTest::isSmall).toList();
    assertTrue(folders.size() > 20, () -> "" + folders.size());
    List<String> merged =
        Stream.iterate(0, i -> i + 2)
            .limit(folders.size() / 2)
            .filter(i -> !startedTogether(folders.get(i), folders.get(i + 1)))
            .filter(i -> leftOut(mixed(folders.get(i), folders.get(i + 1))).isEmpty())
            .map(i -> folders.get(i).getFileName() + " with " + folders.get(i + 1).getFileName())
            .toList();
    assertEquals(List.of(), merged);
  }

  /** Two services of the lab may have been started at a time, with the same settings. */
  private static boolean startedTogether(Path one, Path other) {
    Duration apart =
        Duration.between(
            IncidentDiagnoses.of(one).jvm().start().orElseThrow(),
            IncidentDiagnoses.of(other).jvm().start().orElseThrow());
    return apart.abs().compareTo(Duration.ofSeconds(10)) < 0;
  }

  private static Diagnosis mixed(Path one, Path other) {
    return diagnose(one.resolve("recording.jfr.gz"), other.resolve("gc.log"));
  }

  private static boolean isSmall(Path folder) {
    Path recording = folder.resolve("recording.jfr.gz");
    try {
      return Files.exists(folder.resolve("gc.log"))
          && Files.exists(recording)
          && Files.size(recording) < 300_000;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
