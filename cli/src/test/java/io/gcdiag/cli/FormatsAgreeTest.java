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
      Pattern.compile("([\\d.]+) % (?:\\([^)]*\\) )?of the lost time");
  private static final Pattern UNEXPLAINED = Pattern.compile("(nothing|[\\d.]+ %) unexplained");

  /** Tenths of a per cent are printed. */
  private static final double ROUNDED = 0.0005;

  @ParameterizedTest
  @ValueSource(strings = {"orders-pool-of-three", "orders-small-heap", "lantern-one-lock"})
  void everyFormatSaysTheSame(String incident) throws IOException {
    DiagnosisDocument document =
        new DiagnosisDocument(Analysis.run(AnalysisRequest.of(Incidents.folder(incident))));
    JsonNode json = new ObjectMapper().readTree(ReportFormat.JSON.render(document, Look.PLAIN));
    JsonNode first = json.path("hypotheses").get(0);
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
      assertEquals(share, Double.parseDouble(printed.group(1)) / 100, ROUNDED, format::toString);
      Matcher rest = UNEXPLAINED.matcher(text);
      assertTrue(rest.find(), () -> format + ": " + text);
      String open = rest.group(1).replace("nothing", "0").replace(" %", "");
      assertEquals(
          json.path("unexplainedShare").asDouble(),
          Double.parseDouble(open) / 100,
          ROUNDED,
          format::toString);
    }
  }
}
