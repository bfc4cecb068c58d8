package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CoverageTest {

  private static SignalState state(SignalState.Kind kind) {
    return new SignalState(kind, Optional.empty(), "");
  }

  @Test
  void whatNobodySpokeOfWasNotRecorded() {
    Coverage coverage = new Coverage(Map.of(), List.of());
    assertEquals(SignalState.NOT_RECORDED, coverage.of(Signal.GC_PAUSES));
    assertFalse(coverage.of(Signal.GC_PAUSES).recorded());
  }

  @Test
  void nothingSeenIsNotTheSameAsNotRecorded() {
    Coverage coverage =
        new Coverage(Map.of(Signal.SOCKET_READS, state(SignalState.Kind.NOTHING_SEEN)), List.of());
    assertTrue(coverage.of(Signal.SOCKET_READS).recorded());
  }

  @Test
  void theBetterOfSeveralStatementsHolds() {
    SignalState seen =
        new SignalState(SignalState.Kind.SEEN, Optional.of(Duration.ofMillis(10)), "");
    Timeline timeline =
        new TimelineBuilder()
            .signal(Signal.THREAD_PARKS, state(SignalState.Kind.NOTHING_SEEN))
            .signal(Signal.THREAD_PARKS, seen)
            .signal(Signal.THREAD_PARKS, SignalState.NOT_RECORDED)
            .build();
    assertEquals(seen, timeline.coverage().of(Signal.THREAD_PARKS));
  }

  @Test
  void aSourceWithoutAThresholdHasWhatOneWithAThresholdLeavesOut() {
    // A recording has safepoints from 10 ms on, the log beside it has all of them.
    SignalState cut =
        new SignalState(SignalState.Kind.SEEN, Optional.of(Duration.ofMillis(10)), "");
    SignalState all = state(SignalState.Kind.SEEN);
    for (List<SignalState> said : List.of(List.of(cut, all), List.of(all, cut))) {
      TimelineBuilder timeline = new TimelineBuilder();
      said.forEach(state -> timeline.signal(Signal.SAFEPOINTS, state));
      assertEquals(all, timeline.build().coverage().of(Signal.SAFEPOINTS));
    }
  }

  @Test
  void aNoteIsKeptOnce() {
    Timeline timeline = new TimelineBuilder().note("cut short").note("cut short").build();
    assertEquals(List.of("cut short"), timeline.coverage().notes());
  }

  @Test
  void canNotBeChanged() {
    Coverage coverage = new Coverage(Map.of(), List.of());
    assertThrows(
        UnsupportedOperationException.class,
        () -> coverage.signals().put(Signal.FLAGS, SignalState.NOT_RECORDED));
  }
}
