package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;

/**
 * A JVM flag in force, or a system property that was set on the command line.
 *
 * @param name of a flag without {@code -XX:}, of a property with {@code -D}
 * @param value as text
 * @param origin who set it: {@code Default}, {@code Command line}, {@code Ergonomic}; empty when
 *     not known
 * @param source where this was read
 */
public record Flag(String name, String value, String origin, Source source) {

  /** What the names of properties begin with. */
  public static final String PROPERTY = "-D";
}
