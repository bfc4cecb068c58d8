package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.ReportLaw;
import io.gcdiag.fixtures.ReportLaws;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** What breaks a law still; a folder may stand here for no longer than that is true. */
  private static final Map<ReportLaw, Set<String>> NOT_YET =
      Map.of(
          // 14 threads wait for a connection in a dump.
          ReportLaw.ROWS, Set.of("mason"),
          // Shares of 100 and 94 %; pauses alone bring at most 64 and 69 %.
          ReportLaw.STOPS_ALONE, Set.of("mill-histograms", "pages-parnew"),
          // The pool explains 100 %, twice its size takes 39 % of the P99.
          ReportLaw.PREDICTION, Set.of("relay-pool-of-two"),
          // The calls that became longer are of other threads that share the workers.
          ReportLaw.SAME_CAPACITY, Set.of("plaza"),
          // At most 0.31 connections, at 31 requests at a time; 123 requests a second of all the
          // test.
          ReportLaw.WHOLE_TEST, Set.of("orders-export-keeps-rows-open", "posters-festival"),
          ReportLaw.CONFIDENCE, Set.of("orders-export-keeps-rows-open"),
          // 5.6 of 10.5 threads are in no known state, at a median of 52 ms.
          ReportLaw.HEALTHY, Set.of("desk-few-workers-fixed"));

  @TestFactory
  Stream<DynamicTest> everyReportKeepsEachLaw() {
    return Stream.concat(
            Incidents.all().stream(), Incidents.onceBlind().stream().map(RecordedIncident::folder))
        .parallel()
        .map(folder -> Map.entry(folder, broken(folder)))
        .toList()
        .stream()
        .flatMap(
            one ->
                one.getValue().entrySet().stream()
                    .map(
                        law ->
                            DynamicTest.dynamicTest(
                                law.getKey().id() + " " + one.getKey().getFileName(),
                                () -> check(law.getKey(), one.getKey(), law.getValue()))));
  }

  private static void check(ReportLaw law, Path folder, List<String> figures) {
    String name = folder.getFileName().toString();
    if (NOT_YET.getOrDefault(law, Set.of()).contains(name)) {
      assertNotEquals(
          List.of(), figures, law.id() + " is kept now: take " + name + " off the list");
    } else {
      assertEquals(List.of(), figures, law.words());
    }
  }

  private static Map<ReportLaw, List<String>> broken(Path folder) {
    String json =
        ReportFormat.JSON.render(
            new DiagnosisDocument(Analysis.run(AnalysisRequest.of(folder))), Look.PLAIN);
    try {
      Map<ReportLaw, List<String>> broken = ReportLaws.check(new ObjectMapper().readTree(json));
      // A law that cannot be asked any more is not broken.
      NOT_YET.forEach(
          (law, names) -> {
            if (names.contains(folder.getFileName().toString())) {
              broken.putIfAbsent(law, List.of());
            }
          });
      return broken;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
