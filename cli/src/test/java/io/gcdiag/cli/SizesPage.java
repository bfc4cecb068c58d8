package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

  private static final String HTML_BEGIN = "<!-- html -->";
  private static final String HTML_END = "<!-- html end -->";

  /** Of the table of HTML pages: what was before, in bytes and in what stands first. */
  private static final int BYTES_BEFORE = 2;

  private static final int FIRST_BEFORE = 3;

  private static final int FIRST_LABELS = 5;

  /** What a page holds before the list of its parts. */
  private static final Pattern ANSWER =
      Pattern.compile("<main.*?(?=<nav|<section)", Pattern.DOTALL);

  private static final Pattern LABEL = Pattern.compile("<dt>(.*?)</dt>");

  private final Map<String, List<Long>> sizes = new TreeMap<>();
  private final Map<String, String> pages = new TreeMap<>();

  void add(String incident, long text, long verbose, long markdown, long larger) {
    sizes.put(incident, List.of(text, verbose, markdown, larger));
  }

  void addHtml(String incident, String html) {
    Matcher answer = ANSWER.matcher(html);
    String first =
        answer.find()
            ? LABEL
                .matcher(answer.group())
                .results()
                .limit(FIRST_LABELS)
                .map(label -> label.group(1))
                .collect(Collectors.joining(", "))
            : "";
    long bytes = html.getBytes(StandardCharsets.UTF_8).length;
    pages.put(incident, Numbers.count(bytes) + " | " + first);
  }

  void check() throws IOException {
    String page = Files.readString(PAGE);
    String today = rewritten(page, BEGIN, END, this::table);
    today = rewritten(today, HTML_BEGIN, HTML_END, this::htmlTable);
    if (System.getProperty("approve") != null) {
      Files.writeString(PAGE, today);
      return;
    }
    assertEquals(today, page, PAGE + " differs; ./mvnw -B verify -Dapprove writes it anew");
  }

  private static String rewritten(
      String page, String begin, String end, UnaryOperator<String> table) {
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    return page.substring(0, from) + table.apply(page.substring(from, to)) + page.substring(to);
  }

  /** The incidents that stand in it. */
  private String htmlTable(String known) {
    return known
        .lines()
        .map(
            line -> {
              String[] cells = line.split("\\s*\\|\\s*");
              return cells.length > FIRST_BEFORE && pages.containsKey(cells[1])
                  ? "| "
                      + String.join(
                          " | ",
                          cells[1],
                          cells[BYTES_BEFORE],
                          cells[FIRST_BEFORE],
                          pages.get(cells[1]))
                      + " |"
                  : line;
            })
        .collect(Collectors.joining("\n", "", "\n"));
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
    lines.add(means(lines));
    lines.add("");
    return String.join("\n", lines) + "\n";
  }

  /** The last row: the mean of each column, over the incidents that have a figure in it. */
  private static String means(List<String> rows) {
    StringBuilder means = new StringBuilder("| mean |");
    for (int i = TEXT_BEFORE; i <= MARKDOWN_BEFORE + 2; i++) {
      int column = i;
      double mean =
          rows.stream()
              .map(row -> row.split("\\s*\\|\\s*"))
              .filter(cells -> cells.length > column && cells[column].matches("[\\d,]+"))
              .mapToLong(cells -> Long.parseLong(cells[column].replace(",", "")))
              .average()
              .orElse(0);
      means.append(' ').append(Numbers.count(Math.round(mean))).append(" |");
    }
    return means.toString();
  }

  private static boolean isHead(String line) {
    return line.startsWith("| incident |") || line.startsWith("| ---");
  }
}
