package io.gcdiag.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An incident that shows neither in waits for others nor in latencies. */
class OtherSignalsOfWindowsTest {

  /** 100 requests of 10 ms in each of 120 seconds, of which so many fail from 80 s on. */
  private static Windows failing(int failed) {
    return failing(0, failed);
  }

  private static Windows failing(int failedBefore, int failed) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int second = 0; second < 120; second++) {
      Latencies.Counter latencies = new Latencies.Counter();
      for (int i = 0; i < 100; i++) {
        latencies.add(Duration.ofMillis(10));
      }
      intervals.add(
          new RequestInterval(
              Scene.at(second),
              Duration.ofSeconds(1),
              100,
              second < 80 ? failedBefore : failed,
              latencies.latencies()));
    }
    TimelineBuilder timeline = new TimelineBuilder();
    timeline.requestSeries(
        new RequestSeries("k6", Duration.ofSeconds(1), intervals, new Source("k6.csv", "")));
    return WindowFinder.find(timeline.build(), Optional.empty(), Optional.empty());
  }

  @Test
  void requestsThatFailAtOnceMakeAWindow() {
    Windows windows = failing(30);
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertEquals(Scene.window(80, 120), windows.incident());
    // 30 of 100 each second, and none before.
    assertTrue(
        windows.reason().startsWith("the share of failed requests rose from none to 30"),
        windows::reason);
  }

  @Test
  void aTimeInWhichMostRequestsFailIsNoBaseline() {
    assertEquals(ChosenBy.CHANGE_POINT, failing(40, 90).chosenBy());
    assertEquals(ChosenBy.WHOLE_RECORDING, failing(60, 90).chosenBy());
  }

  @Test
  void oneInAHundredThatFailsIsTolerable() {
    assertEquals(ChosenBy.WHOLE_RECORDING, failing(1).chosenBy());
  }

  @Test
  void carriersThatArePinnedMakeAWindow() {
    Windows windows =
        WindowFinder.find(
            Scene.of(120).waitingUnevenly(WaitKind.PINNED, "", 70, 120, 3).timeline(),
            Optional.empty(),
            Optional.empty());
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    Window found = windows.incident();
    assertTrue(
        Duration.between(Scene.at(70), found.from()).abs().compareTo(Duration.ofSeconds(2)) <= 0,
        found::toString);
  }
}
