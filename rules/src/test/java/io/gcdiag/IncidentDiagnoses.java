package io.gcdiag;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.read.RecordingsReadOnce;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What gcdiag reads and says of each recorded incident; each is read and analysed once for all
 * tests of a JVM. Tests that ask for all of them bear the tag {@code incidents}, which brings them
 * into one JVM.
 */
public final class IncidentDiagnoses {

  private static final SoftCache<Path, Known> KNOWN = new SoftCache<>();

  private record Known(Timeline timeline, Diagnosis diagnosis) {}

  private IncidentDiagnoses() {}

  /** What is said of an incident's folder. */
  public static Diagnosis of(RecordedIncident incident) {
    return of(incident.folder());
  }

  /** The same of a folder. */
  public static Diagnosis of(Path folder) {
    return known(folder).diagnosis();
  }

  /** What the files of a folder hold, secrets hidden. */
  public static Timeline timeline(Path folder) {
    return known(folder).timeline();
  }

  /**
   * All recorded incidents, with their diagnoses made: two processors are sooner done with them
   * than a test that asks for one after another.
   */
  public static List<RecordedIncident> all() {
    List<RecordedIncident> all = Incidents.recorded();
    all.parallelStream().forEach(IncidentDiagnoses::of);
    return all;
  }

  /**
   * What is said of some files of an incident. Its recording is read once for all choices of them.
   *
   * @param recording the one among the files that is a recording
   */
  public static Diagnosis ofSome(List<Path> files, Optional<Path> recording, ReadOptions options) {
    return diagnosis(RecordingsReadOnce.read(files, recording, options));
  }

  private static Known known(Path folder) {
    return KNOWN.get(folder, () -> analyse(folder));
  }

  /** The steps of {@link Analysis#run}, which keeps no timeline; a test holds it against them. */
  private static Known analyse(Path folder) {
    RecordingsReadOnce.Choice read =
        RecordingsReadOnce.read(List.of(folder), onlyRecording(folder), ReadOptions.STANDARD);
    return new Known(read.timeline(), diagnosis(read));
  }

  private static Diagnosis diagnosis(RecordingsReadOnce.Choice read) {
    return Privacy.apply(
        Diagnoser.diagnose(read.timeline(), Optional.empty(), Optional.empty()), read.redactor());
  }

  /** The recording of a folder that has one. */
  private static Optional<Path> onlyRecording(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> recordings = files.filter(IncidentDiagnoses::isRecording).toList();
      return recordings.size() == 1 ? Optional.of(recordings.get(0)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isRecording(Path file) {
    return file.getFileName().toString().startsWith("recording");
  }
}
