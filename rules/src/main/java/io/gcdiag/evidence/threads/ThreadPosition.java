package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.jvm.CodePlace;
import java.util.Optional;

/**
 * Where a thread stands in a dump, to be held against the dumps before and after.
 *
 * @param stack a number that is the same for the same frames in the same order; of two different
 *     stacks it is the same once in 2<sup>64</sup> cases
 * @param at the innermost frame outside the JDK; empty without frames
 * @param cpuNanos CPU time that the thread has used since it began, in nanoseconds; {@link
 *     #UNKNOWN_CPU} if the dump does not show
 * @param carries the number of the virtual thread that is on it, from 1; {@link #NO_VIRTUAL_THREAD}
 *     if none is, or the dump does not show; of a virtual thread that waits and keeps its carrier,
 *     its own
 * @param own the innermost frame of the service's own code; empty without one
 * @param caller the outermost frame of the service's own code; empty without one
 * @param inPool whether a class that keeps its threads runs it, by its outermost frames: such a
 *     pool or executor has a bound
 * @param holding whether it waits for a connection inside a block that holds another, as a nested
 *     transaction does
 */
public record ThreadPosition(
    long stack,
    String at,
    long cpuNanos,
    long carries,
    Optional<CodePlace> own,
    Optional<CodePlace> caller,
    boolean inPool,
    boolean holding) {

  /** The dump does not show CPU times. */
  public static final long UNKNOWN_CPU = -1;

  /** The thread is no carrier, or has nothing to carry. */
  public static final long NO_VIRTUAL_THREAD = 0;
}
