package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlaceCountsTest {

  private static final long START = 1_700_000_000;
  private static final long SECOND = 1_000_000_000;

  private static Window seconds(long from, long to) {
    return new Window(Instant.ofEpochSecond(START + from), Instant.ofEpochSecond(START + to));
  }

  private static long at(long second) {
    return (START + second) * SECOND + 999_999_999;
  }

  @Test
  void amountsAddUpByPlaceAndSecond() {
    PlaceCounts counts = new PlaceCounts();
    counts.add(3, at(0), 10);
    counts.add(70_000, at(0), 1);
    counts.add(3, at(1), 5);
    counts.add(3, at(0), 2);
    assertEquals(Map.of(3, 12L, 70_000, 1L), counts.within(seconds(0, 1)));
    assertEquals(Map.of(3, 17L, 70_000, 1L), counts.within(seconds(0, 2)));
    assertEquals(Map.of(), counts.within(seconds(2, 9)));
  }

  @Test
  void bucketsBecomeWiderWhenThereAreTooMany() {
    PlaceCounts counts = new PlaceCounts(4);
    for (int second = 0; second < 16; second++) {
      counts.add(1, at(second), 1);
    }
    assertEquals(Map.of(1, 16L), counts.within(seconds(0, 16)));
    // Four cells of four seconds are left; those of the first eight seconds are the first two.
    assertEquals(Map.of(1, 8L), counts.within(seconds(0, 8)));
    counts.add(1, at(16), 1);
    assertEquals(Map.of(1, 17L), counts.within(seconds(0, 24)));
  }

  /** Each thread's events are in the order of time; threads write theirs down one after another. */
  @Test
  void whatComesLateIsAddedToItsSecond() {
    PlaceCounts counts = new PlaceCounts();
    for (int thread = 0; thread < 3; thread++) {
      for (int second = 0; second < 20; second++) {
        counts.add(second, at(second), 1);
        counts.add(100 + thread, at(second), 1);
      }
    }
    assertEquals(Map.of(7, 3L, 100, 1L, 101, 1L, 102, 1L), counts.within(seconds(7, 8)));
    counts.add(7, at(7), 1);
    assertEquals(Map.of(7, 4L, 100, 1L, 101, 1L, 102, 1L), counts.within(seconds(7, 8)));
  }
}
