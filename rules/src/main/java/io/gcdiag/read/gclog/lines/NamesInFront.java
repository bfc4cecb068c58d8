package io.gcdiag.read.gclog.lines;

import io.gcdiag.read.bytes.Line;

/**
 * Decorations that say nothing of time, level or subject, and so cannot be recognised by
 * themselves: the machine, the process and the thread ({@code
 * -Xlog:gc:file=gc.log:hostname,pid,tid}).
 *
 * <pre>
 * [web-3][19778][19783] GC(0) Pause Young (Allocation Failure) 17M->12M(61M) 32.285ms
 * </pre>
 */
final class NamesInFront {

  /** As many decorations of this kind there are. */
  private static final int MOST = 3;

  private NamesInFront() {}

  /** Where the message begins behind such decorations; -1 if the line has none. */
  static int messageStart(Line line) {
    int at = 0;
    for (int i = 0; i < MOST && at < line.length() && line.charAt(at) == '['; i++) {
      int end = nameEnd(line, at + 1);
      if (end < 0) {
        return -1;
      }
      at = end + 1;
    }
    return at > 0 && at < line.length() && line.charAt(at) == ' ' ? at + 1 : -1;
  }

  /** Where the bracket closes; -1 if it holds anything but a name or a number. */
  private static int nameEnd(Line line, int from) {
    for (int i = from; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == ']') {
        return i > from ? i : -1;
      }
      boolean part = Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_' || c == ' ';
      if (!part) {
        return -1;
      }
    }
    return -1;
  }
}
