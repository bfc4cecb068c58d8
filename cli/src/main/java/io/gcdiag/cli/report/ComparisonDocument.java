package io.gcdiag.cli.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.figures.Metric;
import io.gcdiag.loadtests.Comparison;
import io.gcdiag.loadtests.Comparison.Change;
import io.gcdiag.loadtests.Comparison.ChangeCertainty;
import io.gcdiag.loadtests.Comparison.ComparedFigure;
import io.gcdiag.loadtests.Comparison.Run;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two runs side by side, as a document.
 *
 * @param zone the time zone of windows
 */
public record ComparisonDocument(Comparison comparison, ZoneId zone) implements Printable {

  private static final String PERCENTILE = "latency\\.p[0-9.]+";

  private static final String NO_SETTING =
      "none differs as far as the files show: code and load scripts are not in them";

  @Override
  public Report report() {
    return new Report(title(), List.of(), blocks());
  }

  /** The verdict, the settings that differ, and the figures that differ by more than chance. */
  @Override
  public Report brief() {
    List<Block> blocks = opening();
    List<Fact> facts = new ArrayList<>();
    facts.add(Fact.of("Before", brief(comparison.before())));
    facts.add(Fact.of("After", brief(comparison.after())));
    // Of two services most settings differ, and all stacks.
    boolean alike = comparison.otherService().isEmpty();
    List<String> settings = inWords(comparison.changes());
    if (alike) {
      facts.add(Fact.of("Settings", settings.isEmpty() ? List.of(NO_SETTING) : settings));
    }
    if (alike && !comparison.stacks().isEmpty()) {
      facts.add(Fact.of("Stacks", inWords(comparison.stacks())));
    }
    facts.add(Fact.of("Compared", comparison.span()));
    blocks.add(new Block.Facts(facts));
    List<ComparedFigure> shown =
        comparison.figures().stream().filter(ComparisonDocument::isShown).toList();
    if (!shown.isEmpty()) {
      blocks.add(
          columns()
              .add(
                  Column.words("By chance"),
                  figure -> chance(figure, figure.certainty().probability()))
              .of(shown)
              .open());
    }
    int more = comparison.figures().size() - shown.size();
    if (more > 0) {
      blocks.add(
          Block.Paragraph.muted(
              more
                  + (more == 1 ? " more figure" : " more figures")
                  + " without a difference beyond chance: see --verbose"));
    }
    return new Report(title(), List.of(), blocks);
  }

  private static List<String> inWords(List<Change> changes) {
    return changes.stream().map(c -> c.what() + " " + c.before() + " -> " + c.after()).toList();
  }

  /** The first sentence of the summary. */
  private Cell title() {
    String first = comparison.sentences().get(0);
    return new Cell(first.substring(0, first.length() - 1), Tone.STRONG);
  }

  /** The other sentences, and what weakens the comparison, before any figure. */
  private List<Block> opening() {
    List<Block> blocks = new ArrayList<>();
    if (comparison.sentences().size() > 1) {
      blocks.add(
          Block.Paragraph.of(
              String.join(" ", comparison.sentences().subList(1, comparison.sentences().size()))));
    }
    comparison
        .warnings()
        .forEach(
            warning ->
                blocks.add(
                    Block.Paragraph.of(
                        "This comparison is weaker than it looks: " + warning, Tone.WARNING)));
    return blocks;
  }

  /** Latency and request rate are shown even if they do not differ. */
  private static boolean isShown(ComparedFigure figure) {
    return figure.certainty().differs()
        || figure.metric().name().matches(PERCENTILE)
        || figure.metric().name().startsWith("request.rate");
  }

  private String brief(Run run) {
    return span(run) + ": " + run.conclusion();
  }

