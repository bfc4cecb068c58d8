package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.FormatLaws;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.ReportLaw;
import io.gcdiag.fixtures.ReportLaws;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * No report of a run that was once blind is refuted by its own figures; those of the recorded
 * incidents are asked where they are approved. {@code fixtures/bench/Laws.java} asks the same of
 * any folder, and of parts of its files.
 */
@Tag("slow")
@Tag("incidents")
class LawsTest {

  private static final Look WHOLE =
      new Look(false, Look.USUAL, false, true, OptionalLong.empty(), OptionalInt.empty());

  /** Of every third one all formats are asked, as of each recorded incident. */
  private static final int WITH_FORMATS = 3;

  private static final List<ReportFormat> FORMATS =
      List.of(ReportFormat.TABLE, ReportFormat.MARKDOWN, ReportFormat.JIRA, ReportFormat.HTML);

  @TestFactory
  Stream<DynamicTest> everyReportKeepsEachLaw() {
    List<RecordedIncident> runs = Incidents.onceBlind();
    return IntStream.range(0, runs.size())
        .parallel()
        .mapToObj(
            i ->
                Map.entry(
                    runs.get(i).name(),
                    broken(
                        new DiagnosisDocument(IncidentDiagnoses.of(runs.get(i))),
                        i % WITH_FORMATS == 0 ? FORMATS : List.of())))
        .toList()
        .stream()
        .flatMap(
            one ->
                one.getValue().entrySet().stream()
                    .map(
                        law ->
                            DynamicTest.dynamicTest(
                                law.getKey().id() + " " + one.getKey(),
                                () ->
                                    assertEquals(
                                        List.of(), law.getValue(), law.getKey().words()))));
  }

  private static Map<ReportLaw, List<String>> broken(
      DiagnosisDocument document, List<ReportFormat> formats) {
    return broken(
        ReportFormat.JSON.render(document, Look.PLAIN),
        ReportFormat.TABLE.render(document, Look.PLAIN),
        formats.stream()
            .collect(Collectors.toMap(ReportFormat::id, format -> format.render(document, WHOLE))));
  }

  /** What breaks each law, by the answer in JSON, as the first screen, and in other formats. */
  static Map<ReportLaw, List<String>> broken(
      String text, String screen, Map<String, String> formats) {
    try {
      JsonNode json = new ObjectMapper().readTree(text);
      Map<ReportLaw, List<String>> broken = new EnumMap<>(ReportLaws.check(json));
      List<String> slips = new ArrayList<>(FormatLaws.check(json, formats));
      slips.addAll(ReportSums.of(json, screen));
      formats.values().forEach(report -> slips.addAll(ReportSums.ofFormat(json, report)));
      broken.put(ReportLaw.FORMATS, slips);
      return broken;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
