package io.gcdiag.ingest.text;

import java.util.Optional;

/** Many lines on their way from the thread that cuts them to the one that reads them. */
final class LineBlock {

  private static final int BYTES = 256 * 1024;

  /** Of a log the average line has twice as many bytes as there are bytes for each of these. */
  private static final int LINES = BYTES / 32;

  private final byte[] bytes = new byte[BYTES];
  private final int[] ends = new int[LINES];
  private int count;
  private boolean last;
  private Throwable failure;

  /** Copies a line; false if there is no room for it. */
  boolean add(Line line) {
    int start = end(count - 1);
    if (count == LINES || BYTES - start < line.length()) {
      return false;
    }
    line.copyTo(bytes, start);
    ends[count++] = start + line.length();
    return true;
  }

  /** Lets the line be the one at that index, which stays where it is. */
  void show(int index, Line line) {
    line.set(bytes, end(index - 1), ends[index]);
  }

  private int end(int index) {
    return index < 0 ? 0 : ends[index];
  }

  int count() {
    return count;
  }

  /** Forgets all lines. */
  void clear() {
    count = 0;
  }

  /** No block follows, because all is read or because of what went wrong; null if nothing did. */
  void end(Throwable problem) {
    last = true;
    failure = problem;
  }

  boolean isLast() {
    return last;
  }

  /** What went wrong behind the last line. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
