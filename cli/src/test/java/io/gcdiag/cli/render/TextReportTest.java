package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.SampleQuotes;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.report.Plot;
import io.gcdiag.cli.report.Tone;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.verdict.Diagnosis;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextReportTest {

  private static String text(Diagnosis diagnosis) {
    return ReportFormat.TABLE.render(new DiagnosisDocument(diagnosis), Look.PLAIN);
  }

  private static String verbose(Diagnosis diagnosis) {
    return ReportFormat.TABLE.render(
        new DiagnosisDocument(diagnosis),
        new Look(false, Look.USUAL, false, true, OptionalLong.empty(), OptionalInt.empty()));
  }

  private static String section(String text, String heading, String next) {
    return text.substring(text.indexOf(heading), text.indexOf(next));
  }

  private static List<String> headings(String text) {
    return text.lines().filter(line -> line.matches("\\d+\\. .*")).toList();
  }

  @Test
  void theFirstTwentyLinesHoldTheAnswerAndHowSureAndWhatToDo() {
    String top =
        text(SampleDiagnosis.memoryPressure()).lines().limit(20).collect(Collectors.joining("\n"));
    assertTrue(top.contains("\nPrimary suspect: Memory pressure"), top);
    assertTrue(top.contains("Confidence  high"), top);
    assertTrue(top.contains("Why         Too little of the heap was free after collections"), top);
    assertTrue(top.contains("raise the heap: -Xms2g -Xmx2g"), top);
  }

  @Test
  void whatWeakensTheAnswerStandsBeforeIt() {
    String text = text(SampleDiagnosis.memoryPressure());
    String doubt = "Check the inputs: gc.log was read in part: the last line is cut short";
    assertTrue(text.startsWith(doubt), text);
    assertTrue(text.indexOf("Primary suspect") > 0, text);
  }

  @Test
  void theBriefReportSaysWhichWindowsAndHowToSetThem() {
    String text = text(SampleDiagnosis.memoryPressure());
    assertTrue(text.contains("2026-03-01 01:14:00 to 01:15:00 UTC (60 s)"), text);
    assertTrue(text.contains("detected by change-point analysis"), text);
    assertTrue(text.contains("--incident 01:14:00..01:15:00 --baseline 01:13:00..01:14:00"), text);
    assertTrue(text.contains("recording.jfr (jfr)"), text);
    assertTrue(text.contains("gcdiag explain memory-pressure"), text);
  }

  @Test
  void theBriefRankingHasARowForTheSuspectAndForWhatAFigureClears() {
    List<String> rows =
        text(SampleDiagnosis.memoryPressure())
            .lines()
            .filter(line -> line.matches("\\d  [a-z-]+ .*"))
            .toList();
    assertTrue(
        rows.get(0).matches("1  memory-pressure +81.0 %  PRIMARY +see Why above"), rows.get(0));
    assertTrue(rows.stream().anyMatch(row -> row.contains("connection-pool-undersized")));
    assertTrue(rows.size() <= 6, rows.toString());
  }

  @Test
  void sectionsComeInTheOrderInWhichAReaderAsks() {
    assertEquals(
        List.of(
            "1. PROBLEM",
            "2. HYPOTHESES, RANKED BY SHARE OF THE LOST TIME",
            "3. OVER TIME",
            "4. ROOT CAUSE",
            "5. CAUSAL CHAIN",
            "6. CROSS-CHECKS",
            "7. GC PAUSES",
            "8. ALLOCATION PROFILE",
            "9. CODE THAT EXECUTED",
            "10. WHAT TO CHANGE",
            "11. IF YOU CHANGE IT",
            "12. WHAT COULD NOT BE SEEN, AND HOW TO RECORD IT NEXT TIME",
            "13. WINDOWS AND INPUTS"),
        headings(verbose(SampleDiagnosis.memoryPressure())));
  }

  @Test
  void aHealthyReportLeavesOutWhatItHasNothingToSayAboutButKeepsTheRanking() {
    String text = verbose(SampleDiagnosis.healthy());
    assertTrue(text.startsWith("Healthy"), text);
    assertEquals(
        List.of("1. HYPOTHESES, RANKED BY SHARE OF THE LOST TIME", "2. WINDOWS AND INPUTS"),
        headings(text));
    assertFalse(text.contains("\n\n\n"), text);
  }

  @Test
  void anUndecidedReportSaysWhatToRecord() {
    String text = text(SampleDiagnosis.undecided());
    assertTrue(text.startsWith("Undecided"), text);
    assertTrue(text.contains("jdk.ThreadPark#threshold=1ms"), text);
  }

  @Test
  void theFullRankingHasRowsForWhatMattersAndNamesAllOthersOnce() {
    String ranking =
        section(verbose(SampleDiagnosis.memoryPressure()), "2. HYPOTHESES", "3. OVER TIME");
    List<Integer> numbers =
        Pattern.compile("(?m)^ ?(\\d+)  ")
            .matcher(ranking)
            .results()
            .map(row -> Integer.valueOf(row.group(1)))
            .toList();
    // A suspect, what contributes, and what a figure clears.
    assertEquals(List.of(1, 2, 3), numbers);
    String inOneLine = ranking.replaceAll("\\s+", " ");
    for (Hypothesis hypothesis : Hypothesis.catalogue()) {
      assertTrue(inOneLine.contains(hypothesis.id()), hypothesis.id());
    }
  }

  @Test
  void figuresBeforeAndDuringAreComparedInTheirOwnUnits() {
    String text = verbose(SampleDiagnosis.memoryPressure()).replaceAll(" +", " ");
    // 1,250 / 308 - 1 = 3.0584
    assertTrue(text.contains("\nGC pauses, sum 308 ms 1.25 s +306 % "), text);
    assertTrue(text.contains(" 70/min 80/min +14.3 % "), text);
    assertTrue(text.contains(" 798/s 813/s +1.9 % "), text);
    assertTrue(text.contains(" 0 189 new "), text);
    // 90 % - 20 %: shares differ by points, not by percent
    assertTrue(text.contains(" 20.0 % 90.0 % +70.0 points "), text);
    assertTrue(text.contains(" 480 ms 480 ms unchanged "), text);
    assertTrue(text.contains("\nHeap committed - 256 MiB - "), text);
  }

  @Test
  void theArithmeticOfTheCauseIsSpelledOutWithItsSource() {
    String text = verbose(SampleDiagnosis.memoryPressure());
    assertTrue(text.contains("    (256 MiB - 202 MiB) / 256 MiB = 21.1 %\n"), text);
    assertTrue(
        text.replaceAll("\\s+", " ").contains("recording.jfr jdk.GCHeapSummary 01:14:08)"), text);
    assertTrue(text.contains("load needs 3.51"), text);
    assertTrue(text.contains("19.0 % unexplained"), text);
  }

  @Test
  void noLineIsWiderThanTheScreenHoweverLongTheNames() {
    for (Diagnosis diagnosis :
        List.of(
            SampleDiagnosis.memoryPressure(),
            SampleDiagnosis.healthy(),
            SampleDiagnosis.undecided(),
            SampleQuotes.everywhere("com.example." + "Long".repeat(60) + ".name"),
            SampleQuotes.everywhere("many short words ".repeat(30)))) {
      text(diagnosis).lines().forEach(line -> assertTrue(line.length() <= Look.USUAL, line));
      verbose(diagnosis).lines().forEach(line -> assertTrue(line.length() <= Look.USUAL, line));
    }
  }

  @Test
  void idsInTheRankingStayInOnePiece() {
    String ranking = verbose(SampleDiagnosis.memoryPressure());
    assertTrue(ranking.contains("  connection-pool-undersized "), ranking);
  }

  @Test
  void linesFollowTheWidthOfTheTerminalFromEightyUp() {
    for (int width : new int[] {40, 80, 100, 132, 500}) {
      Look look = new Look(false, width, false, true, OptionalLong.empty(), OptionalInt.empty());
      String text =
          ReportFormat.TABLE.render(new DiagnosisDocument(SampleDiagnosis.memoryPressure()), look);
      int widest = text.lines().mapToInt(String::length).max().orElseThrow();
      int allowed = Math.max(80, Math.min(140, width));
      assertTrue(widest <= allowed && widest > allowed - 8, widest + " of " + allowed);
    }
  }

  @Test
  void asciiTextHoldsNothingElseAndKeepsItsShape() {
    DiagnosisDocument document =
        new DiagnosisDocument(SampleQuotes.everywhere("Größe │ 大きさ \uD83D\uDE00"));
    String drawn = ReportFormat.TABLE.render(document, Look.PLAIN);
    String ascii =
        ReportFormat.TABLE.render(
            document, new Look(false, 100, true, false, OptionalLong.empty(), OptionalInt.empty()));
    assertTrue(ascii.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7F), ascii);
    assertTrue(ascii.contains("Grosse | ??? ?") || ascii.contains("Gro?e | ??? ?"), ascii);
    assertEquals(drawn.lines().count(), ascii.lines().count());
  }

  @Test
  void sparklinesShowTheHighestValuesAndMarkTheWindows() {
    List<String> lines =
        text(SampleDiagnosis.memoryPressure())
            .lines()
            .dropWhile(line -> !line.startsWith("Highest values"))
            .limit(4)
            .toList();
    // 100 columns less the label of 14, words of 23 and gaps are 59 slices over 120 s: the baseline
    // gets 29 and the incident 30. 4, 15.6 and 31 ms of at most 31: levels 2, 5 and 8
    // of 8.
    assertEquals("Highest values  " + "01:13:00" + " ".repeat(39) + "01:15:00 UTC", lines.get(0));
    assertEquals(
        "GC pauses       "
            + "▂"
            + " ".repeat(28)
            + "▅"
            + " ".repeat(28)
            + "█  peak 4 ms -> 15.6 ms",
        lines.get(1));
    // 120, 202 and 230 of 230: 5, 8 and 8 of 8; a heap keeps its size until the next sample.
    assertEquals("Heap            " + "▅".repeat(29), lines.get(2).substring(0, 45));
    assertEquals(
        " ".repeat(16) + "─".repeat(29) + "═".repeat(30) + "  ─ baseline, ═ incident",
        lines.get(3));
  }

  /** A log of days would leave the incident one slice. */
  @Test
  void sparklinesBeginAtTheBaseline() {
    Instant from = Instant.parse("2026-03-01T12:00:00Z");
    Block.Charts charts =
        new Block.Charts(
            ZoneOffset.UTC,
            List.of(
                new Plot.Mark("baseline", from, from.plusSeconds(60), Tone.GOOD),
                new Plot.Mark("incident", from.plusSeconds(60), from.plusSeconds(120), Tone.BAD)),
            Optional.empty(),
            List.of(
                plot(
                    "Heap",
                    new Plot.Point(from.minus(Duration.ofDays(3)), 100),
                    new Plot.Point(from.minusSeconds(5), 50),
                    new Plot.Point(from.plusSeconds(60), 100))));
    // Highest of the windows: 100; before the incident the value of 5 s before the baseline holds.
    List<String> lines = SparkText.lines(charts, 100, false);
    assertEquals(
        "Heap            " + "▄".repeat(30) + "█".repeat(30), lines.get(1).substring(0, 76));
  }

  private static Plot plot(String title, Plot.Point... points) {
    Plot.Trace trace =
        new Plot.Trace(
            title, Plot.Shape.STEPS, Cell.of("gc.log"), Optional.of("peak"), List.of(points));
    return new Plot("chart-heap", title, "bytes", List.of(trace), List.of(), Optional.of(trace));
  }

  @Test
  void detailsAreForWhoeverAsks() {
    String brief = text(SampleDiagnosis.memoryPressure());
    String verbose = verbose(SampleDiagnosis.memoryPressure());
    assertTrue(brief.contains(" checked without a sign of them"), brief);
    assertTrue(verbose.contains("Checked, not indicated: "), verbose);
    assertFalse(brief.contains("Evidence for row"), brief);
    assertTrue(verbose.contains("Evidence for row 3:"), verbose);
    assertTrue(verbose.contains("What was read of each file:"), verbose);
  }

  @Test
  void textFromFilesCannotCommandATerminal() {
    String hostile = "a\u001B[31mred\u001B[0m\u001B]0;title\u0007\r\n\u009B2Jb\u202Ec\u0000d";
    for (ReportFormat format : ReportFormat.values()) {
      String text =
          format.render(new DiagnosisDocument(SampleQuotes.everywhere(hostile)), Look.PLAIN);
      assertTrue(text.contains("ared bcd"), text);
      assertTrue(text.codePoints().allMatch(c -> c == '\n' || !Character.isISOControl(c)), text);
      assertFalse(text.contains("\u202E"), text);
    }
  }

  @Test
  void aLineBreakOfHtmlInANameIsText() {
    String text = verbose(SampleQuotes.everywhere("a<br>b<BR/>c"));
    assertTrue(text.contains("a<br>b<BR/>c "), text);
  }

  @Test
  void coloursAreAddedOnlyWhenAskedForAndChangeNothingElse() {
    DiagnosisDocument document = new DiagnosisDocument(SampleDiagnosis.memoryPressure());
    String plain = ReportFormat.TABLE.render(document, Look.PLAIN);
    String coloured = ReportFormat.TABLE.render(document, Look.PLAIN.coloured(true));
    assertFalse(plain.contains("\u001B"));
    assertTrue(coloured.contains("\u001B[1;31m"), coloured);
    assertEquals(plain, coloured.replaceAll("\u001B\\[[0-9;]*m", ""));
  }

  @Test
  void aColouredVerdictStaysInsideItsCell() {
    String coloured =
        ReportFormat.TABLE.render(
            new DiagnosisDocument(SampleDiagnosis.memoryPressure()),
            new Look(true, Look.USUAL, false, true, OptionalLong.empty(), OptionalInt.empty()));
    assertTrue(coloured.contains("  \u001B[1;31mPRIMARY"), coloured);
  }

  @ParameterizedTest
  @ValueSource(strings = {"de-DE", "tr-TR", "ar-EG", "hi-IN"})
  void everyFormatIsTheSameInEveryLocale(String language) {
    Locale before = Locale.getDefault();
    try {
      for (ReportFormat format : ReportFormat.values()) {
        DiagnosisDocument document = new DiagnosisDocument(SampleDiagnosis.memoryPressure());
        Locale.setDefault(Locale.ROOT);
        String expected = format.render(document, Look.PLAIN);
        Locale.setDefault(Locale.forLanguageTag(language));
        assertEquals(expected, format.render(document, Look.PLAIN));
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void figuresThatStoodStillAreLeftToWhoeverAsksForEverything() {
    Map<String, double[]> figures = new TreeMap<>();
    figures.put("latency.p99", new double[] {100, 100});
    figures.put("moved", new double[] {100, 111});
    figures.put("still", new double[] {100, 109});
    figures.put("never", new double[] {0, 0});
    figures.put("fell little", new double[] {100, 95});
    figures.put("same", new double[] {100, 100});
    String text = verbose(SampleDiagnosis.withFigures(figures));
    String problem = section(text, "1. PROBLEM", "3 more figures");
    // Latency is shown whatever it did; 11 of 100 is more than a tenth, 9 is less.
    assertTrue(problem.contains("latency.p99") && problem.contains("moved"), problem);
    assertFalse(problem.contains("still"), problem);
    assertFalse(text.contains("never"), "what is nothing and stays nothing has no row");
  }

  @Test
  void theTableOfFilesSaysWhichWereNotReadUnlessAllWere() {
    InputReport read = new InputReport("gc.log", "gc-log", InputReport.Status.OK, "");
    String all = verbose(SampleDiagnosis.withInputs(read));
    assertTrue(all.contains("\ngc-log  gc.log\n"), all);
    // So many unused files are not named one by one on the first screen.
    InputReport[] inputs = new InputReport[7];
    inputs[0] = read;
    for (int i = 1; i < inputs.length; i++) {
      inputs[i] = new InputReport("notes-" + i, "", InputReport.Status.UNUSED, "");
    }
    String some = verbose(SampleDiagnosis.withInputs(inputs));
    assertTrue(some.lines().anyMatch(row -> row.matches("notes-6 .* unused.*")), some);
  }
}
