package io.gcdiag.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The blocks of a page in Markdown, as far as the pages under {@code docs/} use it: headings,
 * paragraphs, lists, tables, quotations, indented and fenced code. Marks inside of text are left
 * out, as text needs none; a link to another page leaves that page's id.
 */
final class MarkdownBlocks {

  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");
  private static final Pattern BULLET = Pattern.compile("[-*] +(.*)");
  private static final Pattern STEP = Pattern.compile("(\\d+\\.) +(.*)");
  private static final Pattern QUOTE = Pattern.compile("> ?(.*)");
  private static final Pattern TABLE_RULE = Pattern.compile("\\|[-:| ]+\\|?");
  private static final Pattern CELL_BORDER = Pattern.compile("(?<!\\\\)\\|");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)]\\(([^)]*)\\)");
  private static final Pattern PAGE = Pattern.compile("(?:.*/)?([a-z0-9-]+)\\.md(?:#.*)?");
  private static final Pattern MARKS = Pattern.compile("\\*\\*|`|\\\\(?=[|*_`\\[\\]<>])");
  private static final String INDENT = "    ";
  private static final String FENCE = "```";

  /** Around tables that tests make. */
  private static final String COMMENT = "<!--";

  private final List<String> lines;
  private final List<Block> blocks = new ArrayList<>();
  private int at;

  private MarkdownBlocks(List<String> lines) {
    this.lines = lines;
  }

  /** The blocks of a page behind its title, which is the heading of the first line. */
  static List<Block> of(String page) {
    MarkdownBlocks reader = new MarkdownBlocks(page.lines().skip(1).toList());
    while (reader.at < reader.lines.size()) {
      reader.next();
    }
    return reader.blocks;
  }

  private void next() {
    String line = lines.get(at);
    Matcher heading = HEADING.matcher(line);
    if (line.isBlank() || line.startsWith(COMMENT)) {
      at++;
    } else if (heading.matches()) {
      blocks.add(new Block.Heading(plain(heading.group(1))));
      at++;
    } else if (line.startsWith(FENCE)) {
      fenced();
    } else if (line.startsWith(INDENT)) {
      indented();
    } else if (line.startsWith("|")) {
      table();
    } else if (BULLET.matcher(line).matches()) {
      blocks.add(Block.Bullets.of(items(BULLET)));
    } else if (STEP.matcher(line).matches()) {
      steps();
    } else if (QUOTE.matcher(line).matches()) {
      blocks.add(Block.Paragraph.of("\"" + quoted() + "\""));
    } else {
      blocks.add(Block.Paragraph.of(paragraph()));
    }
  }

  /** The lines from here on that are so. */
  private List<String> take(Predicate<String> wanted) {
    List<String> taken = lines.stream().skip(at).takeWhile(wanted).toList();
    at += taken.size();
    return taken;
  }

  private void fenced() {
    at++;
    blocks.add(new Block.Code(take(line -> !line.startsWith(FENCE))));
    at++;
  }

  private void indented() {
    List<String> code = take(line -> line.startsWith(INDENT));
    blocks.add(new Block.Code(code.stream().map(line -> line.substring(INDENT.length())).toList()));
  }

  private void table() {
    List<String> drawn = take(line -> line.startsWith("|"));
    boolean ruled = drawn.size() > 1 && TABLE_RULE.matcher(drawn.get(1)).matches();
    List<String> sides = ruled ? cells(drawn.get(1)) : List.of();
    List<List<String>> rows = new ArrayList<>(drawn.stream().map(MarkdownBlocks::cells).toList());
    if (ruled) {
      rows.remove(1);
    }
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < rows.get(0).size(); i++) {
      boolean right = i < sides.size() && sides.get(i).endsWith(":");
      String title = plain(rows.get(0).get(i));
      columns.add(right ? Column.numbers(title) : Column.words(title));
    }
    blocks.add(
        new Block.Table(
            columns, rows.stream().skip(1).map(cells -> row(cells, columns.size())).toList()));
  }

  /** Cells that a row lacks are empty, and cells too many are left out, as Markdown has it. */
  private static List<Cell> row(List<String> cells, int columns) {
    List<Cell> row = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      row.add(Cell.of(i < cells.size() ? plain(cells.get(i)) : ""));
    }
    return row;
  }

  private static List<String> cells(String line) {
    String inner = line.strip().substring(1);
    String[] cells = CELL_BORDER.split(inner.endsWith("|") ? inner : inner + "|", -1);
    return List.of(cells).subList(0, cells.length - 1).stream().map(String::strip).toList();
  }

  private void steps() {
    List<Fact> steps = new ArrayList<>();
    int first = at;
    List<String> texts = items(STEP);
    for (String line : lines.subList(first, at)) {
      Matcher step = STEP.matcher(line);
      if (step.matches()) {
        steps.add(Fact.of(step.group(1), texts.get(steps.size())));
      }
    }
    blocks.add(new Block.Facts(steps));
  }

  /** Items of a list; lines that are indented go on with the item above. */
  private List<String> items(Pattern start) {
    List<StringBuilder> items = new ArrayList<>();
    for (; at < lines.size() && !lines.get(at).isBlank(); at++) {
      Matcher item = start.matcher(lines.get(at));
      if (item.matches()) {
        items.add(new StringBuilder(item.group(item.groupCount())));
      } else if (lines.get(at).startsWith(" ")) {
        items.get(items.size() - 1).append(' ').append(lines.get(at).strip());
      } else {
        break;
      }
    }
    return items.stream().map(item -> plain(item.toString())).toList();
  }

  private String quoted() {
    Stream<String> text = take(QUOTE.asMatchPredicate()).stream();
    return plain(
        text.map(line -> QUOTE.matcher(line).replaceFirst("$1")).collect(Collectors.joining(" ")));
  }

  private String paragraph() {
    List<String> text = new ArrayList<>();
    do {
      text.add(lines.get(at).strip());
      at++;
    } while (at < lines.size() && !lines.get(at).isBlank() && !begins(lines.get(at)));
    return plain(String.join(" ", text));
  }

  private static boolean begins(String line) {
    return List.of(HEADING, BULLET, QUOTE).stream().anyMatch(p -> p.matcher(line).matches())
        || line.startsWith("|")
        || line.startsWith(FENCE);
  }

  private static String plain(String text) {
    String unlinked = LINK.matcher(text).replaceAll(link -> Matcher.quoteReplacement(name(link)));
    return MARKS.matcher(unlinked).replaceAll("");
  }

  private static String name(MatchResult link) {
    Matcher page = PAGE.matcher(link.group(2));
    boolean said = !page.matches() || link.group(1).equals(page.group(1));
    return said ? link.group(1) : link.group(1) + " (" + page.group(1) + ")";
  }
}
