package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.evidence.time.SecondReading.Totals;
import io.gcdiag.figures.CrossChecks.ReadingChecks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadingChecksTest {

  @Test
  void aReadingThatLosesAPauseDisagreesInCountAndSum() {
    Totals own = totals(10, 20, 30);
    Totals other = totals(20, 30);

    List<CrossCheck> checks =
        ReadingChecks.of(
            new TimelineBuilder()
                .secondReading(new SecondReading("gc.log", "other", "lines 1 to 9", own, other))
                .build());

    assertEquals(
        List.of(
            "pauses in the log (lines 1 to 9)",
            "time stopped in GC pauses (lines 1 to 9), in seconds",
            "longest GC pause (lines 1 to 9), in seconds"),
        checks.stream().map(CrossCheck::fact).toList());
    assertEquals(List.of(false, false, true), checks.stream().map(CrossCheck::agrees).toList());
    assertEquals("3 and 2 pauses", checks.get(0).text());
    assertEquals(0.06, checks.get(1).a().value(), 1e-9);
    assertEquals(0.05, checks.get(1).b().value(), 1e-9);
  }

  @Test
  void roundedTimesAreNoDisagreement() {
    List<CrossCheck> checks =
        ReadingChecks.of(
            new TimelineBuilder()
                .secondReading(
                    new SecondReading(
                        "gc.log",
                        "other",
                        "",
                        Totals.of(List.of(Duration.ofNanos(4_758_000))),
                        Totals.of(List.of(Duration.ofNanos(4_758_001)))))
                .build());

    assertEquals(List.of(true, true, true), checks.stream().map(CrossCheck::agrees).toList());
    assertEquals("pauses in the log", checks.get(0).fact());
  }

  private static Totals totals(int... millis) {
    return Totals.of(Arrays.stream(millis).mapToObj(Duration::ofMillis).toList());
  }
}
