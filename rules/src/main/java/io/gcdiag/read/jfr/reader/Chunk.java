package io.gcdiag.read.jfr.reader;

import java.time.Duration;
import java.time.Instant;

/**
 * One chunk of a recording file, from its header.
 *
 * <p>Header of format 2.x, 68 bytes, big endian: magic, u2 major, u2 minor, u8 size, u8 constant
 * pool position, u8 metadata position, u8 start in nanoseconds since the epoch, u8 duration in
 * nanoseconds, u8 start ticks, u8 ticks per second, u1 state, u1, u1, u1 flags.
 *
 * @param size its stated length; for a truncated or unfinished chunk the bytes that exist
 * @param intact whether it is finished and complete
 * @param length how long it lasts, as far as the header states it
 */
public record Chunk(long offset, long size, boolean intact, Instant start, Duration length) {

  /** Whether the header states its duration; an unfinished chunk states that of its last flush. */
  boolean lengthIsKnown() {
    return intact && !length.isZero();
  }

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
