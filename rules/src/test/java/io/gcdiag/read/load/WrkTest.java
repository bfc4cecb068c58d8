package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WrkTest {

  private static final WrkFormat FORMAT = new WrkFormat();

  @Test
  void anOutputOfWrkIsRead() throws IOException {
    RequestStats stats = LoadRuns.sample(FORMAT, "wrk-stdout.txt").run().stats();
    assertEquals("wrk", stats.producer());
    assertEquals(OptionalLong.of(764), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    assertEquals(Optional.of(new Rate(190.78)), stats.rate());
    assertEquals(Optional.of(Duration.ofNanos(20_870_000)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(28_870_000)), stats.longest());
    assertEquals(Set.of(50.0, 75.0, 90.0, 99.0), stats.percentiles().keySet());
    assertEquals(Optional.of(Duration.ofNanos(25_360_000)), stats.percentile(99));
    assertEquals(OptionalLong.of(4), stats.users());
    assertEquals(Optional.of(LoadModel.CLOSED), stats.model());
  }

  @Test
  void anOutputOfWrk2IsReadByItsCorrectedLatencies() throws IOException {
    RequestStats stats = LoadRuns.sample(FORMAT, "wrk2-stdout.txt").run().stats();
    assertEquals("wrk2", stats.producer());
    // 5990 answered, 3 and 1 ended by errors of the connection
    assertEquals(OptionalLong.of(5994), stats.requests());
    // 17 of bad status, 4 of those errors, 40 timeouts
    assertEquals(OptionalLong.of(61), stats.failed());
    assertEquals(Optional.of(Duration.ofNanos(24_710_000)), stats.mean());
    // "100.000%", and not the 310 ms of the uncorrected histogram below it
    assertEquals(Optional.of(Duration.ofMillis(1210)), stats.longest());
    assertEquals(Optional.of(Duration.ofNanos(131_710_000)), stats.percentile(99));
    assertEquals(Optional.of(Duration.ofNanos(991_230_000)), stats.percentile(99.9));
    assertEquals(Optional.of(LoadModel.OPEN), stats.model());
    assertEquals(OptionalLong.of(40), stats.users());
  }

  /** Figures of the run that wrk2's README prints under "Basic Usage". */
  @Test
  void theOutputThatWrk2PublishesIsRead() throws IOException {
    RequestStats stats =
        LoadRuns.read(
                FORMAT,
                """
                Running 30s test @ http://127.0.0.1:80/index.html
                  2 threads and 100 connections
                  Thread calibration: mean lat.: 10087 usec, rate sampling interval: 22 msec
                  Thread calibration: mean lat.: 10139 usec, rate sampling interval: 21 msec
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency     6.60ms    1.92ms  12.50ms   68.46%
                    Req/Sec     1.04k     1.08k    2.50k    72.79%
                  Latency Distribution (HdrHistogram - Recorded Latency)
                 50.000%    6.67ms
                 75.000%    7.78ms
                 90.000%    9.14ms
                 99.000%   11.18ms
                 99.900%   12.30ms
                 99.990%   12.45ms
                 99.999%   12.50ms
                100.000%   12.50ms

                  Detailed Percentile spectrum:
                       Value   Percentile   TotalCount 1/(1-Percentile)

                       0.921     0.000000            1         1.00
                       6.671     0.500000        19783         2.00
                      12.503     1.000000        39500          inf
                #[Mean    =        6.602, StdDeviation   =        1.919]
                #[Max     =       12.496, Total count    =        39500]
                #[Buckets =           27, SubBuckets     =         2048]
                ----------------------------------------------------------
                  60018 requests in 30.00s, 19.81MB read
                Requests/sec:   2000.28
                Transfer/sec:    676.18KB
                """)
            .run()
            .stats();
    assertEquals("wrk2", stats.producer());
    assertEquals(OptionalLong.of(60_018), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    assertEquals(Optional.of(Duration.ofNanos(6_600_000)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(12_500_000)), stats.longest());
    assertEquals(Optional.of(Duration.ofNanos(6_670_000)), stats.percentile(50));
    assertEquals(Optional.of(Duration.ofNanos(11_180_000)), stats.percentile(99));
    assertEquals(Optional.of(LoadModel.OPEN), stats.model());
    assertEquals(OptionalLong.of(100), stats.users());
  }

  @Test
  void unitsFromMicrosecondsToHoursAreRead() throws IOException {
    RequestStats stats =
        LoadRuns.read(
                FORMAT,
                """
                Running 10h test @ http://localhost
                  1 threads and 1 connections
                  Thread Stats   Avg      Stdev     99%   +/- Stdev
                    Latency   540.95us   66.96us 729.00us   72.50%
                  Latency Distribution
                     50%    1.50s
                     75%    2.00m
                     90%    1.25h
                     99%   -nan
                  12 requests in 10.00h, 2.16MB read
                """)
            .run()
            .stats();
    assertEquals(Optional.of(Duration.ofNanos(540_950)), stats.mean());
    assertEquals(Optional.of(Duration.ofMillis(1500)), stats.percentile(50));
    assertEquals(Optional.of(Duration.ofMinutes(2)), stats.percentile(75));
    assertEquals(Optional.of(Duration.ofMinutes(75)), stats.percentile(90));
    assertEquals(Optional.empty(), stats.percentile(99));
    // The third column is the 99th percentile here, and no maximum.
    assertEquals(Optional.empty(), stats.longest());
    assertTrue(stats.rate().isEmpty());
  }

  @Test
  void moreErrorsThanRequestsAreAllOfThem() throws IOException {
    RequestStats stats =
        LoadRuns.read(
                FORMAT,
                """
                Running 4s test @ http://localhost
                  2 requests in 4.00s, 0.00B read
                  Socket errors: connect 0, read 1, write 0, timeout 9
                """)
            .run()
            .stats();
    assertEquals(OptionalLong.of(3), stats.requests());
    assertEquals(OptionalLong.of(3), stats.failed());
  }

  @Test
  void anOutputWithoutResultIsRefused() {
    IOException e =
        assertThrows(
            IOException.class, () -> LoadRuns.read(FORMAT, "Running 4s test @ http://localhost\n"));
    assertEquals(
        "wrk ended without a result: no line such as '764 requests in 4.00s'", e.getMessage());
  }
}
