package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The table of {@code docs/report-sizes.md}: how long the reports of every recorded incident are.
 * What they were before stands in the page alone. With {@code -Dapprove} the table is written anew.
 */
final class SizesPage {

  private static final Path PAGE = Path.of("..", "docs", "report-sizes.md");
  private static final String BEGIN = "<!-- sizes -->";
  private static final String END = "<!-- sizes end -->";

  /** The cells of a row behind the incident's name: text before is the first, Markdown the 4th. */
  private static final int TEXT_BEFORE = 2;

  private static final int MARKDOWN_BEFORE = 5;

  private final Map<String, List<Long>> sizes = new TreeMap<>();

  void add(String incident, long text, long verbose, long markdown, long larger) {
    sizes.put(incident, List.of(text, verbose, markdown, larger));
  }

  void check() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN);
    int to = page.indexOf(END);
    String today = page.substring(0, from) + table(page.substring(from, to)) + page.substring(to);
    if (System.getProperty("approve") != null) {
      Files.writeString(PAGE, today);
      return;
    }
    assertEquals(today, page, PAGE + " differs; ./mvnw -B verify -Dapprove writes it anew");
  }

  private String table(String known) {
    List<String> lines = new ArrayList<>();
    lines.add(BEGIN);
    lines.add("");
    known.lines().filter(SizesPage::isHead).forEach(lines::add);
    sizes.forEach(
        (incident, now) -> {
          String[] before =
              known
                  .lines()
                  .filter(line -> line.startsWith("| " + incident + " |"))
                  .findFirst()
                  .orElse("| " + incident + " | - | - | - | - | - | - |")
                  .split("\\s*\\|\\s*");
          lines.add(
              "| "
                  + String.join(
                      " | ",
                      incident,
                      before[TEXT_BEFORE],
                      Numbers.count(now.get(0)),
                      Numbers.count(now.get(1)),
                      before[MARKDOWN_BEFORE],
                      Numbers.count(now.get(2)),
                      Numbers.count(now.get(3)))
                  + " |");
        });
    lines.add("");
    return String.join("\n", lines) + "\n";
  }

  private static boolean isHead(String line) {
    return line.startsWith("| incident |") || line.startsWith("| ---");
  }
}
