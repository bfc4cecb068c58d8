package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.correlation.Correlations;
import io.gcdiag.correlation.Correlator;
import io.gcdiag.correlation.Lead;
import io.gcdiag.correlation.Lead.Shift;
import io.gcdiag.correlation.Lead.Strength;
import io.gcdiag.measures.requests.TimerSplit;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What moves with the tail of the latency, as a document.
 *
 * @param correlations what is shown
 * @param zone the time zone of windows
 */
public record CorrelationDocument(Correlations correlations, ZoneId zone) implements Printable {

  /** Coefficients from some tens of intervals are not more precise. */
  private static final int DECIMALS = 2;

  /** The most timers that are listed, by total time; the JSON report has all. */
  private static final int MOST_SPLITS = 10;

  private static final int MOST_LEADS = 12;

  private static final int MOST_NOTES = 3;

  /** Smaller probabilities are printed as "less than" this. */
  private static final double LEAST_CHANCE = 0.001;

  @Override
  public Report report() {
    return new Report(Cell.of(title()), blocks());
  }

  /** The answer in one line: how many series move with the tail, and which one does most. */
  private String title() {
    if (correlations.basis().isEmpty()) {
      return "Cannot tell what moves with latency";
    }
    String tail = correlations.basis().get().tail();
    if (known().isEmpty()) {
      return "No correlation with " + tail + ": too few intervals";
    }
    return correlations.leads().stream()
        .filter(CorrelationDocument::isMoving)
        .findFirst()
        .map(lead -> headline() + ", first of all " + lead.name())
        .orElse("No series moves with " + tail + " beyond chance");
  }

  /** The series that move with the tail; the full report has all. */
  @Override
  public Report brief() {
    Report full = report();
    List<Lead> moving =
        correlations.leads().stream()
            .filter(CorrelationDocument::isMoving)
            .limit(MOST_LEADS)
            .toList();
    List<Block> blocks = new ArrayList<>();
    if (moving.isEmpty()) {
      blocks.add(Block.Paragraph.of(correlations.summary()));
    }
    correlations.basis().ifPresent(basis -> blocks.add(facts(basis)));
    if (!moving.isEmpty()) {
      blocks.add(
          Block.Table.open(
              List.of(
                  Column.numbers("Pearson"),
                  Column.words("95 % interval"),
                  Column.numbers("n (effective)"),
                  Column.numbers("p (corrected)"),
                  Column.words("Shifted"),
                  Column.words("Series")),
              moving.stream().map(CorrelationDocument::briefRow).toList()));
      blocks.add(new Block.Paragraph(new Cell(Correlations.CAUTION, Tone.WARNING)));
    }
    if (known().isEmpty()) {
      tooFew().ifPresent(text -> blocks.add(Block.Paragraph.of(text)));
    }
    if (!correlations.notes().isEmpty()) {
      blocks.add(
          new Block.Bullets(
              correlations.notes().stream()
                  .limit(MOST_NOTES)
                  .map(note -> Cell.of(FigureText.sentence(note)))
                  .toList()));
    }
    int more = correlations.leads().size() - moving.size();
    if (more > 0) {
      blocks.add(
          Block.Paragraph.muted(
              more + " more series, timers by label and how to read this: see --verbose"));
    }
    return new Report(full.title(), blocks);
  }

  private String headline() {
    long moving = correlations.leads().stream().filter(CorrelationDocument::isMoving).count();
    return "%s of %s series %s with %s beyond chance"
        .formatted(
            moving,
            correlations.leads().size(),
            moving == 1 ? "moves" : "move",
            correlations.basis().map(Correlations.Basis::tail).orElse("the tail"));
  }

  private static boolean isMoving(Lead lead) {
    return lead.verdict() == Lead.Verdict.MOVES || lead.verdict() == Lead.Verdict.SHIFTED;
  }

  private static List<Cell> briefRow(Lead lead) {
    Strength strength = lead.strength().orElseThrow();
    return List.of(
        Cell.of(coefficient(strength.pearson())),
        Cell.of(coefficient(strength.low()) + " to " + coefficient(strength.high())),
        Cell.of(lead.intervals() + " (" + Math.round(strength.effectiveIntervals()) + ")"),
        Cell.of(chance(strength.chanceCorrected())),
        Cell.of(lead.shift().map(CorrelationDocument::shift).orElse(FigureText.NONE)),
        Cell.of(lead.name()));
  }

