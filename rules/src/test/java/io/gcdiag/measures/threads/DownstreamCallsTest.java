package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DownstreamCallsTest {

  private static final String DB = "db:5432";

  private static IncidentBuilder calls(double before, double during) {
    return incident()
        .waits(100, 0, 60, WaitKind.DOWNSTREAM, DB, before)
        .waits(100, 60, 120, WaitKind.DOWNSTREAM, DB, during);
  }

  @Test
  void theMeanIsLessTheTimeOfPauses() {
    // One call of 200 ms with a pause of 100 ms in it.
    MeasuredIncident incident =
        incident().waited(WaitKind.DOWNSTREAM, DB, 70, 200).pause(young(70.05, 100)).build();
    DownstreamCalls calls =
        DownstreamCalls.of(incident.timeline(), IncidentBuilder.TROUBLE).orElseThrow();
    assertEquals(1, calls.count());
    assertEquals(0.1, calls.meanSeconds(), 1e-9);
  }

  /** Calls of 5 ms are below the threshold; with a stop of 90 ms inside them they are events. */
  @Test
  void callsThatAreLongOnlyByTheStopsInThemAreNotSlower() {
    IncidentBuilder builder = incident().recorded(Signal.SOCKET_READS, 20);
    for (int i = 0; i < 30; i++) {
      // Begun 3 ms before the stop, at moments that lie anywhere in a tenth of a second.
      double second = 61 + 1.9033 * i;
      builder.waited(WaitKind.DOWNSTREAM, DB, second, 95).pause(young(second + 0.003, 90));
    }
    MeasuredIncident incident = builder.build();
    double mean =
        DownstreamCalls.of(incident.timeline(), IncidentBuilder.TROUBLE)
            .orElseThrow()
            .meanSeconds();
    // 95 ms less 90 ms.
    assertEquals(0.005, mean, 0.001);
    assertEquals(1, DownstreamCalls.inflation(incident));
    assertEquals(0, DownstreamCalls.shareOfSlowerCalls(incident).orElseThrow());
    assertTrue(incident.effects().excessSeconds(Effect.DOWNSTREAM_WAIT) < 0.2);
  }

  @Test
  void callsThatAreLongBesideTheStopsAreSlower() {
    IncidentBuilder builder = incident().recorded(Signal.SOCKET_READS, 20);
    for (int i = 0; i < 30; i++) {
      double second = 61 + 1.93 * i;
      builder.waited(WaitKind.DOWNSTREAM, DB, second, 190).pause(young(second + 0.003, 90));
    }
    // 100 ms without the stop, against less than 20 ms before.
    assertEquals(5, DownstreamCalls.inflation(builder.build()), 0.2);
  }

  @Test
  void aWholeTestsRateIsNoRateOfTheIncident() {
    // 1000/s over both minutes say nothing of how many requests came to call in the second: most
    // may have waited for a connection.
    assertEquals(10, DownstreamCalls.inflation(calls(20, 200).loadTest(1000, 25).build()), 1e-6);
  }

  @Test
  void callsThatTakeTenTimesAsLongAreInflatedByTen() {
    assertEquals(10, DownstreamCalls.inflation(calls(20, 200).build()), 1e-6);
  }

  @Test
  void aThirdMoreIsNoiseAndNotInflation() {
    // 40 / 30 = 1.33, below 1.5.
    assertEquals(1, DownstreamCalls.inflation(calls(30, 40).build()));
  }

  @Test
  void callsUnseenBeforeTookLessThanTheThreshold() {
    // None of 20 ms or longer before, 100 ms during: at least five times as long.
    MeasuredIncident incident =
        incident()
            .recorded(Signal.SOCKET_READS, 20)
            .waits(100, 60, 120, WaitKind.DOWNSTREAM, DB, 100)
            .build();
    assertEquals(5, DownstreamCalls.inflation(incident), 1e-6);
  }

  /** The workers' before, 100 of 60 ms, and the loop's now, as their executor is full. */
  @Test
  void callsThatAnotherThreadMakesThanBeforeAreNeitherNewNorSlower() {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.SOCKET_READS, 20)
            .waits(100, 60, 120, WaitKind.DOWNSTREAM, DB, 60);
    WaitSite workers = new WaitSite(WaitKind.DOWNSTREAM, DB, false, "Shop.order");
    for (int i = 0; i < 100; i++) {
      incident.waited(workers, i * 0.6, 60);
    }
    MeasuredIncident moved = incident.build();
    assertEquals(1, DownstreamCalls.inflation(moved));
    assertEquals(0, DownstreamCalls.shareOfSlowerCalls(moved).orElseThrow(), 1e-9);
  }

  private static IncidentBuilder partner() {
    return partner(6_000, 60);
  }

  /** The baseline's native calls, by samples: none of them to the partner. */
  private static IncidentBuilder partner(int calls, double millis) {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.SOCKET_READS, 20)
            .waits(calls, 60, 120, WaitKind.DOWNSTREAM, "partner:80", millis);
    for (int second = 0; second < 60; second++) {
      incident.sample(
          Made.sampled(
              IncidentBuilder.at(second),
              Duration.ofSeconds(1),
              Optional.of(WaitKind.IDLE),
              "",
              "loop",
              "loop-N",
              true,
              50,
              2));
    }
    return incident;
  }

  @Test
  void callsThatBeginInTheLastMomentOfTheBaselineAreNewAllTheSame() {
    // 100 a second that no sample of the baseline met would take 3 x 40 ms / 6,000 calls = 20 us
    // each.
    assertTrue(DownstreamCalls.areNew(partner().build(), "partner:80"));
    assertTrue(
        DownstreamCalls.areNew(
            partner().waited(WaitKind.DOWNSTREAM, "partner:80", 59.9, 60).build(), "partner:80"));
    assertFalse(
        DownstreamCalls.areNew(
            partner().waited(WaitKind.DOWNSTREAM, "partner:80", 30, 20).build(), "partner:80"));
  }

  @Test
  void callsThatWereMadeSeldomAndTookAsLongAreAsGoodAsNew() {
    // 100 of them in the baseline against 6,000 are fewer than one in twenty, 400 are not.
    assertTrue(DownstreamCalls.areNew(partnerBefore(100, 60), "partner:80"));
    assertFalse(DownstreamCalls.areNew(partnerBefore(400, 60), "partner:80"));
    // Those of 30 ms became twice as long.
    assertFalse(DownstreamCalls.areNew(partnerBefore(100, 30), "partner:80"));
  }

  private static MeasuredIncident partnerBefore(int calls, double millis) {
    return partner().waits(calls, 1, 50, WaitKind.DOWNSTREAM, "partner:80", millis).build();
  }

  @Test
  void callsThatWouldHaveBecomeAHundredTimesAsSlowAreNew() {
    // 3 x 40 ms / 300 calls = 0.4 ms: less than a hundredth of 60 ms, more than one of 30 ms.
    assertTrue(DownstreamCalls.areNew(partner(300, 60).build(), "partner:80"));
    assertFalse(DownstreamCalls.areNew(partner(300, 30).build(), "partner:80"));
  }

  @Test
  void threadsThatSamplesMeetBeingConnectedAreALineThatReturnsToZero() {
    SampledTime connecting =
        Made.sampled(
            IncidentBuilder.at(70),
            Duration.ofSeconds(1),
            Optional.of(WaitKind.DOWNSTREAM),
            "OkHttp (connecting)",
            "Partner.ask",
            "exec-N",
            true,
            50,
            30);
    MeasuredIncident incident = incident().sample(connecting).build();
    // 30 threads for one second of sixty.
    assertEquals(0.5, ConnectWaits.of(incident.timeline()).threads(IncidentBuilder.TROUBLE), 1e-9);
  }

  @Test
  void fewLongCallsAmongManyRequestsAreTheException() {
    // 100 long calls for 1000/s x 60 s = 60,000 requests.
    assertEquals(1, DownstreamCalls.inflation(calls(20, 200).rate(1000).build()));
  }

  @Test
  void withoutABaselineNothingCanBeCompared() {
    assertEquals(1, DownstreamCalls.inflation(calls(20, 200).withoutBaseline().build()));
  }

  @Test
  void withoutACallThereIsNone() {
    assertEquals(
        Optional.empty(),
        DownstreamCalls.of(incident().build().timeline(), IncidentBuilder.TROUBLE));
  }
}
