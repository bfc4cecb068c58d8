package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * There was no room for compiled code.
 *
 * @param at when; where only a count shows it, when that was read
 * @param earlier whether only a count shows it: it happened at some time before
 * @param capacity what the whole code cache may have
 * @param source where this was read
 */
public record CodeCacheFull(Instant at, boolean earlier, Bytes capacity, Source source)
    implements Sample {}
