package io.gcdiag.read.gclog.lines;

import io.gcdiag.read.bytes.Line;

/**
 * Positions of records and other marks in a line of JDK 8 or earlier, found in one pass over its
 * characters.
 */
final class BracketMarks {

  /** Nowhere in the line. */
  static final int NOWHERE = -1;

  private static final String FULL = "[Full GC";
  private static final String GC = "[GC";

  /**
   * {@code PrintAdaptiveSizePolicy} of JDK 6 and earlier writes this directly after such a word.
   */
  private static final String POLICY = "AdaptiveSize";

  private int record;
  private int stopped;
  private boolean addresses;
  private int details;
  private boolean concurrent;

  /** Whether the line is of a concurrent phase, so that CPU times in it belong to that. */
  private boolean phase;

  /** Searches a line from there on. */
  void look(Line line, int from) {
    record = NOWHERE;
    stopped = NOWHERE;
    addresses = false;
    details = NOWHERE;
    concurrent = false;
    phase = false;
    for (int i = line.indexOfEither('[', 'T', from);
        i >= 0;
        i = line.indexOfEither('[', 'T', i + 1)) {
      if (line.charAt(i) == '[') {
        bracket(line, i);
      } else if (stopped == NOWHERE && line.startsWith(SafepointLines.STOPPED, i)) {
        stopped = i;
      }
    }
  }

  private void bracket(Line line, int at) {
    if (at + 1 == line.length()) {
      return;
    }
    switch (line.charAt(at + 1)) {
      case 'G', 'F' -> {
        if (record == NOWHERE && isRecord(line, at)) {
          record = at;
        }
        phase |= line.startsWith("[GC concurrent-", at) || line.startsWith("[G1Ergonomics ", at);
      }
      case 'C' -> phase |= line.startsWith("[CMS-concurrent-", at);
      case 'T' -> {
        detail(line, "[Times: ", at);
        concurrent |= line.startsWith("[Times: user=", at);
      }
      case 'E' -> detail(line, "[Eden: ", at);
      case '0' -> addresses |= isInterval(line, at);
      default -> {
        // Other characters are skipped.
      }
    }
  }

  private void detail(Line line, String word, int at) {
    if (details == NOWHERE && line.startsWith(word, at)) {
      details = at;
    }
  }

  /**
   * Records such as {@code [GC concurrent-mark-start]} and {@code [GC Worker Start} are no pauses.
   */
  static boolean isRecord(Line line, int at) {
    int end;
    if (line.startsWith(GC, at)) {
      end = at + GC.length();
    } else if (line.startsWith(FULL, at)) {
      end = at + FULL.length();
    } else {
      return false;
    }
    if (end == line.length()) {
      return true;
    }
    char next = line.charAt(end);
    boolean letter = next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z';
    boolean word = letter && !line.startsWith(POLICY, end);
    boolean phase =
        next == '-'
            && end + 1 < line.length()
            && line.charAt(end + 1) >= 'a'
            && line.charAt(end + 1) <= 'z';
    return !word
        && !phase
        && !line.startsWith(" concurrent", end)
        && !line.startsWith(" Worker", end);
  }

  /** {@code [0x00000000f0000000, 0x}: a half-open interval, whose bracket is never closed. */
  private static boolean isInterval(Line line, int at) {
    int end = at + 3;
    if (!line.startsWith("0x", at + 1)) {
      return false;
    }
    while (end < line.length() && isHex(line.charAt(end))) {
      end++;
    }
    return end > at + 3 && (line.startsWith(",0x", end) || line.startsWith(", 0x", end));
  }

  private static boolean isHex(char c) {
    return LogNumbers.isDigit(c) || c >= 'a' && c <= 'f';
  }

  /** Where the first record of a pause begins. */
  int record() {
    return record;
  }

  /** Where the words on stopped threads begin. */
  int stopped() {
    return stopped;
  }

  /** Whether the line shows memory addresses, as {@code Heap before GC} does. */
  boolean addresses() {
    return addresses;
  }

  /** Where the line has more of the pause before it: CPU times, or heap sizes of G1. */
  int details() {
    return phase || record != NOWHERE ? NOWHERE : details;
  }

  /** Whether it is of a concurrent phase, or another kind of line that only such logs have. */
  boolean concurrent() {
    return concurrent || phase;
  }
}
