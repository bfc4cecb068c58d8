package io.gcdiag.ingest.gclog;

import io.gcdiag.ingest.text.Line;
import io.gcdiag.ingest.text.LineFigures;

/**
 * Pauses of a log of JDK 8 or earlier whose lines differ from lines before in their figures only:
 * nearly all of those that stand on one line. What cannot be read so is left to the grammar.
 */
final class RepeatedPauses {

  /** Collectors have some causes each for young and for full collections. */
  private static final int PATTERNS = 8;

  /** To learn takes as long as to read some ten lines: not worth it for lines that never repeat. */
  private static final int TRIED_AT_FIRST = 100;

  private static final int READ_FOR_A_TRY = 50;

  private final LogCollector log;
  private final Dates dates;
  private final LineFigures figures = new LineFigures();
  private final PauseFigures pause = new PauseFigures();
  private final PausePattern[] patterns = new PausePattern[PATTERNS];
  private int count;

  /** The pattern that is given up for the next one, once there is no room. */
  private int next;

  private long read;
  private long tried;

  RepeatedPauses(LogCollector log, Dates dates) {
    this.log = log;
    this.dates = dates;
  }

  /** Adds the pause of a line if it is like one before. */
  boolean read(Line line, long number) {
    for (int i = 0; i < count; i++) {
      if (patterns[i].matches(line, figures)) {
        boolean sound = patterns[i].read(line, number, figures, dates, pause);
        if (sound) {
          read++;
          log.startsOver(pause.uptime, number);
          log.add(pause);
        }
        return sound;
      }
    }
    return false;
  }

  /**
   * Learns from a line with a pause and nothing else.
   *
   * @param open where its record opens
   * @param close where that ends, behind its bracket
   * @param made what the grammar made of it
   */
  void learn(Line line, int open, int close, LoggedPause made) {
    if (tried > TRIED_AT_FIRST + read / READ_FOR_A_TRY) {
      return;
    }
    tried++;
    PausePattern.of(line, open, close, made, dates)
        .ifPresent(
            pattern -> {
              patterns[next] = pattern;
              next = (next + 1) % PATTERNS;
              count = Math.max(count, next == 0 ? PATTERNS : next);
            });
  }
}
