package io.gcdiag.read.load;

import static io.gcdiag.read.load.LoadRuns.assertAbout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.load.LoadRuns.Read;
import io.gcdiag.units.Rate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class GatlingTest {

  private static final GatlingFormat FORMAT = new GatlingFormat();
  private static final String BINARY = "gatling-3.14-simulation.log";

  @Test
  void aLogIsRead() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "gatling-3.10-simulation.log");
    assertEquals("", read.lost());
    // grep ^REQUEST f | cut -f4 | cut -c1-10 | sort | uniq -c
    assertEquals(List.of(4L, 32L, 32L, 30L, 30L, 30L, 22L), read.requests());
    assertEquals(Instant.ofEpochSecond(1795265406), read.intervals().get(0).from());
    RequestStats stats = read.run().stats();
    assertEquals("Gatling", stats.producer());
    // Gatling's own console: "Global (OK=176 KO=4)"
    assertEquals(OptionalLong.of(180), stats.requests());
    assertEquals(OptionalLong.of(4), stats.failed());
    // grep ^REQUEST f | awk -F'\t' '{print $5-$4}' | sort -n: sum 7223, last 206,
    // lines 90, 162, 171 and 179 of 180
    assertEquals(Optional.of(Duration.ofNanos(40_127_778)), stats.mean());
    assertEquals(Optional.of(Duration.ofMillis(206)), stats.longest());
    assertAbout(24, stats.percentile(50));
    assertAbout(66, stats.percentile(90));
    assertAbout(69, stats.percentile(95));
    assertAbout(203, stats.percentile(99));
    // First start to last end: 5798 ms.
    assertEquals(Optional.of(new Rate(180 / 5.798)), stats.rate());
    // grep ^USER f | awk '/START/{n++} /END/{n--} n>m{m=n} END{print m}'
    assertEquals(OptionalLong.of(6), stats.users());
  }

  @Test
  void aLogOfAVersionThatNamesTheUserIsRead() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            ASSERTION\tAAECAwAAAA==
            RUN\tshop.ArticlesSimulation\tarticlessimulation\t1714557600000\t \t3.3.1
            USER\treaders\t1\tSTART\t1714557600000\t1714557600000
            REQUEST\t1\t\tread article\t1714557600000\t1714557600250\tOK\t\s
            REQUEST\t1\tOK,basket\tOK\t1714557601000\t1714557601050\tKO\tno answer
            USER\treaders\t1\tEND\t1714557600000\t1714557601100
            """);
    assertEquals("", read.lost());
    assertEquals(List.of(1L, 1L), read.requests());
    assertEquals(OptionalLong.of(1), read.run().stats().failed());
    assertEquals(Optional.of(Duration.ofMillis(150)), read.run().stats().mean());
    assertEquals(OptionalLong.of(1), read.run().stats().users());
  }

  @Test
  void cutAndImpossibleRequestsAreLeftOut() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            RUN\ta.B\tb\t1714557600000\t \t3.9.5
            REQUEST\t\tread\t1714557600000\t1714557600250\tOK\t\s
            REQUEST\t\tread\t1714557600500\t1714557600250\tOK\t\s
            REQUEST\t\tread\t1714557600000\t17145576""");
    assertEquals(List.of(1L), read.requests());
    assertEquals("2 lines are cut or damaged and were left out", read.lost());
  }

  @Test
  void aBinaryLogIsRead() throws IOException {
    Read read = LoadRuns.sample(FORMAT, BINARY);
    assertEquals("", read.lost());
    assertEquals(List.of(18L, 20L, 21L, 20L, 20L, 20L, 20L, 19L, 2L), read.requests());
    RequestStats stats = read.run().stats();
    // Gatling's own console: request count 160, OK 145, KO 15, max 271, mean 56.
    assertEquals(OptionalLong.of(160), stats.requests());
    assertEquals(OptionalLong.of(15), stats.failed());
    assertEquals(Optional.of(Duration.ofMillis(271)), stats.longest());
    // Sum of the differences of the two times: 8947 ms.
    assertEquals(Optional.of(Duration.ofNanos(55_918_750)), stats.mean());
    assertAbout(50, stats.percentile(50));
    assertAbout(269, stats.percentile(99));
    assertEquals(OptionalLong.of(5), stats.users());
    assertEquals(
        List.of("GET /carts", "GET /orders"),
        read.run().series().orElseThrow().endpoints().stream()
            .map(EndpointSeries::endpoint)
            .sorted()
            .toList());
  }

  /** As files are read: no zero byte of a binary log is taken for a hole in a text. */
  @Test
  void aBinaryLogIsRecognised() {
    Timeline timeline =
        Ingest.read(
            List.of(
                new Ingest.Request(
                    SampleFiles.file("load/" + BINARY), Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);
    assertEquals("gatling", timeline.inputs().get(0).format());
    assertEquals(Status.OK, timeline.inputs().get(0).status());
    assertEquals(160, timeline.requests().stats().get(0).requests().orElseThrow());
  }

  @Test
  void aBinaryLogIsReadUpToWhereItIsCut() throws IOException {
    byte[] whole = Files.readAllBytes(SampleFiles.file("load/" + BINARY));
    Read read =
        LoadRuns.read(FORMAT, new ByteArrayInputStream(Arrays.copyOf(whole, 4_000)), BINARY);
    assertEquals("cut or damaged; what stands before it was read", read.lost());
    long requests = read.run().stats().requests().orElseThrow();
    assertTrue(requests > 60 && requests < 100, () -> "requests: " + requests);
  }
}
