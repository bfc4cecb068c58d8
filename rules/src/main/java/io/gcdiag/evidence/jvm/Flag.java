package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;

/**
 * A JVM flag in force, or a system property that was set on the command line.
 *
 * @param name name of a flag without {@code -XX:}, of a property with {@code -D}
 * @param value as text
 * @param origin where the value is from: {@code Default}, {@code Command line}, {@code Ergonomic};
 *     empty if unknown
 * @param source where this was read
 */
public record Flag(String name, String value, String origin, Source source) {

  /** Prefix of properties' names. */
  public static final String PROPERTY = "-D";
}
