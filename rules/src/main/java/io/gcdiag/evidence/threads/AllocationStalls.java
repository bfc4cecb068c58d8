package io.gcdiag.evidence.threads;

/** Names of the sites at which threads wait inside an allocation ({@link WaitKind}). */
public final class AllocationStalls {

  /**
   * A concurrent collector has no free memory left and has to finish its cycle first: ZGC's
   * allocation stalls ({@code jdk.ZAllocationStall}, HotSpot's zPageAllocator.cpp).
   */
  public static final String COLLECTOR = "collector";

  /**
   * Shenandoah slows down threads that allocate faster than it frees memory (shenandoahPacer.cpp):
   * the delay of a thread in one cycle. Not in recordings.
   */
  public static final String PACING = "pacing";

  /**
   * A thread inside a JNI critical section prevents the collection from starting: HotSpot's
   * gcLocker.cpp, {@code jdk.GCLocker}, up to JDK 21 with G1.
   */
  public static final String GC_LOCKER = "GCLocker";

  private AllocationStalls() {}
}
