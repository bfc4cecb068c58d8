package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.Line;

/** Reads one family of log formats, line by line, in one pass. */
public interface GcLogParser {

  /**
   * Reads one line.
   *
   * @param line the line without its end; must not be kept
   * @param number its number in the file, counted from 1
   * @return whether the line is of this format
   */
  boolean accept(Line line, long number);

  /** Finishes the result; called once, after the last line. */
  void finish();

  /** Whether the last accepted line begins with a time. */
  boolean stamped();
}
