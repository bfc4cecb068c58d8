package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredValuesTest {

  private static Window window(String length) {
    return new Window(Instant.EPOCH, Instant.EPOCH.plus(Duration.parse(length)));
  }

  /** At most 2,000 blocks in the longer window, of the same length in both. */
  @ParameterizedTest
  @CsvSource({
    "PT45S, PT2M, PT2S",
    "PT2M, PT1H6M, PT2S",
    "PT1H8M, PT2M, PT4S",
    // 31,536,000 s in parts of 4,000 s: 7,884, and 1.
    "PT45S, P365D, PT15770S",
  })
  void theLongerWindowSaysHowLongABlockIs(String first, String second, Duration block) {
    assertEquals(block, MeasuredValues.block(window(first), window(second)));
  }
}
