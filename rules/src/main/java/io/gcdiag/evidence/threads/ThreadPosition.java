package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.jvm.CodePlace;
import java.util.Optional;

/**
 * Where a thread is in a dump, for comparison with the dumps before and after.
 *
 * @param stack a hash of the frames and their order; two different stacks share it once in
 *     2<sup>64</sup> cases
 * @param at the innermost frame outside the JDK; empty without frames
 * @param cpuNanos CPU time that the thread has used since its start, in nanoseconds; {@link
 *     #UNKNOWN_CPU} if the dump does not have it
 * @param carries number of the virtual thread mounted on it, from 1; {@link #NO_VIRTUAL_THREAD} if
 *     there is none or the dump does not show it; for a virtual thread that waits while pinned, its
 *     own number
 * @param own the innermost frame of the service's own code; empty without one
 * @param caller the outermost frame of the service's own code; empty without one
 * @param inPool whether its outermost frames are those of a class that reuses its threads; such a
 *     pool or executor has a limit
 * @param loop whether it is an event loop, which reads what connections bring
 * @param holding whether it waits for a connection inside a block that holds another one, as a
 *     nested transaction does
 */
public record ThreadPosition(
    long stack,
    String at,
    long cpuNanos,
    long carries,
    Optional<CodePlace> own,
    Optional<CodePlace> caller,
    boolean inPool,
    boolean loop,
    boolean holding) {

  /** The dump does not show CPU times. */
  public static final long UNKNOWN_CPU = -1;

  /** The thread is no carrier, or no virtual thread is mounted on it. */
  public static final long NO_VIRTUAL_THREAD = 0;
}
