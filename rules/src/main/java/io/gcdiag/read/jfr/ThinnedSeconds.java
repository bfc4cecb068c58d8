package io.gcdiag.read.jfr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * Events by thread, in bounded memory. If there are too many, only those of every second, fourth,
 * eighth... second are kept, so that consecutive events stay together.
 *
 * @param <K> the thread
 * @param <V> the event
 */
final class ThinnedSeconds<K, V> {

  /** Some 10 MB of the small records that are kept here. */
  private static final int MOST = 100_000;

  private final ToLongFunction<V> nanos;
  private final Map<K, List<V>> kept = new HashMap<>();
  private int count;
  private long stride = 1;

  /**
   * Empty.
   *
   * @param nanos time of an event, in nanoseconds since 1970
   */
  ThinnedSeconds(ToLongFunction<V> nanos) {
    this.nanos = nanos;
  }

  void add(K whom, V what) {
    if (!isKept(what)) {
      return;
    }
    kept.computeIfAbsent(whom, any -> new ArrayList<>(2)).add(what);
    if (++count > MOST) {
      stride *= 2;
      kept.values().forEach(list -> list.removeIf(one -> !isKept(one)));
      kept.values().removeIf(List::isEmpty);
      count = kept.values().stream().mapToInt(List::size).sum();
    }
  }

  private boolean isKept(V what) {
    return Math.floorMod(ThreadSpans.second(nanos.applyAsLong(what)), stride) == 0;
  }

  /** Whether anything was left out. */
  boolean isThinned() {
    return stride > 1;
  }

  /** Visits the events of each thread, in order of time. */
  void forEach(BiConsumer<K, List<V>> viewer) {
    kept.values().forEach(list -> list.sort(Comparator.comparingLong(nanos)));
    kept.forEach(viewer);
  }
}
