package io.gcdiag.measures.jvm;

import static io.gcdiag.measures.jvm.LiveSetTrendTest.fullUntil;
import static io.gcdiag.measures.jvm.LiveSetTrendTest.trend;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Bytes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A heap that is full, or near it: whether a leak filled it. */
class FullHeapTrendTest {

  @Test
  void aLeakThatHasFilledTheHeapIsFlatAndStillALeak() {
    // Full collections leave 4 MiB more each second, 240 to 440 MiB; from 110 s on they free 2 of
    // 450 MiB, less than 2 % of 512.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 61; second < 110; second += 3) {
      builder.pause(fullUntil(second, 240 + 4 * (second - 60), 512));
    }
    for (int second = 110; second < 120; second++) {
      builder.pause(full(second, 50).heap(450, 448, 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.fullHeap());
    assertTrue(trend.growsWithoutBound());
    assertTrue(trend.isFullSoon());
    assertEquals(Optional.empty(), trend.untilFull());
  }

  /** 502 MiB are nearly all of 512, and less than half of the 2,048 that it may have. */
  @Test
  void growthThatBeginsInTheBaselineAndEndsInAFullHeapIsALeak() {
    assertTrue(trend(filling(512)).fullHeap());
    assertFalse(trend(filling(2_048)).fullHeap());
  }

  private static IncidentBuilder filling(int maximum) {
    // Young collections leave 100 MiB up to 20 s, then 10 MiB more each second; from 60 s on full
    // ones free 2 of 504 MiB.
    IncidentBuilder builder = incident().maxHeap(maximum);
    for (int second = 0; second < 60; second++) {
      builder.pause(young(second, 5).heap(510, 100 + 10 * Math.max(0, second - 20), 512));
    }
    for (int second = 61; second < 120; second++) {
      builder.pause(full(second, 500).heap(504, 502, 512));
    }
    return builder;
  }

  @Test
  void aHeapFilledInOneGoIsNoLeak() {
    // 100 MiB up to 50 s, 500 MiB five seconds later.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 0; second < 60; second++) {
      double more = 80 * Math.min(5, Math.max(0, second - 50));
      builder.pause(young(second, 5).heap(510, 100 + more, 512));
    }
    for (int second = 61; second < 120; second++) {
      builder.pause(full(second, 500).heap(504, 502, 512));
    }
    assertFalse(trend(builder).fullHeap());
  }

  @Test
  void growthThroughTheWholeBaselineUpToTheCeilingIsALeak() {
    // 4 MiB/s in both halves of the baseline, then no room to grow: 480 of 512 MiB after each.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 0; second < 120; second++) {
      builder.pause(young(second, 5).heap(500, Math.min(480, 240 + 4 * second), 512));
    }
    assertTrue(trend(builder).growsWithoutBound());
  }

  @Test
  void aCollectorWhosePausesTellNothingOfTheHeapIsKnownByItsCycles() {
    // The same by what Shenandoah's cycles left: no pause has figures of the heap.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 0; second < 120; second++) {
      Bytes left = Bytes.ofMebi(Math.min(480, 240 + 4 * second));
      builder.sample(new ConcurrentCycle(at(second), left, true, new Source("gc.log", "1")));
    }
    assertTrue(trend(builder).growsWithoutBound());
  }

  @Test
  void aHeapThatIsFullAllAlongMayHaveBeenFilledByASlowLeak() {
    // 450 of 512 MiB for two minutes: neither a leak nor the exclusion of one.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 1; second < 120; second += 3) {
      builder.pause(fullUntil(second, 450, 512));
    }
    LiveSetTrend trend = trend(builder);
    assertFalse(trend.growsWithoutBound());
    assertFalse(trend.excludesLeak());
  }

  @Test
  void aHeapWithRoomThatDoesNotGrowExcludesALeakAsTheCause() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 1; second < 120; second += 3) {
      builder.pause(fullUntil(second, 150, 512));
    }
    assertTrue(trend(builder).excludesLeak());
  }

  @Test
  void pointsThatScatterSoMuchThatTheHeapMightSoonBeFullExcludeNothing() {
    // 100, 300, 100, 300 ... of 1024 MiB: level on average, and the slope is hardly known.
    IncidentBuilder builder = incident().maxHeap(1024);
    for (int i = 0; i < 4; i++) {
      builder.pause(fullUntil(70 + 10 * i, i % 2 == 0 ? 100 : 300, 1024));
    }
    assertFalse(trend(builder).excludesLeak());
  }
}
