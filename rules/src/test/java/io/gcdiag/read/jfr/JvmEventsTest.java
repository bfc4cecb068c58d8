package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * HotSpot: as many threads as processors up to eight, then 8 + (n - 8) x 5 / 8 in whole numbers.
 */
class JvmEventsTest {

  @Test
  void upToSevenThreadsThatTheJvmChoseAreItsProcessors() {
    assertEquals(OptionalInt.of(1), JvmEvents.cpusOf("G1", 1, "Default"));
    assertEquals(OptionalInt.of(7), JvmEvents.cpusOf("Parallel", 7, "Ergonomic"));
  }

  @Test
  void eightThreadsAreChosenForEightProcessorsAndForNine() {
    assertEquals(OptionalInt.empty(), JvmEvents.cpusOf("G1", 8, "Default"));
  }

  @Test
  void threadsThatWereSetOrWhoseOriginIsUnknownSayNothing() {
    assertEquals(OptionalInt.empty(), JvmEvents.cpusOf("G1", 1, "Command line"));
    assertEquals(OptionalInt.empty(), JvmEvents.cpusOf("G1", 1, ""));
  }

  @Test
  void otherCollectorsHaveOtherNumbers() {
    assertEquals(OptionalInt.empty(), JvmEvents.cpusOf("ZGC Minor", 1, "Default"));
    assertEquals(OptionalInt.empty(), JvmEvents.cpusOf("Serial", 0, "Default"));
  }
}
