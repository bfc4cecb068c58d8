package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.report.Version;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.read.bytes.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandsTest extends CommandRuns {

  @Test
  void withoutArgumentsItSaysHowToRecordAndWhatToAsk() {
    Outcome outcome = run();
    assertEquals(0, outcome.code());
    assertTrue(outcome.out().contains("jcmd PID JFR.start"), outcome.out());
    assertTrue(outcome.out().lines().filter(l -> l.startsWith("  gcdiag ")).count() >= 4);
    assertEquals("", outcome.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "littles-law --rps 1000 --hold 4.32; invalid value for option '--hold': '4.32' has no unit;"
            + " write it like 4.32ms or 4.32s",
      })
  void aDurationWithoutUnitIsExplained(String command, String start, String rest) {
    assertFails(2, "gcdiag: " + start + "; " + rest, run(command.split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "littles-law --rps -1 --hold 1ms # '-1' is not a rate",
        "littles-law --rps 0 --hold 1ms # the rate must be above 0",
        "littles-law --rps 99999999999 --hold 1ms # at most 1,000,000,000/s",
        "littles-law --rps 1 --hold 0s # the hold time must be longer than 0",
        "littles-law --rps 1 --hold 999999999999h # too long",
        "littles-law --rps 1 # give --rps and --hold, or --from FOLDER",
        "littles-law --rps 1 --hold 1ms --pool 0 # '0' is not a number of connections",
        "littles-law --rps 1 --hold 1ms --pool -3 # '-3' is not a number of connections",
        "littles-law --rps 1 --hold 1ms --pool 99999999999 # not a number of connections",
        "littles-law --rps 1 --hold 1ms --pool 100001 # not a number of connections",
        "littles-law --rps 1 --hold 1ms --pause 5ms # a pause needs a pool",
        "littles-law --rps 1 --hold 1ms --target-wait 5ms@often # write it like 5ms@p99",
        "littles-law --rps 1 --hold 1ms --format pdf # choose one of table, markdown, jira, html,"
            + " junit, json",
        "littles-law --rps 1 --hold 1ms --format junit # is for answers that pass or fail",
        "analyze a.jfr --max-size 1k # too small for a report; write 4000 or more",
        "analyze a.jfr --time-zone Berlin # is not a time zone; write it like Europe/Berlin",
        "analyze # nothing to read",
        "analyze a.jfr --incident now # is not a window",
        "analyze a.jfr --hold 4.32 # has no unit",
        "analyze a.jfr --rps 0 # the rate must be above 0",
        "analyze a.jfr --pool-size many # not a number of connections",
        "analyze a.jfr --fail-on anything # is none of primary, contributing, undecided",
        "analyze a.jfr --histogram x # unknown option '--histogram'",
        "analyze a.jfr --map waiting=queue # write latency, request-rate, pool-pending, executor-queued or",
        "correlate a.jfr --percentile often # 'often' is not a percentile; write it like p95",
        "correlate a.jfr --every 0s # intervals must have a length",
        "correlate a.jfr --every 10 # has no unit",
        "compare a.jfr # missing required parameter: 'AFTER'",
        "analyze a.jfr --report out.pdf # let its name end in one of .txt, .md, .jira, .html, .xml, .json",
        "analyze a.jfr --output no/such/folder/x # its folder does not exist",
        "analyse a.jfr # unknown command 'analyse'; did you mean analyze? 'gcdiag --help' lists all",
        "help anlyze # unknown command 'anlyze'; did you mean analyze? 'gcdiag help' lists all",
        "xyzzy # unknown command 'xyzzy'; 'gcdiag --help' lists all commands",
        "pom.xml # unknown command 'pom.xml'; it is a file: gcdiag analyze pom.xml",
        "rules explain # unexpected argument 'explain'; see 'gcdiag rules --help'",
        "analyze a.jfr --fomat=md # unknown option '--fomat'; did you mean --format? 'gcdiag analyze",
        "analyze a.jfr --gclog b # did you mean --gc-log?",
        "analyze a.jfr --pool 10 # did you mean --pool-size?",
        "littles-law --rps 1 --hold 1ms --target-wait 5ms@0 # a percentile lies between 0 and 100",
        "completion tcsh # 'tcsh' is none of bash, zsh, fish, powershell",
      })
  void wrongUsageIsOneHelpfulLineAndExitCodeTwo(String command, String message) {
    Outcome outcome = run(command.split(" "));
    assertEquals(2, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains(message), outcome.err());
    assertTrue(outcome.err().startsWith("gcdiag: "), outcome.err());
    assertEquals(1, outcome.err().lines().count(), outcome.err());
    assertEquals("", outcome.out());
  }

  @Test
  void whatTheOperatorKnowsReachesTheAnalysis() {
    Outcome outcome =
        run(
            "analyze",
            "dir",
            "--jfr",
            "a.jfr",
            "--gc-log",
            "gc.log",
            "--rps",
            "48000/min",
            "--pool-size",
            "10",
            "--hold",
            "4.32ms",
            "--incident",
            "60s..120s",
            "--no-redact");
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(3, asked.inputs().size());
    assertEquals(Optional.of("jfr"), asked.inputs().get(1).format());
    // 48,000 / 60 = 800
    assertEquals(800, asked.facts().rate().orElseThrow().perSecond());
    assertEquals(OptionalInt.of(10), asked.facts().poolSize());
    assertEquals(Optional.of(Duration.ofNanos(4_320_000)), asked.facts().hold());
    assertEquals(Optional.of(new WindowRequest("60s", "120s")), asked.incident());
    assertEquals(Optional.empty(), asked.baseline());
    assertFalse(asked.redact());
  }

  @Test
  void aPartlyReadableInputIsAWarningAndQuietSilencesIt() {
    Outcome loud = run("analyze", "a.jfr");
    assertEquals(0, loud.code());
    assertEquals("gcdiag: gc.log: the last line is cut short\n", loud.err());
    assertEquals("", run("analyze", "a.jfr", "--quiet").err());
  }

  @Test
  void withoutAReadableInputThereIsNoReportAndExitCodeThree() {
    analysis =
        request ->
            SampleDiagnosis.withInputs(
                SampleDiagnosis.input("a.jfr", "unknown", Status.UNREADABLE, "no such file"));
    assertFails(3, "gcdiag: a.jfr: no such file", run("analyze", "a.jfr", "--quiet"));
    analysis = request -> SampleDiagnosis.withInputs();
    assertFails(3, "gcdiag: no input was found", run("analyze", "dir"));
  }

  @Test
  void aWindowOutsideOfTheRecordingIsWrongUsage() {
    Window span = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(60));
    analysis =
        request -> {
          request.incident().orElseThrow().resolve(span);
          return SampleDiagnosis.memoryPressure();
        };
    Outcome outcome = run("analyze", "a.jfr", "--incident", "90s..120s");
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("lies outside the recorded time"), outcome.err());
    assertEquals(1, outcome.err().lines().count());
  }

  @Test
  void failOnEndsWithTenOnlyIfSuchAVerdictStands() {
    assertEquals(10, run("analyze", "a", "--fail-on", "primary").code());
    assertEquals(10, run("analyze", "a", "--fail-on", "contributing").code());
    assertEquals(10, run("analyze", "a", "--fail-on", "undecided").code());
    analysis = request -> SampleDiagnosis.undecided();
    assertEquals(0, run("analyze", "a", "--fail-on", "contributing").code());
    assertEquals(10, run("analyze", "a", "--fail-on", "undecided").code());
    analysis = request -> SampleDiagnosis.healthy();
    assertEquals(0, run("analyze", "a", "--fail-on", "undecided").code());
  }

  @Test
  void aDefectIsOneLineAndItsTraceIsForDebugging() {
    analysis =
        request -> {
          throw new IllegalStateException("broken\nin two");
        };
    Outcome outcome = run("analyze", "a.jfr");
    assertEquals(1, outcome.code());
    assertEquals(1, outcome.err().lines().count(), outcome.err());
    assertTrue(outcome.err().contains("--debug"), outcome.err());
    Outcome debug = run("analyze", "a.jfr", "--debug");
    assertEquals(1, debug.code());
    assertTrue(debug.err().contains("\tat io.gcdiag"), debug.err());
  }

  @Test
  void runningOutOfMemorySaysHowToGiveMore() {
    analysis =
        request -> {
          throw new OutOfMemoryError("simulated");
        };
    assertFails(
        1,
        "gcdiag: not enough memory; run again with a larger heap: GCDIAG_JAVA_OPTS=-Xmx2g",
        run("analyze", "a.jfr"));
  }

  @Test
  void coloursFollowTheTerminalUnlessTold() {
    assertFalse(run("analyze", "a").out().contains("\u001B"));
    assertTrue(run("analyze", "a", "--color", "always").out().contains("\u001B["));
    terminal = new Terminal(true, false, true, Look.USUAL, 0, true, "");
    assertTrue(run("analyze", "a").out().contains("\u001B["));
    assertFalse(run("analyze", "a", "--color", "never").out().contains("\u001B"));
    terminal = new Terminal(true, false, false, Look.USUAL, 0, true, "");
    assertFalse(run("analyze", "a").out().contains("\u001B"));
  }

  @Test
  void whatATerminalCannotShowAtOnceIsShortenedToTheAnswer() {
    String whole = run("analyze", "a").out();
    for (int columns : List.of(80, 120)) {
      terminal = new Terminal(true, false, false, columns, 24, true, "");
      String screen = run("analyze", "a").out();
      assertTrue(screen.lines().count() <= 22, screen);
      assertEquals(whole.lines().findFirst(), screen.lines().findFirst());
      for (String label : List.of("Explains ", "Why ", "Do first ", "Confidence ")) {
        assertTrue(screen.contains("\n" + label), screen);
      }
      assertTrue(
          screen.lines().reduce((one, last) -> last).get().contains("ore: --verbose, "), screen);
    }
  }

  @Test
  void flagsAreThoseOfTheAnswerWithoutAnythingElse() {
    analysis = Analysis::run;
    String log = Incidents.folder("orders-small-heap").resolve("gc.log.gz").toString();
    String flags = run("analyze", log, "--flags").out().strip();
    assertTrue(flags.matches("-Xms(\\d+m) -Xmx\\1"), flags);
    assertTrue(run("analyze", log).out().contains("Do first    " + flags + " (now "));
    // A healthy service needs none.
    String healthy = Incidents.folder("mill-collector").resolve("gc.log").toString();
    assertEquals("", run("analyze", healthy, "--flags").out().strip());
  }

  @Test
  void aLogAloneShowsItsPausesOnASmallTerminalToo() {
    analysis = Analysis::run;
    terminal = new Terminal(true, false, false, 80, 24, true, "");
    String log = Incidents.folder("mill-collector").resolve("gc.log").toString();
    String screen = run("analyze", log).out();
    // The six pauses by grep: 22.196, 31.376, 9.083, 0.054, 45.083 and 21.667 ms.
    assertTrue(screen.contains("P50 21.7 ms, P90 45.1 ms, P99 45.1 ms"), screen);
    assertTrue(screen.contains("G1 Evacuation Pause 3 (88.9 ms)"), screen);
    assertTrue(screen.lines().count() <= 22, screen);
  }

  /** What a figure means stands behind it and goes last, where a row is too long for a line. */
  @Test
  void aRowOfASmallTerminalLosesItsBracketsFirst() {
    analysis = Analysis::run;
    terminal = new Terminal(true, false, false, 80, 24, true, "");
    String screen = run("analyze", onceBlind("rogate").toString()).out();
    assertTrue(screen.lines().count() <= 22, screen);
    assertTrue(screen.contains("ruled out: CPU 7.4 %: cores are free\n"), screen);
  }

  private static Path onceBlind(String name) {
    return Incidents.onceBlind().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow()
        .folder();
  }

  /** Nearly all of the heap is free, so that no leak delays anything. */
  @Test
  void anUndecidedAnswerDoesNotAskForTheObjectsOfAHeapWithRoom() {
    analysis = Analysis::run;
    Path recording = Incidents.folder("lantern-one-lock-fixed").resolve("recording.jfr.gz");
    String answer = run("analyze", recording.toString()).out();
    String first = "if users notice it: collect how long requests take\n";
    assertTrue(answer.contains(first), answer);
    assertTrue(answer.contains(" To decide it: how long requests take (a load test's"), answer);
    assertEquals(-1, answer.indexOf("GC.class_histogram"), answer);
  }

  /** A service with too little to judge: 149 ms at P99, and no cause that explains them. */
  @Test
  void anUndecidedAnswerSaysWhatToDoFirst() {
    analysis = Analysis::run;
    String answer = run("analyze", Incidents.folder("depot-halls-fixed").toString()).out();
    assertTrue(answer.startsWith("Undecided: "), answer);
    assertTrue(
        answer.contains("\nDo first     if users notice it: log what pauses are spent in"), answer);
    // A log alone names the recording that would decide it.
    String log = Incidents.folder("pages-parnew-fixed").toString();
    String parts = run("analyze", log).out();
    assertTrue(parts.replace("\n", " ").contains("To decide it: a recording of a minute"), parts);
    assertTrue(
        parts.contains("if users notice it: collect a recording of a minute of the incident\n"),
        parts);
  }

  @Test
  void aLargerTerminalHasTheChecks() {
    analysis = Analysis::run;
    String incident = Incidents.folder("orders-pool-of-three").toString();
    terminal = new Terminal(true, false, false, 80, 24, true, "");
    String small = run("analyze", incident).out();
    assertTrue(small.lines().count() <= 22, small);
    assertFalse(small.contains("\nFree heap "), small);
    terminal = new Terminal(true, false, false, 120, 40, true, "");
    String large = run("analyze", incident).out();
    assertTrue(large.lines().count() <= 38, large);
    assertTrue(large.contains("\nFree heap "), large);
    assertTrue(large.contains("\nGC pauses "), large);
  }

  /** 0.145 - 0.006 threads are 6.5 s of 47 s, and 0.003 threads are no 0 x 47 s. */
  @Test
  void aCalculatorGetsTheTimesThatTheLostTimeIsASumOf() throws IOException {
    analysis = Analysis::run;
    String log = Incidents.folder("orders-small-heap").resolve("gc.log.gz").toString();
    String answer = run("analyze", log).out();
    assertTrue(answer.contains("\nLost time "), answer);
    JsonNode json = new ObjectMapper().readTree(run("analyze", log, "--format", "json").out());
    assertEquals(List.of(), ReportSums.of(json, answer));
    assertFalse(answer.contains("(0 x "), answer);
  }

  /** As git does it: only on a terminal, and only what is longer than it. */
  @Test
  void aPagerShowsWhatIsLongerThanTheTerminal(@TempDir Path folder) throws IOException {
    String pager = "cat > '" + folder.resolve("paged") + "'";
    String whole = run("analyze", "a", "--verbose").out();
    terminal = new Terminal(true, false, false, Look.USUAL, 24, true, pager);
    assertEquals("", run("analyze", "a", "--verbose").out());
    assertEquals(whole, Files.readString(folder.resolve("paged")));
    assertEquals(whole, run("analyze", "a", "--verbose", "--no-pager").out());
    assertTrue(run("analyze", "a").out().lines().count() <= 22);
    terminal = new Terminal(true, false, false, Look.USUAL, 24, true, "no-such-pager");
    assertEquals(whole, run("analyze", "a", "--verbose").out());
    terminal = new Terminal(false, true, false, Look.USUAL, 24, true, pager);
    assertEquals(whole, run("analyze", "a", "--verbose").out());
  }

  @Test
  void theUsersPagerIsThatOfThisToolThenThatOfAll() {
    assertEquals("less", Terminal.pager(Map.of()));
    assertEquals("most", Terminal.pager(Map.of("PAGER", "most")));
    assertEquals("bat -p", Terminal.pager(Map.of("PAGER", "most", "GCDIAG_PAGER", "bat -p")));
    assertEquals("", Terminal.pager(Map.of("PAGER", "most", "GCDIAG_PAGER", "cat")));
    assertEquals("", Terminal.pager(Map.of("PAGER", "")));
  }

  @Test
  void whatFitsIsShownWhole() {
    String whole = run("analyze", "a").out();
    terminal = new Terminal(true, false, false, Look.USUAL, 100, true, "");
    assertEquals(whole, run("analyze", "a").out());
    // The height is known, but what is written goes to a file or a pipe.
    terminal = new Terminal(false, true, false, Look.USUAL, 24, true, "");
    assertEquals(whole, run("analyze", "a").out());
    String verbose = run("analyze", "a", "--verbose").out();
    terminal = new Terminal(true, false, false, Look.USUAL, 24, true, "");
    assertEquals(verbose, run("analyze", "a", "--verbose").out());
  }

  @Test
  void windowsAreInTheTimeZoneThatIsAskedForAndSayWhich() {
    String berlin = run("analyze", "a", "--time-zone", "Europe/Berlin").out();
    // Berlin is an hour ahead of UTC in March.
    assertTrue(berlin.contains("2026-03-01 02:14:00 to 02:15:00 Europe/Berlin (60 s)"), berlin);
    assertEquals(run("analyze", "a").out(), run("analyze", "a", "--time-zone", "Etc/UTC").out());
    // What machines read is in UTC always.
    assertEquals(
        run("analyze", "a", "--format", "json").out(),
        run("analyze", "a", "--format", "json", "--time-zone", "+09:00").out());
  }

  @Test
  void progressIsForTerminalsOnly() {
    assertFalse(tellsProgress("analyze", "a"));
    terminal = new Terminal(false, true, true, Look.USUAL, 0, true, "");
    assertTrue(tellsProgress("analyze", "a"));
    assertFalse(tellsProgress("analyze", "a", "--quiet"));
    assertFalse(tellsProgress("analyze", "a", "--no-progress"));
  }

  private boolean tellsProgress(String... args) {
    run(args);
    return asked.reading().progress() != Progress.NONE;
  }

  @Test
  void helpAndVersionAreAnswers() {
    Outcome help = run("analyze", "--help");
    assertEquals(0, help.code());
    assertTrue(help.out().contains("--incident"), help.out());
    assertEquals(String.join("\n", Version.lines()), run("--version").out().trim());
    assertEquals(run("--version").out(), run("-V").out());
  }

  @Test
  void anUnknownCommandIsAnErrorWithHelpBehindItToo() {
    String line = "gcdiag: unknown command 'nosuch'; 'gcdiag --help' lists all commands";
    assertFails(2, line, run("nosuch"));
    assertFails(2, line, run("nosuch", "--help"));
    assertFails(2, line, run("--debug", "nosuch", "-h"));
    assertFails(2, line, run("nosuch", "--version"));
  }

  @Test
  void allHelpFitsInto80Columns() {
    List<String> wide = new ArrayList<>();
    run().out().lines().filter(line -> line.length() > 80).forEach(wide::add);
    GcdiagCommand.commands(analysis, terminal)
        .keySet()
        .forEach(
            command ->
                run("help", command)
                    .out()
                    .lines()
                    .filter(line -> line.length() > 80)
                    .forEach(line -> wide.add(command + ": " + line)));
    run("--help").out().lines().filter(line -> line.length() > 80).forEach(wide::add);
    assertEquals(List.of(), wide);
  }

  @Test
  void helpIsACommandToo() {
    assertEquals(run("--help").out(), run("help").out());
    assertEquals(run("analyze", "--help").out(), run("help", "analyze").out());
    assertEquals(run("help", "--help").out(), run("help", "help").out());
  }

  @Test
  void helpIsAsWideAsTheTerminalAndHas80ColumnsWhereThatIsUnknown() {
    assertEquals(80, widest(run("help", "analyze").out()));
    terminal = new Terminal(true, false, true, 120, 0, true, "");
    assertEquals(120, widest(run("help", "analyze").out()));
    terminal = new Terminal(true, false, true, 50, 0, true, "");
    assertEquals(50, widest(run("help", "analyze").out()));
  }

  /** The longest line that is no example: those are not broken. */
  private static int widest(String help) {
    return help.lines()
        .filter(line -> !line.startsWith("  gcdiag "))
        .mapToInt(String::length)
        .max()
        .orElseThrow();
  }
}
