package io.gcdiag.accounts.heap;

import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Collections whose cause, in the JVM's own words (HotSpot, gcCause.cpp), is a root cause by
 * itself.
 */
public final class CollectionCause {

  private CollectionCause() {}

  /** The root cause that the JVM's words name; empty for the ordinary ones. */
  public static Optional<Hypothesis> of(PauseType type) {
    String cause = type.cause();
    if (begins(cause, "system.gc()")
        || isForLooking(type)
        || begins(cause, "diagnostic command")
        || begins(cause, "jvmtienv forcegarbagecollection")) {
      return Optional.of(Hypothesis.EXPLICIT_GC);
    }
    if (begins(cause, "gclocker initiated")) {
      return Optional.of(Hypothesis.GC_LOCKER);
    }
    if (begins(cause, "g1 humongous allocation") && !endsMarking(type.kind())) {
      return Optional.of(Hypothesis.HUMONGOUS_ALLOCATION);
    }
    if (begins(cause, "metadata gc") || begins(cause, "last ditch")) {
      return Optional.of(Hypothesis.METASPACE_PRESSURE);
    }
    return Optional.empty();
  }

  /**
   * Whether it is a stop at the end of a marking. HotSpot lets a humongous allocation start one
   * only where the old generation is occupied beyond the threshold (g1Policy.cpp,
   * need_to_start_conc_mark): the next young collection would have started it anyway.
   */
  private static boolean endsMarking(PauseKind kind) {
    return kind == PauseKind.REMARK || kind == PauseKind.CLEANUP;
  }

  /** Whether an object larger than half a region asked for it. */
  static boolean isHumongous(PauseType type) {
    return of(type).filter(Hypothesis.HUMONGOUS_ALLOCATION::equals).isPresent();
  }

  /** Whether the live objects were requested: for a class histogram or a heap dump. */
  public static boolean isForLooking(PauseType type) {
    return begins(type.cause(), "heap inspection initiated")
        || begins(type.cause(), "heap dump initiated");
  }

  /** The same of a pause. */
  public static Optional<Hypothesis> of(GcPause pause) {
    return of(pause.type());
  }

  /** Whether nothing but the ordinary course of things caused it. */
  public static boolean isOrdinary(PauseType type) {
    return of(type).isEmpty();
  }

  private static boolean begins(String cause, String words) {
    return cause.regionMatches(true, 0, words, 0, words.length());
  }

  /** Shenandoah ran out of memory during a concurrent cycle and finished it under a stop. */
  public static boolean isDegenerated(PauseType type) {
    return type.cause().startsWith("Degenerated GC");
  }

  /** Whether nothing would have been collected without the cause. */
  public static boolean isForced(Hypothesis cause) {
    return cause == Hypothesis.EXPLICIT_GC || cause == Hypothesis.METASPACE_PRESSURE;
  }

  /**
   * How much of such a pause is the cause's doing. A GCLocker or humongous collection mostly comes
   * in place of one that was due anyway: only what it took longer than the others is its own.
   *
   * @param ordinary the typical length of pauses without a cause of their own, in seconds
   */
  public static double ownSeconds(
      GcPause pause, Hypothesis cause, Map<PauseKind, Double> ordinary) {
    double length = Durations.seconds(pause.duration());
    if (isForced(cause)) {
      return length;
    }
    return Math.max(0, length - ordinary.getOrDefault(pause.kind(), 0.0));
  }

  /** The median length, in seconds, of the pauses of each kind. */
  public static Map<PauseKind, Double> typicalSeconds(Pauses pauses) {
    int[] counts = new int[PauseKind.values().length];
    for (int i = 0; i < pauses.size(); i++) {
      counts[pauses.kind(i).ordinal()]++;
    }
    long[][] lengths = new long[counts.length][];
    Arrays.setAll(lengths, kind -> new long[counts[kind]]);
    Arrays.fill(counts, 0);
    for (int i = 0; i < pauses.size(); i++) {
      int kind = pauses.kind(i).ordinal();
      lengths[kind][counts[kind]++] = pauses.nanos(i);
    }
    Map<PauseKind, Double> medians = new EnumMap<>(PauseKind.class);
    for (PauseKind kind : PauseKind.values()) {
      long[] ofKind = lengths[kind.ordinal()];
      if (ofKind.length > 0) {
        Arrays.sort(ofKind);
        medians.put(kind, Nanos.seconds(ofKind[ofKind.length / 2]));
      }
    }
    return medians;
  }
}
