package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
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
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.HotSpot;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.StackTree;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A diagnosis for machines. Fields may be added, never renamed or dropped. */
final class DiagnosisJson {

  private DiagnosisJson() {}

  static JsonNode of(Diagnosis diagnosis) {
    List<Judgement> judgements = diagnosis.judgements();
    return JsonFields.document()
        .objects("inputs", diagnosis.inputs(), DiagnosisJson::input)
        .put("jvm", jvm(diagnosis.jvm()))
        .put("windows", windows(diagnosis.windows()))
        .text("conclusion", diagnosis.conclusion().id())
        .text("primarySuspect", diagnosis.primarySuspect().map(Hypothesis::id))
        .objects("hypotheses", judgements, one -> judgement(judgements.indexOf(one) + 1, one))
        .list("actions", judgements.stream().flatMap(DiagnosisJson::actions))
        .objects("causalChain", diagnosis.lostTime().causes().chain(), DiagnosisJson::link)
        .objects("otherCausalLinks", diagnosis.lostTime().causes().beside(), DiagnosisJson::link)
        .number("unexplainedShare", diagnosis.lostTime().unexplainedShare())
        .objects("ledger", diagnosis.lostTime().ledger(), DiagnosisJson::entry)
        .objects("inseparable", diagnosis.inseparable(), DiagnosisJson::inseparable)
        .objects("crossChecks", diagnosis.crossChecks(), DiagnosisJson::check)
        .objects("metrics", diagnosis.figures().metrics(), DiagnosisJson::metric)
        .objects("stations", diagnosis.figures().stations(), DiagnosisJson::station)
        .put("allocation", allocation(diagnosis.figures().allocation()))
        .put("cpu", cpu(diagnosis.figures().cpu()))
        .put("waiting", new JsonFields().put("stacks", StackJson.of(diagnosis.figures().waiting())))
        .texts("limits", diagnosis.limits())
        .objects("predictions", diagnosis.predictions(), DiagnosisJson::prediction)
        .put(
            "hidden",
            new JsonFields()
                .number("secrets", diagnosis.hidden().secrets())
                .number("places", diagnosis.hidden().places()))
        .node();
  }

  private static JsonFields input(InputReport input) {
    return new JsonFields()
        .text("file", input.file())
        .text("format", input.format())
        .text("status", input.status().id())
        .text("note", input.note());
  }

  private static JsonFields jvm(JvmFacts jvm) {
    return new JsonFields()
        .text("version", jvm.version())
        .text("collector", jvm.collector())
        .number("initialHeapBytes", bytes(jvm.initialHeap()))
        .number("maxHeapBytes", bytes(jvm.maxHeap()))
        .number("cpus", jvm.cpus());
  }

  private static JsonFields windows(Windows windows) {
    Optional<Window> incident = Optional.of(windows.incident()).filter(any -> windows.dated());
    return new JsonFields()
        .put("incident", incident.map(JsonFields::of))
        .put("baseline", windows.baseline().map(JsonFields::of))
        .text("chosenBy", windows.chosenBy().id())
        .objects("otherEpisodes", windows.otherEpisodes(), JsonFields::of);
  }

  private static JsonFields judgement(int rank, Judgement judgement) {
    JsonFields fields =
        new JsonFields()
            .number("rank", rank)
            .text("id", judgement.hypothesis().id())
            .text("name", Causes.of(judgement.hypothesis()).title())
            .text("verdict", judgement.verdict().id())
            .number("explainedShare", judgement.explainedShare())
            .interval("explainedShareInterval", judgement.shareInterval())
            .text("confidence", judgement.confidence().map(Confidence::id));
    if (!judgement.doubts().isEmpty()) {
      fields.text("doubts", judgement.doubts());
    }
    List<Place.Part> place = judgement.advice().place().map(Place::parts).orElse(List.of());
    return fields
        .objects("evidence", judgement.findings(), one -> finding(one, judgement.hypothesis()))
        .objects("missing", judgement.missing(), DiagnosisJson::signal)
        .texts("actions", judgement.actions())
        .objects("place", place, DiagnosisJson::part);
  }

  private static JsonFields signal(Signal signal) {
    return new JsonFields().text("signal", signal.id()).text("howToRecord", signal.howToRecord());
  }

