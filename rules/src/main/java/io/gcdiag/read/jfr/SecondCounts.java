package io.gcdiag.read.jfr;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Counts events by kind and second, so that memory grows with time and not with events. */
final class SecondCounts<K> {

  /** Kinds that repeat are some hundreds; more are names that never repeat. */
  private static final int MOST_KINDS = 500;

  private final K others;
  private final Map<K, Map<Instant, Long>> counts = new HashMap<>();

  /** What receives the count. */
  interface Receiver<K> {
    void accept(K kind, Instant second, long count);
  }

  /**
   * Empty.
   *
   * @param others used for kinds above the limit
   */
  SecondCounts(K others) {
    this.others = others;
  }

  void add(K kind, Instant at) {
    K kept = counts.containsKey(kind) || counts.size() < MOST_KINDS ? kind : others;
    counts
        .computeIfAbsent(kept, key -> new HashMap<>())
        .merge(Instant.ofEpochSecond(at.getEpochSecond()), 1L, Long::sum);
  }

  void forEach(Receiver<K> receiver) {
    counts.forEach(
        (kind, seconds) -> seconds.forEach((second, n) -> receiver.accept(kind, second, n)));
  }
}
