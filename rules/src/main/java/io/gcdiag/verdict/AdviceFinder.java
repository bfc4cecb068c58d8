package io.gcdiag.verdict;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.calls.CallEdits;
import io.gcdiag.causes.memory.MachineEdits;
import io.gcdiag.causes.memory.RequestedGcEdits;
import io.gcdiag.causes.waits.LogEdits;
import io.gcdiag.measures.Case;
import java.util.List;
import java.util.Optional;

/** Finds where a suspect is and what to change. */
public final class AdviceFinder {

  private AdviceFinder() {}

  /**
   * Where a suspect is and what to change.
   *
   * @param about what was found about it
   * @param why the figures that show it
   */
  public static Advice of(Case incident, Hypothesis hypothesis, List<Finding> about, String why) {
    Optional<Place> place = PlaceFinder.of(incident, hypothesis);
    SuspectContext suspect = new SuspectContext(incident, hypothesis, about, place, why);
    return new Advice(SuspectTitle.of(suspect), place, edits(suspect));
  }

  /**
   * The edits that deal with a suspect, those to be made together first; empty if nothing exact can
   * be said.
   */
  private static List<Edit> edits(SuspectContext suspect) {
    JvmEdits jvm = new JvmEdits(suspect);
    PoolEdits pools = new PoolEdits(suspect);
    MachineEdits machine = new MachineEdits(suspect);
    CodeEdits code = new CodeEdits(suspect);
    return switch (suspect.hypothesis()) {
      case MEMORY_PRESSURE -> jvm.largerHeap();
      case HEAP_RESIZING -> jvm.pinnedHeap();
      case CONNECTION_POOL_UNDERSIZED -> pools.largerPool();
      case THREAD_POOL_EXHAUSTED -> pools.moreThreads();
      case HUMONGOUS_ALLOCATION -> jvm.largerRegions();
      case EXPLICIT_GC -> new RequestedGcEdits(suspect).edits();
      case JIT_PRESSURE -> jvm.largerCodeCache();
      case SAFEPOINT_STALL -> jvm.polls();
      case CPU_THROTTLING -> machine.largerQuota();
      case SWAPPING -> machine.moreMemory();
      case CONTAINER_MEMORY -> machine.largerLimit();
      case HOST_CPU_CONTENTION -> machine.fewerPrograms();
      case SLOW_DOWNSTREAM -> new CallEdits(suspect).downstream();
      case CONNECTION_LEAK -> pools.returned();
      case LOCK_CONTENTION -> code.lock();
      case LOG_QUEUE_FULL -> new LogEdits(suspect).drop();
      case METASPACE_PRESSURE -> jvm.classes();
      case DIRECT_MEMORY -> jvm.moreDirectMemory();
      default -> code.inCode();
    };
  }
}
