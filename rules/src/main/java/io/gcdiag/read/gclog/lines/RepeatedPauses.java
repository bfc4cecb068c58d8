package io.gcdiag.read.gclog.lines;

import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineFigures;

/**
 * Pauses of a log of JDK 8 or earlier whose lines differ from lines before in their figures only:
 * nearly all of those that stand on one line. What cannot be read so is left to the grammar.
 */
final class RepeatedPauses {

  /** G1 has some causes each for young and mixed collections, with and without room to move to. */
  private static final int PATTERNS = 16;

  /** To learn takes as long as to read some ten lines: not worth it for lines that never repeat. */
  private static final int TRIED_AT_FIRST = 100;

  private static final int READ_FOR_A_TRY = 50;

  private final GcLog log;
  private final Dates dates;
  private final YoungLines young;
  private final LineFigures figures = new LineFigures();
  private final PausePattern[] patterns = new PausePattern[PATTERNS];
  private int count;
  private long read;
  private long tried;

  RepeatedPauses(GcLog log, Dates dates, YoungLines young) {
    this.log = log;
    this.dates = dates;
    this.young = young;
  }

  /** Adds the pause of a line if it is like one before. */
  boolean read(Line line, long number) {
    // What is printed of a pause stands behind a blank, a pause behind a stamp or a bracket.
    if (line.length() == 0 || line.charAt(0) == ' ') {
      return false;
    }
    for (int i = 0; i < count; i++) {
      PausePattern pattern = patterns[i];
      if (pattern.matches(line, figures)) {
        boolean sound = pattern.read(line, figures, dates);
        // So the common ones come to stand before the rare ones, and are tried first.
        patterns[i] = patterns[Math.max(0, i - 1)];
        patterns[Math.max(0, i - 1)] = pattern;
        if (sound) {
          read++;
          pattern.add(log, young, number);
        }
        return sound;
      }
    }
    return false;
  }

  /**
   * Learns from a line with the last pause and nothing else.
   *
   * @param open where its record opens
   * @param close where that ends, behind its bracket
   */
  void learn(Line line, int open, int close) {
    if (tried > TRIED_AT_FIRST + read / READ_FOR_A_TRY) {
      return;
    }
    tried++;
    PausePattern.of(line, open, close, log.pauses(), dates)
        .ifPresent(
            pattern -> {
              count = Math.min(PATTERNS, count + 1);
              patterns[count - 1] = pattern;
            });
  }
}
