package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.Line;
import java.util.OptionalLong;

/**
 * Collects one bracketed record of a log of JDK 8 or earlier, possibly over several lines. It ends
 * with its own closing bracket. The contents of inner brackets (generations, phases, output of a
 * concurrent thread in the middle) are kept separately.
 */
final class BracketRecord {

  /** The longest real record, CMS with every statistic switched on, is about half of this. */
  private static final int LONGEST = 20_000;

  private static final String HEAP_BEFORE = "{Heap before GC";
  private static final String HEAP_AFTER = "Heap after GC";

  final LogStamp start;
  final OptionalLong gcId;
  private final StringBuilder all = new StringBuilder();
  private final StringBuilder outer = new StringBuilder();
  private int depth;

  /**
   * The record as a part of a line, if it began and ended in one; valid only as long as the line
   * is.
   */
  private Line whole;

  private int wholeFrom;
  private int wholeEnd;

  BracketRecord(LogStamp start, OptionalLong gcId) {
    this.start = start;
    this.gcId = gcId;
  }

  /**
   * Adds a line or the rest of one.
   *
   * @return the index after the record's closing bracket in the line, or -1 if it continues
   */
  int feed(Line line, int from) {
    int copied = from;
    for (int i = line.indexOfEither('[', ']', from);
        i >= 0;
        i = line.indexOfEither('[', ']', i + 1)) {
      if (depth == 1) {
        outer.append(line.substring(copied, i));
      }
      copied = i + 1;
      depth += line.charAt(i) == '[' ? 1 : -1;
      if (depth == 0) {
        end(line, from, i + 1);
        return i + 1;
      }
    }
    if (depth == 1) {
      outer.append(line.substring(copied));
    }
    all.append(line.substring(from)).append('\n');
    return -1;
  }

  private void end(Line line, int from, int to) {
    if (all.length() == 0) {
      whole = line;
      wholeFrom = from;
      wholeEnd = to;
    } else {
      whole = Line.of(all.append(line.substring(from, to)).toString());
      wholeEnd = whole.length();
    }
  }

  /**
   * Whether the heap sizes before a collection were the last text of this record. The record of
   * that collection is then part of this one: a young collection before CMS's remark.
   */
  boolean isInterrupted() {
    int before = all.lastIndexOf(HEAP_BEFORE);
    return before >= 0 && all.indexOf(HEAP_AFTER, before) < 0;
  }

  boolean tooLong() {
    return all.length() > LONGEST;
  }

  /** Everything between the outer brackets, once the record has ended. */
  String all() {
    return whole.substring(wholeFrom, wholeEnd);
  }

  /** The words in it, once it has ended. */
  RecordWords words() {
    return new RecordWords(whole, wholeFrom, wholeEnd);
  }

  /** The text inside the outer brackets and outside any inner ones. */
  String outer() {
    return outer.toString().strip();
  }

  /** The words inside a record of JDK 8 or earlier that tell its kind, found in one look. */
  static final class RecordWords {

    private final Line text;
    private boolean failure;
    private boolean remark;
    private boolean initialMark;
    private boolean old;

    /**
     * Looks at a record that lies between two places of a text, of which the last is its bracket.
     */
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
}
