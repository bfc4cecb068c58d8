package io.gcdiag.evidence;

/**
 * A JVM flag in force.
 *
 * @param name without {@code -XX:}
 * @param value as text
 * @param origin who set it: {@code Default}, {@code Command line}, {@code Ergonomic}; empty when
 *     not known
 * @param source where this was read
 */
public record Flag(String name, String value, String origin, Source source) {}
