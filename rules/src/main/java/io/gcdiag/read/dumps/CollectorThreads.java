package io.gcdiag.read.dumps;

import java.util.Map;
import java.util.Optional;

/** Which collector a JVM runs, by the names that HotSpot gives its threads. */
final class CollectorThreads {

  /**
   * How the names of a collector's threads begin, in JDK 8 to 25; the workers of G1 and Parallel
   * are named alike from JDK 10 on, so that they tell nothing. Serial has no thread of its own.
   */
  private static final Map<String, String> BEGINNINGS =
      Map.of(
          "G1 ", "G1",
          "GC task thread#", "Parallel",
          "Concurrent Mark-Sweep GC Thread", "ParNew + CMS",
          "ZDirector", "ZGC",
          "ZWorker", "ZGC",
          "XDirector", "ZGC",
          "Shenandoah", "Shenandoah");

  private CollectorThreads() {}

  static Optional<String> collector(String thread) {
    return BEGINNINGS.entrySet().stream()
        .filter(entry -> thread.startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
