package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.docs.Vocabulary;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.report.Version;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.ReportLaw;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The reports on every recorded incident are those that were read and approved. They show that
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

  /** The text with everything, by its digest. */
  private static final String VERBOSE = "report-verbose.txt";

  private static final Look EVERYTHING =
      new Look(false, Look.USUAL, false, true, OptionalLong.empty(), OptionalInt.empty());

  private static final int MOST_IN_A_TICKET = 16_000;
  private static final int JIRA = 32_767;

  /** The Markdown report of {@code --max-size 32k}. */
  private static final String LARGER = "report-32k.md";

  private static final Look FOR_JIRA =
      new Look(false, Look.USUAL, false, false, OptionalLong.of(JIRA), OptionalInt.empty());

  /** Approved reports name this version whatever the version is, so that a release changes none. */
  private static final String APPROVED_VERSION = "0.1.0";

  /** Reports with a headline and tables, as a person reads them. */
  private static final List<String> IN_WORDS =
      List.of(FILES.get(ReportFormat.MARKDOWN), FILES.get(ReportFormat.HTML), VERBOSE, LARGER);

  /** A terminal of 24 lines and 80 columns, where the answer is the screen. */
  private static final Look SCREEN =
      new Look(false, 80, false, false, OptionalLong.empty(), OptionalInt.of(24));

  /** The other formats of an incident, a line each. */
  private static final String DIGESTS = "digests.txt";

  @TestFactory
  Stream<DynamicTest> everyReportIsAsApproved() {
    FirstScreens screens = new FirstScreens();
    Stream<DynamicTest> each =
        Incidents.all().stream()
            .flatMap(
                folder -> {
                  Diagnosis diagnosis = Analysis.run(AnalysisRequest.of(folder));
                  Map<String, String> reports = reports(new DiagnosisDocument(diagnosis));
                  screens.add(folder, diagnosis, reports.get(FILES.get(ReportFormat.TABLE)));
                  return Stream.concat(
                      reports.keySet().stream()
                          .filter(file -> isHeld(folder, file))
                          .map(
                              file ->
                                  DynamicTest.dynamicTest(
                                      folder.getFileName() + " " + file,
                                      () -> check(approved(folder, file), reports.get(file)))),
                      Stream.of(
                          DynamicTest.dynamicTest(
                              folder.getFileName() + " fits into a ticket", () -> fits(reports)),
                          DynamicTest.dynamicTest(
                              folder.getFileName() + " says each thing once and none for nothing",
                              () -> assertEquals(List.of(), ReportSlips.of(reports.get(VERBOSE)))),
                          DynamicTest.dynamicTest(
                              folder.getFileName() + " keeps each law",
                              () -> assertEquals(Map.of(), broken(diagnosis))),
                          DynamicTest.dynamicTest(
                              folder.getFileName() + " adds up in every format",
                              () -> addsUp(diagnosis, reports)),
                          DynamicTest.dynamicTest(
                              folder.getFileName() + " uses the terms of the field",
                              () ->
                                  assertEquals(
                                      List.of(),
                                      Vocabulary.violations(VERBOSE, reports.get(VERBOSE)))),
                          DynamicTest.dynamicTest(
                              folder.getFileName() + " in all formats",
                              () -> check(approved(folder, DIGESTS), digests(reports)))));
                });
    // The tests before have rendered every report.
    return Stream.concat(
        each,
        Stream.of(
            DynamicTest.dynamicTest("the first screens name place and edit", screens::check)));
  }

  private static Map<ReportLaw, List<String>> broken(Diagnosis diagnosis) {
    Map<ReportLaw, List<String>> broken = LawsTest.broken(new DiagnosisDocument(diagnosis));
    broken.values().removeIf(List::isEmpty);
    return broken;
  }

  private static void addsUp(Diagnosis diagnosis, Map<String, String> reports) throws IOException {
    String json = reports.get(FILES.get(ReportFormat.JSON));
    DiagnosisDocument document = new DiagnosisDocument(diagnosis);
    for (String report :
        List.of(
            ReportFormat.JIRA.render(document, Look.PLAIN),
            ReportFormat.TABLE.render(document, SCREEN))) {
      assertEquals(List.of(), ReportSums.ofFormat(json, report));
    }
    for (String file : IN_WORDS) {
      assertEquals(List.of(), ReportSums.ofFormat(json, reports.get(file)), file);
    }
  }

  /** With its folded details; Jira takes 32,767 characters. */
  private static void fits(Map<String, String> reports) {
    String ticket = reports.get(FILES.get(ReportFormat.MARKDOWN));
    assertTrue(ticket.length() <= MOST_IN_A_TICKET, ticket.length() + " characters");
    assertFalse(ticket.contains("the last parts are left out"), "all sections are in it");
    String larger = reports.get(LARGER);
    assertTrue(larger.length() <= JIRA, larger.length() + " characters");
    boolean all = !larger.contains("Some details are left out");
    assertTrue(all || larger.length() > JIRA / 2, "the room there is, is used");
  }

  /** By the names of their files, in the order of the formats. */
  private static Map<String, String> reports(DiagnosisDocument document) {
    Map<String, String> reports = new LinkedHashMap<>();
    FILES.forEach(
        (format, file) ->
            reports.put(file, withApprovedVersion(format.render(document, Look.PLAIN))));
    reports.put(VERBOSE, ReportFormat.TABLE.render(document, EVERYTHING));
    reports.put(LARGER, ReportFormat.MARKDOWN.render(document, FOR_JIRA));
    return reports;
  }

  /** JSON names the tool's version, and HTML holds the same JSON. */
  private static String withApprovedVersion(String report) {
    String named = "\"name\": \"gcdiag\",\n    \"version\": \"%s\"";
    return report.replace(named.formatted(Version.number()), named.formatted(APPROVED_VERSION));
  }

  private static String digests(Map<String, String> reports) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, String> report : reports.entrySet()) {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(report.getValue().getBytes(StandardCharsets.UTF_8));
      lines
          .append(HexFormat.of().formatHex(digest))
          .append("  ")
          .append(report.getKey())
          .append('\n');
    }
    return lines.toString();
  }

  /**
   * The text of every incident is held to be read. The other formats say the same; of each incident
   * their digests are held, so that no change in any format goes unseen, and they themselves where
   * such a file was put: a hundred pages of half a megabyte would be most of this repository.
   */
  private static boolean isHeld(Path folder, String file) {
    return file.equals(FILES.get(ReportFormat.TABLE)) || Files.exists(approved(folder, file));
  }

  private static Path approved(Path folder, String file) {
    return folder.resolve("approved").resolve(file);
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
}
