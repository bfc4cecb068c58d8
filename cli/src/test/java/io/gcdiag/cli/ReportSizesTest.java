package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A report is read in ten seconds: the text of every recorded incident fits on one screen. */
class ReportSizesTest {

  private static final int MOST_LINES = 70;
  private static final int MOST_LINES_HEALTHY = 40;
  private static final int MOST_COLUMNS = 100;

  @TestFactory
  Stream<DynamicTest> theTextOfEveryIncidentFitsOnOneScreen() {
    return Incidents.all().stream()
        .map(
            folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> fits(folder)));
  }

  private static void fits(Path folder) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("approved/report.txt"));
    boolean healthy = lines.stream().anyMatch(line -> line.startsWith("Healthy"));
    int most = healthy ? MOST_LINES_HEALTHY : MOST_LINES;
    assertTrue(lines.size() <= most, lines.size() + " lines, at most " + most);
    assertEquals(List.of(), lines.stream().filter(line -> line.length() > MOST_COLUMNS).toList());
    assertEquals(
        1, lines.stream().filter(line -> line.startsWith("More ")).count(), "says how to see more");
  }
}
