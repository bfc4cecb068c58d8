package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.MeterSketch.counter;
import static io.gcdiag.sketches.MeterSketch.gauge;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Made;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.WaitEstimate.Relation;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DumpTimesTest {

  private static final double TINY = 1e-9;

  /** Dumps with so many threads waiting for a connection and one idle thread. */
  private static IncidentBuilder dumps(int first, int second) {
    return incident().dump(70, first, 0, 0, 1).dump(90, second, 0, 0, 1);
  }

  @Test
  void waitsThatNoEventShowsAreCountedInDumps() {
    // (30 + 50) / 2 = 40 threads on average, over 60 s.
    EffectTimes times = dumps(30, 50).build().effects();
    assertEquals(40, times.during(Effect.POOL_WAIT), TINY);
    assertEquals(2_400, times.excessSeconds(Effect.POOL_WAIT), TINY);
    assertEquals(Set.of(Effect.POOL_WAIT), times.fromDumps());
  }

  @Test
  void eventsThatShowTheWaitingGoBeforeDumps() {
    // 30 x 6 s from 66 s to 75 s: 3 threads over the minute, all 20 of one dump when it was taken.
    EffectTimes times = dumps(20, 0).waits(30, 66, 75, WaitKind.POOL, "P", 6_000).build().effects();
    assertEquals(3, times.during(Effect.POOL_WAIT), TINY);
    assertEquals(Set.of(), times.fromDumps());
  }

  @Test
  void eventsThatShowAFewOfThoseWaitingAtTheMomentOfTheDumpsDoNotSeeTheRest() {
    // 600 x 1 s over 60 s: 10 threads at any time, a quarter of those in the dumps.
    EffectTimes times =
        dumps(30, 50).waits(600, 60, 119, WaitKind.POOL, "P", 1_000).build().effects();
    assertEquals(40, times.during(Effect.POOL_WAIT), TINY);
    assertEquals(Relation.CONTRADICT, times.relation(Effect.POOL_WAIT));
    assertEquals(Set.of(Effect.POOL_WAIT), times.fromDumps());
  }

  /**
   * A queue of 40 by two dumps, and of 10 by the events of so long each: 9 all the time, and 30
   * more in the second before each dump.
   */
  private static EffectTimes shortly(double millis) {
    int each = (int) (1_000 / millis);
    return dumps(30, 50)
        .recorded(Signal.THREAD_PARKS, 20)
        .waits(9 * 60 * each, 60, 119.5, WaitKind.POOL, "P", millis)
        .waits(30 * each, 69, 70, WaitKind.POOL, "P", millis)
        .waits(30 * each, 89, 90, WaitKind.POOL, "P", millis)
        .build()
        .effects();
  }

  @Test
  void whoWaitsAgainAndAgainForLessThanIsRecordedIsCountedInDumps() {
    // 25 ms by those of 20 ms or longer is a mean of 5 ms, T/m = 4: 5 e^-4 = 9.2 % of the waiting
    // is in them. Two dumps of 40 are 13.7 or more: beyond the 10, and within 10 / 9.2 % = 109.
    EffectTimes times = shortly(25);
    assertEquals(40, times.during(Effect.POOL_WAIT), TINY);
    assertEquals(Set.of(Effect.POOL_WAIT), times.fromDumps());
  }

  @Test
  void waitsThatAreLongEnoughToBeRecordedAreCountedByTheirEvents() {
    // 200 ms is a mean of 180 ms, T/m = 1/9: 99.4 % are in them, and the dumps' 13.7 are not.
    EffectTimes times = shortly(200);
    assertEquals(10, times.during(Effect.POOL_WAIT), 0.01);
    assertEquals(Set.of(), times.fromDumps());
  }

  @Test
  void theNumberLiesWhereBothIntervalsDo() {
    // 80 ms by those of 20 ms or longer is a mean of 60 ms, T/m = 1/3: (1 + 1/3) e^(-1/3) = 95.5 %
    // is in them. 13.3 by events are at most 13.92, less than the dumps' 40 and no less than their
    // 13.7.
    EffectTimes times =
        dumps(30, 50)
            .recorded(Signal.THREAD_PARKS, 20)
            .waits(9_975, 60, 119.92, WaitKind.POOL, "P", 80)
            .build()
            .effects();
    assertEquals(13.3 / 0.955, times.during(Effect.POOL_WAIT), 0.03);
    DumpedWaits waits = times.inDumps(Effect.POOL_WAIT).orElseThrow();
    assertEquals(13.7, waits.range().low(), 0.05);
    assertEquals(13.3 / 0.955, waits.range().high(), 0.03);
    assertEquals(Relation.AGREE, times.relation(Effect.POOL_WAIT));
  }

  @Test
  void eventsWithinTheIntervalOfDumpsCountAndAgreeWithThem() {
    // 600 x 2 s over 60 s: 20 threads, where dumps put 13.6 or more.
    EffectTimes times =
        dumps(30, 50).waits(600, 60, 117.9, WaitKind.POOL, "P", 2_000).build().effects();
    assertEquals(20, times.during(Effect.POOL_WAIT), 0.1);
    assertEquals(Set.of(), times.fromDumps());
    assertEquals(Relation.AGREE, times.relation(Effect.POOL_WAIT));
  }

  @Test
  void dumpsThatMeetFewerThanEventsShowOnAverageHideNothing() {
    // 200 x 28 s / 60 s = 93.3 threads over the minute; both dumps meet 5 when these are done.
    EffectTimes times =
        incident()
            .waits(200, 60, 61, WaitKind.POOL, "P", 28_000)
            .dump(100, 5, 0, 0, 1)
            .dump(110, 5, 0, 0, 1)
            .build()
            .effects();
    assertEquals(93.3, times.during(Effect.POOL_WAIT), 0.1);
    assertEquals(Set.of(), times.fromDumps());
  }

  @Test
  void callsAreCountedByTheirEventsEvenIfARecordingLeavesMostOfThemOut() {
    EffectTimes times =
        incident()
            .waits(300, 60, 119, WaitKind.DOWNSTREAM, "db:5432", 1_000)
            .dump(70, 0, 30, 0, 1)
            .dump(90, 0, 30, 0, 1)
            .build()
            .effects();
    assertEquals(5, times.during(Effect.DOWNSTREAM_WAIT), 0.1);
    assertEquals(Set.of(), times.fromDumps());
  }

  @Test
  void aThreadThatWaitsInOneOfTwoDumpsIsChance() {
    assertEquals(0, dumps(1, 0).build().effects().during(Effect.POOL_WAIT));
  }

  @Test
  void aQueueOfTheLastDumpThatHasWaitedForSecondsIsNoChance() {
    // The recording shows waits of 20 ms, and none in the 5 s before the dump: none of them has
    // ended.
    EffectTimes times =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .dump(70, 0, 0, 0, 1)
            .dump(90, 0, 0, 0, 1)
            .dump(118, 60, 0, 0, 1)
            .build()
            .effects();
    // 60 in one of three dumps.
    assertEquals(20, times.during(Effect.POOL_WAIT), TINY);
    assertEquals(Set.of(Effect.POOL_WAIT), times.fromDumps());
  }

  @Test
  void aDumpOfAFewThreadsDoesNotOutweighARecordingThatShowsSomeOfIt() {
    // 60 x 100 ms in a minute are 0.1 thread; 3 in one dump are 3 +- 1.7.
    IncidentBuilder events = incident().waits(60, 60, 120, WaitKind.POOL, "P", 100);
    EffectTimes times = events.dump(70, 3, 0, 0, 1).build().effects();
    assertEquals(0.1, times.during(Effect.POOL_WAIT), 0.001);
    assertEquals(Set.of(), times.fromDumps());
    // Where events show nothing at all, they may not be able to.
    assertEquals(
        3, incident().dump(70, 3, 0, 0, 1).build().effects().during(Effect.POOL_WAIT), TINY);
  }

  @Test
  void answersFromDownstreamAreNoExcessWithoutADumpOfTheBaseline() {
    EffectTimes times = incident().dump(70, 0, 20, 0, 1).dump(90, 0, 20, 0, 1).build().effects();
    assertEquals(20, times.during(Effect.DOWNSTREAM_WAIT), TINY);
    assertEquals(0, times.excessSeconds(Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void sitesOfDumpsAreTheirSubjects() {
    EffectTimes times = dumps(30, 50).build().effects();
    assertEquals(Map.of("HikariCP", 40.0), times.sites(Effect.POOL_WAIT, IncidentBuilder.TROUBLE));
  }

  /** Meters of a pool over the incident: a second waited in all ten, and none at any scrape. */
  private static IncidentBuilder metered(IncidentBuilder incident, String library) {
    return incident
        .metered(
            counter(
                library + "_connections_acquire_seconds_sum",
                MetricMeaning.POOL_ACQUIRE_SECONDS,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                1,
                2,
                3,
                4,
                5))
        .metered(
            counter(
                library + "_connections_acquire_seconds_count",
                MetricMeaning.POOL_ACQUIRED,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                1_000,
                2_000,
                3_000,
                4_000,
                5_000))
        .metered(
            gauge(
                library + "_connections_pending",
                MetricMeaning.POOL_PENDING,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0));
  }

  @Test
  void thePoolsOwnMetersGoBeforeDumps() {
    // 34 and 40 threads wait in the dumps; over all of the time, a tenth of a thread does.
    EffectTimes times = metered(dumps(34, 40), "hikaricp").build().effects();
    assertEquals(0, times.during(Effect.POOL_WAIT), TINY);
    assertEquals(Set.of(), times.fromDumps());
  }

  @Test
  void waitsThatARecordingDoesNotShowAreInNoTimerOfThePool() {
    IncidentBuilder recorded = dumps(34, 40).recorded(Signal.THREAD_PARKS);
    EffectTimes times = metered(recorded, "hikaricp").build().effects();
    assertEquals(37, times.during(Effect.POOL_WAIT), TINY);
  }

  @Test
  void anotherPoolsMetersSayNothingOfWhatDumpsShow() {
    EffectTimes times = metered(dumps(30, 50), "agroal").build().effects();
    assertEquals(40, times.during(Effect.POOL_WAIT), TINY);
  }

  @Test
  void datedDumpsFromOutsideAllThatWasRecordedAreNoneOfIt() {
    IncidentBuilder later = incident().dump(200, 30, 0, 0, 1).dump(210, 50, 0, 0, 1);
    MeasuredIncident incident = later.build();
    Window span = new Window(IncidentBuilder.at(0), IncidentBuilder.at(120));
    Windows whole =
        new Windows(span, Optional.empty(), Windows.ChosenBy.WHOLE_RECORDING, true, "all");
    assertEquals(List.of(), DumpTimes.during(new MeasuredIncident(incident.timeline(), whole)));
  }

  @Test
  void fewDumpsPutAQueueAnywhereBetweenAThirdAndAllOfIt() {
    // All 40 request threads, on average, by two dumps: 0.3424 to 1 of them (Wilson).
    DumpedWaits waits = dumps(30, 50).build().effects().inDumps(Effect.POOL_WAIT).orElseThrow();
    assertEquals(13.7, waits.range().low(), 0.01);
    assertEquals(40, waits.range().high(), 0.01);
    assertEquals(2, waits.dumps());
  }

  /** Eight of ten request threads wait, each on a stack of its own. */
  private static List<ThreadState> eightWait(long firstStack) {
    List<ThreadState> dump = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ThreadActivity activity = i < 8 ? ThreadActivity.WAITING_FOR_POOL : ThreadActivity.IDLE;
      ThreadPosition standing = Made.position(firstStack + i, "Orders.find", 900_000);
      dump.add(thread("exec-" + i, "WAITING", activity, "HikariCP", true, standing));
    }
    return dump;
  }

  private static DumpedWaits ofEight(long second, long third) {
    return incident()
        .dump(70, eightWait(100))
        .dump(80, eightWait(second))
        .dump(100, eightWait(third))
        .build()
        .effects()
        .inDumps(Effect.POOL_WAIT)
        .orElseThrow();
  }

  @Test
  void dumpsWithinOneWaitAreOneSample() {
    // Eight of ten by three samples: 28.8 % and more (Wilson).
    assertEquals(2.88, ofEight(200, 300).range().low(), 0.01);
    // By one 13.3 to 99.0 %; for 30 s of the 60 the same waits were seen to go on.
    DumpedWaits one = ofEight(100, 100);
    assertEquals(0.5 * 8 + 0.5 * 1.334, one.range().low(), 0.01);
    assertEquals(0.5 * 8 + 0.5 * 9.904, one.range().high(), 0.01);
    assertEquals(8, one.threads(), TINY);
    assertEquals(3, one.dumps());
    assertEquals(1, one.independent());
    // The third shows other waits than the first two.
    assertEquals(2, ofEight(100, 300).independent());
  }

  @Test
  void aQueueInDumpsAfterStopsBoundsTheWaitingAndIsNotCounted() {
    // 300 ms each second: a thread that waits then may do so for a moment.
    EffectTimes times =
        dumps(30, 50).pauses(60, 60, 120, PauseSketch.young(60, 300)).build().effects();
    assertEquals(0, times.excessSeconds(Effect.POOL_WAIT));
    assertEquals(Set.of(Effect.POOL_WAIT), times.afterStops().keySet());
    // A third of the time is stopped, and no dump sees it: 0.7 x 40 threads.
    assertEquals(28, times.afterStops().get(Effect.POOL_WAIT).threads(), 0.01);
  }

  @Test
  void eventsTellMoreOfAQueueAfterStopsThanAFewDumps() {
    // 60 x 100 ms in a minute: the queue is gone most of the time.
    EffectTimes times =
        dumps(30, 50)
            .waits(60, 60, 119, WaitKind.POOL, "P", 100)
            .pauses(60, 60, 120, PauseSketch.young(60, 300))
            .build()
            .effects();
    assertEquals(Set.of(), times.afterStops().keySet());
    assertEquals(Set.of(), times.fromDumps());
  }

  @Test
  void longStopsLongBeforeTheDumpsLeaveTheirQueueAsItIs() {
    // 5 s at 70 s: a twelfth of the minute is stopped, but nothing in the 10 s before the dumps.
    EffectTimes times =
        incident()
            .dump(100, 30, 0, 0, 1)
            .dump(110, 50, 0, 0, 1)
            .pause(PauseSketch.young(70, 5_000))
            .build()
            .effects();
    assertEquals(40 * 55 / 60.0, times.during(Effect.POOL_WAIT), 0.01);
    assertEquals(Set.of(), times.afterStops().keySet());
  }
}
