package io.gcdiag.cli.report;

/** How a piece of text is meant. A renderer may show it by colour; it must never be needed. */
public enum Tone {
  /** Nothing special. */
  PLAIN,
  /** Names and answers. */
  STRONG,
  /** What is to blame. */
  BAD,
  /** What takes part in the incident, or needs a second look. */
  WARNING,
  /** What is in order. */
  GOOD,
  /** Of less interest. */
  MUTED
}
