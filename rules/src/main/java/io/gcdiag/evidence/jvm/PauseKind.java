package io.gcdiag.evidence.jvm;

/** Kinds of stop-the-world pauses, across collectors. */
public enum PauseKind {
  /** A collection of the young generation only. */
  YOUNG,
  /** G1: the young generation and some old regions. */
  MIXED,
  FULL,
  /** The start of a concurrent marking: initial mark, ZGC's mark start. */
  MARK_START,
  /** The end of a concurrent marking: remark, ZGC's mark end. */
  REMARK,
  /** G1's cleanup and the short final phases of concurrent collectors. */
  CLEANUP,
  OTHER
}
