package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.loadtests.Comparer.FailedShares;
import io.gcdiag.loadtests.Comparison.Change;
import io.gcdiag.loadtests.Comparison.ComparedFigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recorded incident of a heap that was too small, and its run with a larger one. */
@Tag("slow")
class ComparerTest {

  private static final Comparison FIX =
      Analysis.compare(run("pool-queue-small-heap"), run("pool-queue-small-heap-fixed"));

  private static AnalysisRequest run(String incident) {
    return run(Incidents.folder(incident));
  }

  private static AnalysisRequest run(Path files) {
    return AnalysisRequest.of(files);
  }

  private static ComparedFigure figure(Comparison comparison, String name) {
    return comparison.figures().stream()
        .filter(figure -> figure.metric().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatWasSetOtherwiseIsReadFromTheRecordings() {
    // -Xms256m -Xmx512m, then -Xms2g -Xmx2g.
    assertEquals(
        List.of(
            new Change("maximum heap", "512 MiB", "2 GiB"),
            new Change("dynamic resizing", "on", "off")),
        FIX.changes());
  }

  @Test
  void whatAContainerMayUseIsASetting() {
    // docker run --memory=340m, then 1000m.
    assertTrue(
        Analysis.compare(run("depot-halls"), run("depot-halls-fixed"))
            .changes()
            .contains(new Change("memory limit of the container", "340 MiB", "1,000 MiB")));
  }

  @Test
  void eachRunsAnswerNamesItsSuspect() {
    assertTrue(
        FIX.before()
            .answer()
            .startsWith("Memory pressure: heap too small for its live set (memory-"),
        FIX.before()::answer);
    assertTrue(FIX.after().answer().startsWith("Healthy. No slowdown found"), FIX.after()::answer);
  }

  @Test
  void aVerdictNamesTheTimeThatItJudges() {
    // The incident is a part of the first run; the second is healthy, and judged as a whole.
    assertEquals(FIX.before().window(), FIX.before().judged());
    assertTrue(FIX.after().judged().length().compareTo(FIX.after().window().length()) > 0);
  }

  @Test
  void aRunAgainstItselfIsTheSame() {
    String summary =
        Analysis.compare(run("pool-queue-small-heap"), run("pool-queue-small-heap")).summary();
    assertTrue(summary.startsWith("P99 latency, whole test unchanged at 291 ms."), summary);
  }

  @Test
  void twoChangesAtOnceAreSaidToBeInseparable() {
    assertEquals(
        List.of(
            "maximum heap and dynamic resizing changed together: this comparison cannot say which"
                + " of them made the difference; run once more with -Xms512m -Xmx512m (the old maximum heap, no resizing): what improves then is due to resizing, the rest to the size"),
        FIX.warnings());
  }

  @Test
  void aFirstRunWithoutResizingIsNotAdvisedAgain() {
    // Its own heap of one size is what the experiment would try.
    Comparison back =
        Analysis.compare(run("pool-queue-small-heap-fixed"), run("pool-queue-small-heap"));
    assertEquals(
        List.of(
            "maximum heap and dynamic resizing changed together: this comparison cannot say which"
                + " of them made the difference; run once more with only one of them changed"),
        back.warnings());
  }

  @Test
  void theTailIsThatOfTheLoadTests() {
    // load.json of both: "p(99)" 291.1 and 96.4 ms.
    assertTrue(FIX.summary().startsWith("P99 latency, whole test 291 ms -> 96.4 ms. "));
  }

  @Test
  void fewerPausesAreMoreThanChance() {
    assertTrue(figure(FIX, "gc.pause.count").certainty().differs());
    assertTrue(figure(FIX, "gc.pause.share").certainty().differs());
  }

  @Test
  void anExtremeOfOneRunIsNotTested() {
    assertEquals(OptionalDouble.empty(), figure(FIX, "gc.pause.max").certainty().chance());
  }

  @Test
  void aRunHeldAgainstItselfDiffersInNothing() {
    Comparison same = Analysis.compare(run("pool-queue-small-heap"), run("pool-queue-small-heap"));
    assertEquals(List.of(), same.changes());
    assertEquals(List.of(), same.warnings());
    for (ComparedFigure figure : same.figures()) {
      assertFalse(figure.certainty().differs(), figure.metric().name());
      assertEquals(figure.metric().baseline(), figure.metric().incident());
    }
  }

  /** wrk's output without --latency: a mean and the longest. */
  private static final String MEAN_ONLY =
      """
      Running 10s test @ http://localhost:8080/
        1 threads and 4 connections
        Thread Stats   Avg      Stdev     Max   +/- Stdev
          Latency    20.87ms    1.10ms  43.56ms   95.28%
          Req/Sec   191.60      5.00   200.00     88.00%
        1916 requests in 10.00s, 1.00MB read
      Requests/sec:    191.60
      Transfer/sec:    102.40KB
      """;

  @Test
  void aMeanIsNotHeldAgainstPercentiles(@TempDir Path folder) throws IOException {
    Path wrk = Files.writeString(folder.resolve("wrk.txt"), MEAN_ONLY);
    // ab -e writes percentiles, and no mean.
    Comparison comparison =
        Analysis.compare(run(wrk), run(SampleFiles.file("load/ab-2.3-percentages.csv")));
    assertTrue(
        comparison.figures().stream().noneMatch(f -> f.metric().name().startsWith("latency")),
        comparison.figures()::toString);
    assertTrue(
        comparison.warnings().get(0).startsWith("the runs state the latency in different figures"),
        comparison.warnings()::toString);
  }

  @Test
  void runsOfDifferentServicesAreSaidToBe() {
    // javaArguments of jdk.JVMInformation, by jfr print.
    Comparison others = Analysis.compare(run("pool-queue-small-heap"), run("desk-one-journal"));
    String words =
        "the runs are of different services (shop.catalogue.Catalogue; then desk.Desk): their"
            + " figures have nothing in common";
    assertEquals(Optional.of(words), others.otherService());
    // Their heaps, pools and loads differ as well, of which nothing follows.
    assertEquals(List.of(words), others.warnings());
    assertEquals(Optional.empty(), FIX.otherService());
  }

  @Test
  void loadTestsOfOtherEndpointsAreSaidToBe(@TempDir Path folder) throws IOException {
    String head = "timeStamp,elapsed,label,responseCode,success\n";
    Path orders = folder.resolve("orders.jtl");
    Path tickets = folder.resolve("tickets.jtl");
    StringBuilder rows = new StringBuilder(head);
    for (int i = 0; i < 100; i++) {
      rows.append(1_769_000_000_000L + 100 * i).append(",20,GET /orders,200,true\n");
    }
    Files.writeString(orders, rows);
    Files.writeString(tickets, rows.toString().replace("/orders", "/tickets"));
    assertEquals(
        Optional.of(
            "the runs are of different endpoints (GET /orders; then GET /tickets): their figures"
                + " have nothing in common"),
        Analysis.compare(run(orders), run(tickets)).otherService());
    assertEquals(Optional.empty(), Analysis.compare(run(orders), run(orders)).otherService());
  }

  /** 300 of 3,000 failed by the client; the server's meters count no failure. */
  @Test
  void failuresThatTheServerNeverSawCount() {
    Source client = new Source("load.json", "");
    Instant start = Instant.parse("2026-11-21T12:00:00Z");
    RequestSeries meters =
        new RequestSeries(
            "metrics",
            Duration.ofSeconds(10),
            List.of(
                new RequestInterval(
                    start, Duration.ofSeconds(60), 6_000, 0, new Latencies.Counter().latencies())),
            new Source("metrics.json", ""));
    Timeline sick =
        new TimelineBuilder()
            .requestStats(
                new RequestStats.Builder("k6", client).requests(3_000).failed(300).build())
            .requestSeries(meters)
            .build();
    Timeline sound = new TimelineBuilder().requestSeries(meters).build();
    Window window = new Window(start, start.plusSeconds(60));
    assertEquals(
        Optional.of(new FailedShares(0.1, 0)), FailedShares.of(sick, window, sound, window));
  }
}
