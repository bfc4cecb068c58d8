package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.units.Nanos;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** What triggered a collection, from the cause that the JVM states (HotSpot, gcCause.cpp). */
public enum CollectionTrigger {
  /** Heap occupancy or the collector's own schedule. */
  ORDINARY,
  /** An explicit call, or a tool. */
  REQUEST,
  /** A thread that left a JNI critical region. */
  LOCKER,
  /** An object larger than half a region. */
  HUMONGOUS,
  METADATA,
  /** The code cache fills, which only a collection empties, from JDK 20 on. */
  CODE_CACHE;

  public static CollectionTrigger of(PauseType type) {
    String cause = type.cause();
    if (begins(cause, "system.gc()")
        || isForLooking(type)
        || begins(cause, "diagnostic command")
        || begins(cause, "jvmtienv forcegarbagecollection")) {
      return REQUEST;
    }
    if (begins(cause, "gclocker initiated")) {
      return LOCKER;
    }
    if (begins(cause, "g1 humongous allocation") && !endsMarking(type.kind())) {
      return HUMONGOUS;
    }
    if (begins(cause, "codecache gc")) {
      return CODE_CACHE;
    }
    return begins(cause, "metadata gc") || begins(cause, "last ditch") ? METADATA : ORDINARY;
  }

  /**
   * Whether it is a pause that ends a concurrent marking. HotSpot lets a humongous allocation start
   * a marking only if the old generation is above its threshold (g1Policy.cpp,
   * need_to_start_conc_mark), so the next young collection would have started it anyway.
   */
  static boolean endsMarking(PauseKind kind) {
    return kind == PauseKind.REMARK || kind == PauseKind.CLEANUP;
  }

  public static boolean isOrdinary(PauseType type) {
    return of(type) == ORDINARY;
  }

  /** Whether it was requested by a class histogram or a heap dump of live objects. */
  public static boolean isForLooking(PauseType type) {
    return begins(type.cause(), "heap inspection initiated")
        || begins(type.cause(), "heap dump initiated");
  }

  /** A collection of the whole heap that was not requested. */
  public static boolean isOrdinaryFull(PauseType type) {
    return type.kind() == PauseKind.FULL && isOrdinary(type);
  }

  /**
   * Another collection that ran out of memory: an evacuation failure, or a "degenerated" one, in
   * which Shenandoah ran out of memory during a concurrent cycle and finished it in a pause.
   */
  public static boolean foundNoRoom(PauseType type) {
    return type.kind() != PauseKind.FULL
        && (type.evacuationFailure() || type.cause().startsWith("Degenerated GC"));
  }

  private static boolean begins(String cause, String words) {
    return cause.regionMatches(true, 0, words, 0, words.length());
  }

  /** The median length, in seconds, of the pauses of each kind. */
  static Map<PauseKind, Double> typicalSeconds(Pauses pauses) {
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
