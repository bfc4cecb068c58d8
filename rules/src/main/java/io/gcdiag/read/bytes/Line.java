package io.gcdiag.read.bytes;

import java.nio.charset.StandardCharsets;

/**
 * One line of a text as it lies in the reader's buffer, so that what is not read of it is never
 * copied. A character is a byte, as in ISO 8859-1. It is valid until the next line is asked for.
 */
public final class Line implements CharSequence {

  private static final int BYTE_MASK = 0xff;

  private byte[] bytes = {};
  private int from;
  private int length;

  /** An empty line. */
  public Line() {}

  /** A line of its own. */
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

  /** Becomes a copy of the other one. */
  public void copy(Line other) {
    if (bytes.length < other.length) {
      bytes = new byte[other.length];
    }
    System.arraycopy(other.bytes, other.from, bytes, 0, other.length);
    from = 0;
    length = other.length;
  }

  /** The bytes among which it lies. */
  byte[] bytes() {
    return bytes;
  }

  /** Where it begins among them. */
  int start() {
    return from;
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

  /** Whether the word stands there; false where the line is too short for it. */
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

  /** Where the ASCII character next stands, or -1. */
  public int indexOf(char c, int at) {
    int end = from + length;
    for (int i = from + at; i < end; i++) {
      if (bytes[i] == c) {
        return i - from;
      }
    }
    return -1;
  }

  /** Where one of two ASCII characters next stands, or -1. */
  public int indexOfEither(char one, char other, int at) {
    int end = from + length;
    for (int i = from + at; i < end; i++) {
      if (bytes[i] == one || bytes[i] == other) {
        return i - from;
      }
    }
    return -1;
  }

  /** Where the ASCII word next stands, or -1. */
  public int indexOf(String word, int at) {
    char first = word.charAt(0);
    int found = indexOf(first, at);
    while (found >= 0 && !startsWith(word, found)) {
      found = indexOf(first, found + 1);
    }
    return found;
  }

  /** Whether the ASCII word stands anywhere. */
  public boolean contains(String word) {
    return indexOf(word, 0) >= 0;
  }

  /** Whether nothing but blanks and tabs is in it. */
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

  /** A copy. */
  @Override
  public String toString() {
    return substring(0, length);
  }
}
