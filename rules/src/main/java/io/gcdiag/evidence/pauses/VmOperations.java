package io.gcdiag.evidence.pauses;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the operations are that HotSpot carries out at a safepoint, by their names in its sources
 * ({@code runtime/vmOperation.hpp}), which logs and recordings print alike.
 */
public final class VmOperations {

  /**
   * A collection's name begins with that of its collector, or says what could not be allocated:
   * {@code G1CollectForAllocation}, {@code ParallelGCFailedAllocation}, {@code CMS_Final_Remark},
   * {@code CGC_Operation} (G1's remark and cleanup up to JDK 16), {@code XMarkStart}, {@code
   * ZRelocateStartOld}, {@code ShenandoahInitMark}, {@code GenCollectFull}, {@code
   * SerialGCCollect}, {@code CollectForMetadataAllocation}. Neither {@code GC_HeapInspection}, a
   * class histogram, nor {@code RotateGCLog} is one.
   */
  private static final Pattern COLLECTION =
      Pattern.compile(
          "(?:G1|CMS_|CGC_|[XZ](?=Mark|Relocate|Rendezvous|Verify)|Shenandoah|GenCollect|Serial"
              + "|Parallel|CollectFor|MSweepGC).*");

  /**
   * A thread dump is the first three ({@code jstack}, {@code jcmd Thread.print}, a signal, the
   * recorder's own dumps). The rest is the recorder's work.
   */
  private static final Set<String> OBSERVATION =
      Set.of(
          "PrintThreads",
          "PrintJNI",
          "FindDeadlocks",
          "JFRCheckpoint",
          "JFROldObject",
          "JFRSafepointWrite",
          "JFRSafepointClear",
          "JFRSafepointStacktrace",
          "ClassLoaderStatsOperation");

  /** Heap dumps and histograms, and stacks taken by agents and through management beans. */
  private static final Set<String> TOOL =
      Set.of(
          "HeapDumper",
          "GC_HeapInspection",
          "HeapWalkOperation",
          "HeapIterateOperation",
          "ThreadDump",
          "GetAllStackTraces",
          "GetThreadListStackTraces",
          "PrintClassHierarchy",
          "PrintClasses",
          "PrintMetadata",
          "PrintCompileQueue",
          "DumpHashtable",
          "DumpTouchedMethods",
          "GetStackTrace",
          "GetMultipleStackTraces",
          "ClassLoaderHierarchyOperation");

  /** They want the threads stopped and do next to nothing then. */
  private static final Set<String> EMPTY =
      Set.of(
          "None",
          "no vm operation",
          "Cleanup",
          "ICBufferFull",
          "ForceSafepoint",
          "ForceAsyncSafepoint",
          "EnableBiasedLocking");

  private VmOperations() {}

  /** Whether it is a collector's. */
  public static boolean isCollection(String operation) {
    return COLLECTION.matcher(operation).matches();
  }

  /** Whether it is part of a thread dump or of recording: of observing the incident. */
  static boolean isObservation(String operation) {
    return OBSERVATION.contains(operation);
  }

  /** Whether a tool or an agent asked for it. */
  public static boolean isOfTool(String operation) {
    return TOOL.contains(operation) || isObservation(operation);
  }

  /** Whether there is nothing to do once the threads have stopped. */
  public static boolean isEmpty(String operation) {
    return EMPTY.contains(operation);
  }
}
