package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.FormatLaws;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.ReportLaw;
import io.gcdiag.fixtures.ReportLaws;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * No report of a recorded incident, and of a run that was once blind, is refuted by its own
 * figures. {@code fixtures/bench/Laws.java} asks the same of any folder, and of parts of its files.
 */
@Tag("slow")
class LawsTest {

  private static final Look WHOLE =
      new Look(false, Look.USUAL, false, true, OptionalLong.empty(), OptionalInt.empty());

  @TestFactory
  Stream<DynamicTest> everyReportKeepsEachLaw() {
    return Stream.concat(
            // The sums of these are asked where their reports are approved.
            Incidents.all().stream().map(folder -> Map.entry(folder, false)),
            Incidents.onceBlind().stream().map(one -> Map.entry(one.folder(), true)))
        .parallel()
        .map(asked -> Map.entry(asked.getKey(), broken(asked.getKey(), asked.getValue())))
        .toList()
        .stream()
        .flatMap(
            one ->
                one.getValue().entrySet().stream()
                    .map(
                        law ->
                            DynamicTest.dynamicTest(
                                law.getKey().id() + " " + one.getKey().getFileName(),
                                () ->
                                    assertEquals(
                                        List.of(), law.getValue(), law.getKey().words()))));
  }

  private static Map<ReportLaw, List<String>> broken(Path folder, boolean sums) {
    DiagnosisDocument document = new DiagnosisDocument(Analysis.run(AnalysisRequest.of(folder)));
    try {
      String text = ReportFormat.JSON.render(document, Look.PLAIN);
      JsonNode json = new ObjectMapper().readTree(text);
      Map<ReportLaw, List<String>> broken = new EnumMap<>(ReportLaws.check(json));
      Map<String, String> formats =
          Stream.of(ReportFormat.TABLE, ReportFormat.MARKDOWN, ReportFormat.HTML)
              .collect(
                  Collectors.toMap(ReportFormat::id, format -> format.render(document, WHOLE)));
      List<String> slips = new ArrayList<>(FormatLaws.check(json, formats));
      if (sums) {
        slips.addAll(ReportSums.of(text, ReportFormat.TABLE.render(document, Look.PLAIN)));
        for (String report : formats.values()) {
          slips.addAll(ReportSums.ofFormat(text, report));
        }
      }
      broken.put(ReportLaw.FORMATS, slips);
      return broken;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
