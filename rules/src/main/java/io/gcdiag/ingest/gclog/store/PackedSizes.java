package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.units.Bytes;
import java.util.Optional;

/** How the three sizes of a heap around a collection, up to 4 TiB each, fill two words. */
final class PackedSizes {

  private static final int SIZE_BITS = 42;
  private static final int UPPER_BITS = 64 - SIZE_BITS;
  private static final int LOWER_BITS = SIZE_BITS - UPPER_BITS;

  private PackedSizes() {}

  /** Writes the sizes, if there are any; false if they do not fit. */
  static boolean pack(Optional<HeapChange> heap, long[] to, int at) {
    return heap.isEmpty()
        || pack(
            heap.get().usedBefore().value(),
            heap.get().usedAfter().value(),
            heap.get().committedAfter().value(),
            to,
            at);
  }

  /** The same of numbers of bytes. */
  static boolean pack(long before, long after, long committed, long[] to, int at) {
    to[at] = before << UPPER_BITS | committed >>> LOWER_BITS;
    to[at + 1] = after << UPPER_BITS | committed & (1L << LOWER_BITS) - 1;
    return (before | after | committed) >>> SIZE_BITS == 0;
  }

  /** The sizes that were written there. */
  static HeapChange unpack(long[] from, int at) {
    return new HeapChange(
        Bytes.of(before(from, at)), Bytes.of(after(from, at)), Bytes.of(committed(from, at)));
  }

  static long before(long[] from, int at) {
    return from[at] >>> UPPER_BITS;
  }

  static long after(long[] from, int at) {
    return from[at + 1] >>> UPPER_BITS;
  }

  static long committed(long[] from, int at) {
    long upper = from[at] & (1L << UPPER_BITS) - 1;
    long lower = from[at + 1] & (1L << UPPER_BITS) - 1;
    return upper << LOWER_BITS | lower;
  }
}
