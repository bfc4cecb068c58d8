package io.gcdiag.read.bytes;

import java.io.ByteArrayOutputStream;

/**
 * Positions of the numbers in a line, found while its words are compared with those of another
 * line: lines of a log often differ only in their numbers. Digits after a letter belong to its word
 * ({@code G1}), except for the {@code T} of a timestamp.
 */
public final class LineFigures {

  /** More numbers than any line that is read has. */
  private static final int MOST = 128;

  /** Placeholder for a number among words; no text contains this byte. */
  private static final byte FIGURE = 0;

  private final int[] from = new int[MOST];
  private final int[] to = new int[MOST];
  private int count;

  /** The words of a line as a pattern for {@link #match}; empty if it cannot be one. */
  public static byte[] words(Line line) {
    ByteArrayOutputStream words = new ByteArrayOutputStream();
    int figures = 0;
    for (int at = 0; at < line.length(); ) {
      int end = at + 1;
      boolean digit = isDigit(line, at);
      while (digit && isDigit(line, end)) {
        end++;
      }
      boolean word = !digit || isLetter(line, at - 1) && !isDigit(line, at - 2);
      if (line.charAt(at) == FIGURE || !word && ++figures > MOST) {
        return new byte[0];
      }
      for (int i = at; word && i < end; i++) {
        words.write(line.charAt(i));
      }
      if (!word) {
        words.write(FIGURE);
      }
      at = end;
    }
    return words.toByteArray();
  }

  private static boolean isDigit(Line line, int at) {
    return at >= 0 && at < line.length() && isDigit((byte) line.charAt(at));
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static boolean isLetter(Line line, int at) {
    return at >= 0 && Character.isLetter(line.charAt(at));
  }

  /** Whether a line has exactly these words; if so, the positions of its numbers are set. */
  public boolean match(Line line, byte[] words) {
    byte[] bytes = line.bytes();
    int start = line.start();
    int end = start + line.length();
    int at = start;
    count = 0;
    for (byte word : words) {
      if (at == end) {
        return false;
      }
      if (word != FIGURE) {
        if (bytes[at++] != word) {
          return false;
        }
        continue;
      }
      from[count] = at - start;
      while (at < end && isDigit(bytes[at])) {
        at++;
      }
      to[count] = at - start;
      if (from[count] == to[count++]) {
        return false;
      }
    }
    return at == end;
  }

  /** How many numbers the matched line has. */
  public int count() {
    return count;
  }

  /** Start of a number in the matched line. */
  public int from(int figure) {
    return from[figure];
  }

  /** End of a number in the matched line. */
  public int to(int figure) {
    return to[figure];
  }
}
