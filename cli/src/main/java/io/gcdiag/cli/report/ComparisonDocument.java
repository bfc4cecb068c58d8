package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.comparison.Change;
import io.gcdiag.comparison.ChangeCertainty;
import io.gcdiag.comparison.ComparedFigure;
import io.gcdiag.comparison.Comparison;
import io.gcdiag.comparison.Run;
import io.gcdiag.figures.Metric;
import io.gcdiag.units.Bytes;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Two runs side by side, as a document.
 *
 * @param comparison what is shown
 * @param zone the time zone of windows
 */
public record ComparisonDocument(Comparison comparison, ZoneId zone) implements Printable {

  private static final String PERCENTILE = "latency\\.p[0-9.]+";

  private static final String NO_SETTING =
      "none differs as far as the files show: code and load scripts are not in them";

  /** A full stop inside of a figure has no blank behind it. */
  private static final String SENTENCE = "(?<=\\.) ";

  @Override
  public Report report() {
    return new Report(title(), doubts(), blocks());
  }

  /** The verdict, the settings that differ, and the figures that differ by more than chance. */
  @Override
  public Report brief() {
    List<Block> blocks = new ArrayList<>();
    rest().ifPresent(text -> blocks.add(Block.Paragraph.of(text)));
    List<Block.Fact> facts = new ArrayList<>();
    facts.add(Block.Fact.of("Before", brief(comparison.before())));
    facts.add(Block.Fact.of("After", brief(comparison.after())));
    facts.add(
        Block.Fact.of(
            "Settings",
            comparison.changes().isEmpty()
                ? List.of(NO_SETTING)
                : comparison.changes().stream()
                    .map(c -> c.what() + " " + c.before() + " -> " + c.after())
                    .toList()));
    facts.add(Block.Fact.of("Compared", comparison.span()));
    blocks.add(new Block.Facts(facts));
    List<ComparedFigure> shown =
        comparison.figures().stream().filter(ComparisonDocument::isShown).toList();
    if (!shown.isEmpty()) {
      blocks.add(
          Block.Table.open(
              List.of(
                  Column.words("Figure"),
                  Column.numbers("Before"),
                  Column.numbers("After"),
                  Column.numbers("Change"),
                  Column.words("By chance")),
              shown.stream()
                  .map(figure -> row(figure, figure.certainty().probability()))
                  .toList()));
    }
    int more = comparison.figures().size() - shown.size();
    if (more > 0) {
      blocks.add(
          Block.Paragraph.muted(
              more
                  + (more == 1 ? " more figure" : " more figures")
                  + " without a difference beyond chance: see --verbose"));
    }
    return new Report(title(), doubts(), blocks);
  }

  /** The first sentence of the summary. */
  private Cell title() {
    String first = comparison.summary().split(SENTENCE)[0];
    return new Cell(
        first.endsWith(".") ? first.substring(0, first.length() - 1) : first, Tone.STRONG);
  }

  private Optional<String> rest() {
    String[] sentences = comparison.summary().split(SENTENCE, 2);
    return sentences.length < 2 ? Optional.empty() : Optional.of(sentences[1]);
  }

  private List<Cell> doubts() {
    return comparison.warnings().stream()
        .map(
            warning ->
                new Cell("This comparison is weaker than it looks: " + warning, Tone.WARNING))
        .toList();
  }

  /** Latency and request rate are shown even if they do not differ. */
  private static boolean isShown(ComparedFigure figure) {
    return figure.certainty().differs()
        || figure.metric().name().matches(PERCENTILE)
        || figure.metric().name().startsWith("request.rate");
  }

  private String brief(Run run) {
    return run.name()
        + jvm(run)
        + ", "
        + FigureText.window(run.window(), zone)
        + ": "
        + run.answer().split(SENTENCE)[0];
  }

