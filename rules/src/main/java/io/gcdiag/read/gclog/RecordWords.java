package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.Line;

/** The words inside a record of JDK 8 or earlier that tell its kind, found in one look. */
final class RecordWords {

  private final Line text;
  private boolean failure;
  private boolean remark;
  private boolean initialMark;
  private boolean old;

  /** Looks at a record that lies between two places of a text, of which the last is its bracket. */
  RecordWords(Line text, int from, int to) {
    this.text = text;
    for (int i = from; i < to; i++) {
      switch (text.charAt(i)) {
        case '[' -> bracket(i);
        case 'p' -> failure |= text.startsWith("promotion failed", i);
        case 't' -> failure |= text.startsWith("to-space ", i);
        case 'C' -> {
          remark |= text.startsWith("CMS-remark", i);
          initialMark |= text.startsWith("CMS-initial-mark", i);
        }
        default -> {
          // Figures, and words of no use.
        }
      }
    }
  }

  private void bracket(int at) {
    // The old generation is collected inside this pause: [CMS: ..., [Tenured: ...
    old |=
        text.startsWith("[Tenured", at)
            || text.startsWith("[CMS", at)
                && !text.startsWith(" Perm", at + 4)
                && !text.startsWith("-", at + 4);
  }

  /** Whether objects could not be moved for want of space. */
  boolean failure() {
    return failure;
  }

  /** Whether CMS ended a marking. */
  boolean remark() {
    return remark;
  }

  /** Whether CMS began a marking. */
  boolean initialMark() {
    return initialMark;
  }

  /** Whether the old generation was collected. */
  boolean old() {
    return old;
  }
}
