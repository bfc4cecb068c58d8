package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A service that from the middle of the recording on computes a hundred times as much for each
 * request, and its twin that does not, both on a machine whose other programs take its processors.
 * No load test: the service times its requests in events. Numbers of events are those of {@code jfr
 * print} with a duration.
 */
@Tag("slow")
class RequestsInRecordingsTest {

  private static Diagnosis run(String sample) {
    return Analysis.run(
        AnalysisRequest.of(List.of(new AnalysisRequest.Input(file(sample), Optional.empty()))));
  }

  private static Path file(String sample) {
    return SampleFiles.file("recordings/" + sample + ".jfr.gz");
  }

  private static RequestSeries requests(String sample) {
    return Ingest.read(
            List.of(new Ingest.Request(file(sample), Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD)
        .requestsOfSpan()
        .orElseThrow();
  }

  private static long count(String sample) {
    return requests(sample).intervals().stream().mapToLong(RequestInterval::requests).sum();
  }

  @Test
  void computingMoreForEachRequestIsFoundByTheRequestsAlone() {
    Diagnosis diagnosis = run("jdk17-endpoints-slow");
    assertEquals(Optional.of(Hypothesis.CPU_SATURATION), diagnosis.primarySuspect());
    String place = diagnosis.judgements().get(0).advice().place().orElseThrow().toString();
    assertTrue(place.contains("shop.Prices$Hot.burn"), place);
    assertTrue(diagnosis.windows().baseline().isPresent());
  }

  @Test
  void itsTwinIsHealthy() {
    Diagnosis diagnosis = run("jdk17-endpoints-steady");
    assertEquals(Optional.empty(), diagnosis.primarySuspect());
    assertEquals(Conclusion.HEALTHY, diagnosis.conclusion());
  }

  /** Those in progress when the recording began have no duration. */
  @Test
  void eachRequestWithADurationCounts() {
    assertEquals(1_565, count("jdk17-endpoints-slow"));
    assertEquals(2_004, count("jdk17-endpoints-steady"));
  }

  /** Of the server's methods the outermost counts, and what else is traced does not. */
  @Test
  void callsOfAServersMethodThatTheJvmTracesAreRequests() {
    assertEquals(150, count("jdk25-method-trace"));
    assertEquals(
        "sun.net.httpserver.ServerImpl$Exchange.run",
        requests("jdk25-method-trace").endpoints().get(0).endpoint());
  }

  /** 16, 37, 57, ... 137 calls by then; at the first reading 39.5 ms each, at the last 11.1 ms. */
  @Test
  void callsThatTheJvmCountsGiveAMeanLatency() {
    RequestSeries series = requests("jdk25-method-timing");
    assertTrue(series.hasMeansAlone());
    assertEquals(
        List.of(21L, 20L, 20L, 20L, 20L, 20L),
        series.intervals().stream().map(RequestInterval::requests).toList());
    double seconds =
        series.intervals().stream().mapToDouble(one -> one.latencies().totalSeconds()).sum();
    assertEquals(137 * 0.0111 - 16 * 0.0395, seconds, 137 * 0.00005 + 16 * 0.00005);
  }
}
