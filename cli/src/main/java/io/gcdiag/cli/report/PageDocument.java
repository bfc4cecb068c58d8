package io.gcdiag.cli.report;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Manual.Topic;
import io.gcdiag.evidence.time.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of a rule or root cause as a document, and the list of all that have one. */
public final class PageDocument {

  /** Headings of pages of root causes and of rules. */
  private static final List<String> AT_A_GLANCE =
      List.of(
          "What it is",
          "Evidence for it",
          "Evidence against it, look-alikes",
          "What to change first",
          "What each level was worth",
          "What it does",
          "Evidence it needs",
          "Example");

  private PageDocument() {}

  /** The page, with what the rule book adds to it. */
  public static Report of(Topic topic) {
    return switch (topic.kind()) {
      case HYPOTHESIS -> page(topic, hypothesis(topic.id()));
      case RULE -> page(topic, rule(topic.id()));
      case WORD -> page(topic, topic.id(), List.of());
    };
  }

  /** The parts that answer at a glance; the page has the rest. */
  public static Report brief(Topic topic) {
    Report page = of(topic);
    List<Block> blocks = new ArrayList<>();
    boolean shown = true;
    for (Block block : page.blocks()) {
      if (block instanceof Block.Heading heading) {
        shown = AT_A_GLANCE.contains(heading.text());
      }
      if (shown) {
        blocks.add(block);
      }
    }
    blocks.add(
        Block.Paragraph.muted("The whole page: gcdiag explain " + topic.id() + " --verbose"));
    return new Report(page.title(), blocks);
  }

  private static Report page(Topic topic, Hypothesis hypothesis) {
    String rules =
        Causes.rules().stream()
            .filter(rule -> rule.judges().contains(hypothesis))
            .map(Rule::id)
            .collect(Collectors.joining(", "));
    return page(
        topic,
        Causes.of(hypothesis).title(),
        List.of(Fact.of("Root cause", topic.id()), Fact.of("Judged by", rules)));
  }

  private static Report page(Topic topic, Rule rule) {
    String judged =
        rule.judges().stream().sorted().map(Hypothesis::id).collect(Collectors.joining(", "));
    return page(
        topic, topic.id(), List.of(Fact.of("Judges", judged), Fact.of("Needs", needs(rule))));
  }

  private static Report page(Topic topic, String title, List<Fact> facts) {
    List<Block> blocks = new ArrayList<>();
    if (!facts.isEmpty()) {
      blocks.add(new Block.Facts(facts));
    }
    blocks.addAll(MarkdownBlocks.of(Manual.page(topic)));
    return new Report(new Cell(title, Tone.STRONG), blocks);
  }

  /** What can be asked for. */
  public static Report index() {
    return index(
        Block.Paragraph.of(
            Causes.rules().stream().map(Rule::id).collect(Collectors.joining(", "))
                + "; what each does: gcdiag explain --verbose"));
  }

  /** The same with what each rule does. */
  public static Report fullIndex() {
    return index(facts(Causes.rules().stream().map(r -> Fact.of(r.id(), whatItDoes(r)))));
  }

  private static Report index(Block rules) {
    return new Report(
        Cell.of("What gcdiag can explain"),
        List.of(
            Block.Paragraph.of("'gcdiag explain ID' prints the page of one of these."),
            new Block.Heading("Words of a report"),
            Block.Paragraph.of(String.join(", ", Manual.words())),
            new Block.Heading("Root causes"),
            facts(
                Hypothesis.catalogue().stream()
                    .map(cause -> Fact.of(cause.id(), Causes.of(cause).title()))),
            new Block.Heading("Rules"),
            rules));
  }

  private static Block facts(Stream<Fact> facts) {
    return new Block.Facts(facts.toList());
  }

  static String needs(Rule rule) {
    return rule.needs().isEmpty()
        ? FigureText.NONE
        : rule.needs().stream().sorted().map(Signal::description).collect(Collectors.joining("; "));
  }

  static String whatItDoes(Rule rule) {
    return MarkdownBlocks.of(Manual.page(new Topic(Topic.Kind.RULE, rule.id()))).stream()
        .filter(Block.Paragraph.class::isInstance)
        .map(paragraph -> ((Block.Paragraph) paragraph).text().text())
        .findFirst()
        .orElse("");
  }

  private static Hypothesis hypothesis(String id) {
    return Hypothesis.catalogue().stream().filter(h -> h.id().equals(id)).findFirst().orElseThrow();
  }

  private static Rule rule(String id) {
    return Causes.rules().stream().filter(r -> r.id().equals(id)).findFirst().orElseThrow();
  }

  /**
   * The blocks of a page in Markdown, as far as the pages under {@code docs/} use it: headings,
   * paragraphs, lists, tables, quotations, indented and fenced code. Marks inside of text are left
   * out, as text needs none; a link to another page leaves that page's id.
   */
  static final class MarkdownBlocks {

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
      blocks.add(
          new Block.Code(code.stream().map(line -> line.substring(INDENT.length())).toList()));
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
          text.map(line -> QUOTE.matcher(line).replaceFirst("$1"))
              .collect(Collectors.joining(" ")));
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
}
