package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Diagnosis;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a colleague would compute first, by hand from the files of an incident. */
@Tag("slow")
class FiveChecksTest {

  @Test
  void eachCheckIsALineWithItsFigures() {
    List<Fact> checks =
        FiveChecks.of(Analysis.run(AnalysisRequest.of(Incidents.folder("orders-small-heap"))));
    assertEquals(
        List.of("Free heap", "Allocation", "GC pauses", "Pool", "Outside TLABs"),
        checks.stream().map(Fact::label).toList());
    List<String> texts = checks.stream().map(check -> check.values().get(0).text()).toList();
    // gc.log: the median pause of the incident leaves 498M of 512M, (512 - 498) / 512 = 2.7 %,
    // and of the baseline's (512 - 387) / 512 = 24.4 % are free.
    assertEquals(
        "24.4 % -> 2.7 % of the committed heap after GC (387 MiB -> 498 MiB in use);"
            + " MinHeapFreeRatio 40 %",
        texts.get(0));
    // gc.log: 111 pauses in the baseline's 54 s, 365 in the incident's 34.624 s.
    assertEquals("123/min -> 633/min in number; 1.09 s -> 8.97 s a minute in sum", texts.get(2));
    // 797 acquisitions a second, each for 4.26 ms as in the baseline: 797 x 0.00426 = 3.39, and
    // 797 x 0.00583 = 4.64 with the 5.83 ms of the incident.
    assertEquals(
        "rate x the baseline's hold = 797/s x 4.26 ms = 3.39 of 10: enough;"
            + " in use 3.3 -> 4.64",
        texts.get(3));
  }

  /** Of memory the connections come last. */
  @Test
  void aSmallScreenHasThemInOneLine() {
    assertEquals(
        "free heap 2.7 %; GC 8.97 s/min; alloc 86.7 KiB/request;"
            + " pool needs 3.39 of 10, in use 3.3 -> 4.64; TLABs: byte[]",
        FiveChecks.brief(Analysis.run(AnalysisRequest.of(Incidents.folder("orders-small-heap"))))
            .get(0)
            .values()
            .get(0)
            .text());
  }

  /** Details in brackets go first, then what only explains; lists of files are not cut. */
  @Test
  void aTextIsCutWhereASentenceCouldEnd() {
    assertEquals(
        Optional.of("CPU 62.4 % -> 69.7 %: cores are free"),
        Cell.of("CPU 62.4 % -> 69.7 % (9.9 % rest): cores are free").brief(40));
    assertEquals(
        Optional.of("high: a.jfr, b.csv and c.log agree"),
        Cell.of("high: a.jfr, b.csv and c.log agree, and nothing is missing").brief(40));
    assertEquals(Optional.empty(), Cell.of("high: a.jfr, b.csv and c.log agree").brief(20));
  }

  /**
   * What explains a figure goes first, then words, which dots stand for; what turns the meaning of
   * a figure stays.
   */
  @Test
  void aReasonIsCutAtAClauseOrElseAtAWord() {
    Cell heap = Cell.of("88.0 % -> 87.2 % of the heap free: it does not fill up");
    assertEquals(Optional.of("88.0 % -> 87.2 % of the heap free"), heap.clause(40));
    Cell futures = Cell.of("9 threads wait for a future, likewise in 3 dumps");
    assertEquals(Optional.of("9 threads wait for a future"), futures.clause(30));
    assertEquals(Optional.empty(), futures.clause(20));
    Cell calls = Cell.of("0.02 -> 0.07 threads in calls: explains none");
    assertEquals(Optional.empty(), calls.clause(35));
    assertEquals(Optional.empty(), Cell.of("941 waits, none due to its size").clause(15));
    assertEquals("9 threads wait ...", futures.within(20));
  }

  @Test
  void aParagraphIsCutAtASentence() {
    Block.Paragraph two = Block.Paragraph.of("One is here. Another follows.");
    assertEquals(Block.Paragraph.of("One is here."), two.sentences(20));
    assertEquals(two, two.sentences(30));
    assertEquals(two, two.sentences(5));
  }

  /** Of an undersized pool Little's law is the first check. */
  @Test
  void ofAPoolTheConnectionsComeFirst() {
    Diagnosis pool = Analysis.run(AnalysisRequest.of(Incidents.folder("orders-pool-of-three")));
    String checks = FiveChecks.brief(pool).get(0).values().get(0).text();
    assertTrue(checks.startsWith("pool needs "), checks);
  }

  /** After a GC of the baseline there was none: 57.5 of 384 MiB are in use, 85.0 % free. */
  @Test
  void aHeapOfTheBaselineAloneIsSaidToBe() {
    long mebi = 1 << 20;
    Diagnosis diagnosis =
        SampleDiagnosis.with(
            before("heap.free.ratio", Unit.RATIO, 0.85),
            before("heap.used.after", Unit.BYTES, 57.5 * mebi));
    assertEquals(
        "85.0 % of the committed heap after GC (57.5 MiB in use) in the baseline, unknown in the"
            + " incident",
        FiveChecks.of(diagnosis).get(0).values().get(0).text().replaceAll(";.*", ""));
  }

  private static Metric before(String name, Unit unit, double value) {
    return new Metric(
        name,
        name,
        unit,
        OptionalDouble.of(value),
        OptionalDouble.empty(),
        Metric.Origin.words("gc.log"));
  }

  /**
   * Dumps of this incident have more than twice as many threads waiting for a connection as events
   * have: the line of events beside the row by dumps says what it counts.
   */
  @Test
  void aLineOfEventsSaysSoWhereDumpsShowMore() {
    Block.Charts charts =
        (Block.Charts)
            ChartSection.blocks(
                    Analysis.run(AnalysisRequest.of(Incidents.folder("ferry-pool"))),
                    ZoneOffset.UTC)
                .get(0);
    List<String> lines =
        charts.plots().stream()
            .flatMap(plot -> plot.telling().stream())
            .flatMap(trace -> trace.gist().stream())
            .toList();
    assertTrue(
        lines.stream().anyMatch(line -> line.endsWith(" threads by events")), lines::toString);
  }
}
