package io.gcdiag.verdict;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.RestingThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class UserImpactTest {

  private static UserImpact of(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    return UserImpact.of(incident, times, 1);
  }

  private static UserImpact of(Scene scene) {
    return of(scene.incident());
  }

  @Test
  void manyShortPausesOfHeavyAllocationAreNone() {
    // 10 pauses of 4 ms a second: 4 % of the time stopped, below a twentieth.
    assertFalse(of(Scene.of(60).pauses(0, 60, 0.1, 4)).present());
  }

  @Test
  void aTwentiethOfTheTimeStoppedIs() {
    // One pause of 60 ms a second: 6 %.
    UserImpact incident = of(Scene.of(60).pauses(0, 60, 1, 60));
    assertTrue(incident.present());
    assertTrue(incident.measure().contains("safepoints took 6"), incident::measure);
  }

  @Test
  void shortStopsThatHoldNobodyUpAreNone() {
    // Ten pauses of 6 ms a second: 6 %. A request takes 2 ms longer than the shortest.
    assertFalse(of(Scene.of(60).pauses(0, 60, 0.1, 6).load(100, 4, 3, 20, 2)).present());
    assertTrue(of(Scene.of(60).pauses(0, 60, 0.1, 6).load(100, 4, 3, 260, 2)).present());
  }

  @Test
  void stopsOfAMillisecondDelayNoRequestHoweverManyTheyAre() {
    // 100 of 0.8 ms a second: 8 % of the time, and a request that meets one waits for 0.4 ms.
    assertFalse(of(Scene.of(60).pauses(0, 60, 0.01, 0.8)).present());
    // 300 of them: what takes 10 ms otherwise takes 13 ms.
    assertTrue(of(Scene.of(60).pauses(0, 60, 1 / 320.0, 0.8)).present());
    // 10 of 8 ms: a request that meets one waits for 4 ms.
    assertTrue(of(Scene.of(60).pauses(0, 60, 0.1, 8)).present());
  }

  @Test
  void oneStopOfASecondIsNoState() {
    // 35 ms of each second are 3.5 %; with a stop of 1 s it is 5.2 %, with two 6.8 %.
    assertFalse(of(Scene.of(60).pauses(0, 60, 1, 35).stop(20, 1, "Deoptimize")).present());
    assertTrue(
        of(Scene.of(60).pauses(0, 60, 1, 35).stop(20, 1, "Deoptimize").stop(40, 1, "Deoptimize"))
            .present());
    assertTrue(of(Scene.of(60).pauses(0, 60, 1, 35).stop(20, 2.5, "Deoptimize")).present());
  }

  @Test
  void longStopsThatOneRequestInAHundredMeetsAre() {
    // Four of 400 ms in 60 s are 2.7 % of the time; requests of the first 200 ms of each, 1.3 % of
    // all, wait for 200 ms or longer. Of stops of 300 ms it is 0.7 %.
    assertTrue(of(Scene.of(60).pauses(0, 60, 15, 400)).present());
    assertFalse(of(Scene.of(60).pauses(0, 60, 15, 300)).present());
    // Two of 700 ms: as much in all, but no state that the service is in.
    assertFalse(of(Scene.of(60).pauses(0, 60, 30, 700)).present());
    // Where half of the requests take 50 ms anyway, only a wait of half a second is long.
    assertFalse(of(Scene.of(60).pauses(0, 60, 15, 400).load(100, 52, 50, 400)).present());
    assertTrue(of(Scene.of(60).pauses(0, 60, 15, 400).load(100, 12, 10, 400)).present());
  }

  @Test
  void pausesThatAreShortForEachOfManyRoundsAreNone() {
    // 40 ms a second, in which 12 of 300 rounds a second begin: 0.04 x (12 / 2 + 1) = 0.28 threads,
    // and 1,800 waits of 10 ms in a minute are 0.3: 1.9 ms a round. 3,600 waits alone are 0.6.
    IncidentBuilder both = waitingFor(300, 1800).pauses(60, 60, 120, young(0, 40));
    assertFalse(of(both.build()).present());
    assertTrue(of(waitingFor(300, 3600).build()).present());
  }

  private static IncidentBuilder waitingFor(int rounds, int waits) {
    Duration second = Duration.ofSeconds(1);
    Latencies.Counter lengths = new Latencies.Counter();
    for (int i = 0; i < rounds; i++) {
      lengths.add(Duration.ofMillis(3));
    }
    Latencies all = lengths.latencies();
    Map<WaitKind, Double> idle = Map.of(WaitKind.IDLE, 5.0);
    IncidentBuilder builder = incident().waits(waits, 60, 120, WaitKind.POOL, "P", 10);
    for (int i = 0; i < 120; i++) {
      builder
          .sample(new WorkRounds(at(i), second, "http-N", all, all))
          .sample(new WorkerTime(at(i), second, "http-N", true, 8, 0, idle));
    }
    return builder;
  }

  /** 20 rounds a second of workers that wait for files, so many milliseconds each. */
  private static IncidentBuilder roundsOf(double before, double during, double inFiles) {
    Duration second = Duration.ofSeconds(1);
    IncidentBuilder builder = incident().waits(1200, 60, 120, WaitKind.FILE, "log", inFiles);
    for (int i = 0; i < 120; i++) {
      double millis = i < 60 ? before : during;
      Latencies.Counter lengths = new Latencies.Counter();
      for (int k = 0; k < 20; k++) {
        lengths.add(IncidentBuilder.millis(millis));
      }
      builder
          .sample(new WorkRounds(at(i), second, "http-N", lengths.latencies(), lengths.latencies()))
          .sample(
              new WorkerTime(
                  at(i),
                  second,
                  "http-N",
                  true,
                  8,
                  0,
                  Map.of(WaitKind.IDLE, 5.0, WaitKind.OTHER, 20 * millis / 1e3)));
    }
    return builder;
  }

  @Test
  void roundsThatTakeThreeTimesAsLongByWaitsOfTheirOwnAre() {
    // 20/s x 8 ms = 0.16 threads in files, far below half a thread: all that rounds of 1 ms take
    // longer now, 8 of 8 ms.
    assertTrue(of(roundsOf(1, 9, 8).build()).present());
    // 8 of 30 ms: what the others are is not known.
    assertFalse(of(roundsOf(1, 31, 8).build()).present());
    // Rounds of 5 ms take 13: less than three times as long.
    assertFalse(of(roundsOf(5, 13, 8).build()).present());
  }

  @Test
  void aFullProcessorAloneIsNone() {
    assertFalse(of(Scene.of(60).cpu(0, 60, 0.97, 0.98)).present());
  }

  @Test
  void halfAThreadKeptWaitingIsWhereTheRateIsUnknown() {
    // 1 thread for 24 of 60 s is 0.4 on average, for 36 of 60 s it is 0.6.
    assertFalse(of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 24, 1)).present());
    assertTrue(of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 36, 1)).present());
  }

  @Test
  void withTheRateKnownWhatEachRequestLosesCounts() {
    // 2 threads waiting at 1,000/s is 2 ms a request, which users do not notice; at 100/s it is 20
    // ms, of
    // requests that usually take 10.
    assertFalse(
        of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).load(1_000, 12, 10, 40))
            .present());
    assertTrue(
        of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).load(100, 30, 10, 90))
            .present());
  }

  @Test
  void aQuickServiceThatIsManyTimesSlowerThanInTheBaselineIsInIncident() {
    // 1 thread waiting at 500/s is 2 ms a request, of requests that usually take 0.3.
    Scene quick =
        Scene.of(60).waiting(WaitKind.LOCK, "Cache", 30, 60, 1).load(500, 1.3, 0.3, 50, 0.2);
    assertTrue(of(quick.incidentFrom(30)).present());
    // Without a baseline it is not known what is usual.
    assertFalse(of(quick.incident()).present());
    // Of requests that take 1.5 ms it is less than twice as long again.
    assertFalse(
        of(Scene.of(60)
                .waiting(WaitKind.LOCK, "Cache", 30, 60, 1)
                .load(500, 2.5, 1.5, 50, 0.2)
                .incidentFrom(30))
            .present());
  }

  @Test
  void whetherAQuickServiceFeelsStopsIsNotKnownWithoutItsLatencies() {
    // A stop of 80 ms every 2 s from second 30 on, 4 % of the time: a request meets one with that
    // probability and waits for 40 ms, which makes 1.6 ms of each. Of 60 ms it is 0.9 ms.
    assertFalse(of(stops(80).incidentFrom(30)).visible());
    assertTrue(of(stops(60).incidentFrom(30)).visible());
    assertTrue(of(stops(80).load(100, 22, 20, 90).incidentFrom(30)).visible());
  }

  private static Scene stops(double millis) {
    return Scene.of(60).everythingRecorded().pauses(30, 60, 2, millis);
  }

  @Test
  void aMachineThatBecomesFullMayDelayRequestsOfUnknownLatency() {
    assertFalse(of(becoming(1)).visible());
    assertTrue(of(becoming(0.5)).visible());
    assertEquals(
        ": the CPUs became full, and no event shows a thread that waits for one",
        UserImpact.blindSpot(becoming(1), becoming(1).effects()));
    // 20 rounds a second of 50 ms each; then of 52 or of 70 ms.
    assertTrue(of(full(roundsOf(50, 52, 10))).visible());
    assertFalse(of(full(roundsOf(50, 70, 10))).visible());
  }

  private static MeasuredIncident full(IncidentBuilder builder) {
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, 0.1, second < 60 ? 0.3 : 1);
    }
    return builder.recorded(Signal.THREAD_PARKS, 20).everythingRecorded().build();
  }

  private static MeasuredIncident becoming(double busy) {
    return Scene.of(60)
        .everythingRecorded()
        .cpu(0, 30, 0.1, 0.3)
        .cpu(30, 60, 0.1, busy)
        .incidentFrom(30);
  }

  /** Latencies show it as well; without them each sensor is needed. */
  @Test
  void whatWasNotRecordedIsNotSeenToBeNoDelay() {
    assertTrue(of(Scene.of(60).everythingRecorded()).visible());
    assertFalse(of(Scene.of(60)).visible());
    assertTrue(of(Scene.of(60).load(100, 12, 10, 40)).visible());
  }

  @Test
  void aDelayThatIsSmallAgainstTheWorkItselfIsNone() {
    // 2 threads at 100/s: 20 ms a request, of requests that take a second.
    assertFalse(
        of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).load(100, 1_020, 1_000, 1_300))
            .present());
  }

  @Test
  void delaysThatNothingRecordedAccountsForAreIncident() {
    // A mean of 20 ms, half of the requests within 10 ms: 10 ms are lost per request.
    assertTrue(of(Scene.of(60).load(100, 20, 10, 500)).present());
  }

  @Test
  void requestsOfSeveralKindsThatAreAllQuickAreNone() {
    // A mean of 20 ms, half of the requests within 10 ms, 99 in 100 within 90 ms: no request waits.
    Scene scene = Scene.of(60).load(100, 20, 10, 90);
    assertFalse(of(scene).present());
    // Unless something accounts for the 10 ms.
    assertTrue(UserImpact.of(scene.incident(), scene.incident().effects(), 0).present());
  }

  /**
   * A mean of 9.2 ms, half of the requests within 5 ms, 99 in 100 within 150 ms. Six pauses of 200
   * ms delay 2 in 100: they make that tail, and cost 1.2 s x (0.5 + 20 / 2) / 6,000 = 2.1 ms a
   * request. Pauses of 100 ms do not make it, and nothing accounts for the 4.2 ms.
   */
  @Test
  void aTailThatPausesMakeDoesNotShowThatTheOthersWait() {
    assertFalse(of(Scene.of(60).load(100, 9.2, 5, 150).pauses(0, 60, 10, 200)).present());
    assertTrue(of(Scene.of(60).load(100, 9.2, 5, 150).pauses(0, 60, 10, 100)).present());
  }

  @Test
  void aMachineThatOthersFillAllTheTimeIsAsBusyAsEver() {
    // A mean of 6.3 ms, half of the requests within 1.8 ms, 99 in 100 within 70 ms.
    Scene busy = Scene.of(60).load(75, 6.3, 1.8, 70);
    assertTrue(UserImpact.of(busy.incident(), busy.incident().effects(), 0).present());
    Scene full = Scene.of(60).load(75, 6.3, 1.8, 70).cpu(0, 60, 0.07, 1);
    assertFalse(UserImpact.of(full.incident(), full.incident().effects(), 0).present());
    // Of its own work.
    Scene own = Scene.of(60).load(75, 6.3, 1.8, 70).cpu(0, 60, 0.97, 1);
    assertTrue(UserImpact.of(own.incident(), own.incident().effects(), 0).present());
    // What users notice is no matter of course.
    Scene slow = Scene.of(60).load(75, 6.3, 1.8, 270).cpu(0, 60, 0.07, 1);
    assertTrue(UserImpact.of(slow.incident(), slow.incident().effects(), 0).present());
  }

  @Test
  void aQueueThatGrewIsNoHealthWhereRequestsAreNotCounted() {
    assertTrue(of(queue(0, 0.05)).visible());
    // From 0.3 to 0.4 threads, and from none to 0.3.
    assertTrue(of(queue(0.3, 0.4)).visible());
    assertFalse(of(queue(0, 0.3)).visible());
  }

  private static MeasuredIncident queue(double before, double during) {
    return Scene.of(60)
        .everythingRecorded()
        .waitingUnevenly(WaitKind.LOCK, "shop.Stock", 0, 30, before)
        .waitingUnevenly(WaitKind.LOCK, "shop.Stock", 30, 60, during)
        .incidentFrom(30);
  }

  @Test
  void aLongTailThatHardlyMovesTheMeanIsIncident() {
    // The slowest hundredth takes 500 ms and more, the median 10 ms: 4.9 ms a request are lost,
    // though the mean, to which quicker requests belong, is 2 ms above the median.
    assertTrue(of(Scene.of(60).load(100, 12, 10, 500)).present());
    // 10 times is an ordinary spread; 150 ms is short whatever the ratio.
    assertFalse(of(Scene.of(60).load(100, 30, 50, 500)).unseen());
    assertFalse(of(Scene.of(60).load(100, 5, 2, 150)).unseen());
  }

  private static Conclusion conclusion(Scene scene) {
    return Diagnoser.diagnose(scene.timeline(), Optional.empty(), Optional.empty()).conclusion();
  }

  @Test
  void healthyIsWhatCouldBeLookedAtAndShowsNoIncident() {
    assertEquals(Conclusion.HEALTHY, conclusion(recorded().cpu(0, 60, 0.6, 0.7)));
    // No event shows a thread that waits for one of the cores.
    assertEquals(Conclusion.UNDECIDED, conclusion(recorded().cpu(0, 60, 0.97, 0.98)));
  }

  /** Requests of so many milliseconds each, fifty a second. */
  private static Latencies[] seconds(int count, int millis) {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < 50; i++) {
      counter.add(Duration.ofMillis(millis));
    }
    return Stream.generate(counter::latencies).limit(count).toArray(Latencies[]::new);
  }

  @Test
  void requestsThatWereFasterBeforeTheRecordingAreNoHealth() {
    Latencies[] slower =
        Stream.concat(Stream.of(seconds(30, 20)), Stream.of(seconds(60, 80)))
            .toArray(Latencies[]::new);
    assertEquals(Conclusion.UNDECIDED, conclusion(recorded().latenciesFrom(-30, slower)));
    assertEquals(Conclusion.HEALTHY, conclusion(recorded().latenciesFrom(-30, seconds(90, 80))));
    // Half an hour before the load may have been another.
    Latencies[] gap =
        Stream.of(seconds(30, 20), seconds(1_800, 80), seconds(60, 80))
            .flatMap(Stream::of)
            .toArray(Latencies[]::new);
    assertEquals(Conclusion.HEALTHY, conclusion(recorded().latenciesFrom(-1_830, gap)));
  }

  private static Scene recorded() {
    return Scene.of(60)
        .everythingRecorded()
        .samples(CallSamples.at(1, 20, 0.1))
        .samples(RestingThreads.of(Scene.START, 60))
        .pauses(0, 60, 0.1, 4);
  }

  @Test
  void aTailThatIsManyTimesTheMedianIsNoHealthWithoutABaseline() {
    assertEquals(Conclusion.UNDECIDED, conclusion(recorded().load(40, 20, 15, 210)));
    // Too short to be felt.
    assertEquals(Conclusion.HEALTHY, conclusion(recorded().load(40, 20, 15, 190)));
  }

  /** One of five requests is a long poll of 9 s, then one of four: a mean of 1.8 s, and 2.25 s. */
  @Test
  void moreLongPollsAreNoSlowdownHoweverMuchTheyAddToTheMean() {
    Windows windows =
        new Windows(
            Scene.window(60, 120),
            Optional.of(Scene.window(0, 57)),
            Windows.ChosenBy.USER,
            true,
            "");
    assertFalse(of(new MeasuredIncident(polls(4, 9_000).timeline(), windows)).present());
    assertTrue(of(new MeasuredIncident(polls(4, 12_000).timeline(), windows)).present());
  }

  private static Scene polls(int oneOf, int millis) {
    Latencies[] seconds = new Latencies[120];
    for (int i = 0; i < seconds.length; i++) {
      Latencies.Counter counter = new Latencies.Counter();
      for (int request = 0; request < 20; request++) {
        boolean poll = request % (i < 60 ? 5 : oneOf) == 0;
        counter.add(Duration.ofMillis(poll ? i < 60 ? 9_000 : millis : 3));
      }
      seconds[i] = counter.latencies();
    }
    return Scene.of(120).everythingRecorded().latencies(seconds);
  }

  @Test
  void aQueueOfRequestsForTasksIsNoHealth() {
    Scene waiting =
        Scene.of(60)
            .everythingRecorded()
            .waiting(WaitKind.OTHER, "java.util.concurrent.CompletableFuture$Signaller", 0, 60, 3);
    assertEquals(Conclusion.UNDECIDED, conclusion(waiting));
  }

  @Test
  void withALongTailUnseenTheAnswerIsUndecided() {
    assertEquals(
        Conclusion.UNDECIDED,
        conclusion(Scene.of(60).recorded(Signal.REQUEST_STATS).load(100, 20, 10, 500)));
  }

  @Test
  void whatWaitsForAThreadDumpIsNoIncident() {
    // 100 requests a second. A stop of 2 s holds up 200 for a second on average, and the one in
    // service: 202 of the 204 thread-seconds that a mean 17 ms beyond the median makes of 12,000.
    Scene dumped = Scene.of(60).stop(30, 2, "PrintThreads").load(100, 27, 10, 1_500);
    assertEquals(202, dumped.incident().effects().observerSeconds(), 1);
    assertFalse(of(dumped).present());
    assertFalse(of(dumped).unseen());
    assertTrue(of(dumped).measure().contains("thread dumps"), of(dumped).measure());
    // The same of a heap dump is what users lost.
    assertTrue(of(Scene.of(60).stop(30, 2, "HeapDumper").load(100, 27, 10, 1_500)).present());
    // A tail far longer than the stop is not the stop's.
    assertTrue(of(Scene.of(60).stop(30, 1, "PrintThreads").load(100, 100, 10, 9_000)).present());
  }

  @Test
  void whoMeasuredTheRequestsHasSeenTheirWaits() {
    assertEquals(Conclusion.UNDECIDED, conclusion(Scene.ofLog(60)));
    Scene quick = Scene.ofLog(60).recorded(Signal.REQUEST_STATS).load(100, 2, 1, 9);
    assertEquals(Conclusion.HEALTHY, conclusion(quick));
    assertTrue(of(quick).measure().contains("99 in 100 at most 9 ms"), of(quick).measure());
    assertEquals(
        Conclusion.UNDECIDED,
        conclusion(Scene.ofLog(60).recorded(Signal.REQUEST_STATS).load(100, 20, 1, 900)));
  }

  /**
   * 20 requests of 10 ms a second; in the second minute one of them takes 5 s. The mean grows by
   * (5,000 - 10) / 20 = 250 ms, which no request takes, and nothing was recorded meanwhile.
   */
  @Test
  void fewVeryLongRequestsAreNamed() {
    Latencies[] seconds = new Latencies[120];
    for (int second = 0; second < seconds.length; second++) {
      Latencies.Counter counter = new Latencies.Counter();
      for (int request = 0; request < 20; request++) {
        boolean isLong = request == 0 && second >= 60;
        counter.add(Duration.ofMillis(isLong ? 5_000 : 10));
      }
      seconds[second] = counter.latencies();
    }
    String measure =
        of(Scene.of(120).recorded(Signal.THREAD_PARKS).latencies(seconds).incidentFrom(60))
            .measure();
    // Ranges of a percent.
    assertTrue(
        measure.matches(
            "5.0 % of the requests took 5 s on average, the others (9.9.|10) ms \\(baseline:"
                + " (9.9.|10) ms\\); requests took 250 ms longer on average than in the baseline,"
                + " and no recorded wait or pause explains it;.*"),
        measure);
  }

  /**
   * Ten a second of 10 ms, and of 20 s in the last 20 s: each takes 20 s longer, and is in the
   * window for 19.5, 18.5 ... 0.5 s, by when it was sent: 10 s on average.
   */
  @Test
  void ofADelayThatEndsAfterTheWindowThePartInItIsNamed() {
    Latencies[] seconds = new Latencies[60];
    for (int second = 0; second < seconds.length; second++) {
      Latencies.Counter counter = new Latencies.Counter();
      for (int request = 0; request < 10; request++) {
        counter.add(Duration.ofMillis(second < 40 ? 10 : 20_000));
      }
      seconds[second] = counter.latencies();
    }
    String measure =
        of(Scene.of(60).recorded(Signal.THREAD_PARKS).sent(seconds).incidentFrom(40)).measure();
    assertTrue(
        measure.matches(
            ".*requests took (19.9|20)[.\\d]* s longer on average than in the baseline,"
                + " (9.9|10)[.\\d]* s of it in the incident window,"
                + " and no recorded wait or pause explains it.*"),
        measure);
  }
}
