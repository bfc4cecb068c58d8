package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.SampleQuotes;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** JSON reports are what the published schema says; the schema lies in docs and in the jar. */
class JsonSchemaTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static Set<ValidationMessage> problems(String report) throws Exception {
    try (InputStream in = DiagnosisDocument.class.getResourceAsStream("../report.schema.json")) {
      JsonSchema schema =
          JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
              .getSchema(
                  in, SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build());
      return schema.validate(JSON.readTree(report));
    }
  }

  private static String sample() {
    return ReportFormat.JSON.render(
        new DiagnosisDocument(SampleDiagnosis.memoryPressure()), Look.PLAIN);
  }

  @Test
  void reportsOfEveryKindFitTheSchema() throws Exception {
    for (var diagnosis :
        List.of(
            SampleDiagnosis.memoryPressure(),
            SampleDiagnosis.healthy(),
            SampleDiagnosis.undecided(),
            SampleQuotes.everywhere("\u001B[31m\"{"))) {
      String report = ReportFormat.JSON.render(new DiagnosisDocument(diagnosis), Look.PLAIN);
      assertEquals(Set.of(), problems(report));
    }
  }

  @TestFactory
  Stream<DynamicTest> approvedReportsFitTheSchema() {
    return Incidents.all().stream()
        .map(folder -> folder.resolve("approved/report.json"))
        .filter(Files::exists)
        .map(file -> DynamicTest.dynamicTest(name(file), () -> fits(file)));
  }

  private static void fits(Path file) throws Exception {
    assertEquals(Set.of(), problems(Files.readString(file)));
  }

  private static String name(Path file) {
    return file.getParent().getParent().getFileName().toString();
  }

  /** A field that the report writes fails here until the schema describes it. */
  @Test
  void fieldsThatTheSchemaDoesNotDescribeDoNotFit() throws Exception {
    for (String place :
        List.of(
            "",
            "/jvm",
            "/windows/incident",
            "/hypotheses/0",
            "/hypotheses/0/evidence/0",
            "/causalChain/0",
            "/ledger/0",
            "/predictions/0",
            "/metrics/0",
            "/allocation",
            "/allocation/topSites/0",
            "/cpu")) {
      ObjectNode report = (ObjectNode) JSON.readTree(sample());
      ((ObjectNode) report.at(place)).put("undescribed", 1);
      assertFalse(problems(report.toString()).isEmpty(), place);
    }
  }

  @Test
  void whatBreaksTheContractDoesNotFit() throws Exception {
    for (String field : List.of("jvm", "hypotheses", "limits", "primarySuspect")) {
      ObjectNode report = (ObjectNode) JSON.readTree(sample());
      report.remove(field);
      assertFalse(problems(report.toString()).isEmpty(), field);
    }
    ObjectNode report = (ObjectNode) JSON.readTree(sample());
    report.put("conclusion", "healthy");
    assertFalse(problems(report.toString()).isEmpty(), "a suspect in a healthy report");
  }
}
