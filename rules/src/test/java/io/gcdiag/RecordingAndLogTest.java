package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.figures.CrossCheck;
import io.gcdiag.fixtures.RecordedIncident;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The recording and the GC log of one run tell of the same pauses: as many, as long in all, the
 * longest as long, within the resolution of the two clocks.
 */
@Tag("slow")
@Tag("incidents")
class RecordingAndLogTest {

  /** How each of the facts begins that both tell. */
  private static final List<String> FACTS =
      List.of("GC pauses", "time stopped in GC pauses", "longest GC pause");

  static Stream<RecordedIncident> withBoth() {
    return IncidentDiagnoses.all().stream()
        .filter(incident -> has(incident, "recording") && has(incident, "gc"));
  }

  /** A service that hardly allocates pauses at its start only, before it is recorded. */
  static Stream<RecordedIncident> withPauses() {
    return withBoth().filter(incident -> !checks(incident).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("withPauses")
  void bothTellOfTheSamePauses(RecordedIncident incident) {
    List<CrossCheck> checks = checks(incident);
    // A single pause is the sum as well, which is not told twice.
    boolean single = checks.get(0).a().value() == 1 && checks.get(0).b().value() == 1;
    assertEquals(single ? FACTS.size() - 1 : FACTS.size(), checks.size(), checks::toString);
    checks.forEach(check -> assertTrue(check.agrees(), check::toString));
  }

  @Test
  void mostRunsHaveSuchPauses() {
    long all = withBoth().count();
    long told = withPauses().count();

    assertTrue(told >= 0.75 * all, () -> told + " of " + all);
  }

  private static List<CrossCheck> checks(RecordedIncident incident) {
    return IncidentDiagnoses.of(incident).crossChecks().stream()
        .filter(check -> FACTS.stream().anyMatch(check.fact()::startsWith))
        .toList();
  }

  private static boolean has(RecordedIncident incident, String prefix) {
    try (Stream<Path> files = Files.list(incident.folder())) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .anyMatch(
              name -> name.startsWith(prefix) && (name.contains(".jfr") || name.contains(".log")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
