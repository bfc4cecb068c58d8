package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.properties.IncidentFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More evidence narrows: without any one of its files, what is said of an incident may be less
 * certain, and names no other suspect; nor is a suspect right only where a file is missing. {@code
 * fixtures/bench/Laws.java --left-out} asks the same of all folders.
 */
@Tag("slow")
class OneFileLessTest {

  /** Incidents whose answer rests on one file: a recording, or one of three dumps. */
  @ParameterizedTest
  @ValueSource(
      strings = {"quota", "mint-pieces-of-a-scan", "toll-stay-connected", "depot", "gallery"})
  void aFileLessMakesNoOtherSuspect(String name) {
    RecordedIncident incident =
        Stream.concat(Incidents.recorded().stream(), Incidents.onceBlind().stream())
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<Path> files = IncidentFiles.flat(IncidentFiles.of(incident).values());
    Grade all = new PartialAnswer(incident, Part.ALL, IncidentFiles.diagnose(files)).grade();
    List<String> others = new ArrayList<>();
    for (Path left : files) {
      List<Path> rest = files.stream().filter(file -> !file.equals(left)).toList();
      PartialAnswer less = new PartialAnswer(incident, Part.ALL, IncidentFiles.diagnose(rest));
      boolean other =
          less.diagnosis().primarySuspect().isPresent()
              && less.grade() != all
              && (all == Grade.RIGHT || less.grade() == Grade.RIGHT);
      if (other) {
        others.add("without " + left.getFileName() + ": " + less.words());
      }
    }
    assertEquals(List.of(), others);
  }
}
