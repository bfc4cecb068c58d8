package io.gcdiag.read.load;

import static io.gcdiag.read.load.LoadRuns.assertAbout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.load.LoadRuns.Read;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HdrLogTest {

  private static final HdrLogFormat FORMAT = new HdrLogFormat();
  private static final String SAMPLE = "hdrhistogram-2.2.hlog";

  /** The program that wrote it counted: 300, mean 70.145 ms, P50 65.2, P90 88.0, longest 210.2. */
  @Test
  void intervalsAreReadByTag() throws IOException {
    Read read = LoadRuns.sample(FORMAT, SAMPLE);
    assertEquals("", read.lost());
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(300), stats.requests());
    assertEquals(0.070145, Durations.seconds(stats.mean().orElseThrow()), 0.0001);
    assertEquals(0.2102, Durations.seconds(stats.longest().orElseThrow()), 0.0003);
    assertAbout(65.2, stats.percentile(50));
    assertAbout(88.0, stats.percentile(90));
    List<EndpointSeries> tags = read.run().series().orElseThrow().endpoints();
    assertEquals(List.of("carts", "orders"), tags.stream().map(EndpointSeries::endpoint).toList());
    long first = read.intervals().get(0).from().getEpochSecond();
    String line = Files.readAllLines(SampleFiles.file("load/" + SAMPLE)).get(4);
    assertTrue(line.startsWith("Tag=orders," + first + "."), line);
  }

  /** Ten requests a second of 4 ms for 20 seconds, in one interval. */
  private static String log(String head, String tag, double start, long value, long perMilli) {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(value, 200);
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int size = histogram.encodeIntoCompressedByteBuffer(bytes);
    String coded = Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), size));
    return head + "%s%.3f,20.000,%.3f,%s\n".formatted(tag, start, value / (double) perMilli, coded);
  }

  @Test
  void aLongIntervalIsSpreadOverItsSeconds() throws IOException {
    Read read = LoadRuns.read(FORMAT, log("", "", 1_795_964_000, 4_000_000, 1_000_000));
    assertEquals(20, read.requests().size());
    assertTrue(read.requests().stream().allMatch(each -> each == 10), read.requests().toString());
    assertAbout(4, read.run().stats().percentile(99));
  }

  /** Microseconds, once divided as they should be and once as if they were nanoseconds. */
  @Test
  void theUnitIsThatOfThePrintedMaximumUnlessNoServiceIsThatQuick() throws IOException {
    for (long perMilli : new long[] {1_000, 1_000_000}) {
      Read read = LoadRuns.read(FORMAT, log("", "", 1_795_964_000, 4_000, perMilli));
      assertAbout(4, read.run().stats().percentile(50));
    }
  }

  @Test
  void timesCountFromTheStartOrTheBaseThatTheLogNames() throws IOException {
    for (String name : List.of("StartTime", "BaseTime")) {
      String head = "#[%s: 1795964000.000 (seconds since epoch), a day]\n".formatted(name);
      Read read = LoadRuns.read(FORMAT, log(head, "", 7, 4_000_000, 1_000_000));
      assertEquals(Instant.ofEpochSecond(1_795_964_007), read.intervals().get(0).from());
    }
  }

  /** Of cassandra-stress: the response time has the service time and the wait in it. */
  @Test
  void partsOfAResponseTimeAreNotCountedAgain() throws IOException {
    String log =
        log("", "Tag=read-rt,", 1_795_964_000, 4_000_000, 1_000_000)
            + log("", "Tag=read-st,", 1_795_964_000, 3_000_000, 1_000_000)
            + log("", "Tag=read-wt,", 1_795_964_000, 1_000_000, 1_000_000);
    assertEquals(OptionalLong.of(200), LoadRuns.read(FORMAT, log).run().stats().requests());
  }

  @Test
  void hiccupsOfTheMachineAreNoRequests() {
    String log =
        log("#[Logged with jHiccup version 2.0.10]\n", "", 1_795_964_000, 4_000_000, 1_000_000);
    IOException e = assertThrows(IOException.class, () -> LoadRuns.read(FORMAT, log));
    assertTrue(e.getMessage().contains("no requests"), e::getMessage);
  }

  @Test
  void aDamagedHistogramIsLeftOut() throws IOException {
    String good = log("", "", 1_795_964_000, 4_000_000, 1_000_000);
    Read read = LoadRuns.read(FORMAT, good + "1795964020.000,20.000,4.000,HISTFAAAABAAAA\n");
    assertEquals(OptionalLong.of(200), read.run().stats().requests());
    assertEquals("1 line is cut or damaged and was left out", read.lost());
  }
}
