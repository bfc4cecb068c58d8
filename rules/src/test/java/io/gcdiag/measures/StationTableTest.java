package io.gcdiag.measures;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.MeterSketch.gauge;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.Station.Kind;
import io.gcdiag.measures.threads.Station.Moved;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.sketches.WorkerSketch;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The baseline and the incident are a minute each. */
class StationTableTest {

  private static final double EXACT = 1e-9;

  private static Station one(IncidentBuilder incident, Kind kind) {
    List<Station> found =
        StationTable.of(incident.build()).stream().filter(one -> one.kind() == kind).toList();
    assertEquals(1, found.size(), found::toString);
    return found.get(0);
  }

  @Test
  void sleepsAsLongAsBeforeGrowByTheirNumberAlone() {
    Station sleeps =
        one(
            incident()
                .waits(600, 0, 60, WaitKind.SLEEP, "limiter", 50)
                .waits(1650, 60, 119, WaitKind.SLEEP, "limiter", 50),
            Kind.SLEEPS);

    // 10/s x 50 ms = 0.5 and 27.5/s x 50 ms = 1.375; the difference is 17.5/s x 50 ms.
    assertEquals(10, sleeps.before().orElseThrow().perSecond().orElseThrow(), EXACT);
    assertEquals(27.5, sleeps.during().perSecond().orElseThrow(), EXACT);
    assertEquals(0.05, sleeps.during().seconds().orElseThrow(), EXACT);
    assertEquals(1.375, sleeps.during().inIt(), EXACT);
    assertEquals(Moved.MORE, sleeps.rate());
    assertEquals(Moved.SAME, sleeps.time());
    assertEquals(0.875, sleeps.growthByRate().orElseThrow(), EXACT);
    assertEquals(0, sleeps.growthByTime().orElseThrow(), EXACT);
  }

