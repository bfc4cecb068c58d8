package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.time.SignalState.Kind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SignalStateTest {

  private static final Optional<Duration> MILLISECOND = Optional.of(Duration.ofMillis(1));

  @Test
  void aThresholdAndAThrottleStandBesideTheFigure() {
    assertEquals(
        " over 1 ms (sampled at 100/s)",
        new SignalState(Kind.SEEN, MILLISECOND, "sampled at 100/s").limit());
    assertEquals(" over 1 ms", new SignalState(Kind.SEEN, MILLISECOND, "").limit());
    assertEquals(
        " (sampled at 100/s)",
        new SignalState(Kind.SEEN, Optional.empty(), "sampled at 100/s").limit());
  }

  @Test
  void whatIsNotCutHasNoLimit() {
    assertEquals("", new SignalState(Kind.SEEN, Optional.empty(), "").limit());
    assertEquals("", SignalState.NOT_RECORDED.limit());
  }
}
