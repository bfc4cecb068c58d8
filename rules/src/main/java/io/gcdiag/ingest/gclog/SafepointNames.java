package io.gcdiag.ingest.gclog;

import java.util.regex.Pattern;

/** Which operations at a safepoint are a collector's, by their names in the JDK's sources. */
final class SafepointNames {

  /**
   * {@code G1CollectForAllocation}, {@code ParallelGCFailedAllocation}, {@code CMS_Final_Remark},
   * {@code CGC_Operation}, {@code ZMarkStart}, {@code XMarkStart}, {@code ShenandoahInitMark},
   * {@code GenCollectFull}, {@code SerialCollectForAllocation}.
   */
  private static final Pattern COLLECTION =
      Pattern.compile(".*(?:Collect|GC).*|G1.*|CMS.*|[XZ][A-Z][a-z].*|Shenandoah.*");

  private SafepointNames() {}

  static boolean isCollection(String operation) {
    return COLLECTION.matcher(operation).matches();
  }
}
