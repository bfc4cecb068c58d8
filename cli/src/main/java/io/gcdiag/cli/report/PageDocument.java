package io.gcdiag.cli.report;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Topic;
import io.gcdiag.evidence.time.Signal;
import java.util.ArrayList;
import java.util.List;
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

  /** The signals that a rule, or a sensor of it, needs. */
  static String needs(Rule rule) {
    return rule.needs().isEmpty()
        ? FigureText.NONE
        : rule.needs().stream().sorted().map(Signal::description).collect(Collectors.joining("; "));
  }

  /** The first paragraph of a rule's page. */
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
}
