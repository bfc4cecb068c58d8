package io.gcdiag.read.gclog.lines;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseStore;
import java.util.Optional;

/** What logs of JDK 8 and earlier print behind a pause. */
final class BracketDetails {

  /**
   * G1's line of details: {@code [Eden: 7168.0K(7168.0K)->0.0B(4096.0K) Survivors: 0.0B->1024.0K
   * Heap: 10240.0K(65536.0K)->3352.5K(65536.0K)]}.
   */
  private static final String HEAP = " Heap: ";

  private BracketDetails() {}

  /**
   * {@code [Times: user=0.12 sys=0.00, real=0.04 secs]}, at the beginning of a text.
   *
   * @return whether the pause took them
   */
  static boolean cpu(String text, PauseStore pauses, int row) {
    if (!text.startsWith("[Times: user=")) {
      return false;
    }
    int user = text.indexOf('=') + 1;
    int userEnd = text.indexOf(" sys=", user);
    int system = userEnd + " sys=".length();
    int systemEnd = userEnd < 0 ? -1 : text.indexOf(" real=", system);
    int real = systemEnd + " real=".length();
    int realEnd = systemEnd < 0 ? -1 : text.indexOf(" secs]", real);
    if (realEnd < 0) {
      return false;
    }
    boolean comma = text.charAt(systemEnd - 1) == ',';
    return pauses.cpu(
        row,
        LogNumbers.nanosOfSeconds(text, user, userEnd),
        LogNumbers.nanosOfSeconds(text, system, systemEnd - (comma ? 1 : 0)),
        LogNumbers.nanosOfSeconds(text, real, realEnd));
  }

  /** What G1's line of details adds to the pause before it. */
  static Optional<HeapChange> heap(String text) {
    int heap = text.indexOf(HEAP);
    if (heap < 0) {
      return Optional.empty();
    }
    SizeText sizes = new SizeText(text, heap + HEAP.length(), text.length());
    return sizes.change().filter(any -> text.startsWith("]", sizes.position()));
  }
}
