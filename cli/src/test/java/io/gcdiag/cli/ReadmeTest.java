package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.cli.command.Terminal;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The README opens with a command and what it prints; this runs the command. */
class ReadmeTest {

  /** Stands in the README for lines that are left out. */
  private static final String LEFT_OUT = "    [...]";

  private static final String INDENT = "    ";

  @Test
  void theFirstCommandPrintsWhatTheReadmeShows() throws IOException {
    Path root = Incidents.all().get(0).getParent().getParent().getParent();
    List<String> readme = Files.readAllLines(root.resolve("README.md"));
    String command =
        readme.stream().filter(line -> line.startsWith("    ./gcdiag ")).findFirst().orElseThrow();
    List<String> shown = shown(readme);
    assertFalse(shown.isEmpty(), "the README shows no output between its markers");
    int at = 0;
    List<String> printed = run(command, root).lines().toList();
    for (String line : shown) {
      if (!line.equals(LEFT_OUT)) {
        int found =
            printed
                .subList(at, printed.size())
                .indexOf(line.isEmpty() ? "" : line.substring(INDENT.length()));
        assertTrue(
            found >= 0,
            () -> "the README shows a line that '" + command.trim() + "' does not print: " + line);
        at += found + 1;
      }
    }
  }

  private static List<String> shown(List<String> readme) {
    int start = readme.indexOf("<!-- output:start -->");
    int end = readme.indexOf("<!-- output:end -->");
    return new ArrayList<>(readme.subList(start + 1, end))
        .stream().filter(l -> !l.isBlank()).toList();
  }

  private static String run(String command, Path root) {
    String[] words = command.trim().split(" ");
    String[] args =
        Arrays.stream(words, 1, words.length)
            .map(word -> word.startsWith("fixtures/") ? root.resolve(word).toString() : word)
            .toArray(String[]::new);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(args, Analysis::run, Terminal.NONE, new PrintWriter(out), new PrintWriter(err));
    assertEquals(0, code, err::toString);
    return out.toString();
  }
}
