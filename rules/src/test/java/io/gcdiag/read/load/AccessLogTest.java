package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.RequestStats.FailedStatus;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.load.AccessDuration.Candidate;
import io.gcdiag.read.load.AccessDuration.Hints;
import io.gcdiag.read.load.AccessDuration.Written;
import io.gcdiag.read.load.AccessNumber.Unit;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLogTest {

  private static final Instant START = Instant.parse("2026-11-29T08:36:33Z");

  @TempDir private Path folder;

  private Timeline read(ReadOptions options, String text) throws IOException {
    return read(Files.writeString(folder.resolve("access.log"), text), options);
  }

  private static Timeline read(Path file, ReadOptions options) {
    return Ingest.read(
        List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.hiding(),
        options);
  }

  private Timeline read(String text) throws IOException {
    Timeline timeline = read(ReadOptions.STANDARD, text);
    assertEquals("access-log", timeline.inputs().get(0).format());
    assertEquals(Status.OK, timeline.inputs().get(0).status(), timeline.inputs().get(0).note());
    return timeline;
  }

  private static RequestSeries requests(Timeline timeline) {
    List<RequestSeries> all =
        timeline.requests().series().stream()
            .filter(series -> !series.source().file().endsWith("(upstream)"))
            .toList();
    assertEquals(1, all.size());
    return all.get(0);
  }

  private static RequestInterval all(Timeline timeline) {
    RequestSeries series = requests(timeline);
    return series.within(series.span().orElseThrow());
  }

  private static void assertMean(double millis, Timeline timeline) {
    double mean = all(timeline).latencies().mean().orElseThrow().toNanos() / 1e6;
    assertTrue(Math.abs(mean - millis) <= 0.01 * millis, () -> millis + " was read as " + mean);
  }

  /** Lines of the common log format with these texts behind the size of the response. */
  private static String common(String... tails) {
    StringBuilder lines = new StringBuilder();
    for (String tail : tails) {
      lines.append(
          "10.1.2.3 - - [29/Nov/2026:09:36:33 +0100] \"GET /carts/17?token=x HTTP/1.1\" 200 512 ");
      lines.append(tail).append('\n');
    }
    return lines.toString();
  }

  /** Figures by awk, such as {@code awk '{n++; s+=$(NF-1)} END{print n, s/n}' nginx-1.22.log}. */
  @ParameterizedTest
  @CsvSource({
    "nginx-1.22.log,           160, 8, 102.925, 3508",
    "nginx-1.22-named.log,     160, 8, 102.925, 3508",
    "nginx-1.22.json,          160, 8, 102.925, 3508",
    "httpd-2.4.log,            160, 8, 113.721, 3506.12",
    "httpd-2.4-seconds-too.log,160, 8, 113.721, 3506.12",
    "haproxy-2.6.log,          160, 8, 113.406, 3512",
    "tomcat-9.log,             160, 8, 242.262, 4209",
    "tomcat-10.1.log,          160, 8, 155.605, 3907.52",
    "tomcat-10.1-three.log,    160, 8, 155.605, 3907.52",
    "tomcat-10.1-begin.log,    160, 8, 155.605, 3907.52",
    "tomcat-10.1.json,         160, 8, 155.605, 3907.52",
    "tomcat-9-extended.log,    160, 8, 136.725, 3502",
    "tomcat-10.1-extended.log, 160, 8, 137.48,  3502.09",
    "jetty-12.log,             160, 8, 282.813, 3660.25",
    "undertow-2.3.log,         160, 8, 384.756, 3564",
    "reactor-netty-1.1.log,    160, 8, 264.35, 3541",
  })
  void aLogOfAServerHasTheFiguresThatAwkHas(
      String file, long requests, long failed, double mean, double longest) {
    Timeline timeline = read(SampleFiles.file("access-logs/" + file), ReadOptions.STANDARD);
    RequestInterval all = all(timeline);
    assertEquals(requests, all.requests());
    assertEquals(failed, all.failed());
    assertMean(mean, timeline);
    RequestStats stats = timeline.requests().stats().get(0);
    assertEquals(longest, Durations.seconds(stats.longest().orElseThrow()) * 1000, 0.5);
    // grep -c of each path
    Map<String, Long> endpoints =
        requests(timeline).endpoints().stream()
            .collect(
                Collectors.toMap(
                    EndpointSeries::endpoint,
                    one -> one.within(requests(timeline).span().orElseThrow()).requests()));
    assertEquals(
        Map.of("GET /slow/{id}", 4L, "GET /fail", 8L, "GET /items", 50L, "GET /orders/{id}", 98L),
        endpoints);
  }

  /**
   * Envoy's own counters of the same run: 154 responses with 2xx, 6 with 5xx. Of the load balancer
   * 20 requests of 20, 23, .. 77 ms at the server, to which it adds 3 ms of its own.
   */
  @ParameterizedTest
  @CsvSource({
    "envoy-1.39.log,       160, 6, 59.025, Envoy",
    "envoy-1.39-istio.log, 160, 6, 59.025, Envoy",
    "envoy-1.39.json,      160, 6, 59.025, access log",
    "aws-alb.log,           20, 1, 51.5,   AWS load balancer"
  })
  void aProxyIsKnownByItsFields(
      String file, long requests, long failed, double mean, String producer) {
    Timeline timeline = read(SampleFiles.file("access-logs/" + file), ReadOptions.STANDARD);
    assertEquals(requests, all(timeline).requests());
    assertEquals(failed, all(timeline).failed());
    assertMean(mean, timeline);
    assertEquals(producer, requests(timeline).producer());
  }

  /** Twenty requests of 600 ms, of which the server behind the proxy has 12 ms. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.1.2.3 - - [29/Nov/2026:09:36:33 +0100] \"GET /a HTTP/1.1\" 200 512 \"-\" \"curl\" 0.600"
            + " 0.012 1",
        "10.1.2.3 - - [29/Nov/2026:09:36:33 +0100] \"GET /a HTTP/1.1\" 200 512 rt=0.600 uct=\"0.001\""
            + " uht=\"0.011\" urt=\"0.004, 0.008\"",
        "Nov 29 09:36:33 lb haproxy[1]: 10.0.1.2:33317 [29/Nov/2026:09:36:33.019] in shop/s1"
            + " 8/580/0/12/600 200 2750 - - ---- 1/1/1/1/0 0/12 \"GET /a HTTP/1.1\"",
        "http 2026-11-29T08:36:33.032362Z app/my-lb/5 10.0.0.9:2817 10.0.0.1:80 0.587 0.012 0.001"
            + " 200 200 34 366 \"GET http://www.example.com:80/a HTTP/1.1\" \"curl/7.46.0\" - -",
        "[2026-11-29T08:36:33.019Z] \"GET /a HTTP/1.1\" 200 - 0 512 600 12 \"-\" \"curl\" \"x\" \"y\"",
        "{\"start_time\":\"2026-11-29T08:36:33.019Z\",\"method\":\"GET\",\"path\":\"/a\","
            + "\"response_code\":200,\"response_flags\":\"-\",\"duration\":600,"
            + "\"upstream_service_time\":\"12\"}",
      })
  void theTimeInTheServerBehindAProxyIsAMeasurementOfItsOwn(String line) throws IOException {
    String longer =
        line.replace("600", "610")
            .replace("587", "597")
            .replace("580", "590")
            .replace("12 ", "13 ");
    Timeline timeline = read((line + "\n").repeat(10) + (longer + "\n").repeat(10));
    List<RequestSeries> both = timeline.requests().series();
    assertEquals(2, both.size());
    assertEquals("access.log (upstream)", both.get(1).source().file());
    List<Double> millis =
        both.stream()
            .map(series -> series.within(series.span().orElseThrow()).latencies())
            .map(all -> all.mean().orElseThrow().toNanos() / 1e6)
            .toList();
    assertEquals(605, millis.get(0), 6);
    assertEquals(12.25, millis.get(1), 0.4);
  }

  /** Caddy's, Google's load balancer's, and one of a service's own whose names say nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"level\":\"info\",\"ts\":1796032800.019,\"msg\":\"handled request\",\"request\":{\"method\":"
            + "\"GET\",\"uri\":\"/orders/17\"},\"duration\":0.012,\"size\":12,\"status\":200}",
        "{\"httpRequest\": {\"latency\": \"0.012s\", \"requestMethod\": \"GET\", \"requestUrl\":"
            + " \"https://a.b/orders/17?x=1\", \"status\": 200}, \"timestamp\":"
            + " \"2026-11-30T10:00:00.019Z\"}",
        "{\"wann\": \"2026-11-30T10:00:00.019Z\", \"was\": \"GET /orders/17\", \"ergebnis\": 200,"
            + " \"dauer_ms\": 12}"
      })
  void linesOfJsonAreKnownByTheirNamesOrTheirValues(String line) throws IOException {
    Timeline timeline = read((line + "\n").repeat(4) + line.replace("12", "13"));
    assertMean(12.2, timeline);
    assertEquals(
        List.of("GET /orders/{id}"),
        requests(timeline).endpoints().stream().map(EndpointSeries::endpoint).toList());
    assertEquals(0, all(timeline).failed());
  }

  @Test
  void theMostFrequentStatusOfFailuresIsKnown() throws IOException {
    String good = common("0.010");
    Timeline timeline =
        read(good + (good.replace(" 200 ", " 503 ")).repeat(3) + good.replace(" 200 ", " 429 "));
    FailedStatus most = timeline.samples(FailedStatus.class).get(0);
    assertEquals(503, most.status());
    assertEquals(0.75, most.share().value(), 1e-9);
  }

  @Test
  void aTimeOfTheStartAndOneOfTheEndPlaceARequestAlike() {
    List<Instant> byStart = slowRequests("tomcat-10.1-begin.log");
    List<Instant> byEnd = slowRequests("tomcat-10.1.log");
    assertEquals(4, byStart.size());
    assertEquals(4, byEnd.size());
    for (int i = 0; i < 4; i++) {
      long apart = Math.abs(Duration.between(byStart.get(i), byEnd.get(i)).toSeconds());
      assertTrue(apart <= 1, byStart + " and " + byEnd);
    }
  }

  /** The seconds in which requests of 3.5 s began. */
  private static List<Instant> slowRequests(String file) {
    Timeline timeline = read(SampleFiles.file("access-logs/" + file), ReadOptions.STANDARD);
    return requests(timeline).endpoints().stream()
        .filter(one -> one.endpoint().equals("GET /slow/{id}"))
        .flatMap(one -> one.slots().stream())
        .map(EndpointSeries.Slot::from)
        .toList();
  }

  @Test
  void wholeSecondsAreNotTakenForMilliseconds() throws IOException {
    Timeline asked = read(ReadOptions.STANDARD, common("0", "0", "0", "3"));
    assertEquals(Status.UNREADABLE, asked.inputs().get(0).status());
    assertTrue(
        asked.inputs().get(0).note().contains("'field 8:s|ms=latency'"),
        asked.inputs().get(0).note());
  }

  @Test
  void thePartsOfARotatedLogAreOne() throws IOException {
    String part = common("0.010", "0.020");
    Path first = Files.writeString(folder.resolve("access.log.1"), part);
    Path second =
        Files.writeString(folder.resolve("access.log"), part.replace(":33 +0100", ":40 +0100"));
    Timeline timeline = readAll(first, second);
    assertEquals(
        List.of(2L, 0L, 0L, 0L, 0L, 0L, 0L, 2L),
        requests(timeline).intervals().stream().map(RequestInterval::requests).toList());
    assertEquals("access.log.1 requests, with access.log", requests(timeline).source().toString());
  }

  @Test
  void aPackedPartOfARotatedLogIsOneOfIt() throws IOException {
    String part = common("0.010", "0.020");
    Path first = folder.resolve("access.log.1.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(first))) {
      out.write(part.getBytes(StandardCharsets.US_ASCII));
    }
    Path second =
        Files.writeString(folder.resolve("access.log"), part.replace(":33 +0100", ":40 +0100"));
    Timeline timeline = readAll(first, second);
    assertEquals(4, all(timeline).requests());
    assertEquals(
        "access.log.1.gz requests, with access.log", requests(timeline).source().toString());
  }

  /** More lines than one thread reads alone, with one of another year and one cut. */
  @Test
  void aLongLogHasEachRequestOnceAndItsDamageCounted() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 60_000; i++) {
      String line = common("0.0" + (10 + i % 80));
      lines.append(i == 30_000 ? line.replace("2026", "2006") : line);
    }
    lines.append("10.1.2.3 - - [29/Nov/2026:09:36");
    Timeline timeline = read(ReadOptions.STANDARD, lines.toString());
    assertEquals(59_999, all(timeline).requests());
    // (10 + 11 + ... + 89) / 80
    assertMean(49.5, timeline);
    assertEquals(59_999, requests(timeline).endpoints().get(0).slots().get(0).requests());
    assertEquals("2 lines could not be read", timeline.inputs().get(0).note());
  }

  @Test
  void logsOfOneTimeAreOfTwoServers() throws IOException {
    String log =
        common("0.010", "0.020") + common("0.010", "0.020").replace(":33 +0100", ":58 +0100");
    Path first = Files.writeString(folder.resolve("a.log"), log);
    Path second = Files.writeString(folder.resolve("b.log"), log.replace("0.020", "0.021"));
    assertEquals(2, readAll(first, second).requests().series().size());
  }

  @Test
  void besideALoadTestALogIsTheViewOfTheServer() throws IOException {
    Path log = Files.writeString(folder.resolve("a.log"), common("0.010", "0.020"));
    Path test =
        Files.writeString(
            folder.resolve("load.jtl"),
            """
            timeStamp,elapsed,label,responseCode,success
            1795941393000,30,cart,200,true
            1795941393100,40,cart,200,true
            """);
    Timeline timeline = readAll(log, test);
    assertEquals(1, timeline.requests().stats().size());
    assertEquals("JMeter", timeline.requests().stats().get(0).producer());
    assertEquals("JMeter", timeline.mainRequestSeries().orElseThrow().producer());
    assertEquals(2, timeline.requests().series().size());
  }

  @Test
  void ofALogOfDaysTheTimeAroundTheRecordingCounts() throws IOException {
    Path recording = Path.of("../fixtures/samples/recordings/async-profiler-4.2-wall.jfr.gz");
    Instant recorded = readAll(recording).span().from();
    StringBuilder lines = new StringBuilder();
    // Ten minutes before the recording and after it are enough for a baseline.
    for (long minutes : new long[] {-1_440, -11, -9, 0, 9, 1_440}) {
      String stamp =
          DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss xx", Locale.ENGLISH)
              .format(recorded.plus(Duration.ofMinutes(minutes)).atOffset(ZoneOffset.UTC));
      lines.append("10.1.2.3 - - [" + stamp + "] \"GET /carts HTTP/1.1\" 200 512 30.000\n");
    }
    Path log = Files.writeString(folder.resolve("access.log"), lines.toString());
    Timeline both = readAll(recording, log);
    assertEquals(1, both.requests().series().size(), () -> both.inputs().toString());
    assertEquals(3, all(both).requests());
    assertEquals(6, all(readAll(log)).requests());
  }

  private static Timeline readAll(Path... files) {
    return Ingest.read(
        Stream.of(files)
            .map(file -> new Ingest.Request(file, Optional.empty(), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.hiding(),
        ReadOptions.STANDARD);
  }

  @Test
  void secondsOfNginxAreRead() throws IOException {
    Timeline timeline = read(common("\"-\" \"curl/8\" 0.010 0.008", "\"-\" \"a b\" 0.030 0.028"));
    assertEquals(START, requests(timeline).intervals().get(0).from());
    assertEquals(2, all(timeline).requests());
    assertEquals(0, all(timeline).failed());
    assertMean(20, timeline);
  }

  @Test
  void aListOfServersIsNoOtherPlace() throws IOException {
    String line = "10.1.2.3 - - [29/Nov/2026:08:36:33 +0000] \"GET / HTTP/1.1\" 200 5 ";
    assertMean(
        200, read(line + "0.008, 0.190 0.200\n" + line + "0.180 0.200\n" + line + "- 0.200\n"));
  }

  @Test
  void valuesAndQueriesAreNoPartOfAnEndpoint() throws IOException {
    List<String> names =
        requests(read(common("0.010", "0.011"))).endpoints().stream()
            .map(EndpointSeries::endpoint)
            .toList();
    assertEquals(List.of("GET /carts/{id}"), names);
  }

  @Test
  void millisecondsAreThoseThatWouldBeTooFastAsMicroseconds() throws IOException {
    assertMean(8, read(common("3", "4", "17")));
  }

  @Test
  void microsecondsAreThoseThatWouldTakeMinutesAsMilliseconds() throws IOException {
    assertMean(151, read(common("2900", "150100", "300000")));
  }

  /** Two requests of 28.2 and 112.5 ms, an hour and 54 s apart: mean 70.3 ms. */
  @Test
  void theYearMayStandInFrontOfTheMonth() throws IOException {
    String line = "localhost - - [2026/Nov/29:%s] \"GET /carts/17 HTTP/1.1\" 200 16 %s\n";
    Timeline timeline =
        read(
            line.formatted("21:47:21 +0000", "28163") + line.formatted("23:48:15 +0100", "112507"));
    assertMean(70.3, timeline);
    assertEquals(
        Instant.parse("2026-11-29T21:47:21Z"),
        requests(timeline).span().orElseThrow().from().truncatedTo(ChronoUnit.SECONDS));
  }

  @Test
  void microsecondsOfASlowServiceAreNoNanoseconds() throws IOException {
    assertMean(1_300, read(common("24137", "803137", "3072726")));
  }

  @Test
  void aSecondFieldInSecondsSaysTheUnit() throws IOException {
    assertMean(700, read(common("400 0.400", "1000 1.000")));
    assertMean(1_250, read(common("400000 0", "2100000 2")));
  }

  /** Tomcat's %D beside %F, in us from Tomcat 10 on, in ms before: %D is the whole time. */
  @Test
  void theWholeTimeIsReadBesideThatUntilTheResponseBegan() throws IOException {
    assertMean(60, read(common("70000 40", "50000 49")));
    assertMean(60, read(common("40 70000", "49 50000")));
    assertMean(8, read(common("3 2", "4 3", "17 12")));
    String note = read(common("70000 40", "50000 49")).inputs().get(0).note();
    assertEquals("the whole time is field 8, beside a part of it", note);
  }

  @Test
  void ofTwoNumbersThatAreNoPartsTheUserIsAsked() throws IOException {
    Timeline asked = read(ReadOptions.STANDARD, common("70000 40", "50000 90"));
    assertEquals(Status.UNREADABLE, asked.inputs().get(0).status());
  }

  /**
   * 120, 340 and 500 are 320 us on average or 320 ms; users see no less than the server, and more
   * than a hundred times as much where they queue before it.
   */
  @ParameterizedTest
  @CsvSource({"0.4, 0.32", "20, 0.32", "350, 320", "3500, 320", "35000, 320"})
  void aLoadTestBesideTheLogShowsTheUnit(double usersMillis, double meanMillis) throws IOException {
    Files.writeString(folder.resolve("access.log"), common("120", "340", "500"));
    Files.writeString(
        folder.resolve("load.json"),
        """
        {"metrics": {"http_reqs": {"count": 3, "rate": 1}, "http_req_duration":
          {"avg": %1$s, "min": %1$s, "med": %1$s, "max": %1$s, "p(90)": %1$s, "p(95)": %1$s}}}
        """
            .formatted(usersMillis));
    assertMean(meanMillis, read(folder, ReadOptions.STANDARD));
  }

  /**
   * Jetty's microseconds, of whole milliseconds: most requests take none, which no microseconds
   * are; as milliseconds one takes longer than any client waits. The mean, 40 ms, is within ten
   * times that of users or of the service's own timer, or it is not.
   */
  @ParameterizedTest
  @CsvSource({"load.json, 79, OK", "load.json, 700, UNREADABLE", "metrics.txt, 79, OK"})
  void aUnitThatTheNumbersExcludeIsTakenIfOnlySoOtherFilesAgree(
      String name, double millis, Status status) throws IOException {
    Files.writeString(folder.resolve("access.log"), common("0 0 0 200000 0".split(" ")));
    Files.writeString(
        folder.resolve(name),
        name.endsWith(".txt")
            ? """
              # TYPE http_server_requests_seconds summary
              http_server_requests_seconds_count{uri="/a"} 0 1795941393000
              http_server_requests_seconds_sum{uri="/a"} 0 1795941393000
              http_server_requests_seconds_count{uri="/a"} 1000 1795941403000
              http_server_requests_seconds_sum{uri="/a"} %s 1795941403000
              """
                .formatted(millis)
            : """
              {"metrics": {"http_reqs": {"count": 3, "rate": 1}, "http_req_duration": {"avg": %s}}}
              """
                .formatted(millis));
    InputReport log = read(folder, ReadOptions.STANDARD).inputs().get(0);
    assertEquals(status, log.status());
    assertEquals(
        status == Status.OK
            ? "field 8 is taken for us: only so its mean, 40 ms, is about that of the other files"
            : "the durations (field 8) may be in several units; say which: --map 'field 8:ms=latency'",
        log.note());
  }

  /** A span of 0.3 or 300 ms at the time of the log. */
  @ParameterizedTest
  @CsvSource({
    "300,      0.32, 120 340 500",
    "300000,    320, 120 340 500",
    "14000,  12.633, 3100 4800 30000",
    "14000000,12633, 3100 4800 30000",
  })
  void tracesBesideTheLogShowTheUnit(int spanMicros, double meanMillis, String lengths)
      throws IOException {
    Files.writeString(folder.resolve("access.log"), common(lengths.split(" ")));
    Files.writeString(
        folder.resolve("spans.json"),
        """
        [{"traceId": "1", "id": "1", "kind": "SERVER", "name": "get", "timestamp": 1795941393000000,
          "duration": %s, "localEndpoint": {"serviceName": "carts"}}]
        """
            .formatted(spanMicros));
    List<Double> means =
        read(folder, ReadOptions.STANDARD).requests().series().stream()
            .map(series -> series.within(series.span().orElseThrow()).latencies().mean())
            .map(mean -> mean.orElseThrow().toNanos() / 1e6)
            .toList();
    assertEquals(2, means.size());
    assertEquals(meanMillis, means.get(1), 0.01 * meanMillis);
  }

  /**
   * Twenty pauses of 0.5 s in 100 s, a tenth of the time: 100 of 1,000 requests come during one and
   * wait 0.25 s on average. In a log in which all take 2 ms none did.
   */
  @ParameterizedTest
  @CsvSource({"2, 0", "300, 1"})
  void aLogThatBeginsToCountAfterAPauseHasNoLatenciesOfUsers(int slow, int series)
      throws IOException {
    StringBuilder collections = new StringBuilder();
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      Instant at = START.plusMillis(100L * i);
      if (i % 50 == 0) {
        collections.append(
            "[%s][%s.%ds][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 500.0ms%n"
                .formatted(
                    at.toString().replace("Z", ".000+0000").replaceAll("(\\.\\d{3})\\.000", "$1"),
                    1 + i / 10,
                    i % 10,
                    i / 50));
      }
      requests.append("%s GET /a 200 15 %s ms%n".formatted(at, i % 10 == 0 ? slow : 2));
    }
    Path log = Files.writeString(folder.resolve("gc.log"), collections.toString());
    Path access = Files.writeString(folder.resolve("access.log"), requests.toString());
    Timeline timeline = readAll(log, access);
    assertEquals(20, timeline.pauses().size());
    assertEquals(series, timeline.requests().series().size(), () -> timeline.inputs().toString());
  }

  /**
   * Times of the end, 100 to 103 s: the first request, of 15.161 s by nginx's form, would have
   * begun before the JVM started at 95 s, and as a time of the start it would have ended after the
   * others.
   */
  @Test
  void noRequestBeginsBeforeTheJvm() throws IOException {
    Candidate field =
        new Candidate(
            "field 4", new double[] {15.161, 0.301, 0.287, 0.312}, 3, true, Optional.empty());
    Written lines = new Written(new double[] {100, 101, 102, 103});
    assertEquals(Unit.MS, unit(field, lines, OptionalDouble.of(95)));
    assertEquals(Unit.S, unit(field, lines, OptionalDouble.of(80)));
    assertEquals(Unit.S, unit(field, lines, OptionalDouble.empty()));
  }

  private static Unit unit(Candidate field, Written lines, OptionalDouble jvmStart)
      throws IOException {
    Hints hints = new Hints(Map.of(), new double[0], new double[0], jvmStart);
    return AccessDuration.choose(List.of(field), lines, hints).unit();
  }

  @Test
  void theUserIsAskedForAUnitThatIsNotClear() throws IOException {
    String text = common("120", "340", "500");
    Timeline asked = read(ReadOptions.STANDARD, text);
    assertEquals(Status.UNREADABLE, asked.inputs().get(0).status());
    assertEquals(
        "the durations (field 8) may be in several units; say which: --map 'field 8:ms|us=latency'",
        asked.inputs().get(0).note());
    Map<String, MetricMeaning> said = Map.of("field 8:us", MetricMeaning.LATENCY);
    assertMean(0.32, read(ReadOptions.STANDARD.with(said), text));
  }

  /**
   * An outage alone in milliseconds, 3.1 to 30 s: as microseconds it is a service that answers in 3
   * to 30 ms, and nothing in the numbers tells which.
   */
  @ParameterizedTest
  @CsvSource({
    "%s",
    "{\"time\":\"2026-11-29T08:36:33Z\"|\"status\":200|\"uri\":\"/a\"|\"took\":%s}"
  })
  void aLogOfAnOutageAloneSaysHowElseItMayBeMeant(String form) throws IOException {
    String text =
        List.of("3100", "4800", "30000").stream()
            .map(
                length ->
                    form.equals("%s")
                        ? common(length)
                        : form.replace("|", ",").formatted(length) + "\n")
            .collect(Collectors.joining());
    String field = form.equals("%s") ? "field 8" : "took";
    Timeline timeline = read(text);
    assertMean(12.633, timeline);
    assertEquals(
        field
            + " is taken for us (P99 30 ms); not sure: in ms it is 30 s: say --map '"
            + field
            + ":ms=latency'",
        timeline.inputs().get(0).note());
    assertTrue(timeline.inputs().get(0).isAffected());
    Map<String, MetricMeaning> said = Map.of(field + ":us", MetricMeaning.LATENCY);
    assertEquals("", read(ReadOptions.STANDARD.with(said), text).inputs().get(0).note());
  }

  /** The second request ended first: 33 + 4.8 s, 35 + 30 s and 44 + 3.1 s, if 44 stands last. */
  @Test
  void linesInTheOrderOfTheEndsOfSlowRequestsSayThatTheyWereSlow() throws IOException {
    String slow = common("30000").replace(":33 ", ":35 ");
    String last = common("3100").replace(":33 ", ":44 ");
    Timeline timeline = read(common("4800") + last + slow);
    assertMean(12_633, timeline);
    assertEquals("", timeline.inputs().get(0).note());
    // In no order, as a log of several processes: nothing follows from it.
    assertMean(12.633, read(slow + common("4800") + last));
  }

  /** Users who see 20 ms have no server that takes 12.6 s; of 20 s it may be a queue before it. */
  @ParameterizedTest
  @CsvSource({
    "20, ''",
    "20000, field 8 is taken for us (P99 30 ms); not sure: in ms it is 30 s: say --map 'field 8:ms=latency'"
  })
  void aFastLoadTestShowsThatTheServerIsFast(double usersMillis, String note) throws IOException {
    Files.writeString(folder.resolve("access.log"), common("3100", "4800", "30000"));
    Files.writeString(
        folder.resolve("load.json"),
        """
        {"metrics": {"http_reqs": {"count": 3, "rate": 1}, "http_req_duration":
          {"avg": %1$s, "min": %1$s, "med": %1$s, "max": %1$s, "p(90)": %1$s, "p(95)": %1$s}}}
        """
            .formatted(usersMillis));
    Timeline timeline = read(folder, ReadOptions.STANDARD);
    assertMean(12.633, timeline);
    assertEquals(note, timeline.inputs().get(0).note());
  }

  @Test
  void aLogWithoutDurationsSaysHowToAddThem() throws IOException {
    Timeline timeline = read(ReadOptions.STANDARD, common("\"-\" \"curl/8\"", "\"-\" \"curl/8\""));
    // Nothing was lost that the file could have had.
    assertEquals(Status.OK, timeline.inputs().get(0).status());
    String note = timeline.inputs().get(0).note();
    assertTrue(note.contains(InputReport.NOT_USED) && note.contains("$request_time"), note);
  }

  /**
   * Other requests than those above; by awk, such as {@code tr -d '(' < spring-boot-3.5-words.log |
   * awk '{n++; s+=$(NF-1)/1000; f+=$7>=500} END{print n, f, s/n}'}.
   */
  @ParameterizedTest
  @CsvSource({
    "spring-boot-3.5.log,       115.5,   3504.02",
    "spring-boot-3.5-ms.log,    114.938, 3503",
    "spring-boot-3.5-words.log, 112.766, 3506.45",
  })
  void patternsOfSpringBootAreReadWithTheirUnit(String sample, double mean, double longest) {
    Timeline timeline = read(SampleFiles.file("access-logs/" + sample), ReadOptions.STANDARD);
    assertEquals(160, all(timeline).requests());
    assertEquals(8, all(timeline).failed());
    assertMean(mean, timeline);
    RequestStats stats = timeline.requests().stats().get(0);
    assertEquals(longest, Durations.seconds(stats.longest().orElseThrow()) * 1000, 0.5);
  }

  /** {@code server.tomcat.accesslog.enabled=true} alone: Spring Boot's pattern has no duration. */
  @Test
  void theDefaultOfSpringBootHasNoDurations() {
    Timeline timeline =
        read(SampleFiles.file("access-logs/spring-boot-3.5-default.log"), ReadOptions.STANDARD);
    assertEquals(List.of(), timeline.requests().series());
    String note = timeline.inputs().get(0).note();
    assertTrue(note.contains("no durations of requests; log them"), note);
  }

  @Test
  void errorsOfTheServiceAndLostClientsFailed() throws IOException {
    String lines =
        List.of(200, 404, 500, 503, 499, 429).stream()
            .map(status -> common("0.010").replace("\" 200 ", "\" " + status + " "))
            .collect(Collectors.joining());
    assertEquals(6, all(read(lines)).requests());
    assertEquals(4, all(read(lines)).failed());
  }

  @Test
  void namedFieldsMayStandInAnyOrder() throws IOException {
    Timeline timeline =
        read(common("\"-\" rt=0.100 urt=\"0.090\"", "\"-\" urt=\"0.290\" rt=0.300"));
    assertMean(200, timeline);
  }

  @Test
  void slowRequestsShowThatALogHasTheirEnd() throws IOException {
    assertEquals(List.of(1L, 0L, 0L, 0L, 0L, 1L), secondsOfSlowRequest("38"));
  }

  @Test
  void slowRequestsShowThatALogHasTheirStart() throws IOException {
    assertEquals(List.of(1L, 0L, 0L, 0L, 1L), secondsOfSlowRequest("34"));
  }

  /**
   * Of a queue, starts and ends are in the same order: only the server tells. Ten requests a second
   * for four seconds, each 0.2 s slower than the one before: by ends the 40 would be of 3.2 s less.
   */
  @Test
  void armeriaStampsTheStartAlsoOfRequestsThatWaitInLine() throws IOException {
    String line = "127.0.0.1 - - 29/Nov/2026:21:31:3%s +0000 \"GET /lenham/1 h1c\" 200 15 %s\n";
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      lines.append(line.formatted(i / 10, 1000 + 200 * i));
    }
    Map<String, MetricMeaning> millis = Map.of("field 9:ms", MetricMeaning.LATENCY);
    Timeline timeline = read(ReadOptions.STANDARD.with(millis), lines.toString());
    List<Long> started =
        requests(timeline).intervals().stream().map(RequestInterval::requests).toList();
    assertEquals(List.of(10L, 10L, 10L, 10L), started);
  }

  /** Requests by second of a log with one of 4.8 s, written in second 38. */
  private List<Long> secondsOfSlowRequest(String stamp) throws IOException {
    String fast = common("0.010");
    String text = fast.replace(":33 ", ":38 ") + common("4.800").replace(":33 ", ":" + stamp + " ");
    return requests(read(text)).intervals().stream().map(RequestInterval::requests).toList();
  }

  @Test
  void jsonIsReadByNames() throws IOException {
    Timeline timeline =
        read(
            """
            {"time":"2026-11-29T08:36:33.120Z","http":{"method":"GET","path":"/a/1","status_code":200},"duration_ms":120}
            {"time":"2026-11-29T08:36:33.240Z","http":{"method":"GET","path":"/a/2","status_code":502},"duration_ms":240.5}
            """);
    assertMean(180.25, timeline);
    assertEquals(1, all(timeline).failed());
    assertEquals("GET /a/{id}", requests(timeline).endpoints().get(0).endpoint());
  }

  @Test
  void envoysJsonCountsMillisecondsFromTheStart() throws IOException {
    String line =
        """
        {"start_time":"2026-11-29T08:36:33.500Z","method":"GET","path":"/a?b=c","response_code":200,"response_flags":"-","duration":4100,"bytes_sent":300}
        """;
    Timeline timeline = read(line + line.replace("4100", "100").replace(":33.5", ":37.5"));
    assertMean(2_100, timeline);
    assertEquals(
        List.of(1L, 0L, 0L, 0L, 1L),
        requests(timeline).intervals().stream().map(RequestInterval::requests).toList());
  }

  @Test
  void aFieldWithAnUnusualNameIsNamedByTheUser() throws IOException {
    String line = "{\"ts\":1795941393.5,\"status\":200,\"uri\":\"/a\",\"spent\":25,\"size\":9}\n";
    String text = line + line.replace("25", "35").replace(":9}", ":8}");
    Map<String, MetricMeaning> said = Map.of("spent:ms", MetricMeaning.LATENCY);
    assertMean(30, read(ReadOptions.STANDARD.with(said), text));
  }

  @Test
  void linesOfAContainerAreUnwrapped() throws IOException {
    String wrapped =
        common("0.010", "0.030")
            .lines()
            .map(
                line ->
                    "{\"log\":\"%s\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-29T08:36:33.1Z\"}\n"
                        .formatted(line.replace("\"", "\\\"")))
            .collect(Collectors.joining());
    assertMean(20, read(wrapped));
  }

  @Test
  void theTimeThatACollectorPutsInFrontIsNotThatOfTheStart() throws IOException {
    String front = "2026-11-29T08:36:38.600Z stdout F ";
    String line =
        front
            + "[2026-11-29T08:36:33.500Z] \"GET /a HTTP/1.1\" 200 - 0 154 5100 5099 \"-\" \"curl\"\n";
    assertEquals(START, requests(read(line + line)).intervals().get(0).from());
  }

  @Test
  void anOpenConnectionIsNoSlowRequest() throws IOException {
    Timeline timeline =
        read(common("0.010", "0.010") + common("900.000").replace("\" 200 ", "\" 101 "));
    assertEquals(2, all(timeline).requests());
    assertEquals(Optional.of(Duration.ofMillis(10)), timeline.requests().stats().get(0).mean());
  }
}
