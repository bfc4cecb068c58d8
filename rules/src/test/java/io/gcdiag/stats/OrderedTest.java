package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrderedTest {

  @Test
  void theLargestIsFirstAndOfThoseAlikeTheFirstByName() {
    Map<String, Integer> sums = Map.of("b", 2, "a", 2, "c", 3, "d", 1);
    assertEquals(
        List.of("c", "a", "b", "d"),
        Ordered.largestFirst(sums).stream().map(Map.Entry::getKey).toList());
    assertEquals(Optional.of("c"), Ordered.largest(sums));
  }

  @Test
  void ofNoneNoneIsTheLargest() {
    assertEquals(Optional.empty(), Ordered.largest(Map.<String, Integer>of()));
  }
}
