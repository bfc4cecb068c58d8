package io.gcdiag.read.bytes;

import java.nio.charset.StandardCharsets;

/**
 * One line of a text inside the reader's buffer, so that unread parts are never copied. A character
 * is a byte, as in ISO 8859-1. Valid until the next line is requested.
 */
public final class Line implements CharSequence {

  private static final int BYTE_MASK = 0xff;

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

  /** The buffer that contains the line. */
  byte[] bytes() {
    return bytes;
  }

  /** Its offset in the buffer. */
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

  /** The next position of the ASCII character, or -1. */
  public int indexOf(char c, int at) {
    int end = from + length;
    for (int i = from + at; i < end; i++) {
      if (bytes[i] == c) {
        return i - from;
      }
    }
    return -1;
  }

  /** The next position of one of two ASCII characters, or -1. */
  public int indexOfEither(char one, char other, int at) {
    int end = from + length;
    for (int i = from + at; i < end; i++) {
      if (bytes[i] == one || bytes[i] == other) {
        return i - from;
      }
    }
    return -1;
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

  /** A copy. */
  @Override
  public String toString() {
    return substring(0, length);
  }
}