  private List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    rest().ifPresent(text -> blocks.add(Block.Paragraph.of(text)));
    blocks.add(
        new Block.Facts(
            List.of(
                Block.Fact.of("Before", run(comparison.before())),
                Block.Fact.of("After", run(comparison.after())),
                Block.Fact.of("Compared", comparison.span()))));
    blocks.add(new Block.Heading("Settings that differ"));
    blocks.add(comparison.changes().isEmpty() ? nothing() : changes());
    blocks.add(new Block.Heading("Figures"));
    blocks.add(figures());
    blocks.add(
        Block.Paragraph.muted(
            "A figure differs if such a difference comes about by chance in fewer than one of "
                + Math.round(1 / ChangeCertainty.SIGNIFICANT)
                + " pairs of runs that are alike."));
    return blocks;
  }

  private static Block nothing() {
    return Block.Paragraph.of(NO_SETTING + ".");
  }

  private static String jvm(Run run) {
    String jvm =
        List.of(
                run.jvm().version().orElse(""),
                run.jvm().collector().orElse(""),
                run.jvm().maxHeap().map(heap -> "heap " + heap).orElse(""))
            .stream()
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    return jvm.isEmpty() ? "" : " (" + jvm + ")";
  }

  private String run(Run run) {
    return run.name()
        + jvm(run)
        + ", "
        + FigureText.window(run.window(), zone)
        + ". "
        // The figures of the diagnosis refer to its own window.
        + (run.judged().equals(run.window())
            ? ""
            : "Diagnosis of " + FigureText.window(run.judged(), zone) + ": ")
        + run.answer();
  }

  private Block changes() {
    return new Block.Table(
        List.of(Column.words("Setting"), Column.words("Before"), Column.words("After")),
        comparison.changes().stream()
            .map(
                change ->
                    List.of(
                        Cell.of(change.what()), Cell.of(change.before()), Cell.of(change.after())))
            .toList());
  }

  private Block figures() {
    return new Block.Table(
        List.of(
            Column.words("Figure"),
            Column.numbers("Before"),
            Column.numbers("After"),
            Column.numbers("Change"),
            Column.words("By chance?")),
        comparison.figures().stream()
            .map(figure -> row(figure, figure.certainty().text()))
            .toList());
  }

  private static List<Cell> row(ComparedFigure figure, String chance) {
    return List.of(
        Cell.of(figure.metric().title()),
        Cell.of(FigureText.before(figure.metric())),
        Cell.of(FigureText.during(figure.metric())),
        Cell.of(FigureText.change(figure.metric())),
        figure.certainty().differs() ? Cell.of(chance) : new Cell(chance, Tone.MUTED));
  }

  @Override
  public JsonNode json() {
    ObjectNode root = JsonText.document();
    root.set("summary", JsonText.text(comparison.summary()));
    root.set("compared", JsonText.text(comparison.span()));
    putRun(root.putObject("before"), comparison.before());
    putRun(root.putObject("after"), comparison.after());
    ArrayNode changes = root.putArray("changes");
    for (Change change : comparison.changes()) {
      ObjectNode node = changes.addObject();
      node.set("what", JsonText.text(change.what()));
      node.set("before", JsonText.text(change.before()));
      node.set("after", JsonText.text(change.after()));
    }
    ArrayNode figures = root.putArray("figures");
    for (ComparedFigure figure : comparison.figures()) {
      ObjectNode node =
          figures
              .addObject()
              .put("name", figure.metric().name())
              .put("unit", figure.metric().unit().id());
      Metric metric = figure.metric();
      JsonText.putFigure(node, "before", metric.baseline(), metric.baselineRange());
      JsonText.putFigure(node, "after", metric.incident(), metric.incidentRange());
      node.set("chance", JsonText.number(figure.certainty().chance()));
      node.put("differs", figure.certainty().differs());
      node.put("basis", figure.certainty().basis());
      node.set("source", JsonText.text(figure.metric().source()));
    }
    ArrayNode warnings = root.putArray("warnings");
    comparison.warnings().forEach(warning -> warnings.add(JsonText.text(warning)));
    return root;
  }

  private static void putRun(ObjectNode node, Run run) {
    node.set("name", JsonText.text(run.name()));
    node.set("answer", JsonText.text(run.answer()));
    node.putObject("window")
        .put("from", run.window().from().toString())
        .put("to", run.window().to().toString());
    ObjectNode jvm = node.putObject("jvm");
    jvm.set("version", JsonText.text(run.jvm().version()));
    jvm.set("collector", JsonText.text(run.jvm().collector()));
    jvm.put("maxHeapBytes", run.jvm().maxHeap().map(Bytes::value).orElse(null));
  }
}
