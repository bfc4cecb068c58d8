package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.advice.Edit;
import io.gcdiag.advice.Place;
import io.gcdiag.causes.Bearing;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.diagnosis.Confidence;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.evidence.heap.AllocationSite;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.source.InputReport;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.HotSpot;
import io.gcdiag.prediction.Prediction;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** A diagnosis for machines. Fields may be added, never renamed or dropped. */
final class DiagnosisJson {

  private DiagnosisJson() {}

  static JsonNode of(Diagnosis diagnosis) {
    ObjectNode root = JsonText.document();
    ArrayNode inputs = root.putArray("inputs");
    diagnosis.inputs().forEach(input -> putInput(inputs.addObject(), input));
    putJvm(root.putObject("jvm"), diagnosis.jvm());
    putWindows(root.putObject("windows"), diagnosis.windows());
    root.put("conclusion", diagnosis.conclusion().id());
    root.set("primarySuspect", JsonText.text(diagnosis.primarySuspect().map(Hypothesis::id)));
    ArrayNode hypotheses = root.putArray("hypotheses");
    for (Judgement judgement : diagnosis.judgements()) {
      putJudgement(hypotheses.addObject().put("rank", hypotheses.size()), judgement);
    }
    putActions(root.putArray("actions"), diagnosis);
    LedgerJson.put(root, diagnosis);
    ArrayNode inseparable = root.putArray("inseparable");
    diagnosis
        .inseparable()
        .forEach(
            pair -> {
              ObjectNode node = inseparable.addObject();
              node.put("one", pair.one().id());
              node.put("other", pair.other().id());
              node.set("experiment", JsonText.text(pair.experiment()));
            });
    putFigures(root, diagnosis);
    putAllocation(root.putObject("allocation"), diagnosis.allocation());
    putCpu(root.putObject("cpu"), diagnosis.cpu());
    StackJson.put(root.putObject("waiting"), diagnosis.waiting());
    ArrayNode limits = root.putArray("limits");
    diagnosis.limits().forEach(limit -> limits.add(JsonText.text(limit)));
    ArrayNode predictions = root.putArray("predictions");
    diagnosis.predictions().forEach(p -> putPrediction(predictions.addObject(), p));
    root.putObject("hidden")
        .put("secrets", diagnosis.hidden().secrets())
        .put("places", diagnosis.hidden().places());
    return root;
  }

  private static void putInput(ObjectNode node, InputReport input) {
    node.set("file", JsonText.text(input.file()));
    node.set("format", JsonText.text(input.format()));
    node.put("status", input.status().id());
    node.set("note", JsonText.text(input.note()));
  }

  private static void putJvm(ObjectNode node, JvmFacts jvm) {
    node.set("version", JsonText.text(jvm.version()));
    node.set("collector", JsonText.text(jvm.collector()));
    node.set("initialHeapBytes", JsonText.number(bytes(jvm.initialHeap())));
    node.set("maxHeapBytes", JsonText.number(bytes(jvm.maxHeap())));
    node.put("cpus", jvm.cpus().isPresent() ? Integer.valueOf(jvm.cpus().getAsInt()) : null);
  }

  private static void putWindows(ObjectNode node, Windows windows) {
    if (windows.dated()) {
      putWindow(node.putObject("incident"), windows.incident());
    } else {
      node.putNull("incident");
    }
    if (windows.baseline().isPresent()) {
      putWindow(node.putObject("baseline"), windows.baseline().get());
    } else {
      node.putNull("baseline");
    }
    node.put("chosenBy", windows.chosenBy().id());
  }

  private static void putWindow(ObjectNode node, Window window) {
    node.put("from", window.from().toString()).put("to", window.to().toString());
  }

  private static void putJudgement(ObjectNode node, Judgement judgement) {
    node.put("id", judgement.hypothesis().id());
    node.put("name", judgement.hypothesis().title());
    node.put("verdict", judgement.verdict().id());
    node.set("explainedShare", JsonText.number(judgement.explainedShare()));
    JsonText.putInterval(node, "explainedShareInterval", judgement.shareInterval());
    node.set("confidence", JsonText.text(judgement.confidence().map(Confidence::id)));
    if (!judgement.doubts().isEmpty()) {
      node.set("doubts", JsonText.text(judgement.doubts()));
    }
    ArrayNode evidence = node.putArray("evidence");
    judgement
        .findings()
        .forEach(finding -> putFinding(evidence.addObject(), finding, judgement.hypothesis()));
    ArrayNode missing = node.putArray("missing");
    judgement
        .missing()
        .forEach(
            signal ->
                missing
                    .addObject()
                    .put("signal", signal.id())
                    .put("howToRecord", signal.howToRecord()));
    ArrayNode actions = node.putArray("actions");
    judgement.actions().forEach(action -> actions.add(JsonText.text(action)));
    ArrayNode place = node.putArray("place");
    judgement.advice().place().stream()
        .flatMap(known -> known.parts().stream())
        .forEach(part -> putPart(place.addObject(), part));
  }

  private static void putPart(ObjectNode node, Place.Part part) {
    node.put("role", part.role().id());
    node.set("name", JsonText.text(part.name()));
    node.set("detail", JsonText.text(part.detail()));
    node.set("source", JsonText.text(part.source().toString()));
  }

