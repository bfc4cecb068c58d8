package io.gcdiag.evidence.profile;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * A server or framework that requests run in: what is to be set has the name that it has there.
 *
 * @param at when it was first seen
 * @param name such as {@code Spring}, {@code Vert.x}
 * @param source where its frames were read
 */
public record RequestFramework(Instant at, String name, Source source) implements Sample {}
