package io.gcdiag.evidence;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the operations are that HotSpot carries out at a safepoint, by their names in its sources
 * ({@code runtime/vmOperation.hpp}), which logs and recordings print alike.
 */
public final class VmOperations {

  /**
   * {@code G1CollectForAllocation}, {@code ParallelGCFailedAllocation}, {@code CMS_Final_Remark},
   * {@code CGC_Operation}, {@code ZMarkStart}, {@code XMarkStart}, {@code ShenandoahInitMark},
   * {@code GenCollectFull}, {@code SerialCollectForAllocation}.
   */
  private static final Pattern COLLECTION =
      Pattern.compile(".*(?:Collect|GC).*|G1.*|CMS.*|[XZ][A-Z][a-z].*|Shenandoah.*");

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

  /** Whether it is part of a thread dump or of recording: of somebody's looking at the trouble. */
  public static boolean isObservation(String operation) {
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
