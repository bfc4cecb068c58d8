package io.gcdiag.evidence.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitSeries.WaitLengths;
import org.junit.jupiter.api.Test;

class WaitLengthsTest {

  /** The class by its definition: an eighth of an octave, rounded. */
  private static long step(long nanos) {
    return Math.round(8 * Math.log(nanos) / Math.log(2));
  }

  private static long of(long nanos) {
    WaitLengths lengths = new WaitLengths();
    lengths.add(nanos);
    return lengths.length(1);
  }

  @Test
  void classesAreEighthsOfAnOctave() {
    long state = 42;
    for (int i = 0; i < 100_000; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      long nanos = Math.max(1, (state >>> 1) >>> (state >>> 58));
      assertEquals(Math.round(Math.pow(2, step(nanos) / 8.0)), of(nanos), () -> nanos + " ns");
    }
    for (int octave = 0; octave < 62; octave++) {
      for (long near = (1L << octave) - 2; near <= (1L << octave) + 2; near++) {
        long nanos = Math.max(1, near);
        assertEquals(Math.round(Math.pow(2, step(nanos) / 8.0)), of(nanos), () -> nanos + " ns");
      }
    }
  }

  @Test
  void waitsOfNoLengthAreInTheFirstClass() {
    WaitLengths lengths = new WaitLengths();
    lengths.add(0);
    lengths.add(1_000_000);
    lengths.add(2_000_000);
    assertEquals(3, lengths.count());
    assertEquals(1, lengths.countShorterThan(1_000));
    assertEquals(2, lengths.countShorterThan(2_000_000));
    // 2^(160 / 8) is the class of a million: 1,048,576 is off by less than half a step.
    assertEquals(987_792, lengths.length(0.5), 70_000);
  }
}
