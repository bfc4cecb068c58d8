package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class KnownValuesTest {

  private static final double GAP = Double.NaN;

  private final KnownValues known = KnownValues.of(new double[] {GAP, 2, GAP, 4, 6, GAP, GAP});

  @Test
  void gapsAreLeftOutAndPlacesKept() {
    assertArrayEquals(new double[] {2, 4, 6}, known.values());
    assertEquals(3, known.count());
    assertEquals(7, known.seriesLength());
    assertEquals(1, known.index(0));
    assertEquals(4, known.index(2));
  }

  @Test
  void theFirstKnownValueFromAnIndexOn() {
    assertEquals(0, known.firstAtOrAfter(0));
    assertEquals(0, known.firstAtOrAfter(1));
    assertEquals(1, known.firstAtOrAfter(2));
    assertEquals(3, known.firstAtOrAfter(5));
  }

  @Test
  void aBinIsTheMeanOfItsKnownValues() {
    // Seven values are three bins of three; the last one has a single place, a gap.
    KnownValues bins = known.binned(3);
    assertArrayEquals(new double[] {2, 5}, bins.values());
    assertEquals(3, bins.seriesLength());
    assertEquals(1, bins.index(1));
  }

  @Test
  void otherValuesStandAtTheSamePlaces() {
    KnownValues others = known.with(new double[] {7, 8, 9});
    assertArrayEquals(new double[] {7, 8, 9}, others.values());
    assertEquals(3, others.index(1));
    assertEquals(7, others.seriesLength());
  }

  @Test
  void infinityIsNoValue() {
    double[] series = {1, Double.POSITIVE_INFINITY};
    assertThrows(IllegalArgumentException.class, () -> KnownValues.of(series));
  }
}