  /** The edits of all suspects, those of the first suspect first. */
  private static void putActions(ArrayNode actions, Diagnosis diagnosis) {
    for (Judgement judgement : diagnosis.judgements()) {
      for (Edit edit : judgement.advice().edits()) {
        ObjectNode node = actions.addObject();
        node.put("hypothesis", judgement.hypothesis().id());
        node.put("kind", edit.kind().id());
        node.set("name", JsonText.text(edit.name()));
        node.set("from", JsonText.text(edit.from()));
        node.set("to", JsonText.text(edit.value()));
        node.set("why", JsonText.text(edit.why()));
        node.set("text", JsonText.text(edit.toString()));
      }
    }
  }

  private static void putFinding(ObjectNode node, Finding finding, Hypothesis about) {
    node.set("rule", JsonText.text(finding.rule()));
    node.set(
        "bearing",
        JsonText.text(
            finding.bearings().stream()
                .filter(bearing -> bearing.hypothesis() == about)
                .map(Bearing::word)
                .findFirst()));
    node.set("statement", JsonText.text(finding.statement()));
    ObjectNode values = node.putObject("values");
    finding.values().forEach((name, value) -> values.set(name, JsonText.number(value)));
    ArrayNode sources = node.putArray("sources");
    finding.sources().forEach(source -> sources.add(JsonText.text(source.toString())));
  }

  private static void putFigures(ObjectNode root, Diagnosis diagnosis) {
    ArrayNode checks = root.putArray("crossChecks");
    diagnosis
        .crossChecks()
        .forEach(
            check -> {
              ObjectNode node = checks.addObject();
              node.set("fact", JsonText.text(check.fact()));
              putSide(node.putObject("a"), check.sourceA(), check.valueA());
              putSide(node.putObject("b"), check.sourceB(), check.valueB());
              node.put("agrees", agrees(check.agreement()).orElse(null));
            });
    ArrayNode metrics = root.putArray("metrics");
    diagnosis
        .metrics()
        .forEach(
            metric -> {
              ObjectNode node = metrics.addObject();
              node.set("name", JsonText.text(metric.name()));
              node.put("unit", metric.unit().id());
              JsonText.putFigure(node, "baseline", metric.baseline(), metric.baselineRange());
              JsonText.putFigure(node, "incident", metric.incident(), metric.incidentRange());
            });
  }

  private static Optional<Boolean> agrees(CrossCheck.Agreement agreement) {
    return agreement == CrossCheck.Agreement.OPEN
        ? Optional.empty()
        : Optional.of(agreement == CrossCheck.Agreement.YES);
  }

  private static void putSide(ObjectNode node, String source, double value) {
    node.set("source", JsonText.text(source));
    node.set("value", JsonText.number(value));
  }

  private static void putAllocation(ObjectNode node, AllocationSummary allocation) {
    node.set("bytesPerSecond", JsonText.number(allocation.bytesPerSecond()));
    node.set("bytesPerRequest", JsonText.number(allocation.bytesPerRequest()));
    ArrayNode sites = node.putArray("topSites");
    allocation.topSites().forEach(site -> putSite(sites.addObject(), site));
    ArrayNode outside = node.putArray("outsideTlabs");
    for (AllocationSite site : allocation.outsideTlabs()) {
      ObjectNode entry = outside.addObject();
      putSite(entry, site);
      entry.put("ofApplication", site.ofApplication());
    }
    node.set("outsideTlabsOfApplication", JsonText.number(allocation.ofApplication()));
    StackJson.put(node, allocation.stacks());
  }

  private static void putSite(ObjectNode entry, AllocationSite site) {
    entry.set("class", JsonText.text(site.className()));
    entry.set("size", JsonText.number(bytes(site.typicalSize())));
    entry.put("bytes", site.bytes().value());
    entry.set("allocatedBy", JsonText.text(site.top()));
    entry.set("root", JsonText.text(site.root()));
  }

  private static void putCpu(ObjectNode node, CpuSummary cpu) {
    node.put("samples", cpu.samples());
    putSpots(node.putArray("self"), cpu.self());
    putSpots(node.putArray("withCalled"), cpu.withCalled());
    StackJson.put(node, cpu.stacks());
  }

  private static void putSpots(ArrayNode array, List<HotSpot> spots) {
    for (HotSpot spot : spots) {
      ObjectNode node = array.addObject();
      node.set("method", JsonText.text(spot.name()));
      node.set("baseline", JsonText.number(spot.before()));
      node.set("incident", JsonText.number(spot.share()));
    }
  }

  private static OptionalDouble bytes(Optional<Bytes> bytes) {
    return Numbers.of(bytes, known -> known.value());
  }

  private static void putPrediction(ObjectNode node, Prediction prediction) {
    node.put("hypothesis", prediction.hypothesis().id());
    node.set("change", JsonText.text(prediction.change()));
    node.put("quantity", prediction.quantity().id());
    node.put("unit", PredictionSection.unit(prediction.quantity()).id());
    node.set("now", JsonText.number(prediction.now()));
    node.set("low", JsonText.number(bound(prediction, Prediction.Range::low)));
    node.set("high", JsonText.number(bound(prediction, Prediction.Range::high)));
    node.set("likely", JsonText.number(bound(prediction, Prediction.Range::middle)));
    node.set("basis", JsonText.text(prediction.basis()));
    ArrayNode assumptions = node.putArray("assumptions");
    prediction.assumptions().forEach(text -> assumptions.add(JsonText.text(text)));
  }

  private static OptionalDouble bound(
      Prediction prediction, ToDoubleFunction<Prediction.Range> side) {
    return Numbers.of(prediction.range(), known -> side.applyAsDouble(known));
  }
}
