package io.gcdiag.read.gclog.lines;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a log says about the JVM that wrote it.
 *
 * @param collector {@code G1}, {@code Parallel}, {@code Serial}, {@code CMS}, {@code ZGC}, {@code
 *     Shenandoah} or {@code Epsilon}; from the line that names it, else from what only that
 *     collector prints
 * @param jvmVersion the version as printed, such as {@code 17.0.15+6}
 * @param jdks which JDKs write logs of that form, such as {@code 9 to 13}
 * @param facts settings under the name of their flag where there is one ({@code MinHeapSize},
 *     {@code InitialHeapSize}, {@code MaxHeapSize}, {@code G1HeapRegionSize}), else under the log's
 *     own words ({@code CPUs}, {@code Memory}); values as printed
 */
public record LogOrigin(
    Optional<String> collector,
    Optional<String> jvmVersion,
    String jdks,
    SortedMap<String, String> facts) {

  /** Copies the map. */
  public LogOrigin {
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
  }
}