  private static JsonFields part(Place.Part part) {
    return new JsonFields()
        .text("role", part.role().id())
        .text("name", part.name())
        .text("detail", part.detail())
        .text("source", part.source().toString());
  }

  private static Stream<JsonNode> actions(Judgement judgement) {
    String hypothesis = judgement.hypothesis().id();
    return judgement.advice().edits().stream().map(edit -> action(hypothesis, edit).node());
  }

  private static JsonFields action(String hypothesis, Edit edit) {
    return new JsonFields()
        .text("hypothesis", hypothesis)
        .text("kind", edit.kind().id())
        .text("name", edit.name())
        .text("from", edit.from())
        .text("to", edit.value())
        .text("why", edit.why())
        .text("text", edit.toString());
  }

  private static JsonFields finding(Finding finding, Hypothesis about) {
    JsonFields values = new JsonFields();
    finding.values().forEach(values::number);
    return new JsonFields()
        .text("rule", finding.rule())
        .text("bearing", finding.on(about).map(Bearing::word).findFirst())
        .text("statement", finding.statement())
        .put("values", values)
        .texts("sources", finding.sources());
  }

  private static JsonFields link(CausalLink link) {
    return new JsonFields()
        .text("from", link.from())
        .text("to", link.to())
        .text("statement", link.statement())
        .number("threadSeconds", link.seconds())
        .number("share", link.share())
        .text("rule", link.rule())
        .texts("sources", link.sources());
  }

  private static JsonFields entry(LedgerEntry entry) {
    return new JsonFields()
        .text("effect", entry.effect().id())
        .number("baselineThreads", entry.baselinePerSecond())
        .number("incidentThreads", entry.incidentPerSecond())
        .interval("incidentThreadsInterval", entry.interval())
        .number("excessThreadSeconds", entry.excessSeconds())
        .number("share", entry.share())
        .flag("atMost", entry.atMost())
        .text("note", entry.note())
        .objects("sites", entry.sites(), DiagnosisJson::site);
  }

  private static JsonFields site(LedgerEntry.Site site) {
    return new JsonFields()
        .text("name", site.name())
        .number("baselineThreads", site.baselinePerSecond())
        .number("incidentThreads", site.incidentPerSecond());
  }

  private static JsonFields inseparable(Finding.Inseparable pair) {
    return new JsonFields()
        .text("one", pair.one().id())
        .text("other", pair.other().id())
        .text("experiment", pair.experiment());
  }

  private static JsonFields check(CrossCheck check) {
    return new JsonFields()
        .text("fact", check.fact())
        .put("a", side(check.sourceA(), check.valueA()))
        .put("b", side(check.sourceB(), check.valueB()))
        .set("agrees", agrees(check.agreement()));
  }

  /** Whether two figures agree; null if their tolerance does not tell. */
  private static JsonNode agrees(CrossCheck.Agreement agreement) {
    return switch (agreement) {
      case YES -> BooleanNode.TRUE;
      case NO -> BooleanNode.FALSE;
      case OPEN -> NullNode.instance;
    };
  }

  private static JsonFields side(String source, double value) {
    return new JsonFields().text("source", source).number("value", value);
  }

  private static JsonFields metric(Metric metric) {
    JsonFields fields =
        new JsonFields().text("name", metric.name()).text("unit", metric.unit().id());
    if (metric.ofWholeTest()) {
      return fields
          .number("baseline", OptionalDouble.empty())
          .number("incident", OptionalDouble.empty())
          .number("wholeTest", metric.incident());
    }
    return fields
        .figure("baseline", metric.baseline(), metric.baselineRange())
        .figure("incident", metric.incident(), metric.incidentRange());
  }

  private static JsonFields station(Station station) {
    return new JsonFields()
        .text("kind", station.kind().id())
        .text("name", station.name())
        .put("baseline", station.before().map(DiagnosisJson::row))
        .put("incident", row(station.during()))
        .number("servers", station.servers())
        .text("arrivals", station.rate().id())
        .text("time", station.time().id())
        .text("number", station.number().id())
        .number("moreByArrivals", station.growthByRate())
        .number("moreByTime", station.growthByTime())
        .text("cover", station.cover())
        .texts("sources", station.sources());
  }

