package io.gcdiag.measures.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuSample.ContextSwitches;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ContextSwitchesTest {

  private static final Instant START = Instant.parse("2026-11-21T01:14:00Z");

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  /** Readings at 10, 20, 30 and 40 s. */
  private static final Timeline READINGS =
      new TimelineBuilder()
          .sample(new ContextSwitches(START.plusSeconds(10), TEN_SECONDS, 2_000))
          .sample(new ContextSwitches(START.plusSeconds(20), TEN_SECONDS, 1_000))
          .sample(new ContextSwitches(START.plusSeconds(30), TEN_SECONDS, 3_000))
          .sample(new ContextSwitches(START.plusSeconds(40), TEN_SECONDS, 5_000))
          .build();

  private static OptionalDouble between(int from, int to) {
    return MachineLoad.switchesPerSecond(
        READINGS, new Window(START.plusSeconds(from), START.plusSeconds(to)));
  }

  @Test
  void aReadingTellsOfTheTimeBeforeIt() {
    // The reading at 20 s covers 10 to 20 s, six seconds of which are in the first window.
    assertEquals(OptionalDouble.of(1_000), between(14, 20));
    assertEquals(OptionalDouble.of(4_000), between(20, 40));
    // The reading at 30 s is of 20 to 30 s: too much of it lies outside.
    assertEquals(OptionalDouble.of(5_000), between(26, 40));
  }

  @Test
  void withoutAReadingThereIsNoRate() {
    assertEquals(OptionalDouble.empty(), between(50, 60));
  }
}
