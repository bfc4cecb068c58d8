package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TimeOrderTest {

  private static final Function<Integer, Instant> SECOND = Instant::ofEpochSecond;

  /** More than are kept as objects: the long lists must give what the short ones give. */
  private static final int MANY = LazyList.WORTH_IT + 10;

  @Test
  void aWindowHoldsItsStartAndNotItsEnd() {
    List<Integer> seconds = List.of(1, 3, 3, 5, 9);

    assertEquals(List.of(3, 3, 5), TimeOrder.within(seconds, SECOND, window(3, 9)));
    assertEquals(List.of(1), TimeOrder.within(seconds, SECOND, window(0, 2)));
    assertEquals(List.of(), TimeOrder.within(seconds, SECOND, window(6, 9)));
    assertEquals(List.of(), TimeOrder.within(seconds, SECOND, window(10, 20)));
  }

  @Test
  void theSameHoldsOfLongLists() {
    List<Integer> seconds = LazyList.of(MANY, i -> i);

    assertEquals(List.of(7_000, 7_001), TimeOrder.within(seconds, SECOND, window(7_000, 7_002)));
    assertEquals(MANY, TimeOrder.within(seconds, SECOND, window(-5, 2L * MANY)).size());
  }

  @Test
  void partsOfAnyLengthAreMergedInOrder() {
    List<Integer> even = LazyList.of(MANY, i -> 2 * i);
    List<Integer> odd = List.of(3, 1);

    List<Integer> merged = TimeOrder.merged(List.of(even, odd), Comparator.naturalOrder());

    assertEquals(List.of(0, 1, 2, 3, 4), merged.subList(0, 5));
    assertEquals(MANY + 2, merged.size());
    assertEquals(2 * (MANY - 1), merged.get(MANY + 1));
    assertEquals(
        List.of(1, 2, 3), TimeOrder.merged(List.of(odd, List.of(2)), Comparator.naturalOrder()));
  }

  @Test
  void aLongListWithoutOthersIsNotCopied() {
    List<Integer> all = LazyList.of(MANY, i -> i);

    assertSame(all, TimeOrder.merged(List.of(List.of(), all), Comparator.naturalOrder()));
    assertSame(all, TimeOrder.where(all, i -> true));
  }

  @Test
  void conditionsKeepTheOrder() {
    List<Integer> all = LazyList.of(MANY, i -> i);

    assertEquals(List.of(9_999, 10_000), TimeOrder.where(all, i -> i >= 9_999 && i <= 10_000));
    assertEquals(List.of(2, 4), TimeOrder.where(List.of(1, 2, 3, 4), i -> i % 2 == 0));
  }

  private static Window window(long from, long to) {
    return new Window(Instant.ofEpochSecond(from), Instant.ofEpochSecond(to));
  }
}
