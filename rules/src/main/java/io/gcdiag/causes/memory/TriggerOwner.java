package io.gcdiag.causes.memory;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.units.Durations;
import java.util.Map;
import java.util.Optional;

/**
 * Collections whose cause, in the JVM's own words (HotSpot, gcCause.cpp), is a root cause by
 * itself.
 */
final class TriggerOwner {

  private static final Map<CollectionTrigger, Hypothesis> ROOT_CAUSES =
      Map.of(
          CollectionTrigger.REQUEST, Hypothesis.EXPLICIT_GC,
          CollectionTrigger.LOCKER, Hypothesis.GC_LOCKER,
          CollectionTrigger.HUMONGOUS, Hypothesis.HUMONGOUS_ALLOCATION,
          CollectionTrigger.METADATA, Hypothesis.METASPACE_PRESSURE,
          CollectionTrigger.CODE_CACHE, Hypothesis.JIT_PRESSURE);

  /** The root cause that the JVM's words name; empty for the ordinary ones. */
  static Optional<Hypothesis> of(PauseType type) {
    return Optional.ofNullable(ROOT_CAUSES.get(CollectionTrigger.of(type)));
  }

  /** Whether nothing would have been collected without the cause. */
  static boolean isForced(Hypothesis cause) {
    return cause == Hypothesis.EXPLICIT_GC
        || cause == Hypothesis.METASPACE_PRESSURE
        || cause == Hypothesis.JIT_PRESSURE;
  }

  /**
   * Share of such a pause that its cause explains. A GCLocker or humongous collection mostly
   * replaces one that was due anyway, so only the time beyond an ordinary pause counts.
   *
   * @param ordinary the typical length of pauses without a cause of their own, in seconds
   */
  static double ownSeconds(GcPause pause, Hypothesis cause, Map<PauseKind, Double> ordinary) {
    double length = Durations.seconds(pause.duration());
    if (isForced(cause)) {
      return length;
    }
    return Math.max(0, length - ordinary.getOrDefault(pause.kind(), 0.0));
  }
}
