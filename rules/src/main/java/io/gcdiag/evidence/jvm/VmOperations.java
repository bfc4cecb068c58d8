package io.gcdiag.evidence.jvm;

import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Classifies HotSpot's safepoint operations by their names in its sources ({@code
 * runtime/vmOperation.hpp}), which logs and recordings print alike.
 */
public final class VmOperations {

  /**
   * A collection's name begins with that of its collector, or contains what could not be allocated:
   * {@code G1CollectForAllocation}, {@code ParallelGCFailedAllocation}, {@code CMS_Final_Remark},
   * {@code CGC_Operation} (G1's remark and cleanup up to JDK 16), {@code XMarkStart}, {@code
   * ZRelocateStartOld}, {@code ShenandoahInitMark}, {@code GenCollectFull}, {@code
   * SerialGCCollect}, {@code CollectForMetadataAllocation}. {@code GC_HeapInspection} (a class
   * histogram) and {@code RotateGCLog} are no collections.
   */
  private static final Pattern COLLECTION =
      Pattern.compile(
          "(?:G1|CMS_|CGC_|[XZ](?=Mark|Relocate|Rendezvous|Verify)|Shenandoah|GenCollect|Serial"
              + "|Parallel|CollectFor|MSweepGC).*");

  private static final Map<String, List<String>> KINDS =
      ResourceText.table(VmOperations.class, "vm-operations.txt");

  private VmOperations() {}

  public static boolean isCollection(String operation) {
    return COLLECTION.matcher(operation).matches();
  }

  /** Whether it observes the incident: a part of a thread dump or of recording. */
  static boolean isObservation(String operation) {
    return is("observation", operation);
  }

  /** Whether a tool or an agent requested it. */
  public static boolean isOfTool(String operation) {
    return is("tool", operation) || isObservation(operation);
  }

  /** Whether it is a collection that a call or a tool requested. */
  public static boolean collectsOnRequest(String operation) {
    return is("collects", operation);
  }

  /** Whether a thread requested it; other collections run when the heap is full. */
  public static boolean isRequest(String operation) {
    return collectsOnRequest(operation) || !isCollection(operation);
  }

  /** Whether there is no operation to execute once the threads have stopped. */
  public static boolean isEmpty(String operation) {
    return is("empty", operation);
  }

  /** Whether it revokes biased locks. */
  public static boolean revokesBias(String operation) {
    return is("bias", operation);
  }

  /** Whether it throws compiled code away. */
  public static boolean deoptimizes(String operation) {
    return is("deoptimizes", operation);
  }

  /** Whether it empties the buffer of inline caches. */
  public static boolean emptiesInlineCaches(String operation) {
    return is("caches", operation);
  }

  private static boolean is(String kind, String operation) {
    return KINDS.getOrDefault(operation, List.of()).contains(kind);
  }
}
