package io.gcdiag.read.load;

import static io.gcdiag.read.load.LoadRuns.assertAbout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.load.LoadRuns.Read;
import io.gcdiag.units.Rate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JmeterTest {

  private static final JmeterFormat FORMAT = new JmeterFormat();

  @Test
  void csvIsRead() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "jmeter-5.6.jtl");
    assertEquals("", read.lost());
    // tail -n +2 f | cut -c1-10 | sort | uniq -c
    assertEquals(List.of(2L, 157L, 21L), read.requests());
    assertEquals(Instant.ofEpochSecond(1795245544), read.intervals().get(0).from());
    RequestStats stats = read.run().stats();
    assertEquals("JMeter", stats.producer());
    assertEquals(OptionalLong.of(180), stats.requests());
    // cut -d, -f8 f | sort | uniq -c: 180 times true
    assertEquals(OptionalLong.of(0), stats.failed());
    // awk -F, 'NR>1{s+=$2}END{print s}' f: 4407; 4407 / 180 = 24.48333
    assertEquals(Optional.of(Duration.ofNanos(24_483_333)), stats.mean());
    assertEquals(Optional.of(Duration.ofMillis(70)), stats.longest());
    // cut -d, -f2 f | sort -n, lines 90, 162, 171 and 179 of 180
    assertAbout(22, stats.percentile(50));
    assertAbout(31, stats.percentile(90));
    assertAbout(39, stats.percentile(95));
    assertAbout(63, stats.percentile(99));
    // cut -d, -f3 f | sort | uniq -c
    assertEquals(
        List.of("GET /read"),
        read.run().series().orElseThrow().endpoints().stream()
            .map(EndpointSeries::endpoint)
            .toList());
    // Last timeStamp + elapsed less first timeStamp: 1342 ms.
    assertEquals(Optional.of(new Rate(180 / 1.342)), stats.rate());
    // cut -d, -f13 f | sort -n | tail -1
    assertEquals(OptionalLong.of(6), stats.users());
    assertEquals(OptionalLong.empty(), stats.dropped());
  }

  @Test
  void xmlIsRead() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "jmeter-5.6-xml.jtl");
    assertEquals("", read.lost());
    // grep -o ' ts="[0-9]*' f | cut -c6-15 | sort | uniq -c
    assertEquals(List.of(111L, 69L), read.requests());
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(180), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    // grep -o ' t="[0-9]*' f | cut -c5- | sort -n: sum 4282, lines 90 and 179
    assertEquals(Optional.of(Duration.ofNanos(23_788_889)), stats.mean());
    assertAbout(22, stats.percentile(50));
    assertAbout(46, stats.percentile(99));
    assertEquals(Optional.of(Duration.ofMillis(58)), stats.longest());
    assertEquals(Optional.of(new Rate(180 / 1.4)), stats.rate());
    assertEquals(OptionalLong.of(6), stats.users());
  }

  @Test
  void failuresCountAndTransactionsDoNot() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            timeStamp,elapsed,label,responseCode,responseMessage,success,allThreads
            1714557600000,100,"basket, full",200,OK,true,3
            1714557600200,300,"pay ""now\""",503,"Service
            Unavailable",false,7
            1714557600000,500,buy,200,"Number of samples in transaction : 2, number of failing samples : 1",false,7
            """);
    assertEquals("", read.lost());
    assertEquals(List.of(2L), read.requests());
    assertEquals(OptionalLong.of(1), read.run().stats().failed());
    assertEquals(OptionalLong.of(7), read.run().stats().users());
  }

  @Test
  void columnsMayBeMissingAndTheSeparatorAnother() throws IOException {
    Read read = LoadRuns.read(FORMAT, "label;elapsed;timeStamp\nread;100;1714557600000\n");
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(1), stats.requests());
    assertEquals(OptionalLong.empty(), stats.failed());
    assertEquals(OptionalLong.empty(), stats.users());
    assertEquals(Optional.of(Duration.ofMillis(100)), stats.mean());
  }

  @Test
  void withoutAHeaderTheColumnsAreTheUsualOnes() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            1714557600000,100,read,200,,tg 1-1,text,true,,2994,122,2,5,http://localhost/,52,0,13
            1714557601000,100,read,500,,tg 1-1,text,false,,2994,122,2,4,http://localhost/,52,0,13
            """);
    assertEquals(List.of(1L, 1L), read.requests());
    assertEquals(OptionalLong.of(1), read.run().stats().failed());
    assertEquals(OptionalLong.of(5), read.run().stats().users());
  }

  @Test
  void datesThatMayBeOneOfTwoDaysAreRefusedWithAdvice() {
    IOException e =
        assertThrows(
            IOException.class,
            () -> LoadRuns.read(FORMAT, "timeStamp,elapsed,success\n05/04/24 12:00:00,1,true\n"));
    assertEquals(
        "the times of these results are no milliseconds since 1970: '05/04/24 12:00:00' may be one"
            + " of two days; save them with jmeter.save.saveservice.timestamp_format=ms",
        e.getMessage());
  }

  private static final String LOCAL =
      """
      timeStamp,elapsed,success
      2024/05/01 12:00:00.250,100,true
      2024/05/01 12:00:01.250,100,true
      """;

  private static List<Instant> times(Path... files) {
    return Ingest.read(
            Stream.of(files)
                .map(file -> new Ingest.Request(file, Optional.empty(), Optional.empty()))
                .toList(),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD)
        .requests()
        .series()
        .get(0)
        .intervals()
        .stream()
        .map(RequestInterval::from)
        .toList();
  }

  /** The log states the zone of its machine. */
  @Test
  void datesWithoutAZoneAreThoseOfTheOtherFiles(@TempDir Path folder) throws IOException {
    Path results = Files.writeString(folder.resolve("a.jtl"), LOCAL);
    assertEquals(
        List.of(Instant.parse("2024-05-01T12:00:00Z"), Instant.parse("2024-05-01T12:00:01Z")),
        times(results));
    Path log =
        Files.writeString(
            folder.resolve("gc.log"),
            """
            [2024-05-01T11:59:58.100+0200][0.010s][info][gc] Using G1
            [2024-05-01T12:00:00.100+0200][2.010s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.000ms
            [2024-05-01T12:00:01.900+0200][3.810s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.000ms
            """);
    assertEquals(
        List.of(Instant.parse("2024-05-01T10:00:00Z"), Instant.parse("2024-05-01T10:00:01Z")),
        times(results, log));
  }

  @Test
  void aLineWithoutEndIsNamedByItsNumber() throws IOException {
    String row = "1714557600000,100,a,true\n";
    Read read =
        LoadRuns.read(
            FORMAT,
            "timeStamp,elapsed,label,success\n"
                + row.repeat(3_000)
                + "1714557600000,100,"
                + "x".repeat(LoadText.LONGEST_LINE)
                + ",true\n");
    assertEquals(
        "line 3002 is longer than 4194304 characters; what stands before it was read", read.lost());
  }

  @Test
  void transactionsAreCountedInANote() throws IOException {
    LoadText text =
        LoadText.of(
            new ByteArrayInputStream(
                """
                timeStamp,elapsed,responseMessage,success
                1714557600000,100,OK,true
                1714557600000,500,"Number of samples in transaction : 1, number of failing samples : 0",true
                """
                    .getBytes(StandardCharsets.UTF_8)));
    FORMAT.read(text, "a");
    assertEquals(
        List.of(
            "transactions, which sum up their requests, are left out (rows: 1); requests that count: 1"),
        text.notes());
  }

  @Test
  void aRowWithoutATimeIsDamaged() throws IOException {
    Read read =
        LoadRuns.read(FORMAT, "timeStamp,elapsed,success\nnow,1,true\n1714557600000,1,true\n,,\n");
    assertEquals(List.of(1L), read.requests());
    assertEquals("2 lines are cut or damaged and were left out", read.lost());
  }

  @Test
  void whatACutFileHoldsIsRead() throws IOException {
    String header = "timeStamp,elapsed,label,success\n1714557600000,100,a,true\n";
    assertEquals(
        "1 line is cut or damaged and was left out",
        LoadRuns.read(FORMAT, header + "1714557601000,100,a,tr").lost());
    assertEquals(
        "1 line is cut or damaged and was left out",
        LoadRuns.read(FORMAT, header + "1714557601000,10").lost());
    Read quote = LoadRuns.read(FORMAT, header + "1714557601000,100,\"a");
    assertEquals(List.of(1L), quote.requests());
    assertTrue(quote.lost().startsWith("damaged near line "), quote::lost);
    Read xml =
        LoadRuns.read(
            FORMAT,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <testResults version="1.2">
            <httpSample t="58" ts="1714557600000" s="false"/>
            <httpSample t="58" ts="17145""");
    assertEquals(List.of(1L), xml.requests());
    assertEquals(OptionalLong.of(1), xml.run().stats().failed());
    assertTrue(xml.lost().startsWith("not closed, or damaged, at line 4"), xml::lost);
  }

  @Test
  void inXmlAPageCountsOnceAndATransactionAsItsRequests() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            <testResults version="1.2">
            <httpSample t="90" ts="1714557600000" s="true">
              <httpSample t="40" ts="1714557600000" s="true"/>
              <httpSample t="50" ts="1714557600040" s="true"><responseData>a &lt; b</responseData></httpSample>
            </httpSample>
            <sample t="300" ts="1714557601000" s="false" rm="Number of samples in transaction : 2, number of failing samples : 1">
              <httpSample t="100" ts="1714557601000" s="true"/>
              <httpSample t="200" ts="1714557601100" s="false"/>
            </sample>
            <sample t="10" ts="1714557602000" s="true" lb="query"/>
            </testResults>
            """);
    assertEquals("", read.lost());
    assertEquals(List.of(1L, 2L, 1L), read.requests());
    assertEquals(OptionalLong.of(1), read.run().stats().failed());
    // (90 + 100 + 200 + 10) / 4
    assertEquals(Optional.of(Duration.ofMillis(100)), read.run().stats().mean());
  }

  @Test
  void xmlCannotNameOtherFiles() throws IOException {
    String attack =
        """
        <?xml version="1.0"?>
        <!DOCTYPE testResults [<!ENTITY x SYSTEM "file:///etc/passwd">
          <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
        <testResults version="1.2">
        <httpSample t="1" ts="1714557600000" s="true"><responseData>&x;&b;</responseData></httpSample>
        </testResults>
        """;
    Read read = LoadRuns.read(FORMAT, attack);
    assertEquals(List.of(1L), read.requests());
  }
}