  private List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(Block.Paragraph.of(correlations.summary()));
    correlations.basis().ifPresent(basis -> blocks.add(facts(basis)));
    List<Lead> known = known();
    if (!known.isEmpty()) {
      blocks.add(new Block.Heading("Leads"));
      blocks.add(table(known));
      blocks.add(new Block.Paragraph(new Cell(Correlations.CAUTION, Tone.WARNING)));
      blocks.add(Block.Paragraph.muted(howToRead(known.size())));
    }
    tooFew().ifPresent(text -> blocks.add(Block.Paragraph.of(text)));
    if (!correlations.splits().isEmpty()) {
      blocks.add(new Block.Heading("Timers by label"));
      blocks.add(
          new Block.Bullets(
              correlations.splits().stream()
                  .limit(MOST_SPLITS)
                  .map(CorrelationDocument::split)
                  .toList()));
    }
    if (!correlations.notes().isEmpty()) {
      blocks.add(new Block.Heading("What weakens this"));
      blocks.add(
          new Block.Bullets(
              correlations.notes().stream()
                  .map(note -> Cell.of(FigureText.sentence(note)))
                  .toList()));
    }
    return blocks;
  }

  private Block facts(Correlations.Basis basis) {
    return new Block.Facts(
        List.of(
            Block.Fact.of("Tail", basis.tail() + " of " + basis.source()),
            Block.Fact.of(
                "Intervals",
                basis.all()
                    + " of "
                    + Durations.format(basis.interval())
                    + ", "
                    + basis.reason()
                    + (basis.known() < basis.all()
                        ? "; the tail is known in " + basis.known()
                        : "")),
            Block.Fact.of("Time", FigureText.window(basis.span(), zone))));
  }

  /** The series with a coefficient. */
  private List<Lead> known() {
    return correlations.leads().stream().filter(lead -> lead.strength().isPresent()).toList();
  }

  private Optional<String> tooFew() {
    List<Lead> few =
        correlations.leads().stream().filter(lead -> lead.strength().isEmpty()).toList();
    return few.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Known in too few intervals ("
                + Correlator.FEWEST_INTERVALS
                + " are needed; a longer record has more, --every makes them shorter): "
                + few.stream()
                    .map(lead -> lead.name() + " in " + lead.intervals())
                    .collect(Collectors.joining(", "))
                + ".");
  }

  private Block table(List<Lead> leads) {
    boolean shifts = leads.stream().anyMatch(lead -> lead.shift().isPresent());
    List<Column> columns = new ArrayList<>();
    columns.add(Column.words("Series"));
    columns.add(Column.numbers("Pearson"));
    columns.add(Column.words("95 % interval"));
    columns.add(Column.numbers("Spearman"));
    columns.add(Column.numbers("n (effective)"));
    columns.add(Column.numbers("p (corrected)"));
    if (shifts) {
      columns.add(Column.words("Closer when shifted"));
    }
    columns.add(Column.words("Verdict"));
    return new Block.Table(columns, leads.stream().map(lead -> row(lead, shifts)).toList());
  }

  private static List<Cell> row(Lead lead, boolean shifts) {
    Optional<Strength> strength = lead.strength();
    List<Cell> row = new ArrayList<>();
    row.add(Cell.of(lead.name()));
    row.add(cell(strength.map(s -> coefficient(s.pearson()))));
    row.add(cell(strength.map(s -> coefficient(s.low()) + " to " + coefficient(s.high()))));
    row.add(cell(strength.map(s -> coefficient(s.spearman()))));
    row.add(
        Cell.of(
            lead.intervals()
                + strength.map(s -> " (" + Math.round(s.effectiveIntervals()) + ")").orElse("")));
    row.add(cell(strength.map(s -> chance(s.chanceCorrected()))));
    if (shifts) {
      row.add(cell(lead.shift().map(CorrelationDocument::shift)));
    }
    row.add(new Cell(lead.verdict().text(), tone(lead.verdict())));
    return row;
  }

  /** {@code login_token by result: hit 48.0 % x 2 ms + miss 52.0 % x 20 ms = 11.4 ms, ...}. */
  private static Cell split(TimerSplit split) {
    String sum =
        split.parts().stream()
            .map(
                part ->
                    part.value()
                        + ' '
                        + new Ratio(part.calls() / split.calls())
                        + " x "
                        + Durations.format(part.mean()))
            .collect(Collectors.joining(" + "));
    return Cell.of(
        split.timer()
            + " by "
            + split.label()
            + ": "
            + sum
            + " = "
            + Durations.format(split.mean())
            + " on average of "
            + Numbers.count(Math.round(split.calls()))
            + " calls ("
            + split.source()
            + ")");
  }

  private static Cell cell(Optional<String> text) {
    return Cell.of(text.orElse(FigureText.NONE));
  }

  private static String coefficient(double r) {
    String text = Numbers.decimals(r, DECIMALS);
    return text.equals("-0.00") ? "0.00" : text;
  }

  private static String chance(double probability) {
    return probability < LEAST_CHANCE
        ? "< " + Numbers.decimals(LEAST_CHANCE, 3)
        : Numbers.decimals(probability, 3);
  }

  private static String shift(Shift shift) {
    return (shift.leads() ? "leads by " : "follows by ")
        + Durations.format(shift.by())
        + " ("
        + coefficient(shift.pearson())
        + ")";
  }

  private static Tone tone(Lead.Verdict verdict) {
    return switch (verdict) {
      case MOVES, SHIFTED -> Tone.STRONG;
      case FEW_INTERVALS, RANKS -> Tone.WARNING;
      case NOT_SHOWN, TOO_FEW -> Tone.MUTED;
    };
  }

  private static String howToRead(long tested) {
    return "n counts intervals; in brackets, the effective number of independent ones: series that"
        + " drift repeat themselves, and one change at one time is one observation. The 95 %"
        + " interval (Fisher's z) and p, the probability of such a coefficient by chance, use the"
        + " number in brackets; p is corrected for testing "
        + tested
        + " series at once (Holm). A series moves with the tail if p is below 5 %, also without the"
        + " 5 % of the intervals that weigh most. A shift in time is the best of three intervals"
        + " either way.";
  }

  @Override
  public JsonNode json() {
    ObjectNode root = JsonText.document();
    root.set("summary", JsonText.text(correlations.summary()));
    root.put("caution", Correlations.CAUTION);
    if (correlations.basis().isPresent()) {
      putBasis(root.putObject("tail"), correlations.basis().get());
    } else {
      root.putNull("tail");
    }
    ArrayNode leads = root.putArray("leads");
    correlations.leads().forEach(lead -> putLead(leads.addObject(), lead));
    ArrayNode splits = root.putArray("timersByLabel");
    correlations.splits().forEach(split -> putSplit(splits.addObject(), split));
    ArrayNode notes = root.putArray("notes");
    correlations.notes().forEach(note -> notes.add(JsonText.text(note)));
    return root;
  }

  private static void putBasis(ObjectNode node, Correlations.Basis basis) {
    node.set("name", JsonText.text(basis.tail()));
    node.set("source", JsonText.text(basis.source().toString()));
    node.set("intervalSeconds", JsonText.number(Durations.seconds(basis.interval())));
    node.put("intervalReason", basis.reason());
    node.put("from", basis.span().from().toString());
    node.put("to", basis.span().to().toString());
    node.put("intervals", basis.all());
    node.put("intervalsKnown", basis.known());
  }

  private static void putLead(ObjectNode node, Lead lead) {
    node.set("series", JsonText.text(lead.name()));
    node.set("source", JsonText.text(lead.source().toString()));
    node.put("n", lead.intervals());
    node.put("effectiveN", lead.strength().map(Strength::effectiveIntervals).orElse(null));
    node.set("pearson", JsonText.number(strength(lead, Strength::pearson)));
    node.set("pearsonLow", JsonText.number(strength(lead, Strength::low)));
    node.set("pearsonHigh", JsonText.number(strength(lead, Strength::high)));
    node.set("spearman", JsonText.number(strength(lead, Strength::spearman)));
    node.set("chance", JsonText.number(strength(lead, Strength::chance)));
    node.set("chanceCorrected", JsonText.number(strength(lead, Strength::chanceCorrected)));
    if (lead.shift().isPresent()) {
      Shift shift = lead.shift().get();
      ObjectNode child = node.putObject("shift");
      child.put("intervals", shift.intervals());
      child.put("direction", shift.leads() ? "leads" : "follows");
      child.set("seconds", JsonText.number(Durations.seconds(shift.by())));
      child.set("pearson", JsonText.number(shift.pearson()));
    } else {
      node.putNull("shift");
    }
    node.put("verdict", lead.verdict().id());
  }

  private static void putSplit(ObjectNode node, TimerSplit split) {
    node.set("timer", JsonText.text(split.timer()));
    node.set("label", JsonText.text(split.label()));
    node.set("source", JsonText.text(split.source().toString()));
    node.set("meanSeconds", JsonText.number(Durations.seconds(split.mean())));
    ArrayNode parts = node.putArray("parts");
    for (TimerSplit.Part part : split.parts()) {
      ObjectNode child = parts.addObject();
      child.set("value", JsonText.text(part.value()));
      child.set("calls", JsonText.number(part.calls()));
      child.set("meanSeconds", JsonText.number(Durations.seconds(part.mean())));
    }
  }

  private static OptionalDouble strength(Lead lead, ToDoubleFunction<Strength> figure) {
    return Numbers.of(lead.strength(), known -> figure.applyAsDouble(known));
  }
}
