package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.books.Cause;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.time.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Which rule judges which root cause, and what each rule needs, as a document. */
public final class RuleBookDocument implements Printable {

  private static final String JUDGED = "x";
  private static final String NOT_JUDGED = ".";

  /** The most rules named in a line of the short form. */
  private static final int MOST_NAMED = 2;

  private final List<Hypothesis> causes = Hypothesis.catalogue();
  private final List<Rule> rules = Causes.rules();

  @Override
  public Report brief() {
    return new Report(
        title(),
        List.of(
            new Columns<Hypothesis>()
                .add(Column.ids("Root cause"), one -> new Cell(one.id(), Tone.STRONG))
                .words("Judged by", cause -> FigureText.some(judges(cause), MOST_NAMED))
                .of(causes)
                .open(),
            new Block.Facts(
                List.of(
                    Fact.of(
                        "More",
                        "gcdiag rules --verbose (what each rule needs), gcdiag explain ID")))));
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
                "Rules (rows) and the root causes that they judge (columns, numbered as in the"
                    + " table below). 'gcdiag explain ID' prints the page of each."),
            new Block.Code(matrix()),
            new Block.Heading("Root causes"),
            causes(),
            new Block.Heading("Rules"),
            rules(),
            Block.Paragraph.muted(
                "What needs a signal that was not recorded is skipped. The report then says what to"
                    + " record, and how.")));
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
    return new Columns<Hypothesis>()
        .numbers("#", cause -> String.valueOf(causes.indexOf(cause) + 1))
        .add(Column.words("Root cause"), cause -> new Cell(cause.id(), Tone.STRONG))
        .words("Judged by", cause -> String.join(", ", judges(cause)))
        .of(causes);
  }

  private Block rules() {
    return new Columns<Rule>()
        .add(Column.words("Rule"), rule -> new Cell(rule.id(), Tone.STRONG))
        .words("Needs", PageDocument::needs)
        .words("What it does", PageDocument::whatItDoes)
        .of(rules);
  }

  private List<String> judges(Hypothesis cause) {
    return rules.stream().filter(rule -> rule.judges().contains(cause)).map(Rule::id).toList();
  }

  @Override
  public JsonNode json() {
    return Json.document(
        new Document(
            Json.each(rules, OneRule::of),
            Json.each(causes, one -> OneCause.of(one, judges(one)))));
  }

  private record Document(List<OneRule> rules, List<OneCause> hypotheses) {}

  private record OneRule(String id, String whatItDoes, List<Hypothesis> judges, List<Need> needs) {
    static OneRule of(Rule rule) {
      return new OneRule(
          rule.id(),
          PageDocument.whatItDoes(rule),
          rule.judges().stream().sorted().toList(),
          rule.needs().stream().sorted().map(Need::of).toList());
    }
  }

  private record Need(Signal signal, String description, String howToRecord) {
    static Need of(Signal signal) {
      return new Need(signal, signal.description(), signal.howToRecord());
    }
  }

  private record OneCause(String id, String name, String firstAction, List<String> judgedBy) {
    static OneCause of(Hypothesis about, List<String> judgedBy) {
      Cause cause = Causes.of(about);
      return new OneCause(about.id(), cause.title(), cause.firstAction(), judgedBy);
    }
  }
}
