package io.gcdiag.evidence;

import io.gcdiag.units.Bytes;

/**
 * One line of a {@link ClassHistogram}.
 *
 * @param name the class as in source code: {@code java.lang.String}, {@code byte[]}; lambdas of one
 *     class are counted together
 * @param instances how many objects
 * @param bytes what they take themselves, without what they refer to
 */
public record ClassCount(String name, long instances, Bytes bytes) {}
