package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Every log of the project, and every one of a folder of others' logs, is read with the number, the
 * sum and the longest of its pauses, and with the number of its safepoints, that {@link LogCount}
 * finds.
 *
 * <pre>
 * ./mvnw -pl rules -am test -Dtest=LogCountTest -Dgcdiag.corpus=FOLDER
 * </pre>
 */
@Tag("slow")
class LogCountTest {

  private static final String CORPUS = "gcdiag.corpus";

  /**
   * Logs in which a plain count is wrong, and two files that hold no line of a collection; each is
   * argued in docs/inputs/gc-log.md. Any other file that is not recognised fails.
   */
  private static final Set<String> ARGUED =
      Set.of(
          "SampleOpenJdk1_8_0ShenandoahDetailsShutdown.txt",
          "SampleSun1_7_0ParallelReference.txt",
          "SampleSun1_8_0CMS_ScavengeBR_HeapAtGC_TenuringDist_PrintFLS.txt",
          "SampleSun1_8_0CMS_ScavengeBeforeRemark_HeapAtGc.txt");

  @TestFactory
  List<DynamicTest> samples() throws IOException {
    List<Path> logs = files(SampleFiles.file("gc-logs/g1-jdk17.log.gz").getParent());
    assertFalse(logs.isEmpty());
    return tests(logs);
  }

  @TestFactory
  List<DynamicTest> incidents() throws IOException {
    List<Path> logs = new ArrayList<>();
    for (Path incident : Incidents.all()) {
      files(incident).stream()
          .filter(file -> String.valueOf(file.getFileName()).startsWith("gc"))
          .forEach(logs::add);
    }
    assertFalse(logs.isEmpty());
    return tests(logs);
  }

  @TestFactory
  List<DynamicTest> corpus() throws IOException {
    Optional<String> folder = Optional.ofNullable(System.getProperty(CORPUS));
    assumeFalse(folder.isEmpty(), "no folder given");
    return tests(files(Path.of(folder.get())));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !ARGUED.contains(String.valueOf(file.getFileName())))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  private static List<DynamicTest> tests(List<Path> logs) {
    return logs.stream()
        .map(
            log ->
                dynamicTest(
                    log.getParent().getFileName() + "/" + log.getFileName(), () -> check(log)))
        .toList();
  }

  private static void check(Path file) throws IOException {
    GcLog log = read(file);
    LogCount count = LogCount.of(file);

    assertEquals(count.pauses(), log.pauses.size(), "pauses");
    assertEquals(nanos(count.millis()), sum(log), "sum of the pauses");
    assertEquals(nanos(count.longest()), longest(log), "longest GC pause");
    assertEquals(count.stops(), log.stalls.size(), "safepoints");
  }

  private static GcLog read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return GcLogReader.read(in);
    }
  }

  private static Duration nanos(BigDecimal millis) {
    return Duration.ofNanos(millis.movePointRight(6).longValueExact());
  }

  private static Duration sum(GcLog log) {
    return LogRow.of(log).stream().map(LogRow::duration).reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration longest(GcLog log) {
    return LogRow.of(log).stream()
        .map(LogRow::duration)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }
}
