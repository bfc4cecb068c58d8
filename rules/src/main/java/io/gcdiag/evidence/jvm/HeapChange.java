package io.gcdiag.evidence.jvm;

import io.gcdiag.units.Bytes;

/**
 * The heap before and after one collection.
 *
 * @param usedBefore bytes in use when the pause began
 * @param usedAfter bytes in use when it ended
 * @param committedAfter bytes committed (the heap's current size) when it ended
 */
public record HeapChange(Bytes usedBefore, Bytes usedAfter, Bytes committedAfter) {}
