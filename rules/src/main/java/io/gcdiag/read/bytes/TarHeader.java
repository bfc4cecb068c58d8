package io.gcdiag.read.bytes;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * The block of 512 bytes before each file in a tar archive (POSIX.1-1988 "ustar", and the variants
 * of GNU tar and of Unix V7).
 *
 * <p>The fields read, by offset and length: name 0 (100 bytes), size 124 (12), checksum 148 (8),
 * type 156, magic 257 (6), prefix of the name 345 (155). Numbers are octal digits; GNU tar may set
 * the high bit and store big-endian bytes instead.
 *
 * @param name the name as stored, in UTF-8
 * @param type the type of entry
 * @param size number of bytes that follow
 */
record TarHeader(String name, Type type, long size) {

  /** Everything in an archive takes a whole number of such blocks. */
  static final int BLOCK = 512;

  private static final int NAME = 100;
  private static final int SIZE_AT = 124;
  private static final int SIZE = 12;
  private static final int SUM_AT = 148;
  private static final int SUM = 8;
  private static final int TYPE_AT = 156;
  private static final int MAGIC_AT = 257;
  private static final int PREFIX_AT = 345;
  private static final int PREFIX = 155;

  /**
   * With the zero byte: GNU tar has two blanks instead, and other fields in place of the prefix.
   */
  private static final String POSIX_MAGIC = "ustar\0";

  private static final int BYTE = 0xff;
  private static final int HIGH_BIT = 0x80;
  private static final int OCTAL_BITS = 3;

  /** The types of entries that are read differently. */
  enum Type {
    FILE,
    /** A sparse file, of which the archive has only the parts that are not zero. */
    SPARSE,
    /** GNU tar's long name of the next entry. */
    LONG_NAME,
    /** Properties of the next entry, in the form of POSIX.1-2001. */
    PROPERTIES,
    /**
     * Entries that are skipped with their bytes: properties of all entries, targets of links,
     * labels.
     */
    OTHER,
    /** Entries without bytes: folders, links, devices, pipes. */
    WITHOUT_BYTES;

    private static Type of(int letter) {
      return switch (letter) {
        case 0, '0', '7' -> FILE;
        case 'S' -> SPARSE;
        case 'L' -> LONG_NAME;
        case 'x', 'X' -> PROPERTIES;
        case '1', '2', '3', '4', '5', '6' -> WITHOUT_BYTES;
        default -> OTHER;
      };
    }
  }

  /** Whether bytes begin with a header: the checksum is correct. */
  static boolean begins(byte[] bytes) {
    return bytes.length >= BLOCK && sumFits(bytes);
  }

  /** Whether a block is one of the two blocks of zeros that end an archive. */
  static boolean isEnd(byte[] block) {
    for (byte one : block) {
      if (one != 0) {
        return false;
      }
    }
    return true;
  }

  /** Reads a header with a correct checksum. */
  static TarHeader of(byte[] block) {
    Type type = Type.of(block[TYPE_AT] & BYTE);
    String name = text(block, 0, NAME);
    String magic = new String(block, MAGIC_AT, POSIX_MAGIC.length(), StandardCharsets.ISO_8859_1);
    String prefix = magic.equals(POSIX_MAGIC) ? text(block, PREFIX_AT, PREFIX) : "";
    // Before POSIX a folder was a file whose name ends with a slash.
    boolean folder = type == Type.FILE && name.endsWith("/");
    long size = number(block, SIZE_AT, SIZE).orElse(-1);
    return new TarHeader(
        prefix.isEmpty() ? name : prefix + "/" + name,
        folder ? Type.WITHOUT_BYTES : type,
        folder || type == Type.WITHOUT_BYTES ? 0 : size);
  }

  /** Some old programs add up the bytes as signed numbers. */
  private static boolean sumFits(byte[] block) {
    OptionalLong written = number(block, SUM_AT, SUM);
    if (written.isEmpty() || block[0] == 0) {
      return false;
    }
    long plain = 0;
    long signed = 0;
    for (int i = 0; i < BLOCK; i++) {
      boolean inSum = i >= SUM_AT && i < SUM_AT + SUM;
      plain += inSum ? ' ' : block[i] & BYTE;
      signed += inSum ? ' ' : block[i];
    }
    return written.getAsLong() == plain || written.getAsLong() == signed;
  }

  private static String text(byte[] block, int from, int length) {
    int end = from;
    while (end < from + length && block[end] != 0) {
      end++;
    }
    return new String(block, from, end - from, StandardCharsets.UTF_8);
  }

  private static OptionalLong number(byte[] block, int from, int length) {
    if ((block[from] & HIGH_BIT) != 0) {
      return binary(block, from, length);
    }
    int at = from;
    int end = from + length;
    while (at < end && block[at] == ' ') {
      at++;
    }
    int digits = 0;
    long value = 0;
    while (at < end && block[at] >= '0' && block[at] <= '7') {
      value = value << OCTAL_BITS | block[at] - '0';
      digits++;
      at++;
    }
    boolean ended = at == end || block[at] == 0 || block[at] == ' ';
    return digits > 0 && ended ? OptionalLong.of(value) : OptionalLong.empty();
  }

  /** The first byte of a negative number has all bits set, and a size is not negative. */
  private static OptionalLong binary(byte[] block, int from, int length) {
    if ((block[from] & BYTE) != HIGH_BIT) {
      return OptionalLong.empty();
    }
    for (int i = from + 1; i < from + length - Long.BYTES; i++) {
      if (block[i] != 0) {
        return OptionalLong.empty();
      }
    }
    long value = 0;
    for (int i = from + length - Long.BYTES; i < from + length; i++) {
      value = value << Byte.SIZE | block[i] & BYTE;
    }
    return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
  }
}
