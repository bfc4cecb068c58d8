package io.gcdiag.cli.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.CausalLink;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.books.Place;
import io.gcdiag.books.Prediction;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.GcSummary;
import io.gcdiag.figures.InputLimit;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.StackTree;
import io.gcdiag.measures.requests.EndpointExcess;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A diagnosis for machines: a record for each object that is not one of the diagnosis itself. Of
 * those that are, an interface states the fields and renames them. Fields may be added, never
 * renamed or dropped.
 */
record DiagnosisJson(
    List<InputReport> inputs,
    JvmFacts jvm,
    Spans windows,
    Conclusion conclusion,
    Optional<Hypothesis> primarySuspect,
    List<Judged> hypotheses,
    List<Action> actions,
    List<CausalLink> causalChain,
    List<CausalLink> otherCausalLinks,
    double unexplainedShare,
    List<LedgerEntry> ledger,
    List<Finding.Inseparable> inseparable,
    List<CrossCheck> crossChecks,
    List<Figure> metrics,
    List<Endpoint> endpoints,
    List<Passed> stations,
    List<SlowRequests> slowRequests,
    AllocationSummary allocation,
    CpuSummary cpu,
    GcSummary collections,
    Waiting waiting,
    List<String> limits,
    List<Predicted> predictions,
    Diagnosis.Hidden hidden) {

  private static final List<String> MEASURED =
      List.of(
          ("schemaVersion tool inputs jvm windows endpoints stations ledger metrics crossChecks"
                  + " slowRequests allocation cpu collections limits hidden")
              .split(" "));

  static JsonNode of(Diagnosis diagnosis) {
    List<Judgement> judgements = diagnosis.judgements();
    Diagnosis.LostTime lost = diagnosis.lostTime();
    return Json.document(
        new DiagnosisJson(
            diagnosis.inputs(),
            diagnosis.jvm(),
            Spans.of(diagnosis.windows()),
            diagnosis.conclusion(),
            diagnosis.primarySuspect(),
            IntStream.range(0, judgements.size())
                .mapToObj(i -> Judged.of(i + 1, judgements.get(i)))
                .toList(),
            judgements.stream().flatMap(Action::of).toList(),
            lost.causes().chain(),
            lost.causes().beside(),
            lost.unexplainedShare(),
            lost.ledger(),
            diagnosis.inseparable(),
            diagnosis.crossChecks(),
            Json.each(diagnosis.figures().metrics(), Figure::of),
            Json.each(diagnosis.figures().endpoints(), Endpoint::of),
            Json.each(diagnosis.figures().stations(), Passed::of),
            diagnosis.figures().slowRequests(),
            diagnosis.figures().allocation(),
            diagnosis.figures().cpu(),
            diagnosis.figures().collections(),
            new Waiting(diagnosis.figures().waiting()),
            Json.each(diagnosis.limits(), InputLimit::text),
            Json.each(diagnosis.predictions(), Predicted::of),
            diagnosis.hidden()),
        new SimpleModule()
            .setMixInAnnotation(JvmFacts.class, Jvm.class)
            .setMixInAnnotation(Edit.class, Change.class)
            .setMixInAnnotation(CausalLink.class, Link.class)
            .setMixInAnnotation(CrossCheck.class, Check.class)
            .addSerializer(Json.as(Agreement.class, DiagnosisJson::agrees))
            .setMixInAnnotation(Station.Row.class, InWindow.class)
            .setMixInAnnotation(LedgerEntry.class, Entry.class)
            .setMixInAnnotation(SlowRequests.class, Slow.class)
            .setMixInAnnotation(AllocationSummary.class, Allocation.class)
            .setMixInAnnotation(AllocationSite.class, AllocatedAt.class)
            .addSerializer(Json.as(StackTree.class, Stacks::of)));
  }

  /** What was measured, without what was concluded from it and without whole stacks. */
  static JsonNode facts(Diagnosis diagnosis, List<Windows.Onset> onsets) {
    ObjectNode json = (ObjectNode) of(diagnosis);
    json.retain(MEASURED);
    Stream.of("allocation", "cpu").forEach(key -> ((ObjectNode) json.get(key)).remove("stacks"));
    return json.setAll((ObjectNode) Json.document(new Begun(diagnosis.windows().reason(), onsets)));
  }

  /** How the windows were found, and what rose when. */
  private record Begun(String windowsFoundBy, List<Windows.Onset> onsets) {}

  @JsonPropertyOrder({"version", "collector", "initialHeapBytes", "maxHeapBytes", "cpus"})
  private interface Jvm {
    @JsonProperty("initialHeapBytes")
    Object initialHeap();

    @JsonProperty("maxHeapBytes")
    Object maxHeap();
  }

  private record Spans(
      Optional<Window> incident,
      Optional<Window> baseline,
      Windows.ChosenBy chosenBy,
      List<Window> otherEpisodes) {

    static Spans of(Windows windows) {
      return new Spans(
          Optional.of(windows.incident()).filter(any -> windows.dated()),
          windows.baseline(),
          windows.chosenBy(),
          windows.otherEpisodes());
    }
  }

  private record Judged(
      int rank,
      Hypothesis id,
      String name,
      Verdict verdict,
      OptionalDouble explainedShare,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Estimate> explainedShareInterval,
      Optional<Confidence> confidence,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String doubts,
      List<Evidence> evidence,
      List<Missing> missing,
      List<String> actions,
      List<Place.Part> place) {

    static Judged of(int rank, Judgement judgement) {
      Hypothesis about = judgement.hypothesis();
      return new Judged(
          rank,
          about,
          Causes.of(about).title(),
          judgement.verdict(),
          judgement.share().explained(),
          judgement.share().interval(),
          judgement.rating().confidence(),
          judgement.rating().doubts(),
          Json.each(judgement.findings(), one -> Evidence.of(one, about)),
          Json.each(judgement.missing(), signal -> new Missing(signal, signal.howToRecord())),
          judgement.actions(),
          judgement.advice().place().map(Place::parts).orElse(List.of()));
    }
  }

  private record Missing(Signal signal, String howToRecord) {}

  private record Evidence(
      String rule,
      Optional<String> bearing,
      String statement,
      Map<String, Double> values,
      List<Source> sources) {

    static Evidence of(Finding finding, Hypothesis about) {
      return new Evidence(
          finding.rule(),
          finding.on(about).map(Bearing::word).findFirst(),
          finding.statement(),
          finding.values(),
          finding.sources());
    }
  }

  private record Action(Hypothesis hypothesis, @JsonUnwrapped Edit edit) {
    static Stream<Action> of(Judgement judgement) {
      return judgement.advice().edits().stream()
          .map(edit -> new Action(judgement.hypothesis(), edit));
    }
  }

  @JsonPropertyOrder({"kind", "name", "from", "to", "why", "text"})
  private interface Change {
    @JsonProperty("to")
    String value();

    @JsonProperty("text")
    String toString();
  }

  @JsonPropertyOrder({
    "from",
    "to",
    "statement",
    "threadSeconds",
    "share",
    "rule",
    "sources",
    "stations"
  })
  private interface Link {
    @JsonProperty("statement")
    String statement();

    @JsonProperty("threadSeconds")
    double seconds();

    @JsonProperty("stations")
    @JsonIncludeProperties({"kind", "name"})
    List<Station> rows();
  }

  private interface Entry {
    @JsonProperty("incidentThreadsInterval")
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    Object incidentThreadsInterval();

    /** The note has it. */
    @JsonIgnore
    String sum();
  }

  @JsonPropertyOrder({"fact", "a", "b", "agrees"})
  private interface Check {
    @JsonProperty("agrees")
    Agreement agreement();
  }

  /** Empty where they differ and need not be the same. */
  private static Optional<Boolean> agrees(Agreement agreement) {
    return Optional.of(agreement == Agreement.YES).filter(any -> agreement != Agreement.OPEN);
  }

  /** A figure; where it is known as a range only, null and the range beside it. */
  private record Figure(
      String name,
      String unit,
      OptionalDouble baseline,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Metric.Range> baselineRange,
      OptionalDouble incident,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Metric.Range> incidentRange,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalDouble wholeTest) {

    static Figure of(Metric metric) {
      OptionalDouble none = OptionalDouble.empty();
      boolean whole = metric.ofWholeTest();
      return new Figure(
          metric.name(),
          metric.unit().id(),
          whole ? none : metric.baseline(),
          Json.range(metric.baseline(), metric.baselineRange()),
          whole ? none : metric.incident(),
          Json.range(metric.incident(), metric.incidentRange()),
          whole ? metric.incident() : none);
    }
  }

  @JsonPropertyOrder({"slow", "others", "parts", "callers", "allocated", "source"})
  private interface Slow {}

  private record Endpoint(
      String name, double delayShare, Side baseline, Side incident, Source source) {

    private record Side(
        double perSecond,
        double meanSeconds,
        OptionalDouble p50Seconds,
        OptionalDouble p99Seconds) {
      static Side of(EndpointExcess.Side side) {
        return new Side(
            side.rate().perSecond(),
            Durations.seconds(side.mean()),
            Numbers.of(side.median(), Durations::seconds),
            Numbers.of(side.p99(), Durations::seconds));
      }
    }

    static Endpoint of(EndpointExcess one) {
      return new Endpoint(
          one.endpoint(), one.share(), Side.of(one.before()), Side.of(one.during()), one.source());
    }
  }

  /** A station, with what became of it. */
  private record Passed(
      Station.Kind kind,
      String name,
      Optional<Effect> effect,
      Optional<Station.Row> baseline,
      Station.Row incident,
      OptionalDouble servers,
      Station.Moved arrivals,
      Station.Moved time,
      Station.Moved number,
      OptionalDouble moreByArrivals,
      OptionalDouble moreByTime,
      String cover,
      List<Source> sources) {

    static Passed of(Station station) {
      return new Passed(
          station.kind(),
          station.name(),
          station.effect(),
          station.before(),
          station.during(),
          station.servers(),
          station.rate(),
          station.time(),
          station.number(),
          station.growthByRate(),
          station.growthByTime(),
          station.cover(),
          station.sources());
    }
  }

  @JsonPropertyOrder({"perSecond", "seconds", "inIt", "longestSeconds"})
  private interface InWindow {
    @JsonProperty
    Object perSecond();

    @JsonProperty
    Object seconds();

    @JsonProperty("longestSeconds")
    Object longest();
  }

  @JsonPropertyOrder({
    "bytesPerSecond",
    "bytesPerRequest",
    "topSites",
    "outsideTlabs",
    "outsideTlabsOfApplication",
    "stacks"
  })
  private interface Allocation {
    @JsonProperty("topSites")
    @JsonIgnoreProperties("ofApplication")
    List<AllocationSite> topSites();

    @JsonProperty("outsideTlabsOfApplication")
    Object ofApplication();
  }

  @JsonPropertyOrder({"class", "size", "bytes", "allocatedBy", "root", "ofApplication"})
  private interface AllocatedAt {
    @JsonProperty("class")
    String className();

    @JsonProperty("size")
    Object typicalSize();

    @JsonProperty("allocatedBy")
    String top();
  }

  private record Waiting(StackTree stacks) {}

  private record Predicted(
      Hypothesis hypothesis,
      String change,
      String quantity,
      String unit,
      OptionalDouble now,
      OptionalDouble low,
      OptionalDouble high,
      OptionalDouble likely,
      String basis,
      List<String> assumptions) {

    static Predicted of(Prediction prediction) {
      Optional<Estimate> range = prediction.range();
      return new Predicted(
          prediction.hypothesis(),
          prediction.change(),
          prediction.quantity().id(),
          PredictionSection.unit(prediction.quantity()).id(),
          prediction.now(),
          Numbers.of(range, Estimate::low),
          Numbers.of(range, Estimate::high),
          Numbers.of(range, Estimate::likely),
          prediction.basis(),
          prediction.assumptions());
    }
  }

  /** A tree of stacks: a list per property, so that hundreds of frames stay short. */
  private record Stacks(
      String unit,
      DoubleNode total,
      Optional<Source> source,
      List<String> frames,
      List<Integer> parents,
      List<Integer> merged,
      List<Boolean> own,
      List<BigDecimal> incident,
      List<Optional<BigDecimal>> baseline) {

    /** Shares of at most a million samples have no more. */
    private static final MathContext DIGITS = new MathContext(4);

    /** A tree; absent if there are no samples. */
    static Optional<Stacks> of(StackTree tree) {
      List<StackTree.Node> nodes = tree.nodes();
      return tree.kind()
          .map(
              kind ->
                  new Stacks(
                      unit(kind),
                      DoubleNode.valueOf(tree.total()),
                      tree.source(),
                      Json.each(nodes, StackTree.Node::frame),
                      Json.each(nodes, StackTree.Node::parent),
                      Json.each(nodes, StackTree.Node::merged),
                      Json.each(nodes, StackTree.Node::own),
                      Json.each(nodes, node -> rounded(node.share())),
                      Json.each(
                          nodes,
                          node -> node.before().stream().mapToObj(Stacks::rounded).findFirst())));
    }

    private static String unit(StackProfile.Kind kind) {
      return switch (kind) {
        case CPU, CALLS -> "samples";
        case ALLOCATION, ALLOCATION_OUTSIDE_TLABS -> "bytes";
        case WAITING -> "ns";
      };
    }

    private static BigDecimal rounded(double share) {
      return new BigDecimal(share, DIGITS).stripTrailingZeros();
    }
  }
}
