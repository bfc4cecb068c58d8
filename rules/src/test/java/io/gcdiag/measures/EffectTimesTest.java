package io.gcdiag.measures;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.OwnCodeSketch;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class EffectTimesTest {

  private static final double TINY = 1e-9;

  private static EffectTimes times(IncidentBuilder builder) {
    return builder.build().effects();
  }

  @Test
  void excessIsWhatTheIncidentHasAboveTheBaseline() {
    // 6 x 100 ms = 0.6 s before, 12 x 500 ms = 6 s during, over 60 s each: 5.4 s more.
    EffectTimes times =
        times(
            incident()
                .waits(6, 0, 60, WaitKind.POOL, "P", 100)
                .waits(12, 60, 120, WaitKind.POOL, "P", 500));
    assertEquals(0.1, times.during(Effect.POOL_WAIT), TINY);
    assertEquals(0.01, times.before(Effect.POOL_WAIT).orElseThrow(), TINY);
    assertEquals(5.4, times.excessSeconds(Effect.POOL_WAIT), TINY);
    assertEquals(5.4, times.totalExcessSeconds(), TINY);
  }

  /**
   * 60 sleeps a second of 50 ms are 3 threads, 160 are all 8 workers: each sleeps as long as
   * before, and it is the workers that are too few for so many.
   */
  @Test
  void sleepsOfUnchangedLengthBeforeFullWorkersAreNotWhatGrew() {
    EffectTimes times = times(sleeping(160, 50));
    assertEquals(3, times.before(Effect.SLEEP).orElseThrow(), 0.01);
    assertEquals(8, times.during(Effect.SLEEP), 0.1);
    assertEquals(0, times.excessSeconds(Effect.SLEEP), 6);
  }

  /** 50 a second of 160 ms are all 8 workers as well: 8 - 3 threads more for 60 s. */
  @Test
  void longerSleepsBeforeFullWorkersAreWhatGrew() {
    assertEquals(300, times(sleeping(50, 160)).excessSeconds(Effect.SLEEP), 6);
  }

  /**
   * A pause of 500 ms, in which 30 of 60 requests a second arrive and wait for half of it, and one
   * is in service: 0.5 s x (30 / 2 + 1) = 8 s. Only the workers' rounds show how many arrive.
   */
  @Test
  void withoutALoadTestPausesDelayAsManyRequestsAsTheWorkersTake() {
    assertEquals(8, 60 * times(paused(true)).during(Effect.STOPPED), 0.01);
    assertEquals(0.5, 60 * times(paused(false)).during(Effect.STOPPED), 0.01);
  }

  /**
   * Five calls of 3 s, of which the JVM is stopped for 2 s in an operation of its own and for 0.5 s
   * for a thread dump: 5 x 0.5 s are left of them, 5 x 2 s are the safepoint's beside the one
   * request in service that is stopped for 2 s, and what the dump costs is no part of an incident.
   * The row of the station has the same.
   */
  @Test
  void whatIsWaitedAtSafepointsIsTheSafepoints() {
    IncidentBuilder stopped =
        incident()
            .safepoint(70.1, 0, 2_000, "Cleanup", false)
            .safepoint(72.2, 0, 500, "PrintThreads", false);
    for (int thread = 0; thread < 5; thread++) {
      stopped.waited(WaitKind.DOWNSTREAM, "db:5432", 70, 3_000);
    }
    MeasuredIncident incident = stopped.build();
    EffectTimes times = incident.effects();
    assertEquals(5 * 0.5, 60 * times.during(Effect.DOWNSTREAM_WAIT), TINY);
    assertEquals(5 * 2 + 2, 60 * times.during(Effect.SAFEPOINT), TINY);
    assertEquals(5 * 0.5 + 0.5, times.observerSeconds(), TINY);
    double inRow =
        incident.stations().stream()
            .filter(station -> station.effect().equals(Optional.of(Effect.DOWNSTREAM_WAIT)))
            .mapToDouble(station -> station.during().inIt())
            .sum();
    assertEquals(times.during(Effect.DOWNSTREAM_WAIT), inRow, TINY);
  }

  private static IncidentBuilder paused(boolean serving) {
    Latencies.Counter rounds = new Latencies.Counter();
    for (int i = 0; i < 60; i++) {
      rounds.add(Duration.ofMillis(50));
    }
    IncidentBuilder builder = incident().pause(young(90, 500));
    for (int second = 0; second < 120; second++) {
      Instant at = IncidentBuilder.at(second);
      Duration length = Duration.ofSeconds(1);
      Map<WaitKind, Double> idle = Map.of(WaitKind.IDLE, 5.0);
      builder
          .sample(new WorkRounds(at, length, "http-N", rounds.latencies(), rounds.latencies()))
          .sample(new WorkerTime(at, length, "http-N", serving, 8, 0, idle));
    }
    return builder;
  }

  private static IncidentBuilder sleeping(int perSecond, double millis) {
    IncidentBuilder builder =
        incident()
            .waits(3600, 0, 60, WaitKind.SLEEP, "Shop.pace", 50)
            .waits(60 * perSecond, 60, 120, WaitKind.SLEEP, "Shop.pace", millis);
    for (int second = 60; second < 120; second++) {
      builder.sample(
          new WorkerTime(
              IncidentBuilder.at(second),
              Duration.ofSeconds(1),
              "http-nio-N-exec-N",
              true,
              8,
              0,
              Map.of(WaitKind.SLEEP, 8.0)));
    }
    return builder;
  }

  /**
   * 10 requests a second, none longer than 20 ms: 0.2 are in progress at a time, and with the room
   * for a quarter more and one at most 1.25.
   */
  private static IncidentBuilder withWaitsForConnections(int perSecond, boolean onRequestThread) {
    return withWaitsForConnections(perSecond, onRequestThread, 0);
  }

  private static IncidentBuilder withWaitsForConnections(
      int perSecond, boolean onRequestThread, long failed) {
    WaitSite site = new WaitSite(WaitKind.POOL, "P", onRequestThread, "Shop.estimate");
    IncidentBuilder builder =
        incident()
            .loadTest(
                new RequestStats.Builder("k6", new Source("k6.json", ""))
                    .requests(1_200)
                    .failed(failed)
                    .rate(new Rate(10))
                    .mean(IncidentBuilder.millis(20))
                    .longest(IncidentBuilder.millis(20))
                    .percentile(50, IncidentBuilder.millis(20))
                    .build());
    for (int i = 0; i < 60 * perSecond; i++) {
      builder.waited(site, 60 + (double) i / perSecond, 1_000);
    }
    return builder;
  }

  @Test
  void moreThreadsThanRequestsInProgressWaitForConnectionsOfTheirOwn() {
    EffectTimes others = times(withWaitsForConnections(3, false));
    assertTrue(others.isPoolOfOthers());
    assertEquals(0, others.excessSeconds(Effect.POOL_WAIT), TINY);
  }

  @Test
  void threadsMayServeCallersThatHaveGivenUp() {
    // 2 % of 1,200 requests are 24.
    assertTrue(times(withWaitsForConnections(3, false, 24)).isPoolOfOthers());
    assertFalse(times(withWaitsForConnections(3, false, 25)).isPoolOfOthers());
  }

  @Test
  void asManyThreadsAsRequestsInProgressMayServeThem() {
    EffectTimes few = times(withWaitsForConnections(1, false));
    assertFalse(few.isPoolOfOthers());
    assertEquals(1, few.during(Effect.POOL_WAIT), 0.02);
  }

  @Test
  void threadsThatAreKnownToServeRequestsWaitForTheirConnections() {
    EffectTimes known = times(withWaitsForConnections(3, true));
    assertFalse(known.isPoolOfOthers());
    assertEquals(3, known.during(Effect.POOL_WAIT), 0.05);
  }

  @Test
  void moreCallsForEachRequestAreLostHoweverFastTheyAre() {
    // 60 and 600 calls of 100 ms: 0.1 and 1 thread in calls, as many requests a second.
    IncidentBuilder calls =
        incident()
            .waits(60, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 100)
            .waits(600, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 100);
    assertEquals(0, times(calls).excessSeconds(Effect.DOWNSTREAM_WAIT), TINY);
    IncidentBuilder counted =
        incident()
            .requests(20, 10, 60)
            .waits(60, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 100)
            .waits(600, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 100);
    assertEquals(54, times(counted).excessSeconds(Effect.DOWNSTREAM_WAIT), 0.5);
  }

  @Test
  void filesOfAsManyMoreRequestsAreNoSlowerDisk() {
    // 60 and 120 writes of 20 ms a second: 1.2 and 2.4 threads.
    IncidentBuilder busier =
        incident()
            .requests(60, 120)
            .waits(3_600, 0, 60, WaitKind.FILE, "/var/orders", 20)
            .waits(7_200, 60, 120, WaitKind.FILE, "/var/orders", 20);
    assertEquals(0, times(busier).excessSeconds(Effect.FILE_WAIT), 0.5);
    IncidentBuilder moreEach =
        incident()
            .requests(60, 60)
            .waits(3_600, 0, 60, WaitKind.FILE, "/var/orders", 20)
            .waits(7_200, 60, 120, WaitKind.FILE, "/var/orders", 20);
    assertEquals(1.2 * 60, times(moreEach).excessSeconds(Effect.FILE_WAIT), 0.5);
  }

  @Test
  void aWaitCutByAPauseIsStoppedForThatLong() {
    // 1 s of waiting with a pause of 200 ms in it: 0.8 s waited and 0.2 s stopped, and 0.2 s more
    // for the one piece of work that is assumed to be under way. With 1/300 of the time stopped
    // that one is stretched to 300/299 of itself: 0.2 + 0.2 x 300/299 = 0.40067.
    EffectTimes times =
        times(incident().waited(WaitKind.POOL, "P", 70, 1000).pause(young(70.2, 200)));
    assertEquals(0.8, times.excessSeconds(Effect.POOL_WAIT), TINY);
    assertEquals(0.2 + 0.2 * 300 / 299, times.excessSeconds(Effect.STOPPED), TINY);
  }

  @Test
  void aPauseHoldsUpWhatIsInServiceAndHalfOfEachArrival() {
    // 100/s, median 10 ms: 1 in service on average, 20 arrive in 200 ms and wait for half of it:
    // 0.2 s x (1 + 20/2) = 2.2 s, the one in service stretched by 300/299.
    EffectTimes times = times(incident().loadTestWithoutMean(100, 10).pause(young(70, 200)));
    assertEquals(0.2 * (300.0 / 299 + 10), times.excessSeconds(Effect.STOPPED), TINY);
  }

  /**
   * 10/s, median 10 ms: 0.1 in service on average, 2 arrive in 200 ms and wait for half of it. But
   * where requests allocate, the collection begins inside one: 0.2 s x (1 + 2/2). No allocation
   * begins a remark.
   */
  @Test
  void aCollectionStopsTheRequestWhoseAllocationBeganIt() {
    IncidentBuilder quiet = incident().loadTestWithoutMean(10, 10);
    assertEquals(
        0.2 * (0.1 * 300 / 299 + 1),
        times(quiet.pause(young(70, 200))).excessSeconds(Effect.STOPPED),
        TINY);
    assertEquals(
        0.2 * (300.0 / 299 + 1), allocating(young(70, 200)).excessSeconds(Effect.STOPPED), TINY);
    assertEquals(
        0.2 * (0.1 * 300 / 299 + 1),
        allocating(young(70, 200).kind(PauseKind.REMARK)).excessSeconds(Effect.STOPPED),
        TINY);
  }

  private static EffectTimes allocating(PauseSketch pause) {
    return times(
        incident()
            .loadTestWithoutMean(10, 10)
            .recorded(Signal.ALLOCATION_SAMPLES)
            .sample(OwnCodeSketch.steady(Activity.ALLOCATING, 1000, 1000, "shop.Page.list"))
            .pause(pause));
  }

  /**
   * Requests of 30 ms, 100 a second, and of 1 s in the incident: 3 are in service in a usual
   * second, and 20 arrive in 200 ms: 0.2 s x (3 + 20/2), with 1 % of 20 s stopped.
   */
  @Test
  void aPauseHoldsUpWhatIsInServiceInTheBaseline() {
    Latencies[] seconds = new Latencies[60];
    for (int second = 0; second < 60; second++) {
      Latencies.Counter counter = new Latencies.Counter();
      for (int i = 0; i < 100; i++) {
        counter.add(Duration.ofMillis(second < 40 ? 30 : 1000));
      }
      seconds[second] = counter.latencies();
    }
    MeasuredIncident incident =
        Scene.of(60).latencies(seconds).pause("gc.log", 50, 200).incidentFrom(40);
    assertEquals(0.2 * (3 / 0.99 + 10), 20 * incident.effects().during(Effect.STOPPED), 0.02);
  }

  @Test
  void stopsHoldUpNoMoreThanRequestsLost() {
    // 1,000 requests of 250 ms, the shortest 250 ms: no request lost time, whatever was stopped.
    EffectTimes times = times(incident().loadTestFrom(250, 250).rate(10).pause(young(70, 200)));
    assertEquals(0, times.excessSeconds(Effect.STOPPED), TINY);
  }

  @Test
  void whatRequestsLostAndNobodyRecordedIsUnaccountedFor() {
    // All requests wait: 1,000 requests of 1,100 ms, the shortest 100 ms, lose 1,000 s. 12 x 5 s =
    // 60
    // s
    // are waits for a connection.
    EffectTimes times =
        times(
            incident()
                .loadTestFrom(100, 1_100)
                .rate(10)
                .waits(12, 60, 90, WaitKind.POOL, "P", 5_000));
    assertEquals(60, times.recordedExcessSeconds(), TINY);
    assertEquals(940, times.excessSeconds(Effect.UNACCOUNTED), TINY);
    assertEquals(1_000, times.totalExcessSeconds(), TINY);
  }

  @Test
  void whatIsUnaccountedForInTheBaselineIsNotKnownFromAWholeRunsFigures() {
    EffectTimes times =
        times(incident().loadTestFrom(100, 1_100).rate(10).waits(1, 60, 90, WaitKind.POOL, "P", 5));
    assertEquals(OptionalDouble.empty(), times.before(Effect.UNACCOUNTED));
    assertEquals(0, times.before(Effect.FILE_WAIT).orElseThrow());
  }

  @Test
  void whatIsUnaccountedForInTheBaselineIsWhatItsRequestsTookBesideTheWaits() {
    // 10/s of 100 ms (counted to 1 %) are 1 request under way; 6 waits of 1 s in 60 s are 0.1.
    EffectTimes times =
        times(incident().requests(10, 100, 500).waits(6, 0, 60, WaitKind.POOL, "P", 1_000));
    assertEquals(0.9, times.before(Effect.UNACCOUNTED).orElseThrow(), 0.01);
  }

  @Test
  void noMoreThreadsOfDumpsAreInCallsThanRequestsAreInProgress() {
    // 10/s of 500 ms (counted to 1 %) are 5 under way; at 5 a second, 2.5, and 5 x 60 s that came
    // before and have not ended.
    EffectTimes times = times(called(10));
    assertEquals(5, times.during(Effect.DOWNSTREAM_WAIT), 0.05);
    assertEquals(5, Numbers.sum(times.sites(Effect.DOWNSTREAM_WAIT, times.window())), 0.05);
    // 20 of 20 threads in each of four dumps are more: nothing says that any of them is a
    // request's.
    assertEquals(0, times.inDumps(Effect.DOWNSTREAM_WAIT).orElseThrow().range().low(), TINY);
    assertEquals(20, times(called(5)).during(Effect.DOWNSTREAM_WAIT), TINY);
  }

  private static IncidentBuilder called(int perSecond) {
    IncidentBuilder builder = incident().requests(10, perSecond, 100, 500);
    for (int second = 65; second < 120; second += 15) {
      builder.dump(second, 0, 20, 0, 0);
    }
    return builder;
  }

  @Test
  void whereRequestsWaitForSomethingOfTheirOwnIsNamed() {
    // 12 x 5 s in 60 s: one thread on average. A timer's rounds are no request.
    IncidentBuilder builder = incident().loadTestFrom(100, 1_100).rate(10);
    for (int second = 60; second < 120; second += 5) {
      builder.waited(new WaitSite(WaitKind.OTHER, "", true, "com.shop.News.next"), second, 5_000);
      builder.waited(new WaitSite(WaitKind.OTHER, "", false, "com.shop.Timer.run"), second, 5_000);
    }
    MeasuredIncident incident = builder.build();
    assertEquals(
        Map.of("waiting in com.shop.News.next", 1.0),
        incident.effects().sites(Effect.UNACCOUNTED, incident.window()));
  }

  @Test
  void withoutABaselineAllWaitingCountsExceptForAnswers() {
    EffectTimes times =
        times(
            incident()
                .withoutBaseline()
                .waits(12, 60, 120, WaitKind.POOL, "P", 500)
                .waits(12, 60, 120, WaitKind.DOWNSTREAM, "db", 500));
    assertEquals(6, times.excessSeconds(Effect.POOL_WAIT), TINY);
    assertEquals(0, times.excessSeconds(Effect.DOWNSTREAM_WAIT));
    assertEquals(OptionalDouble.empty(), times.before(Effect.POOL_WAIT));
  }

  @Test
  void lessWaitingThanBeforeIsNoNegativeExcess() {
    assertEquals(
        0,
        times(incident().waits(12, 0, 60, WaitKind.LOCK, "L", 500))
            .excessSeconds(Effect.LOCK_WAIT));
  }

  @Test
  void backgroundThreadsDoNotCountWhereRequestThreadsAreKnown() {
    WaitSite background = new WaitSite(WaitKind.LOCK, "L", false, "Cleaner.run");
    EffectTimes times =
        times(incident().waited(background, 70, 5000).waited(WaitKind.LOCK, "L", 70, 1000));
    assertEquals(1, times.excessSeconds(Effect.LOCK_WAIT), TINY);
  }

  @Test
  void allThreadsCountWhereNoneIsKnownToServeRequests() {
    WaitSite unknown = new WaitSite(WaitKind.LOCK, "L", false, "Worker.run");
    assertEquals(
        5, times(incident().waited(unknown, 70, 5000)).excessSeconds(Effect.LOCK_WAIT), TINY);
  }

  @Test
  void runnableRequestThreadsBeyondTheCoresQueueForThem() {
    // 50 run on 4 cores of a full machine: 46 queue.
    EffectTimes times = times(incident().cpus(4).cpu(90, 0.95, 0.98).dump(90, 0, 0, 50, 0));
    assertEquals(46, times.during(Effect.CPU_QUEUE), TINY);
  }

  @Test
  void noMoreQueueForACoreThanTheLoadTestSawInTheSystem() {
    // 50/s for 120 s = 6,000 requests of 100 ms each, over the 60 s of the window: 10 at most.
    EffectTimes times =
        times(incident().cpus(4).cpu(90, 0.95, 0.98).dump(90, 0, 0, 50, 0).loadTest(50, 100));
    assertEquals(10, times.during(Effect.CPU_QUEUE), TINY);
  }

  @Test
  void aBaselineAsFullAndWithoutADumpDoesNotMakeTheQueueNew() {
    EffectTimes times =
        times(incident().cpus(4).cpu(30, 0.95, 0.98).cpu(90, 0.95, 0.98).dump(90, 0, 0, 50, 0));
    assertEquals(0, times.excessSeconds(Effect.CPU_QUEUE));
  }

  @Test
  void onAMachineWithRoomNobodyQueuesForACore() {
    EffectTimes times = times(incident().cpus(4).cpu(90, 0.5, 0.6).dump(90, 0, 0, 50, 0));
    assertEquals(0, times.during(Effect.CPU_QUEUE));
  }

  @Test
  void theOperatorsRateComesBeforeTheLoadTests() {
    MeasuredIncident incident = incident().loadTest(100, 10).rate(813).build();
    assertEquals(Optional.of(new Rate(813)), RequestRate.of(incident.timeline()));
  }

  /** So many pauses of 100 ms in the baseline and in the incident, at 200 requests a second. */
  private static EffectTimes paused(int before, int during) {
    return times(
        incident()
            .rate(200)
            .pauses(before, 0, 60, young(0, 100))
            .pauses(during, 60, 120, young(0, 100)));
  }

  @Test
  void whereTheRateIsGivenOfTheIncidentStopsAreComparedAtItAndTheBaselinesCostIsUnknown() {
    EffectTimes same = paused(12, 12);
    assertEquals(OptionalDouble.empty(), same.before(Effect.STOPPED));
    assertEquals(0, same.excessSeconds(Effect.STOPPED), 0.01);
    // Six more: each delays one request in service by 100 ms, and 20 that arrive by half of it.
    EffectTimes more = paused(6, 12);
    assertEquals(OptionalDouble.empty(), more.before(Effect.STOPPED));
    assertEquals(6 * (0.1 + 20 * 0.05), more.excessSeconds(Effect.STOPPED), 0.1);
  }

  private static final String TASK = "java.util.concurrent.CompletableFuture";

  @Test
  void aWaitForALatchCountsOnce() {
    // 60 waits of 100 ms are 6 s, 120 of 1,100 ms are 132 s.
    String latch = "java.util.concurrent.CountDownLatch$Sync";
    EffectTimes times =
        times(
            incident()
                .waits(60, 0, 60, WaitKind.OTHER, latch, 100)
                .waits(120, 60, 118, WaitKind.OTHER, latch, 1_100));
    assertEquals(126, times.excessSeconds(Effect.OTHER_WAIT), 1e-6);
    assertEquals(0, times.excessSeconds(Effect.UNACCOUNTED));
  }

  @Test
  void requestsThatWaitLongerForAResultAreUnaccountedForWhereNoLatencyIsKnown() {
    // 60 waits of 100 ms before, 120 of 1,100 ms during: 120 x 1 s longer, the rest is more work.
    EffectTimes times =
        times(
            incident()
                .waits(60, 0, 60, WaitKind.OTHER, TASK, 100)
                .waits(120, 60, 118, WaitKind.OTHER, TASK, 1_100));
    assertEquals(120, times.excessSeconds(Effect.UNACCOUNTED), 1e-6);
  }

  @Test
  void moreWaitsForResultsAsLongAsBeforeAreNoLoss() {
    EffectTimes times =
        times(
            incident()
                .waits(60, 0, 60, WaitKind.OTHER, TASK, 100)
                .waits(240, 60, 119, WaitKind.OTHER, TASK, 100));
    assertEquals(0, times.excessSeconds(Effect.UNACCOUNTED), 1e-6);
  }
}
