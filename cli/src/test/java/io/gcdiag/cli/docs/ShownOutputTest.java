package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Output that a page shows is what the command prints today. It stands between two comments, the
 * first of which names the command and which lines are shown:
 *
 * <pre>
 * &lt;!-- output: gcdiag analyze incident/ | first 20 -->
 * &lt;!-- output: gcdiag analyze incident/ | from "CAUSAL CHAIN" to a blank line -->
 * &lt;!-- output end -->
 * </pre>
 *
 * <p>Rows of one table of a Markdown report, each with a text that it holds, under the table's
 * head:
 *
 * <pre>
 * &lt;!-- rows: gcdiag analyze incident/ --format md | "P99 latency" "Longest pause" -->
 * &lt;!-- rows end -->
 * </pre>
 *
 * <p>With {@code -Dapprove} the pages are written anew.
 */
@Tag("slow")
@Tag("incidents")
class ShownOutputTest {

  private static final String END = "<!-- output end -->";
  private static final Pattern START =
      Pattern.compile(
          "<!-- output: gcdiag (.*) \\| (?:first (\\d+)|from \"(.*)\" to a blank line) -->");

  private static final String ROWS_END = "<!-- rows end -->";
  private static final Pattern ROWS =
      Pattern.compile("<!-- rows: gcdiag ([^|]*) \\| (\"[^\"]*\"(?: \"[^\"]*\")*) -->");

  @Test
  void pagesShowWhatCommandsPrint() throws IOException {
    boolean approve = System.getProperty("approve") != null;
    int shown = 0;
    commands().parallelStream().forEach(ShownOutputTest::ran);
    for (Path page : Pages.forUsers()) {
      List<String> lines = Files.readAllLines(page);
      if (lines.stream()
          .anyMatch(line -> START.matcher(line).matches() || ROWS.matcher(line).matches())) {
        shown++;
        List<String> today = renewed(page, lines);
        if (approve) {
          Files.writeString(page, String.join("\n", today) + "\n");
        }
        assertEquals(
            String.join("\n", today),
            String.join("\n", approve ? today : lines),
            page + " shows other output than today's; ./mvnw -B verify -Dapprove writes it anew");
      }
    }
    assertTrue(shown >= 2, "output is shown in the README and in the tutorial");
  }

  @Test
  void theReadmeBeginsWithTheFirstCommandThatItShows() throws IOException {
    List<String> readme = Files.readAllLines(Pages.ROOT.resolve("README.md"));
    String command =
        readme.stream().filter(line -> line.startsWith("./gcdiag ")).findFirst().orElseThrow();
    String shown =
        readme.stream().filter(line -> START.matcher(line).matches()).findFirst().orElseThrow();
    assertTrue(shown.contains(command.substring("./".length()) + " |"), shown);
  }

  /** The arguments of every command whose output is shown. */
  static Set<List<String>> commands() throws IOException {
    Set<List<String>> commands = new HashSet<>();
    for (Path page : Pages.forUsers()) {
      for (String line : Files.readAllLines(page)) {
        Stream.of(START.matcher(line), ROWS.matcher(line))
            .filter(Matcher::matches)
            .forEach(shown -> commands.add(arguments(shown.group(1))));
      }
    }
    return commands;
  }

  private static List<String> arguments(String command) {
    return ShellLine.programs(List.of(command)).get(0);
  }

  private List<String> renewed(Path page, List<String> lines) {
    List<String> renewed = new ArrayList<>();
    boolean inOutput = false;
    for (String line : lines) {
      Matcher start = START.matcher(line);
      Matcher rows = ROWS.matcher(line);
      if (rows.matches()) {
        inOutput = true;
        renewed.add(line);
        renewed.add("");
        renewed.addAll(rows(page, rows));
        renewed.add("");
        renewed.add(ROWS_END);
      } else if (start.matches()) {
        assertFalse(inOutput, () -> page + ": an output has no end before " + line);
        inOutput = true;
        renewed.add(line);
        renewed.add("```text");
        renewed.addAll(output(page, start));
        renewed.add("```");
        renewed.add(END);
      } else if (line.equals(END) || line.equals(ROWS_END)) {
        inOutput = false;
      } else if (!inOutput) {
        renewed.add(line);
      }
    }
    assertFalse(inOutput, () -> page + ": an output has no end");
    return renewed;
  }

  private List<String> output(Path page, Matcher wanted) {
    List<String> lines = printed(wanted.group(1));
    if (wanted.group(2) != null) {
      return lines.subList(0, Math.min(lines.size(), Integer.parseInt(wanted.group(2))));
    }
    List<String> shown =
        lines.stream()
            .dropWhile(line -> !line.contains(wanted.group(3)))
            .takeWhile(line -> !line.isBlank())
            .toList();
    assertFalse(shown.isEmpty(), () -> page + ": no line holds \"" + wanted.group(3) + "\"");
    return shown;
  }

  private List<String> rows(Path page, Matcher wanted) {
    List<String> lines = printed(wanted.group(1));
    String[] texts = wanted.group(2).substring(1, wanted.group(2).length() - 1).split("\" \"");
    List<String> shown = new ArrayList<>();
    for (String text : texts) {
      int row =
          IntStream.range(0, lines.size())
              .filter(i -> lines.get(i).startsWith("|") && lines.get(i).contains(text))
              .findFirst()
              .orElseThrow(() -> new AssertionError(page + ": no row holds \"" + text + "\""));
      int head = row;
      while (head > 0 && lines.get(head - 1).startsWith("|")) {
        head--;
      }
      List<String> heading = lines.subList(head, head + 2);
      if (shown.isEmpty()) {
        shown.addAll(heading);
      }
      assertEquals(shown.subList(0, 2), heading, () -> "another table has the row " + text);
      shown.add(lines.get(row));
    }
    return shown;
  }

  private static List<String> printed(String command) {
    return ran(arguments(command));
  }

  private static List<String> ran(List<String> arguments) {
    return Gcdiag.succeed(arguments.stream().map(Gcdiag::located).toList());
  }
}
