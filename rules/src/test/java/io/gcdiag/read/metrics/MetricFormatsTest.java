package io.gcdiag.read.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricFormatsTest {

  @TempDir Path folder;

  private static Timeline read(Path... files) {
    return Ingest.read(
        Arrays.stream(files)
            .map(file -> new Ingest.Request(file, Optional.empty(), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static MetricSeries only(Timeline timeline, MetricMeaning meaning) {
    List<MetricSeries> found = timeline.metrics(meaning);
    assertEquals(1, found.size(), () -> meaning + ": " + found);
    return found.get(0);
  }

  private static InputReport report(Timeline timeline) {
    assertEquals(1, timeline.inputs().size());
    return timeline.inputs().get(0);
  }

  /** Twelve pages, of which the last two are of one scrape; 12 threads wait in the tenth. */
  @Test
  void pagesThatPrometheusFederatesAreDated() {
    List<MetricSeries.Point> pending =
        only(read(SampleFiles.file("metrics/exposition-dated.txt")), MetricMeaning.POOL_PENDING)
            .points();
    assertEquals(11, pending.size());
    assertEquals(12, pending.get(9).value());
    assertEquals(Instant.ofEpochMilli(1_796_001_356_133L), pending.get(9).at());
  }

  /** The browser was in UTC; a formatted value has three digits. */
  @Test
  void whatGrafanaDownloadsIsRead() {
    Timeline formatted = read(SampleFiles.file("metrics/grafana-13.2.csv"));
    Timeline raw = read(SampleFiles.file("metrics/grafana-13.2-raw.csv"));
    assertEquals(
        only(raw, MetricMeaning.POOL_ACTIVE).points().stream()
            .map(point -> point.at() + " " + point.value())
            .toList(),
        only(formatted, MetricMeaning.POOL_ACTIVE).points().stream()
            .map(point -> point.at() + " " + point.value())
            .toList());
    List<MetricSeries.Point> used = only(raw, MetricMeaning.POOL_USAGE_SECONDS).points();
    assertEquals(13, used.size());
    assertEquals(Instant.parse("2026-11-21T07:20:10Z"), used.get(12).at());
    assertEquals(106.109, used.get(12).value());
    assertEquals(106, only(formatted, MetricMeaning.POOL_USAGE_SECONDS).points().get(12).value());
  }

  @Test
  void anAnswerOfPrometheusGivesEverySeriesItsMeaning() {
    Timeline timeline = read(SampleFiles.file("metrics/prometheus-range.json"));

    assertEquals("prometheus", report(timeline).format());
    // jq '.data.result[] | select(.metric.__name__=="hikaricp_connections_active") | .values'
    MetricSeries active = only(timeline, MetricMeaning.POOL_ACTIVE);
    assertEquals(13, active.points().size());
    assertEquals(new Point(Instant.ofEpochSecond(1795245586), 3), active.points().get(0));
    assertEquals("HikariPool-1", active.labels().get("pool"));
    MetricSeries usage = only(timeline, MetricMeaning.POOL_USAGE_SECONDS);
    assertTrue(usage.counter());
    assertEquals(106.109, usage.points().get(12).value(), 1e-9);
    assertEquals(4, only(timeline, MetricMeaning.POOL_MAX).points().get(0).value());
    assertEquals(0.038, only(timeline, MetricMeaning.GC_PAUSE_SECONDS).points().get(12).value());
  }

  @Test
  void aMachineIsANumberAndNotAnAddress() {
    Timeline timeline = read(SampleFiles.file("metrics/prometheus-range.json"));
    assertEquals(
        Map.of("instance", "1", "pool", "HikariPool-1"),
        only(timeline, MetricMeaning.POOL_ACTIVE).labels());
  }

  private Timeline panel(Map<String, MetricMeaning> meanings) throws IOException {
    Path file =
        file(
            "panel.csv",
            "Time,p99 ms,rps\n2026-05-01 10:00:00,50,200\n2026-05-01 10:00:15,52,210\n");
    return Ingest.read(
        List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        new ReadOptions(meanings, FrameBook.standard(), JfrReader.OWN, false, Progress.NONE));
  }

  /** Twenty requests in ten seconds, half of them below 10 ms and half from 100 to 250. */
  @Test
  void bucketsInMillisecondsAreThoseOfLatencies() throws IOException {
    String page =
        """
        # TYPE http_server_duration_milliseconds histogram
        http_server_duration_milliseconds_bucket{http_route="/a",le="10"} %1$d %2$s
        http_server_duration_milliseconds_bucket{http_route="/a",le="100"} %1$d %2$s
        http_server_duration_milliseconds_bucket{http_route="/a",le="250"} %3$d %2$s
        http_server_duration_milliseconds_bucket{http_route="/a",le="+Inf"} %3$d %2$s
        """;
    Timeline read =
        read(
            file(
                "page.txt",
                page.formatted(0, "1777629600000", 0) + page.formatted(10, "1777629610000", 20)));
    LatencyBound slowest =
        read.mainRequestSeries()
            .orElseThrow()
            .intervals()
            .get(0)
            .latencies()
            .percentile(99)
            .orElseThrow();
    assertEquals(Duration.ofMillis(100), slowest.atLeast());
    assertEquals(Optional.of(Duration.ofMillis(250)), slowest.atMost());
  }

  @Test
  void whatNoNameSaysIsNotUsedAndTheReportSaysHowToUseIt() throws IOException {
    assertEquals(
        "p99 ms, rps: read, not used: add --map 'p99 ms=latency' --map rps=request-rate",
        report(panel(Map.of())).note());
    assertEquals(
        "p99 ms: read, not used: add --map 'p99 ms=latency'",
        report(panel(Map.of("rps", MetricMeaning.POOL_ACTIVE))).note());
  }

  @Test
  void aMappedRateAndPercentileAreRequestsAndTheirLatency() throws IOException {
    Timeline read =
        panel(Map.of("rps", MetricMeaning.REQUEST_RATE, "p99 ms", MetricMeaning.LATENCY));
    assertEquals("", report(read).note());
    // 15 s x 210/s.
    assertEquals(3_150, read.mainRequestSeries().orElseThrow().intervals().get(0).requests());
    MetricSeries latency = only(read, MetricMeaning.LATENCY);
    assertEquals(OptionalDouble.of(99), latency.percentile());
    assertEquals(0.052, latency.points().get(1).value(), 1e-9);
  }

  @Test
  void theResultOfAnExpressionIsNamedByItsFile() {
    MetricSeries series =
        only(
            read(SampleFiles.file("metrics/prometheus-range-expression.json")),
            MetricMeaning.OTHER);
    assertEquals("prometheus-range-expression", series.name());
    assertEquals(0.022336959475, series.points().get(0).value());
  }

  @Test
  void aPointInTimeIsASeriesOfOne() {
    assertEquals(
        List.of(new Point(Instant.parse("2026-11-21T07:20:11.029Z"), 0)),
        only(read(SampleFiles.file("metrics/prometheus-instant.json")), MetricMeaning.POOL_ACTIVE)
            .points());
  }

  /**
   * Two routes, each 2 to 4 times as slow from the middle on. What the counts and the sums of the
   * first and the last answer differ by: 1,685 requests, 67.28 s; the bounds of the buckets that
   * hold the ranks: 23.1 ms and 112.2 ms.
   */
  @Test
  void nativeHistogramsAreRequestsOverTime() {
    Timeline timeline = read(SampleFiles.file("metrics/prometheus-native.json.gz"));
    assertEquals(1, timeline.requests().series().size());
    RequestSeries series = timeline.requests().series().get(0);
    RequestInterval all = series.within(series.span().orElseThrow());
    assertEquals(1_685, all.requests());
    assertEquals(
        Duration.ofNanos(23_075_409),
        all.latencies().percentile(50).orElseThrow().atMost().orElseThrow());
    assertEquals(
        Duration.ofNanos(112_169_317),
        all.latencies().percentile(95).orElseThrow().atMost().orElseThrow());
    assertEquals(
        List.of("GET /carts/{id}", "GET /orders/{id}"),
        series.endpoints().stream().map(EndpointSeries::endpoint).toList());
    assertEquals(
        67.28,
        series.endpoints().stream()
            .mapToDouble(one -> one.within(series.span().orElseThrow()).latencySeconds())
            .sum(),
        0.01);
  }

  @Test
  void anErrorAnswerIsToldInItsOwnWords() {
    InputReport report = report(read(SampleFiles.file("metrics/prometheus-error.json")));
    assertEquals(InputReport.Status.UNREADABLE, report.status());
    assertTrue(report.note().contains("1:5: parse error"), report.note());
  }

  @Test
  void aCutAnswerGivesTheSeriesBeforeTheCut() throws IOException {
    String whole = Files.readString(SampleFiles.file("metrics/prometheus-range.json"));
    Timeline timeline = read(file("cut.json", whole.substring(0, whole.length() / 2)));
    assertEquals(InputReport.Status.PARTIAL, report(timeline).status());
    assertEquals(13, only(timeline, MetricMeaning.POOL_ACTIVE).points().size());
  }

  @Test
  void aPageWithoutADateIsPlacedByTheProcessesStartAndUptime() {
    Timeline timeline = read(SampleFiles.file("metrics/exposition-undated.txt"));
    assertEquals(InputReport.Status.OK, report(timeline).status());
    // 1795245457.268 s since 1970 and 51.426 s.
    assertEquals(
        List.of(new Point(Instant.parse("2026-11-21T07:18:28.694Z"), 0)),
        only(timeline, MetricMeaning.POOL_ACTIVE).points());
  }

  @Test
  void severalPagesWithoutADateHaveEachItsOwnTime() throws IOException {
    String page =
        """
        HTTP/1.1 200
        Content-Type: text/plain;version=0.0.4

        # TYPE hikaricp_connections_active gauge
        hikaricp_connections_active{pool="p"} %d
        # TYPE process_start_time_seconds gauge
        process_start_time_seconds{application="a"} 1.795262400E9
        # TYPE process_uptime_seconds gauge
        process_uptime_seconds{application="a"} %s
        """;
    Timeline timeline =
        read(file("pages.txt", page.formatted(3, "10.5") + page.formatted(7, "20.5")));
    assertEquals(
        List.of(
            new Point(Instant.parse("2026-11-21T12:00:10.500Z"), 3),
            new Point(Instant.parse("2026-11-21T12:00:20.500Z"), 7)),
        only(timeline, MetricMeaning.POOL_ACTIVE).points());
  }

  @Test
  void aHeaderAboveTheDateIsNoValueWithoutATime() throws IOException {
    Timeline timeline =
        read(
            file(
                "page.txt",
                """
                HTTP/1.1 200 OK
                Connection: keep-alive
                Server: WildFly/34
                Date: Sat, 21 Nov 2026 12:00:00 GMT

                # TYPE hikaricp_connections_active gauge
                hikaricp_connections_active{pool="p"} 3
                """));
    assertEquals("", timeline.inputs().get(0).note());
    assertEquals(
        List.of(new Point(Instant.parse("2026-11-21T12:00:00Z"), 3)),
        only(timeline, MetricMeaning.POOL_ACTIVE).points());
  }

  @Test
  void aPageOfSeveralProcessesHasTheTimeOfItsFile() throws IOException {
    Timeline timeline =
        read(
            written(
                "2026-11-21T12:00:00Z",
                file(
                    "federated.txt",
                    """
                    # TYPE process_start_time_seconds gauge
                    process_start_time_seconds{instance="a"} 1.795262400E9
                    process_start_time_seconds{instance="b"} 1.795262500E9
                    # TYPE process_uptime_seconds gauge
                    process_uptime_seconds{instance="a"} 110.5
                    process_uptime_seconds{instance="b"} 10.5
                    """)));
    assertEquals(
        Set.of(Instant.parse("2026-11-21T12:00:00Z")),
        timeline.metrics().stream()
            .flatMap(series -> series.points().stream())
            .map(Point::at)
            .collect(Collectors.toSet()));
  }

  private static Path written(String time, Path file) throws IOException {
    return Files.setLastModifiedTime(file, FileTime.from(Instant.parse(time)));
  }

  private static String undated() throws IOException {
    return Files.readString(SampleFiles.file("metrics/exposition-undated.txt"))
        .replaceAll("process_uptime_seconds .*", "");
  }

  @Test
  void aPageWithoutATimeHasThatOfItsFileAndSaysHowToSaveItWithOne() throws IOException {
    String page = undated();
    // Two pages are a rate.
    Timeline timeline =
        read(
            written("2026-11-21T12:00:00Z", file("page-1.txt", page)),
            written(
                "2026-11-21T12:00:30Z",
                file(
                    "page-2.txt",
                    page.replaceAll("(jvm_gc_pause_seconds_count.*) \\d+.*", "$1 99"))));
    assertEquals(
        List.of(Instant.parse("2026-11-21T12:00:00Z"), Instant.parse("2026-11-21T12:00:30Z")),
        only(timeline, MetricMeaning.GC_PAUSES).points().stream().map(Point::at).toList());
    assertTrue(
        timeline.coverage().notes().stream()
            .anyMatch(note -> note.startsWith("page-1.txt") && note.contains("curl -si")),
        () -> timeline.coverage().notes().toString());
  }

  @Test
  void ofSeveralPagesWithoutATimeTheLastIsAsOldAsTheFile() throws IOException {
    Timeline timeline =
        read(
            written(
                "2026-11-21T12:00:00Z",
                file(
                    "pages.txt",
                    """
                    # TYPE up gauge
                    up 1
                    # TYPE up gauge
                    up 2
                    """)));
    assertEquals(
        List.of(new Point(Instant.parse("2026-11-21T12:00:00Z"), 2)),
        timeline.metrics().get(0).points());
    assertEquals("1 values without a time were left out", report(timeline).note());
  }

  @Test
  void aPageBelowWhatDatePrintsHasThatTime() throws IOException {
    Timeline timeline =
        read(
            file(
                "dated.txt",
                """
                Sat Nov 21 12:00:00 UTC 2026
                # TYPE up gauge
                up 1
                """));
    assertEquals(
        List.of(new Point(Instant.parse("2026-11-21T12:00:00Z"), 1)),
        timeline.metrics().get(0).points());
  }

  /** Two pages ten seconds apart. Of 150 new requests 30 took longer than the last bucket. */
  private static String page(String second, int upTo10Ms, int upTo1Second, int all, int failed) {
    return """
        HTTP/1.1 200
        Date: Sat, 21 Nov 2026 12:00:%s GMT

        # TYPE http_server_requests_seconds histogram
        http_server_requests_seconds_bucket{status="200",uri="/a",le="0.01",} %d
        http_server_requests_seconds_bucket{status="200",uri="/a",le="1.0",} %d
        http_server_requests_seconds_bucket{status="200",uri="/a",le="+Inf",} %d
        http_server_requests_seconds_count{status="200",uri="/a",} %d
        http_server_requests_seconds_count{status="500",uri="/a",} %d
        http_server_requests_seconds_count{status="200",uri="/actuator/prometheus",} 7
        jvm_memory_used_bytes{area="heap",id="Eden"} 100.0
        jvm_memory_used_bytes{area="heap",id="Old"} 23.0
        jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 5.0
        """
        .formatted(second, upTo10Ms, upTo1Second, all, all - failed, failed);
  }

  /** Micrometer and Prometheus' clients name a trace behind a bucket, in OpenMetrics. */
  private static String withExemplars(String page) {
    return page.replace("/a", "/a/{id} {x}")
        .replaceAll(
            "(?m)^(http\\S+ .*)$", "$1 # {span_id=\"b7\",trace_id=\"8f\"} 0.067 1795262399.5");
  }

  @Test
  void exemplarsBehindBucketsAreNoValues() throws IOException {
    Timeline timeline =
        read(
            file("a.txt", withExemplars(page("00", 50, 80, 100, 1))),
            file("b.txt", withExemplars(page("10", 130, 200, 250, 4))));
    RequestInterval interval = timeline.requests().series().get(0).intervals().get(0);
    assertEquals(150, interval.requests());
    assertEquals(3, interval.failed());
    assertEquals("0 ms to 10 ms", interval.latencies().percentile(50).orElseThrow().format());
  }

  @Test
  void scrapedPagesInSeveralFilesBecomeRequestsOverTime() throws IOException {
    Timeline timeline =
        read(
            file("a.txt", page("00", 50, 80, 100, 1)), file("b.txt", page("10", 130, 200, 250, 4)));

    assertEquals(1, timeline.requests().series().size());
    RequestSeries series = timeline.requests().series().get(0);
    assertEquals(Duration.ofSeconds(10), series.step());
    assertEquals("a.txt http_server_requests_seconds_bucket", series.source().toString());
    RequestInterval interval = series.intervals().get(0);
    // 250 - 100 requests; 4 - 1 failed; up to 10 ms: 130 - 50 = 80; up to 1 s: 200 - 80 - 80 = 40.
    assertEquals(150, interval.requests());
    assertEquals(3, interval.failed());
    assertEquals("0 ms to 10 ms", interval.latencies().percentile(50).orElseThrow().format());
    assertEquals("10 ms to 1 s", interval.latencies().percentile(80).orElseThrow().format());
    assertEquals("more than 1 s", interval.latencies().percentile(99).orElseThrow().format());
  }

  /** Three readings, 5 s apart, of a service that answered 404 and 405; jq '.measurements'. */
  @Test
  void metersOfSpringBootsActuatorAreRead() {
    Timeline timeline = read(SampleFiles.file("metrics/actuator.txt"));
    assertEquals("exposition", report(timeline).format());
    List<RequestInterval> intervals = timeline.requests().series().get(0).intervals();
    // COUNT 11, 26, 41; TOTAL_TIME 1.2567, 1.9993
    assertEquals(List.of(15L, 15L), intervals.stream().map(RequestInterval::requests).toList());
    assertEquals(0.7426, intervals.get(0).latencies().totalSeconds(), 0.001);
  }

  private static List<Double> values(MetricSeries series) {
    return series.points().stream().map(point -> Math.round(1e6 * point.value()) / 1e6).toList();
  }

  /** One timer for each cause and kind: 1, 3 and 10, then 1, 4 and 13 pauses. */
  @Test
  void timersOfGcByCauseAreAddedUp() {
    Timeline read = read(SampleFiles.file("metrics/actuator-prometheus.txt.gz"));
    assertEquals(List.of(1.0, 14.0, 18.0), values(only(read, MetricMeaning.GC_PAUSES)));
    assertEquals(List.of(0.201, 1.102, 1.278), values(only(read, MetricMeaning.GC_PAUSE_SECONDS)));
    assertEquals(List.of(0.201, 0.383, 0.383), values(only(read, MetricMeaning.GC_LONGEST_PAUSE)));
    assertEquals(
        List.of(List.of(0.201, 0.201, 0.201), List.of(0.857, 1.025)),
        read.metrics(MetricMeaning.FULL_GC_SECONDS).stream().map(one -> values(one)).toList());
  }

  /** G1's two beans: 7 and 0 pauses, then 8 and 0; 627 and 660 ms. */
  @Test
  void collectorsInARegistryOfDropwizardAreRead() {
    Timeline read = read(SampleFiles.file("metrics/dropwizard.txt.gz"));
    assertEquals(List.of(7.0, 8.0), values(only(read, MetricMeaning.GC_PAUSES)));
    assertEquals(List.of(0.627, 0.66), values(only(read, MetricMeaning.GC_PAUSE_SECONDS)));
  }

  @Test
  void metersThatJqFormattedAreRead() throws IOException {
    Timeline read =
        read(
            file(
                "meter.txt",
                """
                Date: Sun, 30 Nov 2025 10:53:20 GMT

                {
                  "name": "hikaricp.connections.pending",
                  "measurements": [
                    {
                      "statistic": "VALUE",
                      "value": 12
                    }
                  ]
                }
                """));
    assertEquals(12, only(read, MetricMeaning.POOL_PENDING).points().get(0).value());
  }

  @Test
  void aRegistryOfDropwizardIsRead() throws IOException {
    String timers =
        """
        {"io.dropwizard.jetty.MutableServletContextHandler.requests":{"count":%d,"p99":30,\
        "p999":40,"duration_units":"milliseconds","rate_units":"calls/second"}}""";
    String page =
        """
        Date: Sun, 30 Nov 2025 10:53:%1$d GMT

        {"version":"4.0.0","gauges":{"db.pool.PendingConnections":{"value":7}},"counters":{},\
        "histograms":{},"meters":{},"timers":%2$s}
        """;
    Timeline read =
        read(
            file(
                "page.txt",
                page.formatted(20, timers.formatted(0))
                    + page.formatted(30, timers.formatted(400))));
    assertEquals(7, only(read, MetricMeaning.POOL_PENDING).points().get(0).value());
    assertEquals("db", only(read, MetricMeaning.POOL_PENDING).labels().get("pool"));
    assertEquals(400, read.mainRequestSeries().orElseThrow().intervals().get(0).requests());
    Map<OptionalDouble, Double> percentiles = new HashMap<>();
    read.metrics(MetricMeaning.LATENCY)
        .forEach(one -> percentiles.put(one.percentile(), one.points().get(0).value()));
    assertEquals(Map.of(OptionalDouble.of(99), 0.03, OptionalDouble.of(99.9), 0.04), percentiles);
  }

  @Test
  void memoryPoolsAreAddedUpToTheHeap() throws IOException {
    Timeline timeline = read(file("a.txt", page("00", 0, 0, 0, 0)));
    assertEquals(123, only(timeline, MetricMeaning.HEAP_USED).points().get(0).value());
  }

  @Test
  void aTableOfADashboardIsReadWithItsUnits() throws IOException {
    Timeline timeline =
        read(
            file(
                "panel.csv",
                """
                "Time","hikaricp_connections_pending{instance=""a:1"", pool=""main""}","P99"
                2026-11-21 12:00:00,0,120 ms
                2026-11-21 12:00:15,189,1.04 s
                2026-11-21 12:00:30,,
                """));

    assertEquals("metrics-csv", report(timeline).format());
    assertEquals(
        List.of(
            new Point(Instant.parse("2026-11-21T12:00:00Z"), 0),
            new Point(Instant.parse("2026-11-21T12:00:15Z"), 189)),
        only(timeline, MetricMeaning.POOL_PENDING).points());
    assertEquals(
        List.of(0.12, 1.04),
        only(timeline, MetricMeaning.OTHER).points().stream().map(Point::value).toList());
    assertTrue(
        timeline.coverage().notes().stream().anyMatch(note -> note.contains("taken for UTC")));
  }

  /** A header's date goes before the time of the file, and one page has no rate. */
  @ParameterizedTest
  @ValueSource(strings = {"Date: Sat, 21 Nov 2026 12:00:05 GMT\r\n\r\n", ""})
  void onePageIsOneSampleAndTwoAreARate(String header) throws IOException {
    String page =
        header
            + """
            # TYPE hikaricp_connections_pending gauge
            hikaricp_connections_pending{pool="p"} 7
            # TYPE http_server_requests_seconds summary
            http_server_requests_seconds_count{uri="/a"} %d
            http_server_requests_seconds_sum{uri="/a"} 30
            """;
    Path first = file("page-1.txt", page.formatted(1_000));
    Files.setLastModifiedTime(first, FileTime.from(Instant.parse("2026-11-21T12:00:05Z")));
    Timeline one = read(first);
    assertTrue(one.dated());
    assertEquals(Instant.parse("2026-11-21T12:00:05Z"), one.span().from());
    assertEquals(
        List.of(new Point(Instant.parse("2026-11-21T12:00:05Z"), 7)),
        only(one, MetricMeaning.POOL_PENDING).points());
    assertEquals(List.of(), one.requests().series());
    String later = page.replace("12:00:05", "12:01:05").formatted(1_600);
    Path second = file("page-2.txt", later);
    Files.setLastModifiedTime(second, FileTime.from(Instant.parse("2026-11-21T12:01:05Z")));
    Timeline both = read(first, second);
    assertEquals(600, both.requests().series().get(0).intervals().get(0).requests());
    assertEquals(60, both.requests().series().get(0).intervals().get(0).length().toSeconds());
    assertEquals(
        header.isEmpty() ? 2 : 0,
        both.coverage().notes().stream().filter(note -> note.contains("time of the file")).count());
  }

  @Test
  void aTableOfEpochMillisecondsAndSemicolonsIsRead() throws IOException {
    Timeline timeline =
        read(
            file(
                "t.csv",
                """
                timestamp;process_cpu_usage
                1795245586000;0.5
                damaged;0.6
                1795245588500;0.7
                """));
    assertEquals(InputReport.Status.PARTIAL, report(timeline).status());
    assertEquals(
        List.of(
            new Point(Instant.ofEpochMilli(1795245586000L), 0.5),
            new Point(Instant.ofEpochMilli(1795245588500L), 0.7)),
        only(timeline, MetricMeaning.PROCESS_CPU).points());
  }
}
