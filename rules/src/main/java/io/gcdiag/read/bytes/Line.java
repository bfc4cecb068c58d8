package io.gcdiag.read.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One line of a text inside the reader's buffer, so that unread parts are never copied. A character
 * is a byte, as in ISO 8859-1. Valid until the next line is requested.
 */
public final class Line implements CharSequence {

  private static final int BYTE_MASK = 0xff;

  /** Eight bytes at a time, the first one lowest. */
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHEST_BITS = 0x8080808080808080L;

  /** Spreads numbers that are close to each other: 2 to the 64 by the golden ratio. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private byte[] bytes = {};
  private int from;
  private int length;

  public Line() {}

  /** A line with a buffer of its own. */
  public static Line of(String text) {
    Line line = new Line();
    byte[] content = text.getBytes(StandardCharsets.ISO_8859_1);
    line.set(content, 0, content.length);
    return line;
  }

  void set(byte[] content, int start, int end) {
    bytes = content;
    from = start;
    length = end - start;
  }

  public void copy(Line other) {
    if (bytes.length < other.length) {
      bytes = new byte[other.length];
    }
    System.arraycopy(other.bytes, other.from, bytes, 0, other.length);
    from = 0;
    length = other.length;
  }

  void copyTo(byte[] other, int at) {
    System.arraycopy(bytes, from, other, at, length);
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public char charAt(int index) {
    return (char) (bytes[from + index] & BYTE_MASK);
  }

  /** Whether the word is at that position; false if the line is too short for it. */
  public boolean startsWith(String word, int at) {
    if (at < 0 || at + word.length() > length) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (bytes[from + at + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether these bytes are at that position. */
  public boolean startsWith(byte[] word, int at) {
    int start = from + at;
    return at + word.length <= length
        && Arrays.equals(bytes, start, start + word.length, word, 0, word.length);
  }

  /** A copy of so many bytes. */
  public void copyTo(byte[] other, int start, int count) {
    System.arraycopy(bytes, from + start, other, 0, count);
  }

  /** The next position of the ASCII character, or -1. */
  public int indexOf(char c, int at) {
    int found = findBelow(bytes, from + at, from + length, c, 1);
    return found < from + length ? found - from : -1;
  }

  /** The next position of one of two ASCII characters, or -1. */
  public int indexOfEither(char one, char other, int at) {
    int found = find(bytes, from + at, from + length, one, other);
    return found < from + length ? found - from : -1;
  }

  /** The next position of an ASCII character up to that one, or the end of the line. */
  public int indexOfUpTo(char most, int at) {
    byte[] text = bytes;
    int end = from + length;
    int i = from + at;
    while (i < end && (text[i] & BYTE_MASK) > most) {
      i++;
    }
    return i - from;
  }

  /**
   * Where the first byte is that is less than a number up to 128 after an exclusive or; the end if
   * none is there.
   */
  static int findBelow(byte[] bytes, int start, int end, int flip, int limit) {
    long flips = flip * ONES;
    long limits = limit * ONES;
    int at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      long eight = (long) EIGHT.get(bytes, at) ^ flips;
      long found = eight - limits & ~eight & HIGHEST_BITS;
      if (found != 0) {
        return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (at < end && ((bytes[at] ^ flip) & BYTE_MASK) >= limit) {
      at++;
    }
    return at;
  }

  /** Where the first of two characters is; the end if none is there. */
  static int find(byte[] bytes, int start, int end, char one, char other) {
    int at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      long eight = (long) EIGHT.get(bytes, at);
      long found = zeros(eight ^ one * ONES) | zeros(eight ^ other * ONES);
      if (found != 0) {
        return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (at < end && bytes[at] != one && bytes[at] != other) {
      at++;
    }
    return at;
  }

  /** The lowest bit that is set belongs to the first byte of zero. */
  private static long zeros(long eight) {
    return eight - ONES & ~eight & HIGHEST_BITS;
  }

  /** A part of up to seven bytes as a number that no other text has; 0 for longer ones. */
  public long shortText(int start, int end) {
    if (end - start >= Long.BYTES) {
      return 0;
    }
    long text = 1;
    for (int i = from + start; i < from + end; i++) {
      text = text << Byte.SIZE | bytes[i] & BYTE_MASK;
    }
    return text;
  }

  /** A hash of the beginning of a buffer, behind which the next eight bytes are cleared. */
  public static long hash(byte[] text, int length) {
    EIGHT.set(text, length, 0L);
    long hash = length;
    for (int i = 0; i < length; i += Long.BYTES) {
      hash = hash * SPREAD + (long) EIGHT.get(text, i);
    }
    return hash;
  }

  /** Where a table of so many bits has that number. */
  public static int slot(long number, int bits) {
    return (int) (number * SPREAD >>> Long.SIZE - bits);
  }

  /** The next position of the ASCII word, or -1. */
  public int indexOf(String word, int at) {
    char first = word.charAt(0);
    int found = indexOf(first, at);
    while (found >= 0 && !startsWith(word, found)) {
      found = indexOf(first, found + 1);
    }
    return found;
  }

  public boolean contains(String word) {
    return indexOf(word, 0) >= 0;
  }

  /** Whether it contains only blanks and tabs. */
  public boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (!Character.isWhitespace(charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** A copy of a part. */
  public String substring(int start, int end) {
    return new String(bytes, from + start, end - start, StandardCharsets.ISO_8859_1);
  }

  /** A copy of all from there. */
  public String substring(int start) {
    return substring(start, length);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return substring(start, end);
  }

  @Override
  public String toString() {
    return substring(0, length);
  }
}
