package io.gcdiag.evidence;

import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * There was no room for compiled code.
 *
 * @param at when
 * @param capacity what the whole code cache may have
 * @param source where this was read
 */
public record CodeCacheFull(Instant at, Bytes capacity, Source source) implements Sample {}
