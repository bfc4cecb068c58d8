package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.verdict.Diagnosis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonReportTest {

  private static String text(Diagnosis diagnosis) {
    return ReportFormat.JSON.render(new DiagnosisDocument(diagnosis), Look.PLAIN.coloured(true));
  }

  private static JsonNode json(Diagnosis diagnosis) throws Exception {
    return new ObjectMapper().readTree(text(diagnosis));
  }

  private static List<String> fields(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void theFieldsAreThoseOfTheContractInItsOrder() throws Exception {
    JsonNode root = json(SampleDiagnosis.memoryPressure());
    assertEquals(
        List.of(
            "schemaVersion",
            "tool",
            "inputs",
            "jvm",
            "windows",
            "conclusion",
            "primarySuspect",
            "hypotheses",
            "actions",
            "causalChain",
            "otherCausalLinks",
            "unexplainedShare",
            "ledger",
            "inseparable",
            "crossChecks",
            "metrics",
            "endpoints",
            "stations",
            "slowRequests",
            "allocation",
            "cpu",
            "collections",
            "waiting",
            "limits",
            "predictions",
            "hidden"),
        fields(root));
    assertEquals(List.of("name", "version"), fields(root.get("tool")));
    assertEquals(List.of("file", "format", "status", "note"), fields(root.at("/inputs/0")));
    assertEquals(
        List.of("version", "collector", "initialHeapBytes", "maxHeapBytes", "cpus"),
        fields(root.get("jvm")));
    assertEquals(
        List.of("incident", "baseline", "chosenBy", "otherEpisodes"), fields(root.get("windows")));
    assertEquals(
        List.of(
            "rank",
            "id",
            "name",
            "verdict",
            "explainedShare",
            "confidence",
            "evidence",
            "missing",
            "actions",
            "place"),
        fields(root.at("/hypotheses/0")));
    assertEquals(
        List.of("rule", "bearing", "statement", "values", "sources"),
        fields(root.at("/hypotheses/0/evidence/0")));
    assertEquals(List.of("signal", "howToRecord"), fields(root.at("/hypotheses/1/missing/0")));
    List<String> link =
        List.of("from", "to", "statement", "threadSeconds", "share", "rule", "sources", "stations");
    assertEquals(link, fields(root.at("/causalChain/0")));
    assertEquals(link, fields(root.at("/otherCausalLinks/0")));
    assertEquals(List.of("fact", "a", "b", "agrees"), fields(root.at("/crossChecks/0")));
    assertEquals(List.of("name", "unit", "baseline", "incident"), fields(root.at("/metrics/0")));
    assertEquals(
        List.of(
            "bytesPerSecond",
            "bytesPerRequest",
            "topSites",
            "outsideTlabs",
            "outsideTlabsOfApplication",
            "stacks"),
        fields(root.get("allocation")));
    assertEquals(
        List.of(
            "unit",
            "total",
            "source",
            "frames",
            "parents",
            "merged",
            "own",
            "incident",
            "baseline"),
        fields(root.at("/allocation/stacks")));
    assertEquals(
        List.of("class", "size", "bytes", "allocatedBy", "root"),
        fields(root.at("/allocation/topSites/0")));
    assertEquals(
        List.of(
            "hypothesis",
            "change",
            "quantity",
            "unit",
            "now",
            "low",
            "high",
            "likely",
            "basis",
            "assumptions"),
        fields(root.at("/predictions/0")));
  }

  @Test
  void valuesAreThoseOfTheDiagnosis() throws Exception {
    JsonNode root = json(SampleDiagnosis.memoryPressure());
    assertEquals("primary-suspect", root.get("conclusion").asText());
    assertEquals("memory-pressure", root.get("primarySuspect").asText());
    assertEquals("partial", root.at("/inputs/1/status").asText());
    assertEquals("change-point", root.at("/windows/chosenBy").asText());
    assertEquals("2026-03-01T01:14:00Z", root.at("/windows/incident/from").asText());
    // 256 x 1,048,576
    assertEquals(268_435_456L, root.at("/jvm/initialHeapBytes").asLong());
    assertEquals(32, root.get("hypotheses").size());
    assertEquals(1, root.at("/hypotheses/0/rank").asInt());
    assertEquals(13, root.at("/hypotheses/12/rank").asInt());
    assertEquals("explains", root.at("/hypotheses/0/evidence/0/bearing").asText());
    assertEquals("refutes", root.at("/hypotheses/3/evidence/0/bearing").asText());
    assertEquals("gc.log:1204", root.at("/hypotheses/0/evidence/1/sources/0").asText());
    assertEquals(308_000_000L, root.at("/metrics/0/baseline").asLong());
    assertEquals("thread-parks", root.at("/hypotheses/1/missing/0/signal").asText());
  }

  @Test
  void whatIsNotKnownIsNullAndNeverZero() throws Exception {
    JsonNode root = json(SampleDiagnosis.healthy());
    for (String place :
        List.of(
            "/primarySuspect",
            "/jvm/version",
            "/jvm/collector",
            "/jvm/initialHeapBytes",
            "/jvm/maxHeapBytes",
            "/jvm/cpus",
            "/windows/baseline",
            "/hypotheses/0/explainedShare",
            "/hypotheses/0/confidence",
            "/allocation/bytesPerSecond",
            "/allocation/bytesPerRequest")) {
      assertTrue(root.at(place).isNull(), place + " in " + root);
    }
    JsonNode sample = json(SampleDiagnosis.memoryPressure());
    assertTrue(sample.at("/metrics/6/baseline").isNull());
    assertEquals(10, sample.at("/predictions/0/low").asInt());
    assertTrue(sample.at("/predictions/1/low").isNull());
    assertTrue(sample.at("/allocation/topSites/0/size").isNull());
    assertEquals(8192, sample.at("/allocation/outsideTlabs/0/size").asInt());
    assertTrue(sample.at("/hypotheses/0/evidence/1/values/notMeasured").isNull());
  }

  @Test
  void theTextIsTheSameEveryTimeAndHasUnixLineEnds() {
    String text = text(SampleDiagnosis.memoryPressure());
    assertEquals(text, text(SampleDiagnosis.memoryPressure()));
    assertTrue(text.startsWith("{\n  \"schemaVersion\": \"1\",\n"), text);
    assertTrue(text.endsWith("}\n"), text);
    assertFalse(text.contains("\r"));
    assertFalse(text.contains("NaN"));
  }
}
