package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.cli.settings.Settings;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.cli.settings.Settings.SettingKey;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Settings files in the commands. */
@Tag("slow")
class SettingsCommandTest extends CommandRuns {

  private static final String SETTINGS = "gcdiag.properties";

  private Path incident;
  private Path user;

  @BeforeEach
  void makeFolders() throws IOException {
    incident = Files.createDirectory(folder.resolve("incident"));
    user = Files.createDirectory(folder.resolve("user"));
    Files.copy(SampleFiles.file("gc-logs/g1-jdk17-gc-only.log"), incident.resolve("gc.log"));
  }

  private Outcome set(String... args) {
    return run(new Folders(Optional.empty(), Optional.of(user)), args);
  }

  private static void write(Path where, String... lines) throws IOException {
    Files.write(where.resolve(SETTINGS), List.of(lines));
  }

  @Test
  void whatIsSetReachesTheAnalysis() throws IOException {
    write(
        user,
        "pool-size = 12",
        "redact-hosts = true",
        "map = q=pool-pending",
        "map = a=pool-active");
    write(incident, "hold = 4.32ms");
    Outcome outcome = set("analyze", incident.toString(), "--quiet");
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(OptionalInt.of(12), asked.facts().poolSize());
    assertEquals(Optional.of(Duration.ofNanos(4_320_000)), asked.facts().hold());
    assertEquals(user.resolve(SETTINGS).toString(), asked.facts().poolSizeSource().file());
    assertEquals(incident.resolve(SETTINGS) + ":1", asked.facts().holdSource().toString());
    assertTrue(asked.redactHosts());
    assertEquals(Set.of("q", "a"), asked.reading().meanings().keySet());
  }

  /** async-profiler's spans are used only if the user says that none is missing. */
  @Test
  void eventsThatTimeRequestsAreSetWithTheirFields() throws IOException {
    write(user, "request = shop.Basket");
    write(incident, "request = profiler.Span:tag", "request = shop.Checkout");
    Outcome outcome = set("analyze", incident.toString(), "--verbose");
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(
        Map.of("profiler.Span", "tag", "shop.Checkout", ""), asked.reading().requestEvents());
    Outcome other = set("analyze", incident.toString(), "--request", "shop.Checkout");
    assertEquals(0, other.code(), other.err());
    assertEquals(Map.of("shop.Checkout", ""), asked.reading().requestEvents());
  }

