package io.gcdiag.evidence.profile;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Exceptions of one class created at one place within a second.
 *
 * @param at the start of the second
 * @param type the class
 * @param site the innermost frame outside the JDK and the exception's own constructors
 * @param count how many were recorded; newer JVMs record a part of them, evenly
 */
public record ThrownExceptions(Instant at, String type, String site, long count)
    implements Sample {}
