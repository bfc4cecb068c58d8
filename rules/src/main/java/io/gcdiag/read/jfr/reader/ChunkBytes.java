package io.gcdiag.read.jfr.reader;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Bytes of a chunk with a position. Reading beyond the end throws an {@link
 * IndexOutOfBoundsException}, which the reader of a chunk treats as damage: checking each byte
 * would cost as much as reading it.
 *
 * <p>Integers are compressed (LEB128: seven bits per byte, lowest first, at most nine bytes, the
 * last with eight bits) or, if the chunk's header says so, big endian of full length.
 */
public final class ChunkBytes {

  private static final int BITS = 7;
  private static final int LOW_BITS = 0x7f;
  private static final int LAST_SHIFT = 56;
  private static final int BYTE = 0xff;

  /** Encodings of text; the values are those of the format. */
  private static final int TEXT_NULL = 0;

  private static final int TEXT_EMPTY = 1;
  private static final int TEXT_CONSTANT = 2;
  private static final int TEXT_UTF8 = 3;
  private static final int TEXT_CHARS = 4;
  private static final int TEXT_LATIN1 = 5;

  /** File systems lose data in whole sectors, which are then read as zeros. */
  private static final int SECTOR = 512;

  private final byte[] data;
  private final boolean compressed;
  private int at;

  public ChunkBytes(byte[] data, boolean compressed) {
    this.data = data;
    this.compressed = compressed;
  }

  int at() {
    return at;
  }

  public void at(int place) {
    at = place;
  }

  boolean isCompressed() {
    return compressed;
  }

  byte[] data() {
    return data;
  }

  /**
   * Number of zeros in a part, if more follow one another than in any event: text contains none,
   * and numbers are small but rarely zero.
   */
  int hole(int from, int end) {
    int last = Math.min(end, data.length);
    int zeros = 0;
    // A run of a sector's length covers one of these positions, wherever it begins.
    for (int place = from + SECTOR - 1; place < last; place += SECTOR) {
      if (data[place] == 0) {
        int first = place;
        while (first > from && data[first - 1] == 0) {
          first--;
        }
        int next = place;
        while (next < last && data[next] == 0) {
          next++;
        }
        if (next - first >= SECTOR) {
          zeros += next - first;
          // Continues after this run.
          place = next - 1;
        }
      }
    }
    return zeros;
  }

  public long readLong() {
    return compressed ? varint() : bigEndian(Long.BYTES);
  }

  public int readInt() {
    return (int) (compressed ? varint() : bigEndian(Integer.BYTES));
  }

  short readShort() {
    return (short) (compressed ? varint() : bigEndian(Short.BYTES));
  }

  byte readByte() {
    return data[at++];
  }

  float readFloat() {
    return Float.intBitsToFloat((int) bigEndian(Float.BYTES));
  }

  double readDouble() {
    return Double.longBitsToDouble(bigEndian(Double.BYTES));
  }

  private long varint() {
    byte first = data[at++];
    return first >= 0 ? first : longVarint(first);
  }

  /**
   * Reads the rest of a multi-byte number. The position is kept in a local variable, because the
   * compiler does not do that.
   */
  private long longVarint(byte first) {
    byte[] bytes = data;
    int place = at;
    long value = first & LOW_BITS;
    for (int shift = BITS; shift < LAST_SHIFT; shift += BITS) {
      byte next = bytes[place++];
      value |= (long) (next & LOW_BITS) << shift;
      if (next >= 0) {
        at = place;
        return value;
      }
    }
    at = place + 1;
    return value | (long) (bytes[place] & BYTE) << LAST_SHIFT;
  }

  private long bigEndian(int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << Byte.SIZE | data[at++] & BYTE;
    }
    return value;
  }

  void skip(int count) {
    // If damage made the number huge or negative, nothing is left to read.
    at = Math.addExact(at, checked(count));
  }

  void skipText() {
    switch (readByte()) {
      case TEXT_NULL, TEXT_EMPTY -> {}
      case TEXT_CONSTANT -> readLong();
      case TEXT_UTF8, TEXT_LATIN1 -> skip(readInt());
      case TEXT_CHARS -> {
        int length = readLength();
        for (int i = 0; i < length; i++) {
          readShort();
        }
      }
      default -> throw new IndexOutOfBoundsException("no such kind of text");
    }
  }

  /**
   * Reads a text.
   *
   * @param constants looks up texts in the constant pool
   */
  Optional<String> readText(LongFunction<Optional<String>> constants) {
    switch (readByte()) {
      case TEXT_NULL:
        return Optional.empty();
      case TEXT_EMPTY:
        return Optional.of("");
      case TEXT_CONSTANT:
        return constants.apply(readLong());
      case TEXT_UTF8:
      case TEXT_LATIN1:
        boolean utf8 = data[at - 1] == TEXT_UTF8;
        int length = readLength();
        int from = at;
        at += length;
        return Optional.of(
            new String(
                data, from, length, utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
      case TEXT_CHARS:
        char[] chars = new char[readLength()];
        for (int i = 0; i < chars.length; i++) {
          chars[i] = (char) readShort();
        }
        return Optional.of(new String(chars));
      default:
        throw new IndexOutOfBoundsException("no such kind of text");
    }
  }

  /** A count of elements that take at least a byte each. */
  int readLength() {
    return checked(readInt());
  }

  private int checked(int length) {
    if (length < 0 || length > data.length - at) {
      throw new IndexOutOfBoundsException("a length beyond the end");
    }
    return length;
  }
}
