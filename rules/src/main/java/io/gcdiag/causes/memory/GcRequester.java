package io.gcdiag.causes.memory;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Who calls {@code System.gc()}: the service's code, or the JDK itself because direct buffers are
 * at their limit ({@code java.nio.Bits.reserveMemory}). The log states the same cause for both.
 */
public enum GcRequester {
  /** Code of the service or its libraries, or a timer of RMI. */
  CODE(Hypothesis.EXPLICIT_GC),
  /** The JDK, because direct memory is full; each of these calls is needed. */
  DIRECT_BUFFERS(Hypothesis.DIRECT_MEMORY),
  /** The files do not separate the two. */
  UNKNOWN(Hypothesis.EXPLICIT_GC, Hypothesis.DIRECT_MEMORY);

  /** How to record what separates the two. */
  public static final String EXPERIMENT =
      "record with jdk.SystemGC (JDK 17 or later): its stacks name the caller; or take thread dumps:"
          + " requests that wait in java.nio.Bits.reserveMemory lack direct buffer memory";

  /** HotSpot's names for a requested collection (gcCause.cpp). */
  private static final String CALL = "System.gc()";

  /** The caller of a call through JMX that no code of the service makes. */
  private static final String BY_MANAGEMENT = "sun.management.";

  private final List<Hypothesis> causes;

  GcRequester(Hypothesis... causes) {
    this.causes = List.of(causes);
  }

  /** The root causes that such collections may have. */
  List<Hypothesis> causes() {
    return causes;
  }

  /** Whether a collection was requested by a call; diagnostic commands request without one. */
  static boolean isCall(PauseType type) {
    return type.cause().startsWith(CALL);
  }

  /**
   * The caller in a window: by the stacks of the calls; else by whether direct buffers are at their
   * limit; else by the times of the collections.
   */
  static GcRequester of(Timeline timeline, Window window) {
    List<ExplicitCollection> calls = timeline.samples(ExplicitCollection.class, window);
    if (!calls.isEmpty()) {
      long own = calls.stream().filter(ExplicitCollection::forDirectBuffers).count();
      return own > Policy.MAJORITY * calls.size() ? DIRECT_BUFFERS : CODE;
    }
    if (isLimitReached(timeline, window)) {
      return DIRECT_BUFFERS;
    }
    return isTimed(timeline.pauses(window).ofType(GcRequester::isCall)) ? CODE : UNKNOWN;
  }

  /**
   * Whether another process requested most of these collections, by {@code jcmd} or JMX. A call
   * through JMX has only JDK frames on its stack.
   */
  static boolean isOutside(Timeline timeline, Window window) {
    Map<Boolean, Double> calls =
        timeline.samples(ExplicitCollection.class, window).stream()
            .collect(
                Collectors.partitioningBy(
                    call -> call.caller().startsWith(BY_MANAGEMENT),
                    Collectors.summingDouble(call -> Durations.seconds(call.duration()))));
    double commands =
        timeline.samples(OutsideRequest.class, window).stream()
            .filter(request -> VmOperations.collectsOnRequest(request.operation()))
            .mapToDouble(request -> Durations.seconds(request.duration()))
            .sum();
    double code =
        timeline.samples(OwnCode.class).stream()
            .filter(seen -> seen.activity() == OwnCode.Activity.REQUESTING_STOPS)
            .flatMap(seen -> seen.within(window).entrySet().stream())
            .filter(spot -> VmOperations.collectsOnRequest(spot.getKey().subject()))
            .mapToDouble(spot -> Nanos.seconds(spot.getValue()))
            .sum();
    // One call may appear as an event of its own and as an operation of its thread.
    return Math.max(calls.get(true), commands) > Math.max(calls.get(false), code);
  }

  private static boolean isLimitReached(Timeline timeline, Window window) {
    boolean waited =
        timeline.waits(WaitKind.DIRECT_MEMORY).stream()
            .anyMatch(series -> series.within(window).waitedSeconds() > 0);
    boolean seenWaiting =
        timeline.dumps(window).stream()
            .anyMatch(dump -> dump.count(ThreadActivity.WAITING_FOR_DIRECT_MEMORY) > 0);
    boolean failed =
        timeline.samples(LoggedError.class, window).stream()
            .anyMatch(error -> error.kind() == LoggedError.Kind.DIRECT_MEMORY_FULL);
    return waited
        || seenWaiting
        || failed
        || timeline.samples(DirectBuffers.class, window).stream().anyMatch(GcRequester::isFull);
  }

  /**
   * Whether the next buffer has to wait until others are freed. A cache that takes all its buffers
   * at the start is always full and needs no next one.
   */
  static boolean isFull(DirectBuffers buffers) {
    return buffers.inUse().shareOf(buffers.limit()).value() >= 1 - Policy.NEGLIGIBLE;
  }

  /**
   * Whether most collections come at equal intervals, as a timer's do. Buffers fill their memory at
   * intervals that vary with the load.
   */
  private static boolean isTimed(Pauses pauses) {
    if (pauses.size() < Policy.FEWEST_COUNTED) {
      return false;
    }
    long[] steps = new long[pauses.size() - 1];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = pauses.startNanos(i + 1) - pauses.startNanos(i);
    }
    Arrays.sort(steps);
    long usual = steps[steps.length / 2];
    long same =
        Arrays.stream(steps).filter(step -> Math.abs(step - usual) <= Policy.TAIL * usual).count();
    return same > Policy.MAJORITY * steps.length;
  }
}
