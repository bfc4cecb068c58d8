package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The reports on every recorded incident are those that somebody read and approved. They show that
 * nothing changed; whether it is right is the business of {@code truth.json}.
 */
@Tag("slow")
class ApprovedReportsTest {

  private static final Map<ReportFormat, String> FILES =
      new TreeMap<>(
          Map.of(
              ReportFormat.TABLE, "report.txt",
              ReportFormat.MARKDOWN, "report.md",
              ReportFormat.HTML, "report.html",
              ReportFormat.JSON, "report.json",
              ReportFormat.JUNIT, "report.xml"));

  /** Approved reports name this version whatever the version is, so that a release changes none. */
  private static final String APPROVED_VERSION = "0.1.0";

  /** The other formats of an incident, a line each. */
  private static final String DIGESTS = "digests.txt";

  @TestFactory
  Stream<DynamicTest> everyReportIsAsApproved() {
    return Incidents.all().stream()
        .flatMap(
            folder -> {
              Map<ReportFormat, String> reports = reports(folder);
              return Stream.concat(
                  reports.keySet().stream()
                      .filter(format -> isHeld(folder, format))
                      .map(
                          format ->
                              DynamicTest.dynamicTest(
                                  folder.getFileName() + " " + format.id(),
                                  () -> check(approved(folder, format), reports.get(format)))),
                  Stream.of(
                      DynamicTest.dynamicTest(
                          folder.getFileName() + " in all formats",
                          () ->
                              check(
                                  folder.resolve("approved").resolve(DIGESTS), digests(reports)))));
            });
  }

  private static Map<ReportFormat, String> reports(Path folder) {
    DiagnosisDocument document = diagnose(folder);
    Map<ReportFormat, String> reports = new TreeMap<>();
    FILES
        .keySet()
        .forEach(
            format ->
                reports.put(format, withApprovedVersion(format.render(document, Look.PLAIN))));
    return reports;
  }

  /** JSON names the tool's version, and HTML holds the same JSON. */
  private static String withApprovedVersion(String report) {
    String named = "\"name\": \"gcdiag\",\n    \"version\": \"%s\"";
    return report.replace(named.formatted(Version.number()), named.formatted(APPROVED_VERSION));
  }

  private static String digests(Map<ReportFormat, String> reports) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<ReportFormat, String> report : reports.entrySet()) {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(report.getValue().getBytes(StandardCharsets.UTF_8));
      lines
          .append(HexFormat.of().formatHex(digest))
          .append("  ")
          .append(FILES.get(report.getKey()))
          .append('\n');
    }
    return lines.toString();
  }

  /**
   * The text of every incident is held to be read. The other formats say the same; of each incident
   * their digests are held, so that no change in any format goes unseen, and they themselves where
   * somebody put such a file: a hundred pages of half a megabyte would be most of this repository.
   */
  private static boolean isHeld(Path folder, ReportFormat format) {
    return format == ReportFormat.TABLE || Files.exists(approved(folder, format));
  }

  private static Path approved(Path folder, ReportFormat format) {
    return folder.resolve("approved").resolve(FILES.get(format));
  }

  private static void check(Path approved, String report) throws IOException {
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
    return new DiagnosisDocument(Analysis.run(AnalysisRequest.of(folder)));
  }
}
