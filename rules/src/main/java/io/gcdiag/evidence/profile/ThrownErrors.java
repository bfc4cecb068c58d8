package io.gcdiag.evidence.profile;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Errors of one class created at one place within a second ({@code jdk.JavaErrorThrow}): no
 * OutOfMemoryErrors, which the JDK leaves out, and none that the JVM makes without a constructor,
 * such as StackOverflowErrors.
 *
 * @param at the start of the second
 * @param type the class
 * @param site the innermost frame outside the JDK and the error's own constructors
 * @param count how many
 */
public record ThrownErrors(Instant at, String type, String site, long count) implements Sample {}
