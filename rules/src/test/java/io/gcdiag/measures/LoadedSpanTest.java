package io.gcdiag.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A time without requests is no baseline. */
class LoadedSpanTest {

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
        LoadedSpan.of(Scene.of(60).latenciesFrom(15, seconds(45)).timeline()));
  }

  @Test
  void oneOfASmallPartSaysItToo() {
    assertEquals(
        Scene.window(35, 60),
        LoadedSpan.of(Scene.of(60).latenciesFrom(35, seconds(25)).timeline()));
  }

  @Test
  void oneThatIsMostlyOfAnotherTimeSaysNothing() {
    // 21 of its 60 seconds are recorded: two files of different runs.
    assertEquals(
        Scene.window(0, 70), LoadedSpan.of(Scene.of(70).latenciesFrom(49, seconds(60)).timeline()));
  }

  @Test
  void whatComesAfterTheLastAnswerIsLeftOut() {
    // Each request takes 5 ms: those of the last second are answered half a second after its
    // middle.
    Window span = LoadedSpan.of(Scene.of(180).latenciesFrom(0, seconds(45)).timeline());
    assertEquals(Scene.window(0, 45), span);
  }

  @Test
  void butNotWhileThreadsWaitForWhatTheLoadTestHasGivenUp() {
    Scene scene =
        Scene.of(180).latenciesFrom(0, seconds(45)).waiting(WaitKind.POOL, "HikariCP", 40, 180, 3);
    assertEquals(Scene.window(0, 180), LoadedSpan.of(scene.timeline()));
    Scene dumped = Scene.of(180).latenciesFrom(0, seconds(45)).dump(100, 4);
    assertEquals(Scene.window(0, 180), LoadedSpan.of(dumped.timeline()));
  }

  @Test
  void aStopAfterTheLastRequestIsNoIncident() {
    // Pauses of a second, one every two, begin a minute after the load test.
    Scene scene = Scene.of(180).pauses(0, 100, 5, 10).pauses(100, 180, 2, 1_000);
    Windows alone = WindowFinder.find(scene.timeline(), Optional.empty(), Optional.empty());
    assertEquals(ChosenBy.CHANGE_POINT, alone.chosenBy());
    Windows windows =
        WindowFinder.find(
            Scene.of(180)
                .pauses(0, 100, 5, 10)
                .pauses(100, 180, 2, 1_000)
                .latenciesFrom(0, seconds(40))
                .timeline(),
            Optional.empty(),
            Optional.empty());
    assertEquals(Scene.window(0, 40), windows.incident());
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertTrue(
        windows.reason().endsWith("left out: the last 2 min 20 s, after the last request"),
        windows.reason());
  }

  private static Scene stopped() {
    return Scene.of(240).pauses(0, 240, 5, 10).stop(160, 58, "G1CollectForAllocation");
  }

  @Test
  void aStopThatTookLongerThanTheSlowestRequestIsNoIncident() {
    // The summary has no times; its slowest request took 407 ms.
    Windows felt = WindowFinder.find(stopped().timeline(), Optional.empty(), Optional.empty());
    assertEquals(Scene.at(160), felt.incident().from());
    Windows windows =
        WindowFinder.find(
            stopped().load(100, 20, 15, 407).timeline(), Optional.empty(), Optional.empty());
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertTrue(
        windows
            .reason()
            .endsWith(
                "no request met a stop of 58 s, as the slowest of the load test took clearly less"),
        windows.reason());
  }

  @Test
  void requestsThatFailedMayHaveBeenGivenUpInIt() {
    Scene scene = stopped().requests(12_000, 3, 407);
    assertEquals(
        Scene.at(160),
        WindowFinder.find(scene.timeline(), Optional.empty(), Optional.empty()).incident().from());
  }

  @Test
  void theWorkersOfAJvmThatStartsSayItToo() {
    assertEquals(
        Scene.window(15, 60),
        LoadedSpan.of(Scene.of(60).jvmStarted(-2).samples(rounds()).timeline()));
  }

  /**
   * Half a thread is in calls for 70 s, as long as the workers take up work, and none in the 20 s
   * after them. That is the load's end, and the change is that of the CPU after 40 s.
   */
  @Test
  void theEndOfAllWorkIsNoChangeOfTheService() {
    Scene scene =
        Scene.of(90)
            .everythingRecorded()
            .waitingUnevenly(WaitKind.DOWNSTREAM, "db:5432", 0, 70, 0.5)
            .cpu(0, 40, 0.04, 0.05)
            .cpu(40, 90, 0.97, 0.99);
    for (int second = 0; second < 90; second++) {
      scene.samples(
          new WorkerTime(
              Scene.at(second),
              Duration.ofSeconds(1),
              "http-nio-N-exec-N",
              true,
              8,
              0,
              Map.of(WaitKind.IDLE, 7.5)));
      if (second < 70) {
        scene.samples(round(second, 10));
      }
    }
    Windows found = WindowFinder.find(scene.timeline(), Optional.empty(), Optional.empty());
    assertEquals(Scene.window(40, 70), found.incident(), found::reason);
    assertEquals(Scene.at(0), found.baseline().orElseThrow().from());
    assertTrue(
        found.reason().contains("left out: the last 20 s, after the last request"), found::reason);
  }

  /** Ten requests in each of three seconds of 45: the others came to the workers another way. */
  @Test
  void workThatIsTakenUpNowAndThenIsNoFirstRequest() {
    Sample[] few = {round(15, 10), round(30, 10), round(44, 10)};
    assertEquals(
        Scene.window(0, 60), LoadedSpan.of(Scene.of(60).jvmStarted(-2).samples(few).timeline()));
  }

  @Test
  void aServiceThatRunsHasAStateBeforeItsFirstRecordedRest() {
    assertEquals(
        Scene.window(0, 60),
        LoadedSpan.of(Scene.of(60).jvmStarted(-3600).samples(rounds()).timeline()));
  }

  @Test
  void workersThatWaitBeforeDoNotRest() {
    assertEquals(
        Scene.window(0, 60),
        LoadedSpan.of(
            Scene.of(60)
                .jvmStarted(-2)
                .waiting(WaitKind.LOCK, "there", 0, 14, 2)
                .samples(rounds())
                .timeline()));
  }

  @Test
  void beforeTheFirstReadingOfTheCpuNoEventsWereKept() {
    // A recording has a reading of each second.
    assertEquals(
        Scene.window(30, 60), LoadedSpan.of(Scene.of(60).cpu(31, 60, 0.1, 0.2).timeline()));
    assertEquals(Scene.window(0, 60), LoadedSpan.of(Scene.of(60).cpu(1, 60, 0.1, 0.2).timeline()));
    // Waits that end in what it kept reach back into what it did not.
    assertEquals(
        Scene.window(30, 60),
        LoadedSpan.of(
            Scene.of(60)
                .cpu(31, 60, 0.1, 0.2)
                .waiting(WaitKind.LOCK, "there", 25, 60, 2)
                .timeline()));
    // Where threads waited before, it kept some.
    assertEquals(
        Scene.window(0, 60),
        LoadedSpan.of(
            Scene.of(60)
                .cpu(31, 60, 0.1, 0.2)
                .waiting(WaitKind.LOCK, "there", 0, 30, 2)
                .timeline()));
  }

  @Test
  void whatBeginsWithTheEventsThatWereKeptIsNoIncident() {
    Windows windows =
        WindowFinder.find(
            Scene.of(60)
                .cpu(31, 60, 0.1, 0.2)
                .waitingUnevenly(WaitKind.DOWNSTREAM, "there", 30, 60, 3)
                .timeline(),
            Optional.empty(),
            Optional.empty());
    assertEquals(Scene.window(30, 60), windows.incident());
    assertEquals(Optional.empty(), windows.baseline());
    assertTrue(
        windows.reason().endsWith("the first 30 s, of which the recording has no events"),
        windows.reason());
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
