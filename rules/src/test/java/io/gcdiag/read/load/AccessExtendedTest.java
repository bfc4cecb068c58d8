package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The W3C's extended format, written by hand after the documents of WebLogic, IIS and CloudFront.
 */
class AccessExtendedTest {

  private static final String WEBLOGIC =
      """
      #Version:	1.0
      #Fields:	date	time	cs-method	cs-uri	sc-status	time-taken	bytes	cs(User-Agent)
      #Start-Date:	2026-11-29	08:36:00
      2026-11-29	08:36:33	GET	/carts/17?token=x	200	0.034	344	"a ""b"" c"
      2026-11-29	08:36:34	POST	/carts	500	0.3	-	-
      """;

  private static final String IIS =
      """
      #Software: Microsoft Internet Information Services 10.0
      #Version: 1.0
      #Date: 2026-11-29 08:36:33
      #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status sc-substatus sc-win32-status time-taken
      2026-11-29 08:36:33 10.0.0.1 GET /carts/17 {"a":1} 443 - 10.0.0.9 "Mozilla/5.0+(X11) 200 0 0 120
      2026-11-29 08:36:33 10.0.0.1 GET /carts/18 [1,+2]x 443 - 10.0.0.9 - 503 0 0 340
      2026-11-29 08:36:34 10.0.0.1 GET /carts/19 - 443 - 10.0.0.9 - 404 0 2 500
      """
          .replace("\n", "\r\n");

  private static final String CLOUDFRONT =
      """
      #Version: 1.0
      #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs-uri-query time-taken time-to-first-byte
      2026-11-29	08:36:38	FRA2	182	10.0.0.9	GET	d1.example	/carts/17	200	a=b	4.900	0.001
      2026-11-29	08:36:33	FRA2	182	10.0.0.9	GET	d1.example	/carts/18	200	-	0.100	0.001
      2026-11-29	08:36:35	FRA2	0	10.0.0.9	GET	d1.example	/carts/18	000	-	0.100	0.001
      """;

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

  private RequestSeries read(String text) throws IOException {
    return series(read(ReadOptions.STANDARD, text));
  }

  private static RequestSeries series(Timeline timeline) {
    InputReport report = timeline.inputs().get(0);
    assertEquals("access-log", report.format());
    assertEquals(Status.OK, report.status(), report.note());
    assertEquals(1, timeline.requests().series().size(), report.note());
    return timeline.requests().series().get(0);
  }

  private static void assertAll(long requests, long failed, double meanMillis, RequestSeries one) {
    RequestInterval all = one.within(one.span().orElseThrow());
    assertEquals(requests, all.requests());
    assertEquals(failed, all.failed());
    double mean = Durations.seconds(all.latencies().mean().orElseThrow()) * 1000;
    assertEquals(meanMillis, mean, 0.01 * meanMillis);
  }

  private static List<String> endpoints(RequestSeries series) {
    return series.endpoints().stream().map(EndpointSeries::endpoint).sorted().toList();
  }

  /**
   * {@code awk '!/^#/{print $6}' tomcat-9-extended.log | sort -n | sed -n '80p;144p;159p'}, and $8
   * of the other one.
   */
  @ParameterizedTest
  @CsvSource({
    "tomcat-9-extended.log,    0.051,    0.078,    3.501",
    "tomcat-10.1-extended.log, 0.051178, 0.080698, 3.500907"
  })
  void tomcatsLogHasThePercentilesThatAwkHas(String file, double p50, double p90, double p99) {
    Timeline timeline = read(SampleFiles.file("access-logs/" + file), ReadOptions.STANDARD);
    RequestStats stats = timeline.requests().stats().get(0);
    Map.of(50.0, p50, 90.0, p90, 99.0, p99)
        .forEach(
            (percentile, seconds) ->
                assertEquals(
                    seconds,
                    Durations.seconds(stats.percentile(percentile).orElseThrow()),
                    0.02 * seconds));
    // The JVM's zone was Europe/Berlin; the file says 08:09.
    assertEquals(
        Instant.parse("2026-11-30T08:00:00Z").getEpochSecond(),
        series(timeline).span().orElseThrow().from().getEpochSecond(),
        600);
  }

