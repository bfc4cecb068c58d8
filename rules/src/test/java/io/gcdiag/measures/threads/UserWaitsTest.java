package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserWaitsTest {

  private static final WaitSite OTHERS_CALL =
      new WaitSite(WaitKind.DOWNSTREAM, "partner:80", false, "Partner.ask");
  private static final WaitSite OTHERS_LOCK =
      new WaitSite(WaitKind.LOCK, "Ledger", false, "Ledger.add");
  private static final WaitSite OWN_LOCK =
      new WaitSite(WaitKind.LOCK, "Session", true, "Session.get");

  /** A request waited for a lock; other threads for one as well, and for a partner's answers. */
  private static IncidentBuilder builder() {
    return incident()
        .waited(OTHERS_CALL, 60, 1_000)
        .waited(OTHERS_LOCK, 60, 1_000)
        .waited(OWN_LOCK, 60, 10);
  }

  private static List<WaitSite> sites(Timeline timeline, WaitKind kind) {
    return UserWaits.of(timeline, kind).stream().map(series -> series.site()).toList();
  }

  @Test
  void whereRequestThreadsAreSeenWaitingTheirWaitsCountAlone() {
    Timeline timeline = builder().build().timeline();
    assertEquals(List.of(), sites(timeline, WaitKind.DOWNSTREAM));
    assertEquals(List.of(OWN_LOCK), sites(timeline, WaitKind.LOCK));
  }

  @Test
  void callsOfThreadsThatMayAnswerRequestsCountAsWell() {
    Timeline timeline =
        builder().sample(new AnsweringGroup(at(61), "enrich-N", "Tomcat", 5)).build().timeline();
    assertEquals(List.of(OTHERS_CALL), sites(timeline, WaitKind.DOWNSTREAM));
    assertEquals(List.of(OWN_LOCK), sites(timeline, WaitKind.LOCK));
  }

  /** One thread writes to an archive, in a recording in which no thread is known to serve. */
  private static TimelineBuilder archive() {
    WaitSeries.Builder writes = new WaitSeries.Builder(OTHERS_CALL, new Source("a.jfr", ""));
    writes.add(at(60), IncidentBuilder.millis(1_000), 7);
    return new TimelineBuilder().waits(writes.build());
  }

  @Test
  void theCallsOfTheOnlyThreadThatWaitsAreTheRequests() {
    assertEquals(List.of(OTHERS_CALL), sites(archive().build(), WaitKind.DOWNSTREAM));
  }

  @Test
  void theCallsOfOneThreadBesideAPoolThatComputesAreItsOwnRound() {
    ThreadGroupCpu pool = cpu("intake-*", 8, 0.3);
    ThreadGroupCpu alone = cpu("archive", 1, 0.1);
    assertEquals(
        List.of(), sites(archive().sample(pool).sample(alone).build(), WaitKind.DOWNSTREAM));
    // A batch that has its work done by one thread.
    assertEquals(
        List.of(OTHERS_CALL),
        sites(
            archive().sample(cpu("intake-*", 8, 0.05)).sample(alone).build(), WaitKind.DOWNSTREAM));
  }

  private static ThreadGroupCpu cpu(String group, int threads, double share) {
    return new ThreadGroupCpu(
        at(61), IncidentBuilder.millis(1_000), group, ThreadGroupCpu.Kind.OTHER, threads, share);
  }

  @Test
  void theCallsOfOneThreadBesideAPoolOfIdleOnesAreItsOwnRound() {
    WaitSeries.Builder idle =
        new WaitSeries.Builder(
            new WaitSite(WaitKind.IDLE, "", false, "Pool.take"), new Source("a.jfr", ""));
    idle.add(at(60), IncidentBuilder.millis(1_000), 8);
    idle.add(at(60), IncidentBuilder.millis(1_000), 9);
    assertEquals(List.of(), sites(archive().waits(idle.build()).build(), WaitKind.DOWNSTREAM));
  }

  private static final WaitSite LIMITED =
      new WaitSite(WaitKind.SLEEP, "Guava RateLimiter", false, "Booking.reserve");
  private static final WaitSite ROUND =
      new WaitSite(WaitKind.SLEEP, "Refresher.run", false, "Refresher.run");

  /** Sleeps of threads that no frame shows to serve requests. */
  private static IncidentBuilder asleep() {
    return incident().waited(LIMITED, 60, 1_000).waited(ROUND, 60, 1_000);
  }

  /** A load test of which half of the requests took 2 s, and one 5 ms. */
  private static IncidentBuilder underLoad(IncidentBuilder to) {
    return to.loadTest(
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(10_000)
            .shortest(IncidentBuilder.millis(5))
            .percentile(50, IncidentBuilder.millis(2_000))
            .build());
  }

  @Test
  void otherThreadsSleepBetweenTwoRounds() {
    assertEquals(List.of(), sites(asleep().build().timeline(), WaitKind.SLEEP));
  }

  @Test
  void threadsInALimiterHaveTheRequestsWorkWhereAllRequestsWait() {
    assertEquals(List.of(LIMITED), sites(underLoad(asleep()).build().timeline(), WaitKind.SLEEP));
  }

  @Test
  void itIsEnoughThatMostRequestsWaitForASubstantialPartOfTheTest() {
    // The median of the whole run is 5 ms; in 60 of 120 steps it is 2 s.
    IncidentBuilder halfOfTheTime =
        asleep()
            .requests(100, 5, 2_000)
            .loadTest(
                new RequestStats.Builder("k6", new Source("k6.json", ""))
                    .requests(12_000)
                    .shortest(IncidentBuilder.millis(5))
                    .percentile(50, IncidentBuilder.millis(5))
                    .build());
    assertEquals(List.of(LIMITED), sites(halfOfTheTime.build().timeline(), WaitKind.SLEEP));
  }

  @Test
  void noOtherSleepCountsWhereARequestSleeps() {
    WaitSite own = new WaitSite(WaitKind.SLEEP, "Orders.poll", true, "Orders.poll");
    assertEquals(
        List.of(own),
        sites(underLoad(asleep().waited(own, 60, 10)).build().timeline(), WaitKind.SLEEP));
  }
}
