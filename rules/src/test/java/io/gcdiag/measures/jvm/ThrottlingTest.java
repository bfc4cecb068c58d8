package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThrottlingTest {

  /**
   * Counters at 60 and 90 s, 300 periods of 100 ms. Where all of these are the window's, nine of
   * ten must be used up. Of a window of 5 s, which has 50 of them, at most 5 may be left without a
   * stop, and all of those 15 or 4 that were may have been in it.
   */
  @ParameterizedTest
  @CsvSource({
    "60, 90, 285, true",
    "60, 90, 269, false",
    "70, 75, 285, false",
    "70, 75, 296, true",
    "60, 90, 0, false"
  })
  void aQuotaIsUsedUpInAWindowWhereHardlyAPeriodOfItCanHaveHadNoStop(
      int from, int to, long throttled, boolean full) {
    Source source = new Source("recording.jfr", "jdk.ContainerCPUThrottling");
    assertEquals(
        full,
        Throttling.isFull(
            incident()
                .sample(new ThrottleCount(at(60), 1000, 100, Duration.ofSeconds(1), source))
                .sample(
                    new ThrottleCount(
                        at(90), 1300, 100 + throttled, Duration.ofSeconds(20), source))
                .build()
                .timeline(),
            new Window(at(from), at(to))));
  }
}
