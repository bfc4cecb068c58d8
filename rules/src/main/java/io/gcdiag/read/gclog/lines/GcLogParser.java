package io.gcdiag.read.gclog.lines;

import io.gcdiag.read.bytes.Line;

/** Reads one family of log formats, line by line, in one pass. */
public interface GcLogParser {

  /**
   * Takes one line.
   *
   * @param line the line without its end; not to be kept
   * @param number its number in the file, counted from 1
   * @return whether the line is of this format
   */
  boolean accept(Line line, long number);

  /** Puts what was found where the caller wants it; called once, after the last line. */
  void finish();

  /** Whether the line that was accepted last begins with a time. */
  boolean stamped();
}
