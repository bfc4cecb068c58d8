package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.verdict.Diagnosis;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A log and two dumps, by which nearly all request threads wait for one lock. */
@Tag("slow")
class SampledShareReportTest {

  private static final Path FOLDER = Path.of("../fixtures/incidents/desk-one-journal");

  /**
   * 99 of 100 threads in both dumps wait: Wilson's interval begins at 0.34; the rest may be 0.66.
   */
  private static final String SHARE = "100.0 % (60 to 100 %)";

  private static Diagnosis diagnosis;

  @BeforeAll
  static void analyse() {
    diagnosis =
        Analysis.run(
            AnalysisRequest.of(
                FOLDER.resolve("gc.log"),
                FOLDER.resolve("threads-1.txt"),
                FOLDER.resolve("threads-2.txt")));
  }

  private static String render(ReportFormat format) {
    return format.render(new DiagnosisDocument(diagnosis), Look.PLAIN);
  }

  @Test
  void theIntervalStandsBesideTheShareInEveryFormatForPeople() {
    for (ReportFormat format : List.of(ReportFormat.MARKDOWN, ReportFormat.HTML)) {
      // HTML keeps each figure with its unit in an element.
      String words = render(format).replaceAll("</?[a-z][^>]*>", "");
      assertTrue(words.contains(SHARE), format.name());
    }
    String text = render(ReportFormat.TABLE);
    String words = text.replaceAll("\\s+", " ");
    assertTrue(words.contains(SHARE + " of the lost time ("), text);
    assertTrue(words.contains("; nothing unexplained (up to 40.2 % in no recorded state)"), text);
    assertTrue(text.contains("  100.0 %  PRIMARY"), text);
  }

  @Test
  void machinesGetItAsNumbersWithWhatKeepsTheConfidenceFromBeingHigh() throws Exception {
    JsonNode root = new ObjectMapper().readTree(render(ReportFormat.JSON));
    JsonNode first = root.at("/hypotheses/0");
    assertEquals(0.6, first.at("/explainedShareInterval/low").asDouble(), 0.01);
    assertEquals(1, first.at("/explainedShareInterval/high").asDouble(), 0.01);
    assertTrue(
        first.get("doubts").asText().startsWith("its share rests on 2 thread dumps: 60 to 100 %"));
    assertEquals(33.5, root.at("/ledger/0/incidentThreadsInterval/low").asDouble(), 0.1);
  }
}
