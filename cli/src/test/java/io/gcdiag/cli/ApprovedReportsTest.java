package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The reports on every recorded incident are those that somebody read and approved. They show that
 * nothing changed; whether it is right is the business of {@code truth.json}.
 */
class ApprovedReportsTest {

  private static final Map<ReportFormat, String> FILES =
      new TreeMap<>(
          Map.of(
              ReportFormat.TABLE, "report.txt",
              ReportFormat.MARKDOWN, "report.md",
              ReportFormat.HTML, "report.html",
              ReportFormat.JSON, "report.json"));

  @TestFactory
  Stream<DynamicTest> everyReportIsAsApproved() {
    return Incidents.all().stream()
        .flatMap(
            folder -> {
              DiagnosisDocument document = diagnose(folder);
              return FILES.keySet().stream()
                  .filter(format -> isHeld(folder, format))
                  .map(
                      format ->
                          DynamicTest.dynamicTest(
                              folder.getFileName() + " " + format.id(),
                              () -> check(folder, format, format.render(document, Look.PLAIN))));
            });
  }

  /**
   * The text of every incident is held. The other formats say the same; they are held where
   * somebody put such a file, so that a changed rule does not change every incident three times.
   */
  private static boolean isHeld(Path folder, ReportFormat format) {
    return format == ReportFormat.TABLE || Files.exists(approved(folder, format));
  }

  private static Path approved(Path folder, ReportFormat format) {
    return folder.resolve("approved").resolve(FILES.get(format));
  }

  private static void check(Path folder, ReportFormat format, String report) throws IOException {
    Path approved = approved(folder, format);
    if (System.getProperty("approve") != null) {
      Files.createDirectories(approved.getParent());
      Files.writeString(approved, report);
    }
    String expected = Files.exists(approved) ? Files.readString(approved) : "";
    assertEquals(
        expected,
        report,
        () -> approved + " differs; read the change, then run ./mvnw -B verify -Dapprove");
  }

  private static DiagnosisDocument diagnose(Path folder) {
    return new DiagnosisDocument(
        Analysis.run(
            new AnalysisRequest(
                List.of(new AnalysisRequest.Input(folder, Optional.empty())),
                OperatorFacts.none(),
                Optional.empty(),
                Optional.empty(),
                true)));
  }
}
