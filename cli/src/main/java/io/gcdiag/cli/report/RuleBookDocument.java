package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.books.RuleBook;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.source.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Which rule judges which root cause, and what each rule needs, as a document. */
public final class RuleBookDocument implements Printable {

  private static final String JUDGED = "x";
  private static final String NOT_JUDGED = ".";

  /** The most rules named in a line of the short form. */
  private static final int MOST_NAMED = 2;

  private final List<Hypothesis> causes = Hypothesis.catalogue();
  private final List<Rule> rules = RuleBook.rules();

  @Override
  public Report brief() {
    return new Report(
        title(),
        List.of(
            Block.Table.open(
                List.of(Column.ids("Root cause"), Column.words("Judged by")),
                causes.stream()
                    .map(
                        cause ->
                            List.of(
                                new Cell(cause.id(), Tone.STRONG), Cell.of(some(judges(cause)))))
                    .toList()),
            new Block.Facts(
                List.of(
                    Block.Fact.of(
                        "More",
                        "gcdiag rules --verbose (what each rule needs), gcdiag explain ID")))));
  }

  private static String some(List<String> ids) {
    int more = ids.size() - MOST_NAMED;
    return ids.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private Cell title() {
    return Cell.of("The rule book: " + rules.size() + " rules, " + causes.size() + " root causes");
  }

  @Override
  public Report report() {
    return new Report(
        title(),
        List.of(
            Block.Paragraph.of(
                "Rules (rows) and the root causes that they judge (columns, numbered as in the table"
                    + " below). 'gcdiag explain ID' prints the page of each."),
            new Block.Code(matrix()),
            new Block.Heading("Root causes"),
            causes(),
            new Block.Heading("Rules"),
            rules(),
            Block.Paragraph.muted(
                "A rule is skipped if a signal it needs was not recorded. The report then says"
                    + " what to record, and how.")));
  }

  private List<String> matrix() {
    int names = rules.stream().mapToInt(rule -> rule.id().length()).max().orElse(0) + 2;
    List<String> lines = new ArrayList<>();
    // Numbers of two digits are written downwards, so that a column is one letter wide.
    lines.add(line("", names, i -> i < 10 ? " " : String.valueOf(i / 10)));
    lines.add(line("", names, i -> String.valueOf(i % 10)));
    for (Rule rule : rules) {
      lines.add(
          line(
              rule.id(),
              names,
              i -> rule.judges().contains(causes.get(i - 1)) ? JUDGED : NOT_JUDGED));
    }
    return lines;
  }

  private String line(String name, int width, IntFunction<String> column) {
    StringBuilder line = new StringBuilder(name).append(" ".repeat(width - name.length()));
    for (int number = 1; number <= causes.size(); number++) {
      line.append(column.apply(number)).append(' ');
    }
    return line.toString().stripTrailing();
  }

  private Block causes() {
    List<List<Cell>> rows = new ArrayList<>();
    for (Hypothesis cause : causes) {
      rows.add(
          List.of(
              Cell.of(String.valueOf(rows.size() + 1)),
              new Cell(cause.id(), Tone.STRONG),
              Cell.of(String.join(", ", judges(cause)))));
    }
    return new Block.Table(
        List.of(Column.numbers("#"), Column.words("Root cause"), Column.words("Judged by")), rows);
  }

  private Block rules() {
    List<List<Cell>> rows = new ArrayList<>();
    for (Rule rule : rules) {
      String needs =
          rule.needs().stream().sorted().map(Signal::description).collect(Collectors.joining("; "));
      rows.add(
          List.of(
              new Cell(rule.id(), Tone.STRONG),
              Cell.of(needs.isEmpty() ? FigureText.NONE : needs),
              Cell.of(PageDocument.whatItDoes(rule))));
    }
    return new Block.Table(
        List.of(Column.words("Rule"), Column.words("Needs"), Column.words("What it does")), rows);
  }

  private List<String> judges(Hypothesis cause) {
    return rules.stream().filter(rule -> rule.judges().contains(cause)).map(Rule::id).toList();
  }

  @Override
  public JsonNode json() {
    ObjectNode root = JsonText.document();
    ArrayNode ruleNodes = root.putArray("rules");
    for (Rule rule : rules) {
      ObjectNode node = ruleNodes.addObject();
      node.put("id", rule.id());
      node.set("whatItDoes", JsonText.text(PageDocument.whatItDoes(rule)));
      ArrayNode judged = node.putArray("judges");
      rule.judges().stream().sorted().forEach(cause -> judged.add(cause.id()));
      ArrayNode needed = node.putArray("needs");
      rule.needs().stream().sorted().forEach(signal -> putSignal(needed.addObject(), signal));
    }
    ArrayNode causeNodes = root.putArray("hypotheses");
    for (Hypothesis cause : causes) {
      ObjectNode node = causeNodes.addObject();
      node.put("id", cause.id());
      node.put("name", cause.title());
      node.put("firstAction", cause.firstAction());
      ArrayNode judges = node.putArray("judgedBy");
      judges(cause).forEach(judges::add);
    }
    return root;
  }

  private static void putSignal(ObjectNode node, Signal signal) {
    node.put("signal", signal.id());
    node.put("description", signal.description());
    node.put("howToRecord", signal.howToRecord());
  }
}
