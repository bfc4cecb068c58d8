package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Suspect, share and unexplained part of the JSON stand in the first lines of each other format.
 */
@Tag("slow")
class FormatsAgreeTest {

  private static final Pattern SHARE =
      Pattern.compile("(?:([\\d.]+) to )?(?:at least )?([\\d.]+) % of the lost time");
  private static final Pattern UNEXPLAINED = Pattern.compile("(?:up to )?([\\d.]+) % unexplained");

  /** Whole per cent are printed of intervals. */
  private static final double ROUNDED = 0.005;

  @ParameterizedTest
  @ValueSource(strings = {"orders-pool-of-three", "orders-small-heap", "lantern-one-lock"})
  void everyFormatSaysTheSame(String incident) throws IOException {
    DiagnosisDocument document =
        new DiagnosisDocument(Analysis.run(AnalysisRequest.of(Incidents.folder(incident))));
    JsonNode json = new ObjectMapper().readTree(ReportFormat.JSON.render(document, Look.PLAIN));
    JsonNode first = json.path("hypotheses").get(0);
    JsonNode interval = first.path("explainedShareInterval");
    double share = first.path("explainedShare").asDouble();
    for (ReportFormat format :
        List.of(ReportFormat.TABLE, ReportFormat.MARKDOWN, ReportFormat.HTML)) {
      String text =
          format
              .render(document, Look.PLAIN)
              .replaceAll("(?s)<(style|script).*?</\\1>", "")
              .replaceAll("<[^>]*>|\\*\\*|\\u00a0", " ")
              .replaceAll("\\s+", " ");
      assertTrue(text.contains(first.path("name").asText()), format + ": " + text);
      Matcher printed = SHARE.matcher(text);
      assertTrue(printed.find(), () -> format + ": " + text);
      double high = Double.parseDouble(printed.group(2)) / 100;
      assertEquals(interval.path("high").asDouble(share), high, ROUNDED, format::toString);
      if (printed.group(1) != null) {
        double low = Double.parseDouble(printed.group(1)) / 100;
        assertEquals(interval.path("low").asDouble(), low, ROUNDED, format::toString);
      }
      Matcher rest = UNEXPLAINED.matcher(text);
      double unexplained = json.path("unexplainedShare").asDouble();
      if (rest.find()) {
        boolean most = rest.group().startsWith("up to");
        assertEquals(
            most ? 1 - interval.path("low").asDouble() : unexplained,
            Double.parseDouble(rest.group(1)) / 100,
            ROUNDED,
            format::toString);
      } else {
        assertTrue(unexplained < ROUNDED, () -> format + " leaves out " + unexplained);
      }
    }
  }
}
