package io.gcdiag.cli.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.DoubleNode;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.loadtests.Correlations;
import io.gcdiag.loadtests.Correlations.Lead;
import io.gcdiag.loadtests.Correlations.Lead.Shift;
import io.gcdiag.loadtests.Correlations.Lead.Strength;
import io.gcdiag.loadtests.Correlations.OfEndpoint;
import io.gcdiag.loadtests.Correlator;
import io.gcdiag.loadtests.TimerSplit;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * What moves with the tail of the latency, as a document.
 *
 * @param zone the time zone of windows
 */
public record CorrelationDocument(Correlations correlations, ZoneId zone) implements Printable {

  /** Some tens of intervals do not give a coefficient more precisely than this. */
  private static final int DECIMALS = 2;

  /** Timers in the list, those with the most time; the JSON report has all of them. */
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
    String tail = correlations.basis().get().name();
    if (known().isEmpty()) {
      return "No correlation with " + tail + ": too few intervals";
    }
    return correlations.leads().stream()
        .filter(Lead::moves)
        .findFirst()
        .map(lead -> headline() + ", first of all " + lead.name())
        .orElse("No series moves with " + tail + " beyond chance");
  }

  /** The series that move with the tail; the full report has all. */
  @Override
  public Report brief() {
    Report full = report();
    List<Lead> moving =
        correlations.leads().stream().filter(Lead::moves).limit(MOST_LEADS).toList();
    List<Block> blocks = new ArrayList<>();
    if (moving.isEmpty()) {
      blocks.add(Block.Paragraph.of(correlations.summary()));
    }
    correlations.basis().ifPresent(basis -> blocks.add(facts(basis)));
    if (!moving.isEmpty()) {
      Columns<Lead> columns = new Columns<>();
      addPearson(columns);
      addChance(columns);
      columns.words("Shifted", CorrelationDocument::shift).words("Series", Lead::name);
      blocks.add(columns.of(moving).open());
      blocks.add(Block.Paragraph.of(Correlations.CAUTION, Tone.WARNING));
    }
    endpoints().ifPresent(blocks::add);
    if (known().isEmpty()) {
      tooFew().ifPresent(text -> blocks.add(Block.Paragraph.of(text)));
    }
    if (!correlations.notes().isEmpty()) {
      blocks.add(notes(MOST_NOTES));
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
    long moving = correlations.leads().stream().filter(Lead::moves).count();
    return "%s of %s series %s with %s beyond chance"
        .formatted(
            moving,
            correlations.leads().size(),
            moving == 1 ? "moves" : "move",
            correlations.basis().map(Correlations.Basis::name).orElse("the tail"));
  }

  private List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(Block.Paragraph.of(correlations.summary()));
    correlations.basis().ifPresent(basis -> blocks.add(facts(basis)));
    List<Lead> known = known();
    if (!known.isEmpty()) {
      blocks.add(new Block.Heading("Leads"));
      blocks.add(table(known));
      blocks.add(Block.Paragraph.of(Correlations.CAUTION, Tone.WARNING));
      blocks.add(Block.Paragraph.muted(howToRead(known.size())));
    }
    tooFew().ifPresent(text -> blocks.add(Block.Paragraph.of(text)));
    endpoints().ifPresent(blocks::add);
    if (!correlations.splits().isEmpty()) {
      blocks.add(new Block.Heading("Timers by label"));
      blocks.add(
          Block.Bullets.of(
              correlations.splits().stream()
                  .limit(MOST_SPLITS)
                  .map(CorrelationDocument::split)
                  .toList()));
    }
    if (!correlations.notes().isEmpty()) {
      blocks.add(new Block.Heading("What weakens this"));
      blocks.add(notes(correlations.notes().size()));
    }
    return blocks;
  }

  private Optional<Block> endpoints() {
    return correlations.endpoints().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Columns<OfEndpoint>()
                .ids("Endpoint", OfEndpoint::endpoint)
                .words("Its mean latency moves with (Pearson)", CorrelationDocument::movesWith)
                .of(correlations.endpoints()));
  }

  private static String movesWith(OfEndpoint endpoint) {
    return endpoint.leads().isEmpty()
        ? "no series beyond chance"
        : FigureText.some(
            endpoint.leads().stream()
                .map(
                    lead ->
                        lead.name()
                            + lead.shift()
                                .map(any -> " (" + shift(lead) + ")")
                                .orElse(" (" + coefficient(strength(lead).pearson()) + ")"))
                .toList(),
            MOST_NOTES);
  }

  private Block notes(int most) {
    return Block.Bullets.of(
        correlations.notes().stream().limit(most).map(FigureText::sentence).toList());
  }

  private Block facts(Correlations.Basis basis) {
    return new Block.Facts(
        List.of(
            Fact.of("Tail", basis.name() + " of " + basis.source()),
            Fact.of(
                "Intervals",
                "%s of %s, %s"
                        .formatted(
                            basis.intervals(),
                            Durations.format(basis.interval()),
                            basis.intervalReason())
                    + (basis.intervalsKnown() < basis.intervals()
                        ? "; the tail is known in " + basis.intervalsKnown()
                        : "")),
            Fact.of("Time", FigureText.window(basis.span(), zone))));
  }

  private List<Lead> known() {
    return correlations.leads().stream().filter(lead -> lead.strength().isPresent()).toList();
  }

  private Optional<String> tooFew() {
    String few =
        correlations.leads().stream()
            .filter(lead -> lead.strength().isEmpty())
            .map(lead -> lead.name() + " in " + lead.intervals())
            .collect(Collectors.joining(", "));
    return few.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("Known in too few intervals (%s are needed; a longer record has more, --every makes"
                    + " them shorter): %s.")
                .formatted(Correlator.FEWEST_INTERVALS, few));
  }

  private static Block table(List<Lead> leads) {
    Columns<Lead> columns = new Columns<Lead>().words("Series", Lead::name);
    addPearson(columns);
    columns.numbers("Spearman", lead -> coefficient(strength(lead).spearman()));
    addChance(columns);
    if (leads.stream().anyMatch(lead -> lead.shift().isPresent())) {
      columns.words("Closer when shifted", CorrelationDocument::shift);
    }
    return columns
        .add(Column.words("Verdict"), lead -> new Cell(lead.verdict().text(), tone(lead.verdict())))
        .of(leads);
  }

  private static void addPearson(Columns<Lead> columns) {
    columns
        .numbers("Pearson", lead -> coefficient(strength(lead).pearson()))
        .words(
            "95 % interval",
            lead ->
                coefficient(strength(lead).low()) + " to " + coefficient(strength(lead).high()));
  }

  private static void addChance(Columns<Lead> columns) {
    columns
        .numbers(
            "n (effective)",
            lead -> lead.intervals() + " (" + Math.round(strength(lead).effectiveIntervals()) + ")")
        .numbers("p (corrected)", lead -> chance(strength(lead).chanceCorrected()));
  }

  private static Strength strength(Lead lead) {
    return lead.strength().orElseThrow();
  }

  /** {@code login_token by result: hit 48.0 % x 2 ms + miss 52.0 % x 20 ms = 11.4 ms, ...}. */
  private static String split(TimerSplit split) {
    String sum =
        split.parts().stream()
            .map(
                part ->
                    "%s %s x %s"
                        .formatted(
                            part.value(),
                            new Ratio(part.calls() / split.calls()),
                            Durations.format(part.mean())))
            .collect(Collectors.joining(" + "));
    return "%s by %s: %s = %s on average of %s calls (%s)"
        .formatted(
            split.timer(),
            split.label(),
            sum,
            Durations.format(split.mean()),
            Numbers.count(Math.round(split.calls())),
            split.source());
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

  private static String shift(Lead lead) {
    return lead.shift()
        .map(
            shift ->
                "%s by %s (%s)"
                    .formatted(
                        shift.leads() ? "leads" : "follows",
                        Durations.format(shift.by()),
                        coefficient(shift.pearson())))
        .orElse(FigureText.NONE);
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
    return Json.document(
        new Document(
            correlations.summary(),
            Correlations.CAUTION,
            correlations.basis(),
            Json.each(correlations.leads(), One::of),
            Json.each(correlations.endpoints(), Endpoint::of),
            correlations.splits(),
            correlations.notes()),
        new SimpleModule()
            .setMixInAnnotation(Correlations.Basis.class, Tail.class)
            .setMixInAnnotation(TimerSplit.class, Timer.class)
            .setMixInAnnotation(TimerSplit.Part.class, Part.class)
            .addSerializer(Json.as(Shift.class, Moved::of)));
  }

  private record Document(
      String summary,
      String caution,
      Optional<Correlations.Basis> tail,
      List<One> leads,
      List<Endpoint> endpoints,
      List<TimerSplit> timersByLabel,
      List<String> notes) {}

  private interface Tail {
    @JsonProperty("intervalSeconds")
    Object interval();

    @JsonProperty("span")
    @JsonUnwrapped
    Object span();
  }

  private record One(
      String series,
      Source source,
      int n,
      Optional<DoubleNode> effectiveN,
      OptionalDouble pearson,
      OptionalDouble pearsonLow,
      OptionalDouble pearsonHigh,
      OptionalDouble spearman,
      OptionalDouble chance,
      OptionalDouble chanceCorrected,
      Optional<Shift> shift,
      Lead.Verdict verdict) {

    static One of(Lead lead) {
      Optional<Strength> strength = lead.strength();
      return new One(
          lead.name(),
          lead.source(),
          lead.intervals(),
          strength.map(Strength::effectiveIntervals).map(DoubleNode::valueOf),
          Numbers.of(strength, Strength::pearson),
          Numbers.of(strength, Strength::low),
          Numbers.of(strength, Strength::high),
          Numbers.of(strength, Strength::spearman),
          Numbers.of(strength, Strength::chance),
          Numbers.of(strength, Strength::chanceCorrected),
          lead.shift(),
          lead.verdict());
    }
  }

  private record Endpoint(String endpoint, Source source, List<One> movesWith) {
    static Endpoint of(OfEndpoint one) {
      return new Endpoint(one.endpoint(), one.source(), Json.each(one.leads(), One::of));
    }
  }

  private record Moved(int intervals, String direction, Duration seconds, double pearson) {
    static Moved of(Shift shift) {
      String direction = shift.leads() ? "leads" : "follows";
      return new Moved(shift.intervals(), direction, shift.by(), shift.pearson());
    }
  }

  @JsonPropertyOrder({"timer", "label", "source", "meanSeconds", "parts"})
  private interface Timer {
    @JsonProperty("meanSeconds")
    Object mean();
  }

  @JsonPropertyOrder({"value", "calls", "meanSeconds"})
  private interface Part {
    @JsonProperty("meanSeconds")
    Object mean();
  }
}
