package io.gcdiag.evidence.profile;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Compiled code of one method was left for the interpreter, so many times within a second.
 *
 * @param at the start of the second
 * @param method the method
 * @param reason why, as the JVM names it: {@code unstable_if}, {@code class_check}
 * @param count how many times
 */
public record Deoptimized(Instant at, String method, String reason, long count) implements Sample {

  /** In place of a method: the sum of those that are not listed one by one. */
  public static final String OTHERS = "other methods";
}
