package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.Metric;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A recorded incident whose load test comes from a machine with another clock, another zone, or a
 * tool with another unit: that is said, and nothing is joined that does not belong together.
 *
 * <p>The recording is of 13:34:40 to 13:35:20 UTC, and JMeter's result of 13:34:41 to 13:35:18.
 */
@Tag("slow")
class WrongClocksTest {

  private static final Path INCIDENT = Incidents.folder("login-on-200-threads");

  /** Columns of JMeter's result. */
  private static final int TIME = 0;

  private static final int ELAPSED = 1;

  @TempDir Path folder;

  private Diagnosis diagnose(List<Path> files, Map<String, MetricMeaning> meanings) {
    return Analysis.run(
        AnalysisRequest.of(files.toArray(Path[]::new)).with(ReadOptions.STANDARD.with(meanings)));
  }

  /** The incident with its load test changed column by column. */
  private Diagnosis with(int column, UnaryOperator<String> change) throws IOException {
    Path changed = folder.resolve("load.jtl");
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(INCIDENT.resolve("load.jtl"))) {
      String[] cells = line.split(",", -1);
      if (!lines.isEmpty()) {
        cells[column] = change.apply(cells[column]);
      }
      lines.add(String.join(",", cells));
    }
    Files.write(changed, lines);
    List<Path> files = new ArrayList<>(inputs(name -> !name.equals("load.jtl")));
    files.add(changed);
    return diagnose(files, Map.of());
  }

  private static List<Path> inputs(Predicate<String> wanted) {
    try (Stream<Path> files = Files.list(INCIDENT)) {
      return files
          .filter(Files::isRegularFile)
          .filter(f -> f.toString().matches(".*(\\.jfr\\.gz|\\.jtl|/metrics-\\d\\.txt)"))
          .filter(f -> wanted.test(f.getFileName().toString()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Diagnosis shifted(Duration by) throws IOException {
    return with(TIME, stamp -> String.valueOf(Long.parseLong(stamp) + by.toMillis()));
  }

  private static Optional<String> note(Diagnosis diagnosis, String file) {
    return diagnosis.inputs().stream()
        .filter(input -> input.file().equals(file))
        .filter(input -> input.status() == InputReport.Status.LEFT_OUT)
        .map(InputReport::note)
        .findFirst();
  }

  private static List<String> titles(Diagnosis diagnosis) {
    return diagnosis.figures().metrics().stream().map(Metric::title).toList();
  }

  @Test
  void theRightClockIsNotWorthAWord() throws IOException {
    Diagnosis right = shifted(Duration.ZERO);
    assertEquals(Optional.empty(), note(right, "load.jtl"));
    assertTrue(titles(right).contains("P99 latency"));
    assertEquals(List.of(), units(right));
  }

  @Test
  void twoMinutesApartAreAnotherRunOrAnotherClock() throws IOException {
    Diagnosis diagnosis = shifted(Duration.ofMinutes(2));
    String note = note(diagnosis, "load.jtl").orElseThrow();
    assertTrue(note.contains("another run, or clocks that differ"), note);
    assertFalse(note.contains("time zone"), note);
    assertNotJoined(diagnosis);
  }

  @ParameterizedTest
  @CsvSource({"60, 1 h 0 min back", "330, 5 h 30 min back", "-480, 8 h 0 min on"})
  void aDistanceLikeThatOfATimeZoneIsSaidToBeOne(long minutes, String moved) throws IOException {
    Diagnosis diagnosis = shifted(Duration.ofMinutes(minutes));
    String note = note(diagnosis, "load.jtl").orElseThrow();
    assertTrue(note.contains("shifted by " + moved + ", as between time zones"), note);
    assertNotJoined(diagnosis);
  }

  /** Nothing of a test of another time is used. */
  private static void assertNotJoined(Diagnosis diagnosis) {
    assertFalse(titles(diagnosis).contains("P99 latency, whole test"));
    assertFalse(titles(diagnosis).contains("P99 latency"));
    // "requests took longer" is what a window says that was found by the load test.
    assertFalse(diagnosis.windows().reason().contains("requests"), diagnosis.windows()::reason);
  }

  @Test
  void aTableInLocalTimeWithoutAZoneIsSaidToBeOff() throws IOException {
    Path table = folder.resolve("panel.csv");
    List<String> lines = new ArrayList<>(List.of("Time,sessions"));
    for (int second = 0; second < 40; second += 5) {
      LocalDateTime utc =
          LocalDateTime.ofInstant(
              Instant.parse("2026-11-21T13:34:35Z").plusSeconds(second), ZoneOffset.UTC);
      lines.add(utc.plusHours(1).toString().replace('T', ' ') + "," + second);
    }
    Files.write(table, lines);
    List<Path> files = new ArrayList<>(inputs(name -> true));
    files.add(table);
    String note = note(diagnose(files, Map.of()), "panel.csv").orElseThrow();
    assertTrue(note.contains("shifted by 1 h 0 min back, as between time zones"), note);
  }

  private static List<CrossCheck> units(Diagnosis diagnosis) {
    return diagnosis.crossChecks().stream()
        .filter(check -> check.tolerance().contains("another unit"))
        .toList();
  }

  @Test
  void secondsReadAsMillisecondsCannotBe() throws IOException {
    // As a tool would write it that counts in seconds: 6,645 ms are 6.645.
    Diagnosis diagnosis =
        with(ELAPSED, millis -> String.valueOf(Math.round(Long.parseLong(millis) / 1e3)));
    // Then the slowest request took 20 ms, and threads of requests waited longer for their clients.
    assertTrue(
        note(diagnosis, "load.jtl").orElse("").contains("or in another unit"),
        () -> diagnosis.inputs().toString());
  }

  @Test
  void latenciesAThousandTimesTheServicesOwnAreAskedAbout() throws IOException {
    Diagnosis diagnosis = with(ELAPSED, millis -> millis + "000");
    assertTrue(
        units(diagnosis).stream()
            .anyMatch(check -> check.fact().equals("mean latency, in seconds")),
        () -> diagnosis.crossChecks().toString());
  }

  @Test
  void aTimeWhoseUnitNothingSaysIsAskedFor() throws IOException {
    Path table = folder.resolve("panel.csv");
    Files.writeString(
        table,
        """
        Time,p95,p99_ms
        2026-11-21T13:34:40Z,120,350
        2026-11-21T13:34:50Z,130,360
        """);
    List<Path> files = new ArrayList<>(inputs(name -> name.startsWith("recording")));
    files.add(table);
    Diagnosis diagnosis =
        diagnose(files, Map.of("p95", MetricMeaning.LATENCY, "p99_ms", MetricMeaning.LATENCY));
    List<String> asked =
        diagnosis.limits().stream()
            .map(limit -> limit.text())
            .filter(limit -> limit.contains("state a unit"))
            .toList();
    assertEquals(1, asked.size(), asked::toString);
    assertTrue(asked.get(0).startsWith("p95: neither its name nor its values state a unit"));
  }
}
