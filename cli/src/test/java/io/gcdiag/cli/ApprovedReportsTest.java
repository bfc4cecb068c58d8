package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.IncidentDiagnoses;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * The reports on every recorded incident are those that were read and approved. They show that
 * nothing changed; whether it is right is the business of {@code truth.json}.
 */
@Tag("slow")
@Tag("incidents")
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

  /** A terminal of 24 lines and 80 columns, where the answer is the screen. */
  private static final Look SCREEN =
      new Look(false, 80, false, false, OptionalLong.empty(), OptionalInt.of(24));

  /** The other formats of an incident, a line each. */
  private static final String DIGESTS = "digests.txt";

  @TestFactory
  Stream<DynamicTest> everyReportIsAsApproved() {
    FirstScreens screens = new FirstScreens();
    List<List<DynamicTest>> each =
        Incidents.all().parallelStream().map(folder -> checks(folder, screens)).toList();
    return Stream.concat(
        each.stream().flatMap(List::stream),
        Stream.of(
            DynamicTest.dynamicTest("the first screens name place and edit", screens::check)));
  }

  /** What is asked of an incident's reports. All is answered here, so that none of them is kept. */
  private static List<DynamicTest> checks(Path folder, FirstScreens screens) {
    Diagnosis diagnosis = IncidentDiagnoses.of(folder);
    DiagnosisDocument document = new DiagnosisDocument(diagnosis);
    Map<String, String> reports = reports(document);
    screens.add(folder, diagnosis, reports.get(FILES.get(ReportFormat.TABLE)));
    Map<String, Executable> checks = new LinkedHashMap<>();
    reports.keySet().stream()
        .filter(file -> isHeld(folder, file))
        .forEach(file -> checks.put(file, () -> check(approved(folder, file), reports.get(file))));
    checks.put("fits into a ticket", () -> fits(reports));
    checks.put(
        "says each thing once and none for nothing",
        () -> assertEquals(List.of(), ReportSlips.of(reports.get(VERBOSE))));
    checks.put("keeps each law", () -> assertEquals(Map.of(), broken(reports)));
    checks.put("adds up in every format", () -> addsUp(document, reports));
    checks.put(
        "uses the terms of the field",
        () -> assertEquals(List.of(), Vocabulary.violations(VERBOSE, reports.get(VERBOSE))));
    checks.put("in all formats", () -> check(approved(folder, DIGESTS), digests(reports)));
    return checks.entrySet().stream()
        .map(one -> answered(folder.getFileName() + " " + one.getKey(), one.getValue()))
        .toList();
  }

  private static DynamicTest answered(String name, Executable check) {
    try {
      check.execute();
      return DynamicTest.dynamicTest(name, () -> {});
    } catch (Throwable failure) {
      return DynamicTest.dynamicTest(
          name,
          () -> {
            throw failure;
          });
    }
  }

  private static Map<ReportLaw, List<String>> broken(Map<String, String> reports) {
    Map<ReportLaw, List<String>> broken =
        LawsTest.broken(
            reports.get(FILES.get(ReportFormat.JSON)),
            reports.get(FILES.get(ReportFormat.TABLE)),
            Stream.of(VERBOSE, FILES.get(ReportFormat.MARKDOWN), FILES.get(ReportFormat.HTML))
                .collect(Collectors.toMap(file -> file, reports::get)));
    broken.values().removeIf(List::isEmpty);
    return broken;
  }

  /** The formats that the laws do not ask for. */
  private static void addsUp(DiagnosisDocument document, Map<String, String> reports)
      throws IOException {
    JsonNode json = new ObjectMapper().readTree(reports.get(FILES.get(ReportFormat.JSON)));
    for (String report :
        List.of(
            ReportFormat.JIRA.render(document, Look.PLAIN),
            ReportFormat.TABLE.render(document, SCREEN),
            reports.get(LARGER))) {
      assertEquals(List.of(), ReportSums.ofFormat(json, report));
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
