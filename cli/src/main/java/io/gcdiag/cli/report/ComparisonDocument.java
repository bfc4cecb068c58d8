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
import java.util.stream.Collectors;

/**
 * Two runs side by side, as a document.
 *
 * @param comparison what is shown
 * @param zone the time zone of windows
 */
public record ComparisonDocument(Comparison comparison, ZoneId zone) implements Printable {

  @Override
  public Report report() {
    return new Report(Cell.of("Comparison of two runs"), blocks());
  }

  private List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(Block.Paragraph.of(comparison.summary()));
    blocks.add(
        new Block.Facts(
            List.of(
                Block.Fact.of("Before", run(comparison.before())),
                Block.Fact.of("After", run(comparison.after())),
                Block.Fact.of("Compared", comparison.span()))));
    if (!comparison.warnings().isEmpty()) {
      blocks.add(new Block.Heading("What weakens this comparison"));
      blocks.add(
          new Block.Bullets(
              comparison.warnings().stream()
                  .map(warning -> new Cell(FigureText.sentence(warning), Tone.WARNING))
                  .toList()));
    }
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
    return Block.Paragraph.of("None that the files show: code and load scripts are not in them.");
  }

  private String run(Run run) {
    String jvm =
        List.of(
                run.jvm().version().orElse(""),
                run.jvm().collector().orElse(""),
                run.jvm().maxHeap().map(heap -> "heap " + heap).orElse(""))
            .stream()
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    return run.name()
        + (jvm.isEmpty() ? "" : " (" + jvm + ")")
        + ", "
        + FigureText.window(run.window(), zone)
        + ". "
        // Figures in the answer are of the time it judges.
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
        comparison.figures().stream().map(ComparisonDocument::row).toList());
  }

  private static List<Cell> row(ComparedFigure figure) {
    ChangeCertainty certainty = figure.certainty();
    return List.of(
        Cell.of(figure.metric().title()),
        Cell.of(FigureText.before(figure.metric())),
        Cell.of(FigureText.during(figure.metric())),
        Cell.of(FigureText.change(figure.metric())),
        certainty.differs() ? Cell.of(certainty.text()) : new Cell(certainty.text(), Tone.MUTED));
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