  private List<Block> blocks() {
    List<Block> blocks = opening();
    blocks.add(
        new Block.Facts(
            List.of(
                Fact.of("Before", run(comparison.before())),
                Fact.of("After", run(comparison.after())),
                Fact.of("Compared", comparison.span()))));
    blocks.add(new Block.Heading("Settings that differ"));
    blocks.add(
        comparison.changes().isEmpty()
            ? Block.Paragraph.of(NO_SETTING + ".")
            : table("Setting", comparison.changes()));
    if (!comparison.stacks().isEmpty()) {
      blocks.add(new Block.Heading("Stacks that differ"));
      blocks.add(table("Share of", comparison.stacks()));
    }
    blocks.add(new Block.Heading("Figures"));
    blocks.add(figures());
    blocks.add(
        Block.Paragraph.muted(
            "A figure differs if such a difference comes about by chance in fewer than one of "
                + Math.round(1 / ChangeCertainty.SIGNIFICANT)
                + " pairs of runs that are alike."));
    return blocks;
  }

  private static String jvm(Run run) {
    String jvm =
        Stream.of(
                run.jvm().version(),
                run.jvm().collector(),
                run.jvm().maxHeap().map(heap -> "heap " + heap))
            .flatMap(Optional::stream)
            .collect(Collectors.joining(", "));
    return jvm.isEmpty() ? "" : " (" + jvm + ")";
  }

  private String run(Run run) {
    // The figures of the diagnosis refer to its own window.
    String judged =
        run.judged().equals(run.window())
            ? ""
            : "Diagnosis of " + FigureText.window(run.judged(), zone) + ": ";
    return span(run) + ". " + judged + run.answer();
  }

  private String span(Run run) {
    return run.name() + jvm(run) + ", " + FigureText.window(run.window(), zone);
  }

  private static Block table(String title, List<Change> changes) {
    return new Columns<Change>()
        .words(title, Change::what)
        .words("Before", Change::before)
        .words("After", Change::after)
        .of(changes);
  }

  private Block figures() {
    return columns()
        .add(Column.words("By chance?"), figure -> chance(figure, figure.certainty().text()))
        .of(comparison.figures());
  }

  private static Columns<ComparedFigure> columns() {
    return new Columns<ComparedFigure>()
        .words("Figure", figure -> figure.metric().title())
        .numbers("Before", figure -> FigureText.before(figure.metric()))
        .numbers("After", figure -> FigureText.during(figure.metric()))
        .numbers("Change", figure -> FigureText.change(figure.metric()).text());
  }

  private static Cell chance(ComparedFigure figure, String chance) {
    return new Cell(chance, figure.certainty().differs() ? Tone.PLAIN : Tone.MUTED);
  }

  @Override
  public JsonNode json() {
    return Json.document(
        comparison,
        new SimpleModule()
            .setMixInAnnotation(Comparison.class, Document.class)
            .setMixInAnnotation(Run.class, Side.class)
            .setMixInAnnotation(JvmFacts.class, Jvm.class)
            .addSerializer(Json.as(ComparedFigure.class, Figure::of)));
  }

  @JsonPropertyOrder({
    "summary",
    "compared",
    "before",
    "after",
    "changes",
    "stacks",
    "figures",
    "warnings"
  })
  private interface Document {
    @JsonProperty("compared")
    String span();

    @JsonProperty("summary")
    String summary();
  }

  @JsonPropertyOrder({"name", "answer", "window", "jvm"})
  private interface Side {
    @JsonProperty("answer")
    String answer();
  }

  @JsonPropertyOrder({"version", "collector", "maxHeapBytes"})
  private interface Jvm {
    @JsonProperty("maxHeapBytes")
    Object maxHeap();
  }

  private record Figure(
      String name,
      String unit,
      OptionalDouble before,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Metric.Range> beforeRange,
      OptionalDouble after,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Metric.Range> afterRange,
      OptionalDouble chance,
      boolean differs,
      String basis,
      String source) {

    static Figure of(ComparedFigure figure) {
      Metric metric = figure.metric();
      return new Figure(
          metric.name(),
          metric.unit().id(),
          metric.baseline(),
          Json.range(metric.baseline(), metric.baselineRange()),
          metric.incident(),
          Json.range(metric.incident(), metric.incidentRange()),
          figure.certainty().chance(),
          figure.certainty().differs(),
          figure.certainty().basis(),
          metric.source().toString());
    }
  }
}
