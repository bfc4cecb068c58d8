package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A report is read in ten seconds: the text of every recorded incident fits on one screen. */
@Tag("slow")
@Tag("incidents")
class ReportSizesTest {

  private static final int MOST_LINES = 71;
  private static final int MOST_LINES_HEALTHY = 40;
  private static final int MOST_COLUMNS = 100;

  /** A language model reads the answer, beside all else that it is given. */
  private static final int MOST_TOKENS = 2_060;

  /** Words are cut every four letters, numbers every three digits; each other sign is a piece. */
  private static final Pattern PIECE =
      Pattern.compile("\\p{L}{1,4}|\\p{N}{1,3}|[^\\p{L}\\p{N}\\s]|\\n");

  /**
   * Of 265 answers, counted by the vocabularies cl100k and o200k, none had more than 1.18 tokens a
   * piece.
   */
  private static final double TOKENS_A_PIECE = 1.18;

  /** Of one report, in the order in which a smaller terminal does without them. */
  private static final List<String> PARTS =
      List.of(
          "MinHeapFreeRatio",
          "Lost time",
          "and nothing that",
          "request threads using a connection",
          "free after GC: it",
          "Incident  ",
          "connection, mean",
          "Expect ");

  @TestFactory
  Stream<DynamicTest> theTextOfEveryIncidentFitsOnOneScreen() {
    return Incidents.all().stream()
        .map(
            folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> fits(folder)));
  }

  /**
   * A terminal of 24 lines and 80 columns, of which the command and the prompt take two: the answer
   * to the action, four hypotheses with their reasons in full, and where the rest is.
   */
  @TestFactory
  Stream<DynamicTest> theAnswerFitsASmallTerminal() {
    return Stream.of("orders-small-heap", "ferry-pool", "counter-pinned", "orders-healthy")
        .map(name -> DynamicTest.dynamicTest(name, () -> fitsSmall(Incidents.folder(name))));
  }

  private static String small(Path folder) {
    return small(document(folder), 22);
  }

  private static DiagnosisDocument document(Path folder) {
    return new DiagnosisDocument(IncidentDiagnoses.of(folder));
  }

  private static String small(DiagnosisDocument document, int lines) {
    return ReportFormat.TABLE.render(
        document, new Look(false, 80, false, false, OptionalLong.empty(), OptionalInt.of(lines)));
  }

  private static void fitsSmall(Path folder) {
    String screen = small(folder);
    List<String> lines = screen.lines().toList();
    assertTrue(lines.size() <= 22 && lines.stream().allMatch(line -> line.length() <= 80), screen);
    assertTrue(lines.stream().noneMatch(line -> line.endsWith("...")), screen);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("4  ")), screen);
    boolean healthy = screen.startsWith("Healthy");
    assertTrue(healthy || screen.contains("\nDo first "), screen);
    assertTrue(healthy || screen.contains("\nChecks "), screen);
    assertTrue(healthy || saysWhen(screen), screen);
    assertTrue(healthy || screen.matches("(?s).*(unexplained|no\\s+file shows).*"), screen);
  }

  /**
   * What a terminal of fewer and fewer lines does without, first to last: reasons are one line each
   * before the windows, the second reason, checks of other causes, and what the change brings go.
   */
  @Test
  void theUserImpactOutlivesThePredictionAndThatTheChecks() {
    DiagnosisDocument document = document(Incidents.folder("ferry-pool"));
    List<String> gone = new ArrayList<>();
    for (int lines = 60; lines >= 16; lines--) {
      String screen = small(document, lines);
      // The checks, in lines of their own or in one, outlive the second reason.
      boolean checked = screen.contains("MinHeapFreeRatio") || screen.contains("\nChecks ");
      assertTrue(checked || !screen.contains("connection, mean"), screen);
      PARTS.stream()
          .filter(part -> !screen.contains(part) && !gone.contains(part))
          .forEach(gone::add);
    }
    assertEquals(PARTS, gone);
  }

  /** The window, in a line of its own or in the title or the last line. */
  private static boolean saysWhen(String screen) {
    return screen
        .lines()
        .anyMatch(
            line ->
                line.matches(
                    "(Primary|Undecided|Incident|Analyzed).* \\d\\d:\\d\\d:\\d\\d to .* UTC.*"));
  }

  /** Long summaries, reasons and instructions are cut at a clause, and no line is added to 22. */
  @TestFactory
  Stream<DynamicTest> noAnswerIsLongerThanASmallTerminal() {
    Set<String> longest = Set.of("elsted", "gallery", "hopfield", "museum", "turnstile");
    return Incidents.onceBlind().stream()
        .filter(one -> longest.contains(one.name()))
        .map(one -> DynamicTest.dynamicTest(one.name(), () -> isNotLong(one.folder())));
  }

  private static void isNotLong(Path folder) {
    String screen = small(folder);
    assertTrue(screen.lines().count() <= 22, screen);
    assertTrue(screen.lines().noneMatch(line -> line.endsWith("...")), screen);
    assertTrue(screen.contains("\nDo first "), screen);
    assertTrue(screen.contains("\n4  "), screen);
    assertTrue(saysWhen(screen), screen);
    // The shares are all or none.
    assertTrue(!screen.contains("of the lost time (") || screen.contains("unexplained"), screen);
  }

  private static void fits(Path folder) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("approved/report.txt"));
    double tokens = TOKENS_A_PIECE * PIECE.matcher(String.join("\n", lines)).results().count();
    assertTrue(tokens < MOST_TOKENS, tokens + " tokens, less than " + MOST_TOKENS);
    boolean healthy = lines.stream().anyMatch(line -> line.startsWith("Healthy"));
    int most = healthy ? MOST_LINES_HEALTHY : MOST_LINES;
    assertTrue(lines.size() <= most, lines.size() + " lines, at most " + most);
    assertEquals(List.of(), lines.stream().filter(line -> line.length() > MOST_COLUMNS).toList());
    assertEquals(
        1, lines.stream().filter(line -> line.startsWith("More ")).count(), "says how to see more");
  }
}
