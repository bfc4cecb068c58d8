package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.mixed;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveSetTrendTest {

  static LiveSetTrend trend(IncidentBuilder builder) {
    return builder.build().liveSetTrend().orElseThrow();
  }

  /** A full collection that ends at that second. */
  static PauseSketch fullUntil(double second, double leaves, double committed) {
    return full(second - 0.05, 50).heap(committed, leaves, committed);
  }

  @Test
  void aLeakGoesOnToTheEnd() {
    // 2 MiB/s from 200 MiB at 60 s: 320 MiB at 120 s, (512 - 320) / 2 = 96 s from the ceiling.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 65; second < 120; second += 5) {
      builder.pause(fullUntil(second, 200 + 2 * (second - 60), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.growsWithoutBound());
    assertEquals(Bytes.ofMebi(200), trend.first());
    assertEquals(Bytes.ofMebi(320), trend.last());
    assertEquals(Optional.of(Duration.ofSeconds(96)), trend.untilFull());
    assertEquals(11, trend.points());
    assertFalse(trend.excludesLeak());
  }

  @Test
  void theTimeToFullLiesWhereTheSlopesIntervalPutsIt() {
    // Every second point lies 6 MiB above a line of 2 MiB/s, the others 6 MiB below it. With 12
    // points in 55 s the slope's standard error is sqrt(12 x 36 / 10 / 3,575) = 0.110 MiB/s (the
    // line takes a little of the zigzag up), and t = 2.228: about 2 +- 0.24, and 512 - 318 = 194.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int i = 0; i < 12; i++) {
      double second = 62 + 5 * i;
      builder.pause(fullUntil(second, 200 + 2 * (second - 60) + (i % 2 == 0 ? 6 : -6), 512));
    }
    LiveSetTrend trend = trend(builder);
    double likely = trend.untilFull().orElseThrow().toSeconds();
    double least = trend.untilFullAtLeast().orElseThrow().toSeconds();
    double most = trend.untilFullAtMost().orElseThrow().toSeconds();
    assertEquals(194 / 1.95, likely, 8);
    assertEquals(194 / 2.2, least, 4);
    assertEquals(194 / 1.7, most, 8);
  }

  @Test
  void threeFullCollectionsOnOneLineAreEnough() {
    IncidentBuilder builder = incident().maxHeap(512);
    builder.pause(fullUntil(70, 200, 512)).pause(fullUntil(90, 260, 512));
    builder.pause(fullUntil(110, 320, 512));
    assertTrue(trend(builder).growsWithoutBound());
  }

  @Test
  void twoFullCollectionsAreEnoughAboveWhatWasInUseBefore() {
    // 2 MiB/s: 200 MiB after a young collection at 60 s, 250 and 300 MiB after full ones 25 s
    // apart.
    // No full collection follows that would show what young ones leave from there on: it may level.
    IncidentBuilder builder = incident().maxHeap(512);
    builder.pause(young(60, 5).heap(400, 200, 512));
    builder.pause(fullUntil(85, 250, 512)).pause(fullUntil(110, 300, 512));
    builder.pause(young(114, 5).heap(400, 308, 512)).pause(young(119, 5).heap(400, 318, 512));
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.growsWithoutBound());
    assertEquals(3, trend.points());
  }

  @Test
  void twoFullCollectionsOfAStartAreNotTheCourseOfTheWindow() {
    IncidentBuilder builder = incident().maxHeap(512);
    builder.pause(young(60, 5).heap(400, 20, 512));
    builder.pause(fullUntil(65, 60, 512)).pause(fullUntil(70, 100, 512));
    for (int second = 72; second < 120; second += 2) {
      builder.pause(young(second, 5).heap(450, 100, 512));
    }
    assertFalse(trend(builder).growsWithoutBound());
  }

  @Test
  void aWindowOfSecondsIsTooShortForATrendWhereMoreIsKnown() {
    // 5 MiB/s from 60 s on; in the last 6 s full GCs leave 470, 480 and 490 MiB.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 62; second < 120; second += 2) {
      builder.pause(fullUntil(second, 200 + 5 * (second - 60), 512));
    }
    MeasuredIncident whole = builder.build();
    Windows last =
        new Windows(
            new Window(at(113), at(119)), Optional.empty(), Windows.ChosenBy.USER, true, "test");
    LiveSetTrend trend = new MeasuredIncident(whole.timeline(), last).liveSetTrend().orElseThrow();
    assertTrue(trend.growsWithoutBound());
    assertEquals(29, trend.points());
  }

  @Test
  void whatOnlyGrowsInTheSecondsOfAShortIncidentIsNoLeak() {
    // 80 to 120 MiB for 50 s; in the last 6 s requests pile up, and hold 30 MiB more each second.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 62; second < 113; second += 2) {
      builder.pause(fullUntil(second, 80 + 20 * (second / 2 % 3), 512));
    }
    for (int half = 0; half < 12; half++) {
      builder.pause(fullUntil(113 + half / 2.0, 120 + 15 * half, 512));
    }
    MeasuredIncident whole = builder.build();
    Windows last =
        new Windows(
            new Window(at(113), at(119)), Optional.empty(), Windows.ChosenBy.USER, true, "test");
    Optional<LiveSetTrend> trend = new MeasuredIncident(whole.timeline(), last).liveSetTrend();
    assertTrue(trend.filter(LiveSetTrend::growsWithoutBound).isEmpty());
  }

  @Test
  void whatAServiceLoadsAtItsStartIsNoLeakThoughFullCollectionsComeLate() {
    // 12 MiB at first, 110 MiB from the fifth second on; full GCs at the end leave 103 and 105 MiB.
    IncidentBuilder builder = incident().maxHeap(512);
    builder.pause(young(60, 5).heap(60, 12, 512));
    for (int second = 65; second < 115; second += 2) {
      builder.pause(young(second, 5).heap(450, 110, 512));
    }
    builder.pause(fullUntil(115, 103, 512)).pause(fullUntil(116, 105, 512));
    assertFalse(trend(builder).growsWithoutBound());
  }

  @Test
  void whatNoFullCollectionHasClearedYetDoesNotShowThatGrowthEnded() {
    // 3 MiB/s after young collections, and one full collection at 75 s: up to there it went on.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second += 3) {
      builder.pause(
          second == 75
              ? fullUntil(second, 245, 512)
              : young(second, 5).heap(450, 200 + 3 * (second - 60), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertFalse(trend.levelsOff());
    assertFalse(trend.excludesLeak());
  }

  @Test
  void aListThatIsLoadedLevelsOff() {
    // 60 to 80 s: 10 MiB/s up to 400 MiB, and level from there.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 62; second < 120; second += 3) {
      builder.pause(fullUntil(second, Math.min(400, 200 + 10 * (second - 60)), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.levelsOff());
    assertFalse(trend.growsWithoutBound());
    assertEquals(Optional.empty(), trend.untilFull());
    assertTrue(trend.excludesLeak());
  }

  @Test
  void aLeakThatGrowsOnlyWhileTheApplicationRunsIsNotTakenForALoadThatEnds() {
    // 10 MiB for each second that the application runs. From 90 s on it runs a fifth of the time
    // only: 800 ms in each second are pauses. By the clock growth falls from 10 to 2 MiB/s.
    IncidentBuilder builder = incident().maxHeap(2048);
    double live = 200;
    for (int second = 61; second < 120; second++) {
      boolean late = second > 90;
      live += late ? 2 : 10;
      builder.pause(
          full(second - (late ? 0.8 : 0.01), late ? 800 : 10).heap(live + 50, live, 2048));
    }
    LiveSetTrend trend = trend(builder);
    assertFalse(trend.levelsOff());
    assertTrue(trend.growsWithoutBound());
  }

  @Test
  void whatAMarkingLeavesMayBeOldGarbageUpToAFifthOfTheHeap() {
    // A remark every 5 s and what young collections leave after it: +1.5 MiB/s x 60 s = 90 MiB, of
    // 512 MiB less than a fifth (102 MiB). With 2 MiB/s it is more.
    for (double slope : new double[] {1.5, 2}) {
      IncidentBuilder builder = incident().maxHeap(512);
      for (int second = 60; second < 120; second += 5) {
        builder.pause(young(second, 5).kind(PauseKind.REMARK));
        builder.pause(mixed(second + 1, 5).heap(400, 200 + slope * (second - 60), 512));
        builder.pause(young(second + 2, 5).heap(450, 300 + slope * (second - 60), 512));
      }
      assertEquals(slope == 2, trend(builder).growsWithoutBound(), "slope " + slope);
    }
  }

  @Test
  void fourMarkingsAreEnoughIfEachLeavesMoreThanTheOneBefore() {
    // Every 14 s; 3 MiB/s x 60 s is a third of the heap.
    for (boolean rising : new boolean[] {true, false}) {
      IncidentBuilder builder = incident().maxHeap(512);
      for (int second = 62; second < 118; second += 14) {
        builder.pause(young(second, 5).kind(PauseKind.REMARK));
        double left = rising || second < 100 ? 200 + 3 * (second - 60) : 200;
        builder.pause(mixed(second + 1, 5).heap(450, left, 512));
      }
      assertEquals(
          rising,
          builder.build().liveSetTrend().filter(LiveSetTrend::growsWithoutBound).isPresent());
    }
  }

  /** Markings leave 200, 215, ... MiB. */
  private static IncidentBuilder markings() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 110; second += 5) {
      builder.pause(young(second, 5).kind(PauseKind.REMARK));
      builder.pause(mixed(second + 1, 5).heap(400, 200 + 3 * (second - 60), 512));
    }
    return builder;
  }

  @Test
  void aFullCollectionShowsWhatWasGarbageBefore() {
    assertTrue(trend(markings()).growsWithoutBound());
    // A full collection leaves 210 MiB.
    assertFalse(trend(markings().pause(fullUntil(118, 210, 512))).growsWithoutBound());
  }

  @Test
  void growthBelowOneTwentiethOfTheCeilingIsDrift() {
    // 0.25 MiB/s x 60 s = 15 MiB, below 5 % of 512 MiB = 25.6 MiB.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 65; second < 120; second += 5) {
      builder.pause(fullUntil(second, 200 + 0.25 * (second - 60), 512));
    }
    assertFalse(trend(builder).rises());
  }

  @Test
  void youngCollectionsShowARiseAndNoLeak() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 200 + 2 * (second - 60), 512));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.rises());
    assertFalse(trend.growsWithoutBound());
    assertFalse(trend.excludesLeak());
  }

  @Test
  void ofEachSliceTheLowestUseCounts() {
    // Every other young collection leaves 100 MiB of garbage that the next one clears.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int i = 0; i < 120; i++) {
      builder.pause(young(60 + i / 2.0, 5).heap(400, i % 2 == 0 ? 300 : 200, 512));
    }
    LiveSetTrend trend = trend(builder);
    assertFalse(trend.rises());
    // 60 s in 16 slices of 3.75 s hold seven collections each, so one of 200 MiB.
    assertEquals(16, trend.points());
    assertEquals(Bytes.ofMebi(200), trend.last());
  }

  @Test
  void aLeakIsSeenInTheWholeRecordingWhereTheIncidentIsTooShortForIt() {
    // A marking leaves 3 MiB/s more through the two minutes, six in all; two of them in the second.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 10; second < 100; second += 15) {
      builder.pause(fullUntil(second, 100 + 3 * second, 512));
    }
    builder.pause(young(100, 5).heap(460, 400, 512));
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.growsWithoutBound());
    assertEquals(Bytes.ofMebi(100), trend.first());
  }

  @Test
  void whatFillsUpMoreAndMoreSlowlyIsFullLater() {
    // 60 to 90 s: 4 MiB/s, then 2.4: more than half of it, so it does not level off. At 120 s the
    // line stands near 392 MiB; (1024 - 392) / 2.4 = 263 s, where its own slope gives 194.
    IncidentBuilder builder = incident().maxHeap(1024);
    for (int second = 62; second < 120; second += 2) {
      double late = Math.max(0, second - 90);
      builder.pause(fullUntil(second, 200 + 4 * (second - 60 - late) + 2.4 * late, 1024));
    }
    LiveSetTrend trend = trend(builder);
    assertTrue(trend.growsWithoutBound());
    assertEquals(263, trend.untilFull().orElseThrow().toSeconds(), 8);
    assertFalse(trend.isFullSoon());
  }

  @Test
  void twoFullCollectionsMakeNoTrend() {
    IncidentBuilder builder = incident();
    builder.pause(fullUntil(90, 200, 512)).pause(fullUntil(100, 400, 512));
    assertEquals(Optional.empty(), builder.build().liveSetTrend());
  }
}
