package io.gcdiag.stats;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sums by name in their order. */
public final class Ordered {
  private Ordered() {}

  /** The largest first; of those alike the first by name. */
  public static <K extends Comparable<K>, V extends Comparable<V>>
      List<Map.Entry<K, V>> largestFirst(Map<K, V> sums) {
    return sums.entrySet().stream()
        .sorted(
            Map.Entry.<K, V>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .toList();
  }

  /** The name with the largest; empty without any. */
  public static <K extends Comparable<K>, V extends Comparable<V>> Optional<K> largest(
      Map<K, V> sums) {
    return largestFirst(sums).stream().findFirst().map(Map.Entry::getKey);
  }
}
