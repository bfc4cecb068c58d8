package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * A client or pool that no thread waits for was seen in a stack: what requests wait for may stand
 * in a queue of its, where no event and no thread shows it.
 *
 * @param at when the recording begins
 * @param name the library
 * @param source where it was read
 */
public record AsyncClient(Instant at, String name, Source source) implements Sample {}
