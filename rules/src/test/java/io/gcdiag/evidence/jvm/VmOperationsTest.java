package io.gcdiag.evidence.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations of HotSpot from JDK 8 to 25 ({@code vmOperation.hpp}), by what they are. */
class VmOperationsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CollectForMetadataAllocation",
        "CollectForCodeCacheAllocation",
        "GenCollectFull",
        "GenCollectFullConcurrent",
        "GenCollectForAllocation",
        "SerialCollectForAllocation",
        "SerialGCCollect",
        "ParallelGCFailedAllocation",
        "ParallelGCFailedPermanentAllocation",
        "ParallelGCSystemGC",
        "ParallelCollectForAllocation",
        "ParallelGCCollect",
        "CGC_Operation",
        "CMS_Initial_Mark",
        "CMS_Final_Remark",
        "G1CollectFull",
        "G1CollectForAllocation",
        "G1IncCollectionPause",
        "G1Concurrent",
        "G1PauseRemark",
        "G1PauseCleanup",
        "G1TryInitiateConcMark",
        "ZMarkStart",
        "ZMarkEnd",
        "ZMarkEndOld",
        "ZMarkEndYoung",
        "ZMarkFlushOperation",
        "ZMarkStartYoung",
        "ZMarkStartYoungAndOld",
        "ZRelocateStart",
        "ZRelocateStartOld",
        "ZRelocateStartYoung",
        "ZRendezvousGCThreads",
        "ZVerify",
        "ZVerifyOld",
        "XMarkStart",
        "XMarkEnd",
        "XRelocateStart",
        "XVerify",
        "ShenandoahFullGC",
        "ShenandoahInitMark",
        "ShenandoahFinalMarkStartEvac",
        "ShenandoahInitUpdateRefs",
        "ShenandoahFinalUpdateRefs",
        "ShenandoahFinalRoots",
        "ShenandoahFinalVerify",
        "ShenandoahDegeneratedGC",
        "MSweepGC"
      })
  void theseAreCollections(String operation) {
    assertEquals("collection", kind(operation));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GC_HeapInspection",
        "HeapDumper",
        "HeapWalkOperation",
        "HeapIterateOperation",
        "ThreadDump",
        "PrintThreads",
        "PrintJNI",
        "FindDeadlocks",
        "GetAllStackTraces",
        "GetThreadListStackTraces",
        "GetStackTrace",
        "GetMultipleStackTraces",
        "JFRCheckpoint",
        "JFROldObject",
        "ClassLoaderStatsOperation",
        "ClassLoaderHierarchyOperation",
        "DumpHashtable",
        "DumpTouchedMethods",
        "PrintCompileQueue",
        "PrintClassHierarchy",
        "PrintClasses",
        "PrintMetadata"
      })
  void theseAreAskedForByATool(String operation) {
    assertEquals("tool", kind(operation));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G1CollectFull",
        "GenCollectFull",
        "GenCollectFullConcurrent",
        "ParallelGCSystemGC",
        "ParallelGCCollect",
        "SerialGCCollect",
        "GC_HeapInspection",
        "HeapDumper"
      })
  void theseCollectBecauseSomethingAsked(String operation) {
    assertTrue(VmOperations.collectsOnRequest(operation));
    assertTrue(VmOperations.isRequest(operation));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G1CollectForAllocation",
        "GenCollectForAllocation",
        "ParallelGCFailedAllocation",
        "CollectForMetadataAllocation",
        "CMS_Final_Remark",
        "ZMarkStart"
      })
  void theseRunOnTheThreadThatHappensToAllocate(String operation) {
    assertFalse(VmOperations.isRequest(operation));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "None",
        "Cleanup",
        "ICBufferFull",
        "ForceSafepoint",
        "ForceAsyncSafepoint",
        "EnableBiasedLocking"
      })
  void theseDoNextToNothing(String operation) {
    assertEquals("empty", kind(operation));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Halt",
        "SafepointALot",
        "Dummy",
        "ThreadStop",
        "ClearICs",
        "Deoptimize",
        "DeoptimizeFrame",
        "DeoptimizeAll",
        "DeoptimizeTheWorld",
        "ZombieAll",
        "UnlinkSymbols",
        "Verify",
        "DestroyAllocationContext",
        "RevokeBias",
        "BulkRevokeBias",
        "PopulateDumpSharedSpace",
        "JNIFunctionTableCopier",
        "RedefineClasses",
        "GetOwnedMonitorInfo",
        "GetObjectMonitorUsage",
        "GetCurrentContendedMonitor",
        "GetFrameCount",
        "GetFrameLocation",
        "ChangeBreakpoints",
        "GetOrSetLocal",
        "GetCurrentLocation",
        "VirtualThreadGetStackTrace",
        "EnterInterpOnlyMode",
        "ChangeSingleStep",
        "HandshakeAllThreads",
        "HandshakeOneThread",
        "HandshakeFallback",
        "ReportJavaOutOfMemory",
        "Exit",
        "LinuxDllLoad",
        "RotateGCLog",
        "WhiteBoxOperation",
        "JVMCIResizeCounters",
        "CleanClassLoaderDataMetaspaces",
        "ThreadSuspend",
        "ThreadsSuspendJVMTI",
        "ScavengeMonitors",
        "GTestExecuteAtSafepoint",
        "JvmtiPostObjectFree"
      })
  void theRestIsTheServicesOrTheJvmsOwn(String operation) {
    assertEquals("other", kind(operation));
  }

  private static String kind(String operation) {
    boolean collection = VmOperations.isCollection(operation);
    boolean tool = VmOperations.isOfTool(operation);
    boolean empty = VmOperations.isEmpty(operation);
    assertFalse(collection && (tool || empty) || tool && empty, operation + " is two things");
    return collection ? "collection" : tool ? "tool" : empty ? "empty" : "other";
  }
}