  @Test
  void callsThatTakeLongerAndAreMoreHaveBothParts() {
    Station calls =
        one(
            incident()
                .waits(600, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
                .waits(1200, 60, 118, WaitKind.DOWNSTREAM, "db:5432", 60),
            Kind.CALLS);

    // 10/s x 20 ms = 0.2 and 20/s x 60 ms = 1.2: the growth is 10/s x 40 ms + 15/s x 40 ms.
    assertEquals(1.0, calls.growth().orElseThrow(), EXACT);
    assertEquals(0.4, calls.growthByRate().orElseThrow(), EXACT);
    assertEquals(0.6, calls.growthByTime().orElseThrow(), EXACT);
    assertEquals(Moved.MORE, calls.rate());
    assertEquals(Moved.MORE, calls.time());
  }

  @Test
  void whatIsWaitedInAStopIsTheStops() {
    IncidentBuilder stopped = incident().pause(PauseSketch.full(70.1, 2400));
    for (int thread = 0; thread < 5; thread++) {
      stopped.waited(WaitKind.DOWNSTREAM, "db:5432", 70, 3000);
    }

    Station calls = one(stopped, Kind.CALLS);
    Station stops = one(stopped, Kind.STOPS);

    // Five calls of 3 s, 2.4 s of each in the pause: 5 x 0.6 s.
    assertEquals(5 * 0.6 / 60, calls.during().inIt(), EXACT);
    assertEquals(0.6, calls.during().seconds().orElseThrow(), EXACT);
    assertEquals(2.4 / 60, stops.during().inIt(), EXACT);
    assertEquals(Moved.NEW, stops.number());
  }

  /** Owners of one class of locks, each second for so long in all. */
  private static IncidentBuilder held(double secondsPerSecond) {
    IncidentBuilder contended = incident();
    for (int second = 60; second < 120; second++) {
      contended
          .timeline()
          .sample(
              new LockHold(
                  at(second),
                  "shop.Cart",
                  20,
                  secondsPerSecond,
                  Map.of(),
                  Map.of(),
                  new Source(IncidentBuilder.RECORDING, "jdk.JavaMonitorEnter")));
    }
    return contended;
  }

  @Test
  void aLockServesOneAtATime() {
    Station lock = one(held(0.9), Kind.LOCKS);

    assertEquals(0.045, lock.during().seconds().orElseThrow(), EXACT);
    assertEquals(0.9, lock.during().inIt(), EXACT);
    assertEquals(1, lock.servers().orElseThrow());
  }

  @Test
  void ofSeveralLocksOfOneClassNobodyKnowsHowMany() {
    assertTrue(one(held(3), Kind.LOCKS).servers().isEmpty());
  }

  @Test
  void aFewEventsShowNoChangeAndHardlyAnyIsNoRow() {
    Station calls =
        one(
            incident()
                .waited(WaitKind.DOWNSTREAM, "db:5432", 10, 400)
                .waited(WaitKind.DOWNSTREAM, "db:5432", 70, 4000)
                .waited(WaitKind.DOWNSTREAM, "cache:6379", 80, 500),
            Kind.CALLS);

    assertEquals("db:5432", calls.name());
    assertEquals(Moved.UNKNOWN, calls.time());
  }

  @Test
  void withoutABaselineNothingIsKnownToHaveChanged() {
    Station calls =
        one(
            incident().withoutBaseline().waits(600, 60, 119, WaitKind.DOWNSTREAM, "db:5432", 60),
            Kind.CALLS);

    assertEquals(Moved.UNKNOWN, calls.rate());
    assertTrue(calls.growth().isEmpty());
  }

  /** Dumps of both windows count; neither says how often one waited. */
  @Test
  void whatOnlyDumpsShowIsComparedWithThoseOfTheBaseline() {
    Station waits =
        one(
            incident()
                .dump(30, 3, 0, 0, 7)
                .dump(50, 3, 0, 0, 7)
                .dump(80, 8, 0, 0, 2)
                .dump(100, 8, 0, 0, 2),
            Kind.POOL_QUEUE);

    assertEquals(3, waits.before().orElseThrow().inIt(), EXACT);
    assertEquals(8, waits.during().inIt(), EXACT);
    assertTrue(waits.during().perSecond().isEmpty());
    assertEquals(Optional.of(Effect.POOL_WAIT), waits.effect());
  }

  /** One wait of 0.9 s ended; the eight that both dumps show did not. */
  @Test
  void whatDumpsShowBeyondEventsIsTheOnlyRowOfIt() {
    Station waits =
        one(
            incident()
                .waited(WaitKind.POOL, "HikariCP", 90, 900)
                .dump(80, 8, 0, 0, 2)
                .dump(100, 8, 0, 0, 2),
            Kind.POOL_QUEUE);

    assertEquals(8, waits.during().inIt(), EXACT);
  }

  /** 0.3 s of a minute are half a percent of it, and every request of that time waits. */
  @Test
  void aStopThatOneFeelsIsARowHoweverSmallItsShare() {
    assertEquals(
        0.3 / 60,
        one(incident().pause(PauseSketch.full(70.1, 300)), Kind.STOPS).during().inIt(),
        EXACT);
    assertTrue(
        StationTable.of(incident().pause(PauseSketch.full(70.1, 30)).build()).stream()
            .noneMatch(one -> one.kind() == Kind.STOPS));
  }

  /** 600 ms until all threads stand still; the pause itself, 4 ms, is the collector's. */
  @Test
  void whatTheThreadsTakeToStopBeforeACollectionIsARow() {
    Station before =
        one(incident().safepoint(70, 600, 4, "GenCollectForAllocation", true), Kind.STOPS);
    assertEquals("before collections", before.name());
    assertEquals(0.6 / 60, before.during().inIt(), EXACT);
  }

  /** Two locks wait 2.4 s of their 3 s in a pause; the row and the ledger's line are one figure. */
  @Test
  void rowsHaveTheFigureOfTheLostTime() {
    IncidentBuilder stopped = incident().pause(PauseSketch.full(70.1, 2400));
    for (int thread = 0; thread < 5; thread++) {
      stopped.waited(WaitKind.LOCK, "shop.Cart", 70, 3000);
      stopped.waited(WaitKind.LOCK, "shop.Stock", 71, 400);
    }
    MeasuredIncident built = stopped.build();

    assertEquals(
        built.effects().during(Effect.LOCK_WAIT),
        StationTable.of(built).stream()
            .filter(one -> one.effect().equals(Optional.of(Effect.LOCK_WAIT)))
            .mapToDouble(one -> one.during().inIt())
            .sum(),
        EXACT);
  }

  /** One of two carriers is held all the time: nobody waits for it, and no request is in it. */
  @Test
  void aPinnedThreadIsNoStateOfARequestWhileAnotherCarrierIsFree() {
    Station carriers =
        one(
            incident()
                .cpus(2)
                .waits(600, 60, 120, WaitKind.PINNED, "shop.Cart.add < shop.Desk.serve", 100),
            Kind.CARRIERS);

    assertEquals("shop.Cart.add", carriers.name());
    assertEquals(1, carriers.during().inIt(), 0.01);
    assertEquals(2, carriers.servers().orElseThrow(), EXACT);
    assertEquals(Optional.empty(), carriers.effect());
  }

  /** Ten requests a second; two threads at work, with so many rounds of so long a second. */
  private static Station workersOf(int rounds, double seconds) {
    IncidentBuilder served = incident().requests(10, 20, 200).cpus(2);
    WorkerSketch.group(served, 0, 120, "http-N", true, 5, 0.1, Map.of(WaitKind.IDLE, 15.0));
    Latencies.Counter each = new Latencies.Counter();
    IntStream.range(0, rounds).forEach(i -> each.add(Durations.ofSeconds(seconds)));
    for (int second = 0; second < 120; second++) {
      served
          .cpu(second, 0.75, 0.8)
          .sample(
              new WorkRounds(
                  at(second), Duration.ofSeconds(1), "http-N", each.latencies(), Latencies.none()));
    }
    return one(served, Kind.WORKERS);
  }

  @Test
  void roundsThatAreNotAsManyAsTheRequestsHaveNoTimeEach() {
    assertEquals(10, workersOf(10, 0.15).during().perSecond().orElseThrow(), EXACT);
    // Twice as many: threads that are woken for no request; a fifth: rests that no event shows.
    assertTrue(workersOf(20, 0.05).during().seconds().isEmpty());
    assertTrue(workersOf(2, 0.5).during().seconds().isEmpty());
  }

  /**
   * Four requests a second; those of 250 ms in the incident wake another thread each.
   *
   * @param polling what a sample found one of the threads waiting for
   */
  private static Station uncounted(WaitKind polling) {
    IncidentBuilder recorded = incident().recorded(Signal.THREAD_PARKS, 10);
    WorkerSketch.group(recorded, 0, 120, "qtpN-N", true, 5, 0.1, Map.of(WaitKind.IDLE, 15.0));
    for (int second = 0; second < 120; second++) {
      Latencies.Counter each = new Latencies.Counter();
      Latencies.Counter rests = new Latencies.Counter();
      for (int i = 0; i < (second < 60 ? 4 : 8); i++) {
        each.add(Duration.ofMillis(second < 60 ? 5 : 250));
        rests.add(Duration.ofMillis(500));
      }
      recorded.sample(
          new WorkRounds(
              at(second), Duration.ofSeconds(1), "qtpN-N", each.latencies(), rests.latencies()));
    }
    recorded.sample(
        Made.sampled(
            at(70), WorkerSketch.STRETCH, Optional.of(polling), "", "", "qtpN-N", true, 100, 0.1));
    return one(recorded, Kind.WORKERS);
  }

  @Test
  void whereNoFileCountsRequestsThoseOfThreadsThatTakeTurnsAtTheSelectorAreNotCounted() {
    assertEquals(8, uncounted(WaitKind.DOWNSTREAM).during().perSecond().orElseThrow(), EXACT);
    assertTrue(uncounted(WaitKind.IDLE).during().perSecond().isEmpty());
    assertEquals(0.1, uncounted(WaitKind.IDLE).during().inIt(), 0.01);
  }

  /**
   * Twenty requests a second by the service's own meter, of 10 ms and then of a second, on five
   * threads.
   *
   * @param calls threads in calls in the incident; the others are idle
   */
  private static Station metered(double calls) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int second = 0; second < 120; second++) {
      Latencies all = Latencies.ofTotal(20, second < 60 ? 0.2 : 20);
      intervals.add(new RequestInterval(at(second), Duration.ofSeconds(1), 20, 0, all));
    }
    IncidentBuilder served = incident().metered(gauge("up", MetricMeaning.OTHER, 1));
    WorkerSketch.group(served, 0, 60, "http-N", true, 5, 0.2, Map.of(WaitKind.IDLE, 24.0));
    WorkerSketch.group(
        served, 60, 120, "http-N", true, 5, calls, Map.of(WaitKind.IDLE, 5 * (5 - calls)));
    return one(served.requests(intervals), Kind.REQUESTS);
  }

  /** It starts when a thread takes a request up: what waits for one is not in it. */
  @Test
  void aMeterOfAServerWithoutAFreeThreadCountsWhatAThreadTookUp() {
    assertEquals("taken up by a thread", metered(5).name());
    assertEquals("", metered(1).name());
  }

  @Test
  void workersComputeAsMuchAsTheCpuLoadShowsHoweverFewSamplesFindThem() {
    // Samples find 0.1 of them at work; 0.75 x 2 cores are in use, and 10 x 0.12 s in rounds.
    Station workers = workersOf(10, 0.12);
    assertEquals(1.2, workers.during().inIt(), 0.01);
    assertEquals(0.12, workers.during().seconds().orElseThrow(), 0.001);
  }

  /** The JVM has one of two CPUs; others use 16 % of it at least, and so much at most. */
  private static List<String> others(double atMost) {
    IncidentBuilder confined = incident().cpus(1);
    for (int second = 0; second < 120; second++) {
      confined.timeline().cpu(new CpuLoad(at(second), 0.2, 0, 0.36, 0.2 + atMost));
    }
    return StationTable.of(confined.build()).stream()
        .filter(one -> one.kind() == Kind.CORES)
        .map(Station::name)
        .filter(name -> name.startsWith("other processes"))
        .toList();
  }

  @Test
  void ofAJvmThatIsConfinedToSomeCpusOthersUseAtLeastWhatTheRowHas() {
    assertEquals(List.of("other processes, at least"), others(0.8));
    assertEquals(List.of("other processes"), others(0.16));
  }

  /** Five threads by their rests; of a thread that never rests, nothing tells. */
  private static List<Station> workersBeside(int waits) {
    IncidentBuilder busy = incident().waits(waits, 60, 117, WaitKind.CLIENT, "Jetty", 2400);
    WorkerSketch.group(busy, 60, 120, "http-N", true, 5, 2, Map.of());
    return StationTable.of(busy.build()).stream()
        .filter(one -> one.kind() == Kind.WORKERS)
        .toList();
  }

  @Test
  void aGroupOfFewerThreadsThanWaitForRequestsIsNotAllOfIt() {
    // 100 x 2.4 s / 60 s = 4 of 5 wait for clients; 600 x 2.4 s / 60 s = 24 do not fit in.
    assertEquals(1, workersBeside(100).size());
    assertEquals(List.of(), workersBeside(600));
  }
}
