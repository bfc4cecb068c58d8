package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.stats.ChangePoint.SegmentSearch;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SegmentSearchTest {

  private static final double[] RAISED = {0, 0, 0, 3, 3, 0, 0, 0, 0, 0};

  @Test
  void theGainOfAStretchIsWhatItsOwnMeanSavesInSquares() {
    // Mean 0.6. Squares around it: 8 x 0.36 + 2 x 5.76 = 14.4; around two means none is left.
    SegmentSearch.Range best = new SegmentSearch(10, 1, 1).best(RAISED).orElseThrow();
    assertEquals(3, best.from());
    assertEquals(5, best.to());
    assertEquals(14.4, best.gain(), 1e-9);
  }

  @Test
  void aBoundIsReachedByAStretchThatSavesAsMuch() {
    SegmentSearch search = new SegmentSearch(10, 1, 1);
    assertTrue(search.bound(14.3).isReached(RAISED));
    assertFalse(search.bound(14.5).isReached(RAISED));
    // A stretch of three: deviations 2.4 + 2.4 - 0.6 = 4.2, so 4.2^2 x 10 / (3 x 7) = 8.4.
    SegmentSearch longer = new SegmentSearch(10, 3, 1);
    assertTrue(longer.bound(8.3).isReached(RAISED));
    assertFalse(longer.bound(8.5).isReached(RAISED));
  }

  @Test
  void aBoundIsReachedExactlyIfTheBestStretchReachesIt() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      double[] values = random.doubles(20 + random.nextInt(281)).toArray();
      SegmentSearch search =
          new SegmentSearch(values.length, 1 + random.nextInt(5), 1 + random.nextInt(10));
      double gain = search.best(values).orElseThrow().gain();
      assertTrue(search.bound(gain).isReached(values), "round " + round);
      assertFalse(search.bound(Math.nextUp(gain)).isReached(values), "round " + round);
    }
  }
}
