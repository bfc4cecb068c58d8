package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three services, analysed once for all tests: a suspect, a healthy one, a damaged file. */
@Tag("slow")
class FleetCommandTest extends PlainRuns {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<String, String> INCIDENTS =
      Map.of("relay/host-1", "relay-pool-of-two", "notes/host-2", "notes-hot-pattern-fixed");

  /** Reports have shares in tenths of a percent that add up. */
  private static final double A_TENTH = 0.001;

  @TempDir static Path shared;

  @TempDir Path own;

  private Path fleet;
  private Path results;

  @BeforeAll
  static void analyseOnce() throws IOException {
    for (Map.Entry<String, String> incident : INCIDENTS.entrySet()) {
      copy(Incidents.folder(incident.getValue()), shared.resolve("fleet/" + incident.getKey()));
    }
    Path damaged = Files.createDirectories(shared.resolve("fleet/lost/host-3"));
    Files.write(damaged.resolve("cut.jfr"), new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1});
    FleetCommandTest first = new FleetCommandTest();
    int code = first.analyse(shared.resolve("fleet"), shared.resolve("results"));
    assertEquals(0, code, first.err::toString);
    assertTrue(
        first.err.toString().startsWith("gcdiag: fleet/lost/host-3: cut.jfr (unreadable): "),
        first.err::toString);
  }

  /** What a test changes is its own copy. */
  @BeforeEach
  void copyResults() throws IOException {
    fleet = shared.resolve("fleet");
    results = own.resolve("results");
    copy(shared.resolve("results"), results);
    copy(shared.resolve("results/cases"), results.resolve("cases"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private int analyse(Path folder, Path to, String... more) {
    List<String> arguments =
        Stream.concat(
                Stream.of("fleet", folder.toString(), "--out", to.toString()), Stream.of(more))
            .toList();
    return run(arguments.toArray(String[]::new));
  }

  private Map<String, JsonNode> rows() throws IOException {
    Map<String, JsonNode> rows = new TreeMap<>();
    for (String line : Files.readAllLines(results.resolve("cases.jsonl"))) {
      JsonNode row = MAPPER.readTree(line);
      rows.put(row.get("case").asText(), row);
    }
    return rows;
  }

  /** That of the only case in a folder. */
  private JsonNode row(String folder) throws IOException {
    List<JsonNode> rows =
        rows().entrySet().stream()
            .filter(row -> row.getKey().startsWith(folder + "/"))
            .map(Map.Entry::getValue)
            .toList();
    assertEquals(1, rows.size());
    return rows.get(0);
  }

  @Test
  void aRowHasTheVerdictOfAnalyze() throws IOException {
    for (Map.Entry<String, String> incident : INCIDENTS.entrySet()) {
      out.getBuffer().setLength(0);
      assertEquals(
          0,
          run("analyze", Incidents.folder(incident.getValue()).toString(), "--format", "json"),
          err::toString);
      JsonNode report = MAPPER.readTree(out.toString());
      JsonNode row = row("fleet/" + incident.getKey());
      assertEquals(report.get("conclusion"), row.get("conclusion"));
      assertEquals(report.get("primarySuspect"), row.get("primarySuspect"));
      if (!row.get("primarySuspect").isNull()) {
        JsonNode first = report.at("/hypotheses/0");
        assertEquals(first.get("confidence"), row.get("confidence"));
        assertEquals(
            first.get("explainedShare").asDouble(), row.get("explainedShare").asDouble(), A_TENTH);
      }
    }
  }

  @Test
  void theRowOfADamagedFileSaysWhy() throws IOException {
    JsonNode row = rows().get("fleet/lost/host-3");
    assertEquals("failed", row.get("conclusion").asText());
    assertTrue(row.get("error").asText().startsWith("cut.jfr"), row::toString);
  }

  @Test
  void aSecondRunDoesNothingAndSaysTheSame() throws IOException {
    Map<String, FileTime> before = times();
    String rows = Files.readString(results.resolve("cases.jsonl"));
    assertEquals(0, analyse(fleet, results), err::toString);
    assertEquals(rows, Files.readString(results.resolve("cases.jsonl")));
    assertEquals(before, times());
  }

  private Map<String, FileTime> times() throws IOException {
    Map<String, FileTime> times = new TreeMap<>();
    try (Stream<Path> reports = Files.list(results.resolve("cases"))) {
      for (Path report : reports.toList()) {
        times.put(report.getFileName().toString(), Files.getLastModifiedTime(report));
      }
    }
    return times;
  }

  /** The last line is torn in the middle, as when a machine fails while it is written. */
  @Test
  void onlyWhatIsMissingIsAnalysedAgain() throws IOException {
    List<String> lines = Files.readAllLines(results.resolve("cases.jsonl"));
    String last = lines.get(2);
    Files.writeString(
        results.resolve("cases.jsonl"),
        lines.get(0) + "\n" + lines.get(1) + "\n" + last.substring(0, last.length() / 2));
    assertEquals(0, analyse(fleet, results), err::toString);
    assertEquals(lines, Files.readAllLines(results.resolve("cases.jsonl")));
  }

  @Test
  void aFailedCaseIsTriedAgainIfAsked() throws IOException {
    assertEquals(0, analyse(fleet, results, "--retry-failed"), err::toString);
    assertEquals(4, Files.readAllLines(results.resolve("cases.jsonl")).size());
    assertEquals(3, rows().size());
  }

  @Test
  void earlierResultsAreSummedUpByOtherGroups() {
    assertEquals(0, run("fleet", "--out", results.toString(), "--group-by", "day"), err::toString);
    assertTrue(out.toString().contains("DAYS BY SEVERITY"), out::toString);
  }

  @Test
  void theSharesOfTheCausesAreAllOfTheLostTime() throws IOException {
    assertEquals(0, run("fleet", "--out", results.toString()), err::toString);
    assertEquals(List.of(), ReportSums.ofFleet(out.toString()), out::toString);
    String page = Files.readString(results.resolve("index.html"));
    assertEquals(List.of(), ReportSums.ofFleet(page));
  }

  /** The answers stay; each case that has other names gets a row more. */
  @Test
  void aPatternNamesServicesAndHostsOfCasesThatAreDone() throws IOException {
    Map<String, FileTime> before = times();
    assertEquals(
        0,
        analyse(fleet, results, "--pattern", "(?<service>[^/]+)/(?<host>[^/]+)/.*"),
        err::toString);
    JsonNode row = row("fleet/relay/host-1");
    assertEquals("relay", row.get("service").asText());
    assertEquals("host-1", row.get("host").asText());
    assertEquals("primary-suspect", row.get("conclusion").asText());
    assertEquals(before, times());
    assertEquals(6, Files.readAllLines(results.resolve("cases.jsonl")).size());
  }

  @Test
  void aDamagedFileBesideASoundOneIsANoteInTheRow() throws IOException {
    Path small = own.resolve("small/lost/host-3");
    copy(fleet.resolve("lost/host-3"), small);
    Files.copy(
        Incidents.folder("notes-hot-pattern-fixed").resolve("gc.log"), small.resolve("gc.log"));
    Path other = own.resolve("other");
    assertEquals(0, analyse(own.resolve("small"), other), err::toString);
    JsonNode row = MAPPER.readTree(Files.readAllLines(other.resolve("cases.jsonl")).get(0));
    assertTrue(row.at("/notes/0").asText().startsWith("cut.jfr"), row::toString);
  }

  @Test
  void thePageLinksToReportsThatAreThere() throws IOException {
    String page = Files.readString(results.resolve("index.html"));
    Matcher link = Pattern.compile("href=\"\\./([^\"]+)\"").matcher(page);
    int links = 0;
    while (link.find()) {
      assertTrue(Files.size(results.resolve(link.group(1))) > 0, link.group(1));
      links++;
    }
    assertTrue(links >= 3, page);
    assertTrue(page.contains("<svg role=\"img\" aria-label=\"1 with a suspect\""), page);
  }

  @Test
  void aPrimarySuspectFailsAPipelineIfAsked() {
    assertEquals(10, run("fleet", "--out", results.toString(), "--fail-on", "primary"));
  }

  /** The earlier rows have a primary suspect, the folder of this call has none. */
  @Test
  void onlyTheCasesOfACallFailAPipeline() {
    assertEquals(0, analyse(fleet.resolve("notes"), results, "--fail-on", "primary"));
  }

  /** As when a first recording comes beside a log: its row is of the same files and more. */
  @Test
  void aCaseThatGetsAnotherNameIsCountedOnce() throws IOException {
    Path folder = own.resolve("growing/notes");
    Files.createDirectories(folder);
    Path incident = Incidents.folder("notes-hot-pattern-fixed");
    Files.copy(incident.resolve("gc.log"), folder.resolve("gc.log"));
    results = own.resolve("grown");
    assertEquals(0, analyse(own.resolve("growing"), results), err::toString);
    Files.copy(incident.resolve("recording.jfr.gz"), folder.resolve("recording.jfr.gz"));
    assertEquals(0, analyse(own.resolve("growing"), results), err::toString);
    assertEquals("replaced", rows().get("growing/notes").get("conclusion").asText());
    out.getBuffer().setLength(0);
    assertEquals(0, run("fleet", "--out", results.toString()), err::toString);
    assertTrue(
        Pattern.compile("Cases +1: 1 healthy").matcher(out.toString()).find(), out::toString);
  }

  /**
   * As when another disk is mounted: the folder has another path, and what is in it is the same.
   */
  @Test
  void recordingsThatMoveAreNotAnalysedAgain() throws IOException {
    Path folder = Files.createDirectories(own.resolve("old/fleet/notes"));
    Files.copy(Incidents.folder("notes-hot-pattern").resolve("gc.log"), folder.resolve("gc.log"));
    results = own.resolve("moved");
    assertEquals(0, analyse(own.resolve("old/fleet"), results), err::toString);
    Files.createDirectories(own.resolve("new"));
    Files.move(own.resolve("old/fleet"), own.resolve("new/fleet"));
    out.getBuffer().setLength(0);
    // Less time than any analysis takes: only a case that is done has a row that is not a failed
    // one.
    assertEquals(0, analyse(own.resolve("new/fleet"), results, "--timeout", "1ms"), err::toString);
    assertTrue(
        Pattern.compile("Cases +1: 1 (?!failed)").matcher(out.toString()).find(), out::toString);
    assertEquals("replaced", rows().get("fleet/notes").get("conclusion").asText());
  }

  @Test
  void hiddenHostsAreInNoRow() throws IOException {
    results = own.resolve("hidden");
    String pattern = "(?<host>[^/]+)/.*";
    for (int run = 0; run < 2; run++) {
      assertEquals(
          3,
          analyse(fleet.resolve("lost"), results, "--redact-hosts", "--pattern", pattern),
          err::toString);
    }
    rows().values().forEach(row -> assertTrue(row.get("host").isNull(), row::toString));
  }

  @Test
  void aCaseMayAskToHideItsHost() throws IOException {
    Path folder = own.resolve("asked/notes/host-2");
    Files.createDirectories(folder);
    Files.copy(
        Incidents.folder("notes-hot-pattern-fixed").resolve("gc.log"), folder.resolve("gc.log"));
    Files.writeString(folder.resolve("gcdiag.properties"), "redact-hosts = true\n");
    results = own.resolve("hidden");
    for (String pattern : List.of("(?<host>[^/]+)/.*", "[^/]+/(?<host>[^/]+)/.*")) {
      assertEquals(0, analyse(own.resolve("asked"), results, "--pattern", pattern), err::toString);
    }
    rows().values().forEach(row -> assertTrue(row.get("host").isNull(), row::toString));
  }

  @Test
  void anotherRunningFleetIsNamed() throws IOException {
    Path unfinished = Files.writeString(results.resolve("cases/a.html.part"), "being written");
    try (var channel = FileChannel.open(results.resolve("cases.jsonl"), StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assertTrue(lock.isValid());
      assertEquals(2, analyse(fleet, results));
      assertTrue(
          err.toString().startsWith("gcdiag: another gcdiag fleet writes to "), err::toString);
      assertTrue(Files.exists(unfinished));
    }
  }

  @Test
  void aHealthyCaseNeedsNoReport() throws IOException {
    Path other = own.resolve("suspects");
    assertEquals(0, analyse(fleet.resolve("notes"), other, "--reports", "suspects"), err::toString);
    try (Stream<Path> reports = Files.list(other.resolve("cases"))) {
      assertEquals(0, reports.count());
    }
    assertTrue(Files.readString(other.resolve("cases.jsonl")).contains("\"report\":\"\""));
  }

  @Test
  void withoutACaseThereIsNoInput() throws IOException {
    Path empty = Files.createDirectory(own.resolve("empty"));
    assertEquals(3, analyse(empty, own.resolve("nothing")));
    assertEquals("gcdiag: no case was found\n", err.toString());
  }

  @Test
  void wrongUsageIsNamed() {
    assertEquals(2, run("fleet", fleet.toString()));
    assertTrue(err.toString().contains("name a folder for the results"), err::toString);
    assertEquals(2, analyse(own.resolve("absent"), results));
    assertTrue(err.toString().contains("absent: no such folder"), err::toString);
    assertEquals(2, analyse(fleet, results, "--jobs", "none"));
    assertEquals(2, analyse(fleet, results, "--memory", "1k"));
    assertEquals(2, analyse(fleet, results, "--pattern", "orders"));
    assertEquals(2, analyse(fleet, results, "--changed-at", "yesterday"));
    assertTrue(err.toString().contains("write it like 2026-03-01"), err::toString);
  }

  /** Processes of the fleet are killed while they work; each case still has one row. */
  @Test
  void aProcessThatIsKilledCostsNoRow() throws Exception {
    Path other = own.resolve("killed");
    AtomicBoolean killed = new AtomicBoolean();
    Thread killer =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                if (ProcessHandle.current()
                    .children()
                    .filter(FleetCommandTest::analyses)
                    .anyMatch(ProcessHandle::destroyForcibly)) {
                  killed.set(true);
                  return;
                }
              }
            });
    killer.start();
    assertEquals(0, analyse(fleet.resolve("relay"), other, "--jobs", "1"), err::toString);
    killer.interrupt();
    killer.join();
    assertTrue(killed.get(), "no process of the fleet was seen");
    List<String> lines = Files.readAllLines(other.resolve("cases.jsonl"));
    assertEquals(1, lines.size());
    assertFalse(lines.get(0).contains("\"failed\""), lines::toString);
  }

  /** Before it runs its program a child shows the command line of the process that starts it. */
  private static boolean analyses(ProcessHandle child) {
    return child.info().commandLine().filter(line -> line.contains("WorkerMain")).isPresent();
  }
}