  @Test
  void webLogicHasTabsQuotesAndSeconds() throws IOException {
    RequestSeries series = read(WEBLOGIC);
    assertAll(2, 1, 167, series);
    assertEquals(List.of("GET /carts/{id}", "POST /carts"), endpoints(series));
    assertEquals(Instant.parse("2026-11-29T08:36:33Z"), series.intervals().get(0).from());
  }

  @Test
  void iisHasMillisecondsAndValuesWithoutQuotes() throws IOException {
    RequestSeries series = read(IIS);
    assertAll(3, 1, 320, series);
    assertEquals(List.of("GET /carts/{id}"), endpoints(series));
  }

  /** The end of the first, in 08:36:38, says that it began five seconds earlier. */
  @Test
  void cloudFrontHasTheEndsOfRequestsInNoOrder() throws IOException {
    RequestSeries series = read(CLOUDFRONT);
    assertAll(3, 1, 1_700, series);
    assertEquals(
        List.of(2L, 0L, 1L), series.intervals().stream().map(RequestInterval::requests).toList());
  }

  @Test
  void aDirectiveMayComeAgainWithOtherFields() throws IOException {
    // More lines than one thread reads alone.
    String text =
        "#Fields: cs-method time-taken cs-uri sc-status date time\n"
            + "GET 0.010 /a 200 2026-11-29 08:36:33\n".repeat(20_000)
            + "#Fields: date time cs-uri sc-status time-taken cs-method\n"
            + "2026-11-29 08:36:33 /b 200 0.030 GET\n".repeat(20_000);
    RequestSeries series = read(text);
    assertAll(40_000, 0, 20, series);
    assertEquals(List.of("GET /a", "GET /b"), endpoints(series));
  }

  @Test
  void linesBeforeTheFirstDirectiveHaveItsFields() throws IOException {
    assertAll(
        4,
        2,
        167,
        read(WEBLOGIC.lines().skip(3).reduce("", (all, line) -> all + line + "\n") + WEBLOGIC));
  }

  @Test
  void wholeSecondsOfTomcatAreNotUsed() throws IOException {
    String text = tomcat("0", "0", "3");
    InputReport report = read(ReadOptions.STANDARD, text).inputs().get(0);
    assertEquals(Status.OK, report.status());
    assertTrue(
        report.note().contains(InputReport.NOT_USED) && report.note().contains("time-taken-ms"),
        report.note());
    Map<String, MetricMeaning> said = Map.of("time-taken:s", MetricMeaning.LATENCY);
    assertAll(3, 0, 1_000, series(read(ReadOptions.STANDARD.with(said), text)));
  }

  @Test
  void theUserIsAskedForTheUnitOfWholeNumbersOfAnotherServer() throws IOException {
    String text = tomcat("120", "340", "500").replace("#Software: Apache Tomcat/10.1.48\n", "");
    InputReport report = read(ReadOptions.STANDARD, text).inputs().get(0);
    assertEquals(
        "the durations (time-taken) may be in several units; say which:"
            + " --map 'time-taken:ms|us=latency'",
        report.note());
  }

  @Test
  void aLogWithoutDurationsSaysHowToAddThem() throws IOException {
    String text = tomcat("5", "6", "7").replace("time-taken", "bytes");
    InputReport report = read(ReadOptions.STANDARD, text).inputs().get(0);
    assertEquals(Status.OK, report.status());
    assertTrue(report.note().contains("time-taken (W3C)"), report.note());
  }

  private static String tomcat(String... taken) {
    StringBuilder lines =
        new StringBuilder(
            """
            #Fields: date time cs-method cs-uri sc-status time-taken
            #Version: 2.0
            #Software: Apache Tomcat/10.1.48
            """);
    for (String one : taken) {
      lines.append("2026-11-29 08:36:33 GET /carts/17?a=b 200 ").append(one).append('\n');
    }
    return lines.toString();
  }
}