  private static JsonFields row(Station.Row row) {
    return new JsonFields()
        .number("perSecond", row.perSecond())
        .number("seconds", row.seconds())
        .number("inIt", row.inIt())
        .seconds("longestSeconds", row.longest());
  }

  private static JsonFields allocation(AllocationSummary allocation) {
    return new JsonFields()
        .number("bytesPerSecond", allocation.bytesPerSecond())
        .number("bytesPerRequest", allocation.bytesPerRequest())
        .objects("topSites", allocation.topSites(), DiagnosisJson::site)
        .objects(
            "outsideTlabs",
            allocation.outsideTlabs(),
            site -> site(site).flag("ofApplication", site.ofApplication()))
        .number("outsideTlabsOfApplication", allocation.ofApplication())
        .put("stacks", StackJson.of(allocation.stacks()));
  }

  private static JsonFields site(AllocationSite site) {
    return new JsonFields()
        .text("class", site.className())
        .number("size", bytes(site.typicalSize()))
        .number("bytes", site.bytes().value())
        .text("allocatedBy", site.top())
        .text("root", site.root());
  }

  private static JsonFields cpu(CpuSummary cpu) {
    return new JsonFields()
        .number("samples", cpu.samples())
        .objects("self", cpu.self(), DiagnosisJson::spot)
        .objects("withCalled", cpu.withCalled(), DiagnosisJson::spot)
        .put("stacks", StackJson.of(cpu.stacks()));
  }

  private static JsonFields spot(HotSpot spot) {
    return new JsonFields()
        .text("method", spot.name())
        .number("baseline", spot.before())
        .number("incident", spot.share());
  }

  private static OptionalDouble bytes(Optional<Bytes> bytes) {
    return Numbers.of(bytes, Bytes::value);
  }

  private static JsonFields prediction(Prediction prediction) {
    Optional<Prediction.Range> range = prediction.range();
    return new JsonFields()
        .text("hypothesis", prediction.hypothesis().id())
        .text("change", prediction.change())
        .text("quantity", prediction.quantity().id())
        .text("unit", PredictionSection.unit(prediction.quantity()).id())
        .number("now", prediction.now())
        .number("low", Numbers.of(range, Prediction.Range::low))
        .number("high", Numbers.of(range, Prediction.Range::high))
        .number("likely", Numbers.of(range, Prediction.Range::middle))
        .text("basis", prediction.basis())
        .texts("assumptions", prediction.assumptions());
  }

  /** Trees of stacks for machines: a list per property, so that hundreds of frames stay short. */
  private static final class StackJson {

    /** Shares of at most a million samples have no more. */
    private static final MathContext DIGITS = new MathContext(4);

    private StackJson() {}

    /** A tree; absent if there are no samples. */
    static Optional<JsonFields> of(StackTree tree) {
      List<StackTree.Node> nodes = tree.nodes();
      return tree.kind()
          .map(
              kind ->
                  new JsonFields()
                      .text("unit", unit(kind))
                      .set("total", DoubleNode.valueOf(tree.total()))
                      .text("source", tree.source().map(Source::toString))
                      .list("frames", nodes.stream().map(node -> JsonFields.string(node.frame())))
                      .list("parents", nodes.stream().map(node -> IntNode.valueOf(node.parent())))
                      .list("merged", nodes.stream().map(node -> IntNode.valueOf(node.merged())))
                      .list("own", nodes.stream().map(node -> BooleanNode.valueOf(node.own())))
                      .list("incident", nodes.stream().map(node -> rounded(node.share())))
                      .list("baseline", nodes.stream().map(node -> before(node))));
    }

    private static String unit(StackProfile.Kind kind) {
      return switch (kind) {
        case CPU, CALLS -> "samples";
        case ALLOCATION, ALLOCATION_OUTSIDE_TLABS -> "bytes";
        case WAITING -> "ns";
      };
    }

    private static JsonNode before(StackTree.Node node) {
      return node.before().isPresent() ? rounded(node.before().getAsDouble()) : NullNode.instance;
    }

    private static JsonNode rounded(double share) {
      return JsonNodeFactory.instance.numberNode(
          new BigDecimal(share, DIGITS).stripTrailingZeros());
    }
  }
}