  @Test
  void anEventWithoutANameIsRefused() throws IOException {
    write(user, "request = :tag");
    Outcome outcome = set("analyze", incident.toString());
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("':tag' is not EVENT or EVENT:FIELD"), outcome.err());
  }

  @Test
  void theLengthOfATestIsNoCauseToCollectFor() throws IOException {
    write(user, "for = 60s");
    Outcome outcome = set("collect");
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().contains("parts='recording dumps"), outcome.out());
  }

  @Test
  void theCommandLineWinsOverAll() throws IOException {
    write(
        user,
        "pool-size = 12",
        "redact-hosts = true",
        "map = q=pool-pending",
        "format = json",
        "time-zone = Europe/Berlin");
    Outcome outcome =
        set(
            "analyze",
            incident.toString(),
            "--pool-size",
            "7",
            "--no-redact",
            "--map",
            "a=pool-active",
            "--format",
            "table",
            "--time-zone",
            "UTC",
            "--quiet");
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(OptionalInt.of(7), asked.facts().poolSize());
    assertEquals("command line", asked.facts().poolSizeSource().toString());
    assertFalse(asked.redact());
    assertFalse(asked.redactHosts());
    assertEquals(Set.of("a"), asked.reading().meanings().keySet());
    assertFalse(outcome.out().startsWith("{"));
    assertTrue(outcome.out().contains(" UTC ("), outcome.out());
  }

  @Test
  void theEndingOfTheOutputGoesBeforeAFormatThatIsSet() throws IOException {
    write(user, "format = json");
    assertTrue(set("analyze", incident.toString()).out().startsWith("{"));
    Path html = folder.resolve("report.html");
    Outcome outcome = set("analyze", incident.toString(), "--output", html.toString(), "--quiet");
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals("", outcome.err());
    assertTrue(Files.readString(html).contains("<html"));
  }

  @Test
  void verboseSaysWhichValueCameFromWhere() throws IOException {
    write(user, "# mine", "pool-size = 12", "hold = 5ms", "p95 = 200ms");
    String file = user.resolve(SETTINGS).toString();
    Outcome outcome = set("analyze", incident.toString(), "--verbose", "--hold", "6ms");
    List<String> told =
        outcome.err().lines().filter(line -> line.startsWith("gcdiag: setting")).toList();
    assertEquals(
        List.of(
            "gcdiag: setting hold = 5ms (" + file + ", line 3): not used, --hold is given",
            "gcdiag: setting pool-size = 12 (" + file + ", line 2)"),
        told);
    assertFalse(set("analyze", incident.toString()).err().contains("gcdiag: setting"));
  }

  @Test
  void secretsThatAFileShowsAreAnnounced() throws IOException {
    write(user, "no-redact = true");
    Outcome outcome = set("analyze", incident.toString());
    assertTrue(outcome.err().contains("gcdiag: setting no-redact = true ("), outcome.err());
    assertFalse(asked.redact());
    write(incident, "redact-hosts = true");
    set("analyze", incident.toString());
    assertTrue(asked.redact() && asked.redactHosts());
  }

  @Test
  void aWrongValueIsOneLineWithFileAndLine() throws IOException {
    write(incident, "", "hold = 4.32");
    assertFails(
        2,
        "gcdiag: "
            + incident.resolve(SETTINGS)
            + ", line 2: hold: '4.32' has no unit; write it like 4.32ms or 4.32s",
        set("analyze", incident.toString()));
    write(incident, "color = pink");
    Outcome outcome = set("analyze", incident.toString());
    assertTrue(outcome.err().contains("line 1: color: 'pink' is none of auto, always, never"));
    write(incident, "colour = never");
    outcome = set("analyze", incident.toString());
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("line 1: unknown key 'colour'; did you mean color?"));
    assertEquals(1, outcome.err().lines().count());
    assertEquals("", outcome.out());
  }

  @Test
  void helpIsShownWhateverIsSet() throws IOException {
    write(user, "nonsense");
    assertEquals(0, set("analyze", "--help").code());
    assertEquals(0, set("--version").code());
    assertEquals(2, set("rules").code());
  }

  @Test
  void theSettingsFileIsNoInput() throws IOException {
    write(incident, "pool-size = 12");
    analysis = Analysis::run;
    Outcome outcome = set("analyze", incident.toString());
    assertEquals("", outcome.err());
    assertFalse(outcome.out().contains("gcdiag.properties (unknown)"), outcome.out());
    // As a shell writes incident/*
    outcome =
        set(
            "analyze",
            incident.resolve("gc.log").toString(),
            incident.resolve(SETTINGS).toString());
    assertEquals("", outcome.err());
    assertEquals(3, set("analyze", incident.resolve(SETTINGS).toString()).code());
  }

  @Test
  void littlesLawSaysThatAFileGaveTheValue() throws IOException {
    write(user, "pool-size = 12", "hold = 5ms");
    Outcome outcome = set("littles-law", "--rps", "1000");
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(
        outcome
            .out()
            .replaceAll("\\s+", " ")
            .contains("Pool size: 12, given in " + user.resolve(SETTINGS) + ":1"),
        outcome.out());
    // 1000/s x 5 ms = 5 connections of 12.
    assertTrue(outcome.out().contains("12"), outcome.out());
    write(incident, "hold = 8ms");
    String fromFiles =
        set("littles-law", "--rps", "1000", "--from", incident.toString())
            .out()
            .replaceAll("\\s+", " ");
    assertTrue(fromFiles.contains(incident.resolve(SETTINGS) + ":1"), fromFiles);
  }

  @Test
  void aReportSaysThatAFileGaveTheValue() throws IOException {
    Path recorded = Incidents.folder("pool-queue-small-heap");
    write(user, "pool-size = 10", "hold = 4.48ms");
    analysis = Analysis::run;
    String report = set("analyze", recorded.toString(), "--verbose").out();
    assertTrue(report.contains("size: given in "), report);
    assertTrue(report.contains("gcdiag.properties:1"), report);
    assertFalse(report.contains("command line"), report);
  }

  @Test
  void compareTakesWhatBothFoldersSetAlike() throws IOException {
    Path after = Files.createDirectory(folder.resolve("after"));
    Files.copy(incident.resolve("gc.log"), after.resolve("gc.log"));
    write(incident, "time-zone = Europe/Berlin");
    write(after, "format = json");
    Outcome outcome = set("compare", incident.toString(), after.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().startsWith("{"), outcome.out());
    write(after, "time-zone = +02:00");
    assertEquals(2, set("compare", incident.toString(), after.toString()).code());
  }

  @Test
  void targetsOfALoadTestCanBeSet() throws IOException {
    write(user, "p95 = 10s", "success = 50%");
    String results = SampleFiles.file("load/k6-1.8-samples.csv.gz").toString();
    Outcome outcome = set("slo", results);
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().contains("10 s") || outcome.out().contains("10.0 s"), outcome.out());
    assertEquals(0, set("correlate", results).code());
  }

  @Test
  void everyKeyIsAnOptionAndTakesWhatItsKindSays() {
    CommandLine root =
        GcdiagCommand.commandLine(
            List.of(),
            analysis,
            terminal,
            StandardInput.none(),
            Settings.Folders.none(),
            new PrintWriter(System.out),
            new PrintWriter(System.out));
    for (SettingKey key : SettingKey.ALL) {
      assertTrue(key.options().contains("--" + key.name()), key.name());
      for (String option : key.options()) {
        List<CommandLine.Model.OptionSpec> found =
            root.getSubcommands().values().stream()
                .map(command -> command.getCommandSpec().findOption(option))
                .filter(spec -> spec != null)
                // The causes of collect --for are none of the length of a test, slo --for.
                .filter(spec -> !spec.paramLabel().equals("CAUSE"))
                .toList();
        assertFalse(found.isEmpty(), option);
        boolean flag = key.kind() == SettingKey.Kind.SWITCH;
        assertTrue(found.stream().allMatch(spec -> spec.arity().max() == 0 == flag), option);
        boolean list = key.kind() == SettingKey.Kind.LIST;
        assertTrue(found.stream().allMatch(spec -> spec.isMultiValue() == list), option);
      }
    }
  }

  @Test
  void noKeyNamesAFileToWrite() {
    Set<String> names = SettingKey.ALL.stream().map(SettingKey::name).collect(Collectors.toSet());
    assertFalse(names.stream().anyMatch(Set.of("output", "report", "force")::contains));
  }

  @Test
  void thePageOfTheReferenceNamesEveryKey() throws IOException {
    Path docs = Incidents.all().get(0).getParent().getParent().getParent().resolve("docs");
    String page = Files.readString(docs.resolve("reference/settings.md"));
    for (SettingKey key : SettingKey.ALL) {
      String where =
          switch (key.trust()) {
            case INCIDENT -> "anywhere";
            case WORKING_FOLDER -> "working directory, user";
            case USER -> "user";
          };
      assertTrue(
          page.lines()
              .anyMatch(
                  line ->
                      line.startsWith("| `" + key.name() + "` |")
                          && line.endsWith("| " + where + " |")),
          () -> key.name() + " in " + where.toLowerCase(Locale.ROOT));
    }
  }
}
