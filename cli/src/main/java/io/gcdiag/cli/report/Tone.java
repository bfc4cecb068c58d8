package io.gcdiag.cli.report;

/** How a piece of text is meant. A renderer may show it by colour; it must never be needed. */
public enum Tone {
  /** Nothing special. */
  PLAIN,
  /** Names and answers. */
  STRONG,
  /** The cause. */
  BAD,
  /** A contributing cause, or something to check. */
  WARNING,
  /** Something that is fine. */
  GOOD,
  /** Of less interest. */
  MUTED
}
