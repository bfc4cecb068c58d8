package io.gcdiag.measures.requests;

import static io.gcdiag.sketches.IncidentBuilder.CALM;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServedRequestsTest {

  private static Latencies times(int count, double millis) {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < count; i++) {
      counter.add(millis(millis));
    }
    return counter.latencies();
  }

  /** So many rounds a second of 10 ms, after rests of so long; 100 requests a second were sent. */
  private static IncidentBuilder rounds(int perSecond, double restMillis) {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .loadTest(
                new RequestStats.Builder("k6", new Source("k6.json", ""))
                    .requests(12_000)
                    .rate(new Rate(100))
                    .shortest(millis(8))
                    .build());
    for (int second = 0; second < 60; second++) {
      incident.sample(
          new WorkRounds(
              at(second),
              Duration.ofSeconds(1),
              "exec-N",
              times(perSecond, 10),
              times(perSecond, restMillis)));
    }
    return incident;
  }

  private static Optional<ServedRequests> served(IncidentBuilder incident) {
    return ServedRequests.in(incident.build(), CALM);
  }

  @Test
  void asManyRoundsAsRequestsAreTheRequests() {
    ServedRequests served = served(rounds(100, 500)).orElseThrow();
    assertEquals(6_000, served.series().within(CALM).requests());
    assertEquals(0, served.merged(), 1e-9);
    // 97 for 100 requests: three of them are in a round with another.
    assertEquals(0.03, served(rounds(97, 500)).orElseThrow().merged(), 1e-9);
  }

  @Test
  void theOperatorsRateIsOfTheIncidentAndNotOfTheBaselineBeforeIt() {
    assertEquals(Optional.empty(), served(rounds(100, 500).rate(100)));
    assertEquals(Optional.empty(), served(rounds(100, 500).rate(800)));
  }

  @Test
  void roundsThatAreOfSeveralRequestsOrOfSomethingElseTellNothing() {
    assertEquals(Optional.empty(), served(rounds(90, 500)));
    assertEquals(Optional.empty(), served(rounds(120, 500)));
    // Rests of 30 ms: as many may have been shorter than the 20 ms that events begin at.
    assertEquals(Optional.empty(), served(rounds(100, 30)));
    assertEquals(Optional.empty(), served(incident().loadTest(100, 10)));
  }

  @Test
  void roundsOfNextToNothingAreNoRequests() {
    IncidentBuilder incident = rounds(100, 500);
    // Less than half of the fastest request's 8 ms.
    incident.sample(
        new WorkRounds(at(1), Duration.ofSeconds(1), "exec-N", times(500, 3), times(500, 500)));
    assertEquals(6_000, served(incident).orElseThrow().series().within(CALM).requests());
  }

  @Test
  void withoutALoadTestNobodySaysHowManyThereWere() {
    IncidentBuilder incident = incident();
    incident.sample(
        new WorkRounds(at(1), Duration.ofSeconds(1), "exec-N", times(100, 10), times(100, 500)));
    assertEquals(Optional.empty(), served(incident));
  }

  /** Of eight threads so many are free; 100 rounds of 10 ms a second. */
  private static boolean areWhole(double restMillis, double free, Optional<WaitKind> sampled) {
    IncidentBuilder incident = rounds(100, restMillis);
    Duration second = Duration.ofSeconds(1);
    for (int at = 0; at < 60; at++) {
      incident.sample(
          new WorkerTime(at(at), second, "exec-N", true, 8, 0, Map.of(WaitKind.IDLE, free)));
    }
    sampled.ifPresent(
        kind ->
            incident.sample(
                Made.sampled(at(20), second, Optional.of(kind), "", "", "exec-N", true, 20, 0.1)));
    return ServedRequests.areWhole(incident.build().timeline(), "exec-N", CALM);
  }

  @Test
  void roundsAreWholeRequestsWhereThreadsAreFreeAndNoneOfThemWaitsForSockets() {
    assertTrue(areWhole(500, 6, Optional.of(WaitKind.DOWNSTREAM)));
    // As many rests may be shorter than 20 ms; 0.7 of 8 threads are less than a tenth.
    assertFalse(areWhole(30, 6, Optional.empty()));
    assertFalse(areWhole(500, 0.7, Optional.empty()));
    // A sample found a thread of the group in a selector.
    assertFalse(areWhole(500, 6, Optional.of(WaitKind.IDLE)));
  }

  /** Rounds of 30 ms, four a second; in the incident so many, one in fifty of them of so long. */
  private static boolean areAsBefore(int perSecond, double millis, double slowest, double rest) {
    IncidentBuilder incident = incident().recorded(Signal.THREAD_PARKS, 20);
    Duration one = Duration.ofSeconds(1);
    for (int second = 0; second < 120; second++) {
      boolean before = second < 60;
      Latencies lengths =
          before
              ? times(4, 30)
              : second % 10 == 0
                  ? times(perSecond - 1, millis).plus(times(1, slowest))
                  : times(perSecond, millis);
      Map<WaitKind, Double> idle = Map.of(WaitKind.IDLE, 7.0);
      incident
          .sample(new WorkerTime(at(second), one, "exec-N", true, 8, 0, idle))
          .sample(new WorkRounds(at(second), one, "exec-N", lengths, times(4, rest)));
    }
    return ServedRequests.areAsBefore(incident.build());
  }

  @Test
  void asManyRoundsAsLongAsBeforeShowThatNothingDelaysRequests() {
    assertTrue(areAsBefore(4, 36, 36, 500));
    // The median, then the slowest in a hundred: 6 of 240 rounds.
    assertFalse(areAsBefore(4, 39, 39, 500));
    assertFalse(areAsBefore(4, 30, 39, 500));
    // 2.9 a second or fewer may be what is left of more requests; rests of 30 ms may be merged.
    assertFalse(areAsBefore(2, 30, 30, 500));
    assertFalse(areAsBefore(4, 30, 30, 30));
    assertFalse(ServedRequests.areAsBefore(rounds(100, 500).build()));
  }
}
