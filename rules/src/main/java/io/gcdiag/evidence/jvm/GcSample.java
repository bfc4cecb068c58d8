package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Activity and results of a collector, except its pauses and the size of the heap. */
public sealed interface GcSample extends Sample {

  /**
   * Time that one phase took in one pause. Phases that took next to nothing have none.
   *
   * @param at when the pause began
   * @param pause length of the whole pause
   * @param duration length of the phase
   */
  record PausePhase(Instant at, Duration pause, PausePart part, Duration duration, Source source)
      implements GcSample {}

  /**
   * A call of {@code System.gc()} ({@code jdk.SystemGC}).
   *
   * @param at when it was called
   * @param duration how long the caller waited
   * @param caller the innermost frame outside the JDK, else outside {@code Runtime.gc}; empty
   *     without a stack
   * @param forDirectBuffers whether the JDK called it itself, because direct buffers had reached
   *     their limit ({@code java.nio.Bits.reserveMemory}, {@code -XX:MaxDirectMemorySize})
   */
  record ExplicitCollection(
      Instant at, Duration duration, String caller, boolean forDirectBuffers, Source source)
      implements GcSample {}

  /**
   * An allocation that a thread gave up because JNI critical sections kept the heap from being
   * collected. If a collection cannot help it either, it ends in an OutOfMemoryError.
   *
   * @param at when it gave up
   */
  record StarvedAllocation(Instant at, String thread, Source source) implements GcSample {}

  /**
   * One cycle of a concurrent collector (ZGC, Shenandoah).
   *
   * @param at when it ended
   * @param usedAfter bytes in use at its end, including objects allocated during the cycle
   * @param whole whether it collected the whole heap; if not, only the young generation
   */
  record ConcurrentCycle(Instant at, Bytes usedAfter, boolean whole, Source source)
      implements GcSample {}

  /**
   * Young generation over the young collections of one second. Mixed collections and full GCs are
   * not included, because the objects that they move may have been old before.
   *
   * @param at when the last of them ended, or began if the files do not show the end
   * @param count number of collections
   * @param before bytes in the young generation when they began, sum of all
   * @param survived bytes of these that survived
   * @param promoted bytes of these that were promoted to the old generation
   * @param step the figures are multiples of this: a region, or one byte if they are exact
   * @param source where the last of them was read
   */
  record YoungCollections(
      Instant at,
      int count,
      Bytes before,
      Bytes survived,
      Bytes promoted,
      Bytes step,
      Source source)
      implements GcSample {

    /** Sum of these and later ones. */
    public YoungCollections and(YoungCollections later) {
      return new YoungCollections(
          later.at,
          count + later.count,
          Bytes.of(before.value() + later.before.value()),
          Bytes.of(survived.value() + later.survived.value()),
          Bytes.of(promoted.value() + later.promoted.value()),
          step.compareTo(later.step) >= 0 ? step : later.step,
          later.source);
    }
  }

  /**
   * G1's humongous regions at a collection.
   *
   * @param at when the collection ended
   * @param before number before it, 0 or more
   * @param after number after it, 0 or more
   */
  record HumongousRegions(Instant at, int before, int after, Source source) implements GcSample {}

  /**
   * Objects of one class with a finalizer, at one moment.
   *
   * @param at when they were counted
   * @param objects objects in the heap whose finalizer has not run
   * @param finalized finalizers of the class that have run since the JVM's start
   */
  record FinalizableObjects(Instant at, String type, long objects, long finalized, Source source)
      implements GcSample {}

  /**
   * Sampled objects that were still reachable when the recording was written ({@code
   * jdk.OldObjectSample}), summed up by class, site and holder.
   *
   * @param at when the recording checked it
   * @param className in source form
   * @param allocatedAt the frame that allocated them; empty without a stack
   * @param holders the chain of fields from the object towards a root, innermost first; empty if
   *     the recording has none
   * @param allocated when each of the samples was allocated, ascending
   */
  record OldObjects(
      Instant at,
      String className,
      String allocatedAt,
      String holders,
      List<Instant> allocated,
      Source source)
      implements GcSample {

    public int count() {
      return allocated.size();
    }
  }
}
