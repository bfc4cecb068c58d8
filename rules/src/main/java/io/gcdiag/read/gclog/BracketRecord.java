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
        all.append(line.substring(from, i + 1));
        return i + 1;
      }
    }
    if (depth == 1) {
      outer.append(line.substring(copied));
    }
    all.append(line.substring(from)).append('\n');
    return -1;
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
    return all.toString();
  }

  /** The text inside the outer brackets and outside any inner ones. */
  String outer() {
    return outer.toString().strip();
  }
}
