package io.gcdiag.read.gclog;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The JVM that wrote a log.
 *
 * @param collector {@code G1}, {@code Parallel}, {@code Serial}, {@code CMS}, {@code ZGC}, {@code
 *     Shenandoah} or {@code Epsilon}; from the line that names it, otherwise from lines that only
 *     that collector prints
 * @param jvmVersion the version as printed, such as {@code 17.0.15+6}
 * @param jdks which JDKs write logs of that format, such as {@code 9 to 13}
 * @param facts settings under the name of their flag if there is one ({@code MinHeapSize}, {@code
 *     InitialHeapSize}, {@code MaxHeapSize}, {@code G1HeapRegionSize}), otherwise in the log's own
 *     words ({@code CPUs}, {@code Memory}); values as printed
 */
record LogOrigin(
    Optional<String> collector,
    Optional<String> jvmVersion,
    String jdks,
    SortedMap<String, String> facts) {

  public LogOrigin {
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
  }
}
