package io.gcdiag.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.diagnosis.Scene;
import io.gcdiag.evidence.requests.Latencies;
import io.gcdiag.evidence.requests.WorkRounds;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.evidence.waits.WaitKind;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A time without requests is no baseline. */
class LoadBeginTest {

  private static Latencies requests(int count) {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < count; i++) {
      counter.add(Duration.ofMillis(5));
    }
    return counter.latencies();
  }

  private static Latencies[] seconds(int count) {
    return Stream.generate(() -> requests(50)).limit(count).toArray(Latencies[]::new);
  }

  /** Two probes in the second second, then ten requests a second from the fifteenth on. */
  private static Sample[] rounds() {
    return IntStream.range(0, 60)
        .filter(second -> second == 2 || second >= 15)
        .mapToObj(second -> round(second, second == 2 ? 2 : 10))
        .toArray(Sample[]::new);
  }

  private static Sample round(int second, int count) {
    return new WorkRounds(
        Scene.at(second),
        Duration.ofSeconds(1),
        "http-nio-N-exec-N",
        requests(count),
        requests(count));
  }

  @Test
  void aLoadTestOfMostOfTheTimeSaysSinceWhen() {
    assertEquals(
        Scene.window(15, 60),
        LoadBegin.span(Scene.of(60).latenciesFrom(15, seconds(45)).timeline()));
  }

  @Test
  void oneOfASmallPartSaysNothingOfTheRest() {
    assertEquals(
        Scene.window(0, 60),
        LoadBegin.span(Scene.of(60).latenciesFrom(35, seconds(25)).timeline()));
  }

  @Test
  void theWorkersOfAJvmThatStartsSayItToo() {
    assertEquals(
        Scene.window(15, 60),
        LoadBegin.span(Scene.of(60).jvmStarted(-2).samples(rounds()).timeline()));
  }

  @Test
  void aServiceThatRunsHasAStateBeforeItsFirstRecordedRest() {
    assertEquals(
        Scene.window(0, 60),
        LoadBegin.span(Scene.of(60).jvmStarted(-3600).samples(rounds()).timeline()));
  }

  @Test
  void workersThatWaitBeforeDoNotRest() {
    assertEquals(
        Scene.window(0, 60),
        LoadBegin.span(
            Scene.of(60)
                .jvmStarted(-2)
                .waiting(WaitKind.LOCK, "there", 0, 14, 2)
                .samples(rounds())
                .timeline()));
  }

  @Test
  void callsThatComeWithTheFirstRequestsAreNoIncident() {
    // Without a load test calls begin in the fifteenth second of a recording that began with the
    // JVM.
    Scene scene =
        Scene.of(60)
            .waitingUnevenly(WaitKind.DOWNSTREAM, "there", 15, 60, 3)
            .jvmStarted(-2)
            .samples(rounds());
    Windows windows = WindowFinder.find(scene.timeline(), Optional.empty(), Optional.empty());
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertEquals(Scene.window(15, 60), windows.incident());
    assertTrue(
        windows.reason().endsWith("left out: the first 15 s, before requests came"),
        windows.reason());
  }
}
