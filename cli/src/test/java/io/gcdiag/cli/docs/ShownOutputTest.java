package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * <p>With {@code -Dapprove} the pages are written anew.
 */
@Tag("slow")
class ShownOutputTest {

  private static final String END = "<!-- output end -->";
  private static final Pattern START =
      Pattern.compile(
          "<!-- output: gcdiag (.*) \\| (?:first (\\d+)|from \"(.*)\" to a blank line) -->");

  @Test
  void pagesShowWhatCommandsPrint() throws IOException {
    boolean approve = System.getProperty("approve") != null;
    int shown = 0;
    for (Path page : Pages.forUsers()) {
      List<String> lines = Files.readAllLines(page);
      if (lines.stream().anyMatch(line -> START.matcher(line).matches())) {
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

  private static List<String> renewed(Path page, List<String> lines) {
    List<String> renewed = new ArrayList<>();
    boolean inOutput = false;
    for (String line : lines) {
      Matcher start = START.matcher(line);
      if (start.matches()) {
        assertFalse(inOutput, () -> page + ": an output has no end before " + line);
        inOutput = true;
        renewed.add(line);
        renewed.add("```text");
        renewed.addAll(output(page, start));
        renewed.add("```");
        renewed.add(END);
      } else if (line.equals(END)) {
        inOutput = false;
      } else if (!inOutput) {
        renewed.add(line);
      }
    }
    assertFalse(inOutput, () -> page + ": an output has no end");
    return renewed;
  }

  private static List<String> output(Path page, Matcher wanted) {
    List<String> arguments = ShellLine.programs(List.of(wanted.group(1))).get(0);
    List<String> printed = Gcdiag.succeed(arguments.stream().map(Gcdiag::located).toList());
    if (wanted.group(2) != null) {
      return printed.subList(0, Math.min(printed.size(), Integer.parseInt(wanted.group(2))));
    }
    List<String> shown =
        printed.stream()
            .dropWhile(line -> !line.contains(wanted.group(3)))
            .takeWhile(line -> !line.isBlank())
            .toList();
    assertFalse(shown.isEmpty(), () -> page + ": no line holds \"" + wanted.group(3) + "\"");
    return shown;
  }
}
