package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StallCoincidenceTest {

  /** Thirty pauses of 100 ms, one every 2 s. Each has 3 of 20 buckets of 100 ms in its wake. */
  private static IncidentBuilder pauses() {
    return queueBefore().pauses(30, 60, 120, young(0, 100));
  }

  /** Some waited in the baseline as well: what they waited for may have been in use 80 %. */
  private static IncidentBuilder queueBefore() {
    return incident().waits(3, 10, 50, WaitKind.POOL, "P", 20);
  }

  private static double fraction(IncidentBuilder builder) {
    MeasuredIncident incident = builder.build();
    return StallCoincidence.fraction(incident.timeline().waits(WaitKind.POOL), incident);
  }

  @Test
  void burstsAfterEachPauseAreAttributable() {
    // All waiting is in spells that begin in a wake; chance is 3/20: (1 - 0.15) / (1 - 0.15) = 1.
    assertEquals(1, fraction(pauses().waits(30, 60.1, 120.1, WaitKind.POOL, "P", 500)), 1e-9);
  }

  @Test
  void waitsSpreadEvenlyAreNot() {
    // A wait in every second bucket: 2 of 10 in each 2 s begin in the wake (at 0.0 and 0.2 s).
    // (2/10 - 3/20) / (1 - 3/20) = 0.05 / 0.85 = 5.9 %.
    assertEquals(0.0588, fraction(pauses().waits(300, 60, 120, WaitKind.POOL, "P", 100)), 0.0001);
  }

  @Test
  void burstsBetweenPausesAreNot() {
    // Each begins a second after the pause, long after its wake of 200 ms.
    assertEquals(0, fraction(pauses().waits(30, 61, 121, WaitKind.POOL, "P", 500)));
  }

  @Test
  void ofASpellFarLongerThanItsPausesMostIsNotTheirs() {
    // The holder that delays the others by 500 ms allocates: a stop of 50 ms piles up no more than
    // 250 ms of waiting, half of the spell. Chance is 3/20: (0.5 - 0.15) / (1 - 0.15) = 41.2 %.
    assertEquals(
        0.412,
        fraction(
            queueBefore()
                .pauses(30, 60, 120, young(0, 50))
                .waits(30, 60, 120, WaitKind.POOL, "P", 500)),
        0.001);
  }

  @Test
  void whatNoThreadWaitedForBeforeIsFreeAgainSoonAfterAPause() {
    // At most half in use, it has worked off a stop of 50 ms after 100: a fifth of the spell.
    // Chance is 3/20: (0.2 - 0.15) / (1 - 0.15) = 5.9 %.
    assertEquals(
        0.0588,
        fraction(
            incident()
                .pauses(30, 60, 120, young(0, 50))
                .waits(30, 60, 120, WaitKind.POOL, "P", 500)),
        0.001);
  }

  @Test
  void pausesMakeNoMoreWaitingThanRequestsCanLoseByThem() {
    // After each of thirty pauses of 100 ms ten wait for a second: 300 s. At 100 requests a second
    // a pause costs 100 x 0.1^2 / 2 = 0.5 s, and until a server at 80 % of use, with 5 % stopped,
    // has worked that off 0.5 / (1 - 0.8 - 0.05) = 3.33 s: 100 s in all, a third of what waited.
    IncidentBuilder full = pauses().rate(100);
    for (int i = 0; i < 10; i++) {
      full.waits(30, 60.1, 120.1, WaitKind.POOL, "P", 1_000);
    }
    assertEquals(1.0 / 3, fraction(full), 1e-3);
  }

  @Test
  void onlyTheLongPausesMayMatter() {
    // Three pauses of 300 ms among 57 of 5 ms; threads wait after the three.
    IncidentBuilder builder =
        queueBefore()
            .pauses(57, 60, 120, young(0, 5))
            .pause(young(70.5, 300))
            .pause(young(90.5, 300))
            .pause(young(110.5, 300))
            .waits(3, 70.6, 130.6, WaitKind.POOL, "P", 500);
    assertEquals(1, fraction(builder), 1e-9);
  }

  @Test
  void twoPausesCoincideWithAnythingByChance() {
    IncidentBuilder builder =
        incident()
            .pause(young(70, 300))
            .pause(young(90, 300))
            .waits(2, 70, 110, WaitKind.POOL, "P", 500);
    assertEquals(0, fraction(builder));
  }

  @Test
  void pausesSoCloseThatAllIsTheirWakeSayNothing() {
    // Every 200 ms a pause of 100 ms: each moment is in the wake of one.
    IncidentBuilder builder =
        incident().pauses(300, 60, 120, young(0, 100)).waits(30, 60, 120, WaitKind.POOL, "P", 500);
    assertEquals(0, fraction(builder));
  }

  @Test
  void withoutWaitsThereIsNothingToAttribute() {
    assertEquals(0, fraction(pauses()));
  }

  @Test
  void aYearOfNothingAroundThemLeavesNothingToChance() {
    // Half of the waits begin in a wake. Of the year's 315,360,000 tenths of a second 90 are in
    // one.
    MeasuredIncident incident =
        pauses()
            .waits(30, 60.1, 120.1, WaitKind.POOL, "P", 500)
            .waits(30, 61.1, 121.1, WaitKind.POOL, "P", 500)
            .build();
    Window year =
        new Window(
            IncidentBuilder.TROUBLE.from(),
            IncidentBuilder.TROUBLE.from().plus(Duration.ofDays(365)));
    assertEquals(
        0.5,
        StallCoincidence.together(
            incident.timeline().waits(WaitKind.POOL), incident.timeline().pauses(year), year, 5),
        1e-5);
  }
}
