package io.gcdiag.read.jfr.events;

import io.gcdiag.read.frames.StackKind;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A place in the code where a connection is borrowed, and the method from which it is used.
 *
 * <p>The stack of a wait for a connection and that of a later call on it have their outer frames in
 * common; the innermost method that they share is the one that uses the connection. A thread inside
 * that method after the wait holds the connection. A transaction of the container's keeps it for
 * longer than the method that uses it: until the end of the method that runs the transaction.
 */
final class BorrowSite {

  /** Two stacks that were cut at their outer ends meet in so many frames at least. */
  private static final int LEAST_COMMON = 3;

  private final List<String> frames;
  private final int outside;
  private final Map<StackKind, Integer> known = new IdentityHashMap<>();

  /** The index in the borrower's stack of the method that uses the connection. */
  private int using;

  private final boolean inTransaction;

  /**
   * A site of which no call is known.
   *
   * @param frames the stack of a wait, innermost first
   * @param outside the first frame outside the pool's own
   * @param transaction the frame of the transaction that keeps the connection until its end; the
   *     number of frames if there is none
   */
  BorrowSite(List<String> frames, int outside, int transaction) {
    this.frames = frames;
    this.outside = outside;
    this.inTransaction = transaction < frames.size();
    this.using = transaction;
  }

  /** A call on the connection was made with this stack. */
  void learn(StackKind call) {
    int common = common(call);
    // A pool that tests a connection before it hands it out is still borrowing.
    if (common >= outside && !inTransaction) {
      using = Math.min(using, common);
    }
  }

  /** Whether a transaction holds it, or any call on the connection was seen. */
  boolean isKnown() {
    return using < frames.size();
  }

  /** Whether a stack is inside the method that uses the connection. */
  boolean isInside(StackKind stack) {
    return isKnown() && common(stack) <= using;
  }

  private int common(StackKind stack) {
    return known.computeIfAbsent(stack, other -> common(other.frames()));
  }

  /**
   * The index of the innermost of the borrower's frames from which on outwards both stacks are the
   * same, as far as both go: a recording cuts deep stacks at their outer end. The number of frames
   * if there is none.
   */
  private int common(List<String> other) {
    for (int mine = 0; mine < frames.size(); mine++) {
      for (int theirs = 0; theirs < other.size(); theirs++) {
        if (isSameOutwards(mine, other, theirs)) {
          return mine;
        }
      }
    }
    return frames.size();
  }

  private boolean isSameOutwards(int mine, List<String> other, int theirs) {
    int length = Math.min(frames.size() - mine, other.size() - theirs);
    boolean bothEnd = frames.size() - mine == other.size() - theirs;
    return (bothEnd || length >= LEAST_COMMON)
        && frames.subList(mine, mine + length).equals(other.subList(theirs, theirs + length));
  }
}
