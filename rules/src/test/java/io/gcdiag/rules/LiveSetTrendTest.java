package io.gcdiag.rules;

import static io.gcdiag.rules.IncidentBuilder.incident;
import static io.gcdiag.rules.PauseSketch.full;
import static io.gcdiag.rules.PauseSketch.mixed;
import static io.gcdiag.rules.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.PauseKind;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveSetTrendTest {

  private static LiveSetTrend trend(IncidentBuilder builder) {
    return LiveSetTrend.of(builder.build()).orElseThrow();
  }

  @Test
  void aLeakGrowsInTheLaterHalfToo() {
    // 2 MiB/s from 200 MiB at 90 s: 260 MiB at 120 s, (512 - 260) / 2 = 126 s from the ceiling.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second += 5) {
      builder.pause(mixed(second, 50).heap(400, 200 + 2 * (second - 90), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.growsWithoutBound());
    assertEquals(Bytes.ofMebi(200), trend.first());
    assertEquals(Bytes.ofMebi(260), trend.last());
    assertEquals(Optional.of(Duration.ofSeconds(126)), trend.untilFull());
    // 90, 95, ... 115 s.
    assertEquals(6, trend.points());
  }

  @Test
  void aCacheThatLevelsOffDoesNot() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second += 3) {
      builder.pause(full(second, 50).heap(400, Math.min(350, 200 + 5 * (second - 60)), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertFalse(trend.rises());
    assertEquals(Optional.empty(), trend.untilFull());
  }

  @Test
  void aRampThatEndsInsideTheLaterHalfLevelsOff() {
    // Later half: 90 to 120 s. Up by 15 MiB a second until 100 s, level at 470 MiB from there.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 120; second += 2) {
      builder.pause(mixed(second, 50).heap(500, Math.min(470, 320 + 15 * (second - 90)), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.levelsOff());
    assertFalse(trend.growsWithoutBound());
  }

  @Test
  void aFullCollectionShowsWhatWasGarbageBefore() {
    // Mixed collections leave 300, 312, ... 444 MiB; then a full one leaves 280 MiB.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 116; second += 2) {
      builder.pause(mixed(second, 50).heap(500, 300 + 6 * (second - 90), 512));
    }
    assertTrue(trend(builder).growsWithoutBound());
    builder.pause(full(118, 400).heap(500, 280, 512));
    assertFalse(trend(builder).growsWithoutBound());
  }

  @Test
  void growthBelowOneTwentiethOfTheCeilingIsDrift() {
    // 0.5 MiB/s x 30 s = 15 MiB, below 5 % of 512 MiB = 25.6 MiB.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 120; second += 5) {
      builder.pause(full(second, 50).heap(400, 200 + 0.5 * (second - 90), 512));
    }
    assertFalse(trend(builder).rises());
  }

  @Test
  void youngCollectionsShowARiseAndNoLeak() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 200 + 2 * (second - 90), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.rises());
    assertFalse(trend.growsWithoutBound());
  }

  @Test
  void aMarkingThatFoundNothingToCollectMakesARiseALeak() {
    // As above, and a remark at 95 s, 25 s before the end: mixed collections would have followed.
    IncidentBuilder builder = incident().maxHeap(512).pause(young(95.5, 5).kind(PauseKind.REMARK));
    for (int second = 90; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 200 + 2 * (second - 90), 512));
    }
    assertTrue(trend(builder).growsWithoutBound());
  }

  @Test
  void aLeakAtTheCeilingIsFlatAndStillALeak() {
    // 4 MiB/s in both halves of the calm, then no room to grow: 480 of 512 MiB after each.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 0; second < 120; second++) {
      builder.pause(young(second, 5).heap(500, Math.min(480, 240 + 4 * second), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.stoppedByCeiling());
    assertTrue(trend.growsWithoutBound());
    assertEquals(Optional.empty(), trend.untilFull());
  }

  @Test
  void aHeapFilledInOneGoIsNoLeakAtTheCeiling() {
    // Level at 240 MiB through the calm, and at 480 MiB from the incident on.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 0; second < 120; second++) {
      builder.pause(young(second, 5).heap(500, second < 60 ? 240 : 480, 512));
    }
    assertFalse(trend(builder).growsWithoutBound());
  }

  @Test
  void ofEachSliceTheLowestUseCounts() {
    // Every other young collection leaves 100 MiB of garbage that the next one clears.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int i = 0; i < 60; i++) {
      builder.pause(young(90 + i / 2.0, 5).heap(400, i % 2 == 0 ? 300 : 200, 512));
    }
    LiveSetTrend trend = trend(builder);
    assertFalse(trend.rises());
    // 30 s in 16 slices of 1.875 s hold three or four collections each, so one of 200 MiB.
    assertEquals(16, trend.points());
    assertEquals(Bytes.ofMebi(200), trend.last());
  }

  @Test
  void fourPointsMakeNoTrend() {
    IncidentBuilder builder = incident();
    for (int second = 90; second < 118; second += 7) {
      builder.pause(full(second, 50).heap(400, 200, 512));
    }
    assertEquals(Optional.empty(), LiveSetTrend.of(builder.build()));
  }
}
