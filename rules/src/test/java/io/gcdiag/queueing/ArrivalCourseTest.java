package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ArrivalCourseTest {

  private static final long[] STEADY = {0, 25, 50, 75};

  @Test
  void aSteadyRateLeavesArrivalsWhereTheyAre() {
    assertArrayEquals(STEADY, ArrivalCourse.of(new double[] {3, 3}).place(STEADY, 100));
  }

  @Test
  void threeQuartersOfThemFallIntoTheHalfWithThreeTimesTheRate() {
    // 1 : 3. The first quarter of the arrivals takes the first half of the time: what was at 0
    // stays,
    // 25 moves to 50, and the rest is drawn together: 50 to 66.7, 75 to 83.3.
    assertArrayEquals(
        new long[] {0, 50, 67, 83}, ArrivalCourse.of(new double[] {1, 3}).place(STEADY, 100));
  }

  @Test
  void nobodyComesWhileTheRateIsZero() {
    // All of them in the second third: 33.3 and up, 8.3 apart.
    assertArrayEquals(
        new long[] {33, 42, 50, 58}, ArrivalCourse.of(new double[] {0, 5, 0}).place(STEADY, 100));
  }

  @Test
  void withoutARateThereIsNoCourse() {
    assertThrows(IllegalArgumentException.class, () -> ArrivalCourse.of(new double[] {0, 0}));
  }
}
