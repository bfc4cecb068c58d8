package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;

/**
 * A stop of all threads that another process requested, by {@code jcmd} and the like or by JMX
 * ({@code jdk.ExecuteVMOperation}, whose caller is a thread of the JDK for such requests).
 *
 * @param at when it began
 * @param duration how long it took
 * @param operation HotSpot's name of what was done, see {@link VmOperations}
 * @param source where this was read
 */
public record OutsideRequest(Instant at, Duration duration, String operation, Source source)
    implements Sample {}
