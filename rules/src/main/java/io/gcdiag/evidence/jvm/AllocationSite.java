package io.gcdiag.evidence.jvm;

import io.gcdiag.units.Bytes;
import java.util.Comparator;
import java.util.Optional;

/**
 * Objects of one class allocated on one path.
 *
 * @param className the class, in source form: {@code byte[]}, {@code java.lang.String}
 * @param top the innermost frame outside the JDK, or the innermost of all
 * @param root the frame that shows the purpose: the outermost one that is not plumbing
 * @param ofApplication whether the service's own code is anywhere on the stack; if not, servers,
 *     libraries or monitoring allocate for themselves
 * @param path the allocation path: outside a TLAB, or sampled
 * @param bytes estimated (sampled) or exact (outside TLABs) bytes
 * @param count number of events
 * @param typicalSize the median object size, if the events have it (outside TLABs)
 */
public record AllocationSite(
    String className,
    String top,
    String root,
    boolean ofApplication,
    Path path,
    Bytes bytes,
    long count,
    Optional<Bytes> typicalSize) {

  /** By bytes, largest first, with a fixed order of equal ones. */
  static final Comparator<AllocationSite> LARGEST_FIRST =
      Comparator.comparing(AllocationSite::bytes)
          .reversed()
          .thenComparing(AllocationSite::className)
          .thenComparing(AllocationSite::top)
          .thenComparing(AllocationSite::root)
          .thenComparing(AllocationSite::ofApplication);

  /** The same site with another number of bytes, such as those of a part of the time. */
  AllocationSite of(long amount) {
    return new AllocationSite(
        className, top, root, ofApplication, path, Bytes.of(amount), count, typicalSize);
  }

  /** Sum of both; the typical size is that of the one with more events. */
  AllocationSite plus(AllocationSite other) {
    return new AllocationSite(
        className,
        top,
        root,
        ofApplication,
        path,
        Bytes.of(bytes.value() + other.bytes.value()),
        count + other.count,
        count >= other.count ? typicalSize : other.typicalSize);
  }

  /** How an allocation was recorded. */
  public enum Path {
    /**
     * Recorded because it did not fit a thread's local buffer: {@code ObjectAllocationOutsideTLAB}.
     */
    OUTSIDE_TLAB,
    /** A weighted sample of all allocation: {@code ObjectAllocationSample}. */
    SAMPLED
  }
}
