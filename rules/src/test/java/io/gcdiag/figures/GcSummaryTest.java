package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.fixtures.Incidents;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The six pauses of a log, by grep: 22.196, 31.376, 9.083, 0.054, 45.083 and 21.667 ms. */
class GcSummaryTest {

  private final GcSummary collections =
      Analysis.run(AnalysisRequest.of(Incidents.folder("mill-collector").resolve("gc.log")))
          .figures()
          .collections();

  @Test
  void percentilesAreLengthsOfPauses() {
    assertEquals(6, collections.pauses());
    assertEquals(
        List.of(21_667_000L, 45_083_000L, 45_083_000L, 45_083_000L),
        collections.percentiles().stream().map(GcSummary.Percentile::nanos).toList());
    // 129.459 ms of the 78.009 s that the log covers.
    assertEquals(1 - 0.129459 / 78.009, collections.throughput(), 1e-6);
  }

  @Test
  void theHistogramHasEachPauseOnceAndNoEmptyEnds() {
    assertEquals(
        List.of(1, 0, 1, 4), collections.lengths().stream().map(GcSummary.Length::pauses).toList());
    assertEquals(0, collections.lengths().get(0).fromNanos());
    assertEquals(50_000_000, collections.lengths().get(3).toNanos());
  }

  @Test
  void causesAreOrderedByTheirSums() {
    assertEquals(
        List.of(
            new GcSummary.Cause("G1 Evacuation Pause", 3, 88_946_000, 45_083_000),
            new GcSummary.Cause("Metadata GC Threshold", 3, 40_513_000, 31_376_000)),
        collections.causes());
  }

  /** Four begin before 15:48:33, one until 15:48:40, and the last, of 21.667 ms, after that. */
  @Test
  void pausesOfTheFileInNeitherWindowAreCounted() {
    Path log = Incidents.folder("mill-collector").resolve("gc.log");
    GcSummary first =
        Analysis.run(
                AnalysisRequest.of(log)
                    .within(
                        Optional.of(WindowRequest.parse("15:48:17..15:48:33")),
                        Optional.of(WindowRequest.parse("15:48:33..15:48:40"))))
            .figures()
            .collections();
    assertEquals(4, first.pauses());
    assertEquals(1, first.outside());
    assertEquals(21_667_000, first.outsideNanos());
  }
}
