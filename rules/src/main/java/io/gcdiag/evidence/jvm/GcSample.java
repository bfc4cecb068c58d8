package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;

/** What a collector did and found, beside its pauses and the size of the heap. */
public sealed interface GcSample extends Sample {

  /**
   * What one part of the work took of one pause; there is none of parts that took next to nothing.
   *
   * @param at when the pause began
   * @param pause how long all of it took
   * @param part which work
   * @param duration how long that took
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
   * One cycle of a collector that clears the heap while the application runs (ZGC, Shenandoah).
   *
   * @param at when it ended
   * @param usedAfter bytes in use when it ended, what was allocated meanwhile among them
   * @param whole whether it cleared the whole heap; if not, the young generation alone
   */
  record ConcurrentCycle(Instant at, Bytes usedAfter, boolean whole, Source source)
      implements GcSample {}

  /**
   * What the young collections of one second did with the young generation. Mixed collections and
   * full GCs are not among them: what they move may have been old before.
   *
   * @param at when the last of them ended, or began where the files do not show
   * @param count how many they were
   * @param before bytes in the young generation when they began, all together
   * @param survived bytes of these that they found alive
   * @param promoted bytes of these that they moved to the old generation
   * @param step the figures are multiples of this: a region, or one byte where they are exact
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

    /** These and later ones. */
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
   * Regions of G1 that held large objects at a collection.
   *
   * @param at when the collection ended
   * @param before how many there were before it, 0 or more
   * @param after how many it left, 0 or more
   */
  record HumongousRegions(Instant at, int before, int after, Source source) implements GcSample {}

  /**
   * Objects of one class that have a finalizer, at one moment.
   *
   * @param at when they were counted
   * @param type the class
   * @param objects how many are in the heap whose finalizer has not run
   * @param finalized how many finalizers of the class have run since the JVM began
   */
  record FinalizableObjects(Instant at, String type, long objects, long finalized, Source source)
      implements GcSample {}

  /**
   * Sampled objects that were still reachable when the recording was written ({@code
   * jdk.OldObjectSample}), summed up by class, site and holder.
   *
   * @param at when the recording looked
   * @param className in source form
   * @param allocatedAt the frame that allocated them; empty without a stack
   * @param holders the chain of fields from the object towards a root, innermost first; empty if
   *     the recording did not follow it
   * @param count how many samples
   * @param youngest the least time since one of them was allocated
   * @param oldest the greatest
   */
  record OldObjects(
      Instant at,
      String className,
      String allocatedAt,
      String holders,
      long count,
      Duration youngest,
      Duration oldest,
      Source source)
      implements GcSample {}
}
