package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recordings in which the libraries themselves timed requests, beside the number that the client of
 * each run counted and the sum of the durations as the JDK's own reader has them.
 */
class RequestProducersTest {

  private static final String SPANS = "async-profiler-4.6-spans.jfr.gz";

  @TempDir private Path folder;

  private static Timeline read(String sample, ReadOptions options) {
    return Ingest.read(
        List.of(
            new Ingest.Request(
                SampleFiles.file("recordings/" + sample), Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.hiding(),
        options);
  }

  private static RequestInterval all(RequestSeries series) {
    return series.within(series.span().orElseThrow());
  }

  /** Of the whole requests, without the parts that are timed inside them. */
  private double seconds(String sample, String type) throws IOException {
    Path plain = folder.resolve("plain.jfr");
    try (InputStream in = Unpacked.open(SampleFiles.file("recordings/" + sample))) {
      Files.copy(in, plain);
    }
    return Recordings.events(plain, type).stream()
        .filter(RequestProducersTest::isWhole)
        .mapToDouble(event -> event.getDuration().toNanos() / 1e9)
        .sum();
  }

  private static boolean isWhole(RecordedEvent event) {
    if (event.hasField("tag")) {
      return event.getString("tag").contains("/");
    }
    String parent = event.hasField("parentId") ? event.getString("parentId") : null;
    return parent == null || parent.matches("0*");
  }

  @ParameterizedTest
  @CsvSource({
    "quarkus-3.33.jfr.gz,       quarkus.Rest,                                           206,  0",
    "jeffrey-0.11.jfr.gz,       jeffrey.HttpServerExchange,                             323, 16",
    "jfr-servlet-0.1.jfr.gz,    com.github.marschall.jfr.servlet.JfrFilter$HttpEvent,   321, 16",
    "opentelemetry-1.16.jfr.gz, io.opentelemetry.trace.Span,                            321,  0",
    "brave-6.3.jfr.gz,          brave.context.jfr.JfrScopeDecorator$ScopeEvent,         322,  0",
  })
  void theRequestsOfALibraryAreThoseOfItsClient(
      String sample, String type, long requests, long failed) throws IOException {
    RequestSeries series = read(sample, ReadOptions.STANDARD).mainRequestSeries().orElseThrow();
    assertEquals(sample + " " + type, series.source().toString());
    assertEquals(requests, all(series).requests());
    assertEquals(failed, all(series).failed(), "answered with 503, if the event has the status");
    double seconds = seconds(sample, type);
    assertEquals(seconds, all(series).latencies().totalSeconds(), 0.001 * seconds);
    List<String> names = series.endpoints().stream().map(EndpointSeries::endpoint).toList();
    assertEquals(
        sample.startsWith("brave")
            ? List.of()
            : sample.startsWith("quarkus")
                ? List.of(
                    "GET /orders/broken", "GET /orders/later", "GET /orders/{id}", "POST /orders")
                : List.of("GET /broken", "GET /items", "GET /orders/{id}", "POST /orders"),
        names);
  }

  /** As many as {@code jfr summary} says. */
  @Test
  void theStatementsOfRequestsAreCounted() throws IOException {
    List<Point> counter =
        read("jeffrey-0.11.jfr.gz", ReadOptions.STANDARD)
            .metrics(MetricMeaning.QUERIES)
            .get(0)
            .points();
    assertEquals(425, counter.get(counter.size() - 1).value());
  }

  /** The end of each of 300 requests is marked, and its length is not. */
  @Test
  void endpointsOfDatadogsNativeProfilerHaveNoDurationAndAreNotUsed() {
    Timeline timeline = read("datadog-1.68-native.jfr.gz", ReadOptions.STANDARD);
    assertEquals(Optional.empty(), timeline.mainRequestSeries());
    assertEquals(
        List.of(
            "requests have no duration with Datadog's native profiler (datadog.Endpoint), and are"
                + " not used: record with -Ddd.profiling.ddprof.enabled=false"),
        timeline.coverage().notes().stream().filter(note -> note.contains("ddprof")).toList());
  }

  /** The client measured a P50 of 121.1 ms and a P90 of 145.1 ms, with the connection's time. */
  @Test
  void endpointsOfDatadogsAgentHaveTheLatenciesThatItsClientMeasured() throws IOException {
    String sample = "datadog-1.68.jfr.gz";
    RequestSeries series = read(sample, ReadOptions.STANDARD).mainRequestSeries().orElseThrow();
    assertEquals(sample + " datadog.Endpoint", series.source().toString());
    Latencies latencies = all(series).latencies();
    assertEquals(300, latencies.count());
    double seconds = seconds(sample, "datadog.Endpoint");
    assertEquals(seconds, latencies.totalSeconds(), 0.001 * seconds);
    assertEquals(
        List.of("GET /broken", "GET /items", "GET /orders/{id}"),
        series.endpoints().stream().map(EndpointSeries::endpoint).toList());
    assertEquals(121.1, millis(latencies, 50), 0.03 * 121.1);
    assertEquals(145.1, millis(latencies, 90), 0.03 * 145.1);
  }

  private static double millis(Latencies latencies, double percent) {
    return Durations.seconds(latencies.percentile(percent).orElseThrow().atLeast()) * 1000;
  }

  @Test
  void spansThatTheServiceEndsWithoutASampleAreAllThereIfTheUserSaysSo() throws IOException {
    Timeline unnamed = read(SPANS, ReadOptions.STANDARD);
    assertEquals(Optional.empty(), unnamed.mainRequestSeries());
    assertTrue(
        unnamed.coverage().notes().stream()
            .anyMatch(
                note ->
                    note.endsWith(
                        "if the service ends each span with Span.end, not endIfProfiled, none is"
                            + " missing: say --request profiler.Span:tag")),
        unnamed.coverage().notes().toString());
    RequestSeries named =
        read(SPANS, ReadOptions.STANDARD.timedBy(List.of("profiler.Span:tag")))
            .mainRequestSeries()
            .orElseThrow();
    assertEquals(200, all(named).requests());
    double seconds = seconds(SPANS, "profiler.Span");
    assertEquals(seconds, all(named).latencies().totalSeconds(), 0.001 * seconds);
  }
}
