package io.gcdiag.read.frames;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognises locks that {@code frames.txt} does not know, those of an embedded database, say: a
 * class that is named as a lock and a method that takes it.
 */
final class LockWords {

  /** Number of frames inside the lock between the wait and the method that takes it. */
  private static final int DEPTH = 2;

  /** Outer class, and method; in {@code Block} and {@code Clock} the letter is a small one. */
  private static final Pattern TAKES =
      Pattern.compile(
          "(?:.*\\.)?(\\w*Lock\\w*)(?:\\$\\w+)*\\.(?:acquire|lock|tryLock|obtain|readLock|writeLock)\\w*");

  /**
   * The name of the lock that a stack waits for, that of its class.
   *
   * @param at the innermost frame outside the JDK; those from there outward are looked at
   */
  static Optional<String> lock(List<String> frames, int at) {
    return frames.stream()
        .skip(at)
        .limit(DEPTH)
        .map(TAKES::matcher)
        .filter(Matcher::matches)
        .map(lock -> lock.group(1))
        .findFirst();
  }
}
