package io.gcdiag.read.jfr.reader;

import java.time.Duration;
import java.time.Instant;

/**
 * One chunk of a recording file, as its header states.
 *
 * <p>Header of format 2.x, 68 bytes, big endian: magic, u2 major, u2 minor, u8 size, u8 constant
 * pool position, u8 metadata position, u8 start in nanoseconds since the epoch, u8 duration in
 * nanoseconds, u8 start ticks, u8 ticks per second, u1 state, u1, u1, u1 flags.
 *
 * @param offset where it begins in the file
 * @param size its length as stated; what is there if it is cut or unfinished
 * @param intact whether it is finished and all there
 * @param start when it begins
 * @param length how long it lasts, as far as the header knows
 */
public record Chunk(long offset, long size, boolean intact, Instant start, Duration length) {

  /** Whether the header says how long it lasts; one that is not finished states its last flush. */
  boolean lengthIsKnown() {
    return intact && !length.isZero();
  }

  /** The length of a header. */
  public static final int HEADER_SIZE = 68;

  static final int SIZE_AT = 8;
  static final int CONSTANT_POOL_AT = 16;
  static final int METADATA_AT = 24;
  public static final int START_NANOS_AT = 32;
  public static final int DURATION_NANOS_AT = 40;
  static final int START_TICKS_AT = 48;
  static final int TICKS_PER_SECOND_AT = 56;
  static final int STATE_AT = 64;
  static final int FLAGS_AT = 67;
}
