package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.gclog.GcLog.LogOrigin;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every sample file's pauses: how many, how long in all, how long the longest.
 *
 * <p>The figures are not from this program. For unified logs they are a grep and a sum:
 *
 * <pre>
 * zcat -f FILE | grep -E 'GC\([0-9]+\) ([yYoO]: )?Pause .*ms$' | grep -oE '[0-9.]+ms$' | tr -d ms
 *   | awk '{n++; s += $1; if ($1 > m) m = $1} END {print n, s, m}'
 * </pre>
 *
 * <p>less the lines {@code GC(n+1) Pause Full} directly before {@code GC(n) Pause Young}, which are
 * inside it (CMS, and Serial of JDK 11). For JDK 8 a script finds each {@code [GC} or {@code [Full
 * GC} that is not a concurrent phase, counts brackets up to its end, and adds up the seconds there.
 */
class GcLogSamplesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cms-jdk11.log.gz | 149 | 999.5560 | 20.7010 | CMS
          g1-jdk11.log.gz | 134 | 194.4280 | 5.2680 | G1
          g1-jdk17-all-decorations.log.gz | 99 | 265.8680 | 21.6100 | G1
          g1-jdk17-debug.log.gz | 12 | 80.1890 | 11.3240 | G1
          g1-jdk17-default-decorations.log.gz | 243 | 648.2330 | 30.6820 | G1
          g1-jdk17-gc-heap-cpu.log | 129 | 281.4770 | 9.9650 | G1
          g1-jdk17-gc-only.log | 676 | 1663.1570 | 37.6970 | G1
          g1-jdk17-no-decorations.log.gz | 472 | 1219.4260 | 114.5690 | G1
          g1-jdk17-no-gc-start.log | 127 | 283.1960 | 10.6140 | G1
          g1-jdk17-out-of-memory.log.gz | 97 | 145.9140 | 11.1600 | G1
          g1-jdk17-time-only.log.gz | 277 | 708.3230 | 16.0750 | G1
          g1-jdk17-uptimemillis.log.gz | 286 | 836.5060 | 65.7970 | G1
          g1-jdk17-utctime.log.gz | 218 | 674.6130 | 71.0940 | G1
          g1-jdk17.log.gz | 164 | 498.2220 | 30.7230 | G1
          g1-jdk21.log.gz | 99 | 272.7460 | 25.1000 | G1
          g1-jdk25-default-decorations.log.gz | 249 | 1066.7470 | 67.5740 | G1
          g1-jdk25-gc-only.log | 404 | 1440.9520 | 60.8410 | G1
          g1-jdk25.log.gz | 164 | 611.2750 | 14.8260 | G1
          g1-jdk8-verbose-gc.log | 94 | 371.5419 | 19.7958 | G1
          g1-jdk8.log.gz | 240 | 956.4945 | 28.2284 | G1
          native-image-25-gc-only.log | 52 | 8017.2830 | 587.2700 | none
          native-image-25-verbose-gc.log | 52 | 6896.9240 | 639.6110 | none
          parallel-jdk17-gc-only.log | 70 | 270.8410 | 11.4210 | Parallel
          parallel-jdk17.log.gz | 173 | 1444.0990 | 128.5210 | Parallel
          parallel-jdk8-print-heap-at-gc.log.gz | 85 | 514.5968 | 14.7431 | Parallel
          parallel-jdk8.log | 197 | 1747.0061 | 62.3216 | Parallel
          parnew-cms-jdk8-date-only.log | 72 | 468.3208 | 17.8329 | CMS
          parnew-cms-jdk8-gc-id.log | 75 | 472.1882 | 19.5481 | CMS
          parnew-cms-jdk8-stopped-time.log.gz | 160 | 1086.8916 | 26.0998 | CMS
          parnew-cms-jdk8-uptime-only.log | 75 | 460.5900 | 21.5729 | CMS
          parnew-cms-jdk8.log | 157 | 1071.1409 | 20.8264 | CMS
          parnew-jdk8-half-young.log | 35 | 837.9063 | 123.6752 | CMS
          parnew-jdk8-verbose-gc.log | 70 | 451.0340 | 22.7662 | CMS
          serial-jdk11.log.gz | 186 | 1267.7730 | 22.6780 | Serial
          serial-jdk17-gc-only.log | 121 | 479.6200 | 17.9570 | Serial
          serial-jdk17.log.gz | 275 | 1870.5580 | 51.9980 | Serial
          serial-jdk8.log | 179 | 1591.4049 | 41.5773 | Serial
          shenandoah-jdk17-gc-only.log | 136 | 3.5570 | 0.1110 | Shenandoah
          shenandoah-jdk17.log.gz | 81 | 4.4190 | 0.2100 | Shenandoah
          zgc-generational-jdk25.log.gz | 114 | 0.9410 | 0.0600 | ZGC
          zgc-jdk17-gc-only.log | 0 | 0.0000 | 0.0000 | ZGC
          zgc-jdk17.log.gz | 144 | 1.2570 | 0.0220 | ZGC
          """)
  void pausesAreThoseThatAnIndependentCountFinds(
      String file, int count, BigDecimal totalMillis, BigDecimal longestMillis, String collector)
      throws IOException {
    GcLog log = sample(file);

    assertEquals(count, log.pauses.size());
    assertEquals(
        millis(totalMillis),
        LogRow.of(log).stream().map(LogRow::duration).reduce(Duration.ZERO, Duration::plus));
    assertEquals(
        millis(longestMillis),
        LogRow.of(log).stream()
            .map(LogRow::duration)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO));
    assertEquals(collector, log.origin().collector().orElse("none"));
    assertEquals(1, log.extent().runs());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "g1-jdk17.log.gz", "g1-jdk21.log.gz", "g1-jdk25.log.gz", "parallel-jdk17.log.gz",
    "serial-jdk17.log.gz", "cms-jdk11.log.gz", "parnew-cms-jdk8.log", "parallel-jdk8.log"
  })
  void detailedLogsGiveHeapCpuAndStampOfEveryPauseAndNoPauseOverlapsTheNext(String file)
      throws IOException {
    GcLog log = sample(file);

    Duration end = Duration.ZERO;
    for (LogRow pause : LogRow.of(log)) {
      assertTrue(pause.heap().isPresent(), () -> "heap of line " + pause.line());
      assertTrue(pause.cpu().isPresent(), () -> "cpu of line " + pause.line());
      assertTrue(pause.start().wallClock().isPresent(), () -> "date of line " + pause.line());
      Duration start = pause.start().uptime().orElseThrow();
      // Stamps are whole milliseconds: start and end may each be off by one.
      assertFalse(start.plusMillis(2).compareTo(end) < 0, () -> "order at line " + pause.line());
      end = start.plus(pause.duration());
    }
    assertEquals(0, log.extent().linesNotUnderstood());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          g1-jdk17.log.gz | 17.0.15+6-Debian-1deb12u1 | 64M      | 256M      | 1M
          g1-jdk25.log.gz | 25.0.3+9-LTS              | 64M      | 256M      | 1M
          g1-jdk8.log.gz  | 1.8.0_504-8u504-ga-1-b01  | 67108864 | 268435456 | none
          """)
  void factsAreThoseOfTheFirstLines(
      String file, String version, String initial, String max, String region) throws IOException {
    LogOrigin origin = sample(file).origin();

    assertEquals(version, origin.jvmVersion().orElseThrow());
    assertEquals(initial, origin.facts().get("InitialHeapSize"));
    assertEquals(max, origin.facts().get("MaxHeapSize"));
    assertEquals(region, origin.facts().getOrDefault("G1HeapRegionSize", "none"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // zcat -f FILE | grep -cE 'Pause .*(Evacuation Failure|To-space).*ms$'
    "g1-jdk21.log.gz, 30",
    "g1-jdk25.log.gz, 72",
    // zcat -f FILE | grep -c 'to-space exhausted'
    "g1-jdk8.log.gz, 23",
  })
  void evacuationFailuresAreCounted(String file, long failures) throws IOException {
    assertEquals(
        failures,
        LogRow.of(sample(file)).stream().filter(p -> p.type().evacuationFailure()).count());
  }

  /** {@code grep -c 'Pause Full GC.*ms$'} counts 23 in either. */
  @ParameterizedTest
  @ValueSource(strings = {"native-image-25-gc-only.log", "native-image-25-verbose-gc.log"})
  void aNativeImageHasFullAndYoungPausesAndSaysWhatItsHeapNeeds(String file) throws IOException {
    GcLog log = sample(file);

    assertEquals(23, pauses(log, PauseKind.FULL));
    assertEquals(52 - 23, pauses(log, PauseKind.YOUNG));
    assertTrue(log.notes().toString().contains("--enable-monitoring=jfr"));
  }

  private static long pauses(GcLog log, PauseKind kind) {
    return LogRow.of(log).stream().filter(pause -> pause.type().kind() == kind).count();
  }

  private static GcLog sample(String file) throws IOException {
    try (InputStream in = Files.newInputStream(SampleFiles.file("gc-logs/" + file))) {
      return GcLogReader.read(in);
    }
  }

  private static Duration millis(BigDecimal millis) {
    return Duration.ofNanos(millis.movePointRight(6).longValueExact());
  }
}
