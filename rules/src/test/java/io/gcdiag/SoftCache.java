package io.gcdiag;

import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What several tests of one JVM need and takes long to make. It is made anew where memory became
 * short in between.
 */
public final class SoftCache<K, V> {

  private final Map<K, SoftReference<V>> known = new ConcurrentHashMap<>();

  /**
   * The value of a key. Two threads at once may make it twice: to wait for each other inside of
   * parallel streams could lock both.
   */
  public V get(K key, Supplier<V> make) {
    SoftReference<V> reference = known.get(key);
    V value = reference == null ? null : reference.get();
    if (value == null) {
      value = make.get();
      known.put(key, new SoftReference<>(value));
    }
    return value;
  }
}
