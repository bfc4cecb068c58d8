package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;

/**
 * A safepoint operation that another process requested, by {@code jcmd} or a similar tool, or by
 * JMX ({@code jdk.ExecuteVMOperation}; for such requests the caller is a thread of the JDK).
 *
 * @param at when it began
 * @param duration how long it took
 * @param operation HotSpot's name of the operation, see {@link VmOperations}
 * @param source where this was read
 */
public record OutsideRequest(Instant at, Duration duration, String operation, Source source)
    implements Sample {}
