package io.gcdiag.read.jfr.reader;

import java.util.Arrays;
import java.util.List;

/**
 * A recorded stack. Events of one chunk with the same stack share one object, which also holds the
 * notes about it.
 */
public abstract class Trace {

  /** Two elements per note: the kind of note, and its value. */
  private Object[] notes = {};

  /** Its Java frames as {@code package.Class.method}, innermost first. */
  public abstract List<String> frames();

  /** A line that was not recorded, or differs between stacks of the same frames. */
  public static final int NO_LINE = 0;

  /**
   * The line of a frame; {@link #NO_LINE} if unknown. Read it after all events were read, because a
   * later stack may be at another line of the same method.
   *
   * @param frame its index in {@link #frames()}
   */
  public int line(int frame) {
    return NO_LINE;
  }

  /**
   * Whether a frame holds its object's monitor: its method, or one of the same name, is
   * synchronized. Synchronized blocks are not recorded.
   *
   * @param frame its index in {@link #frames()}
   */
  public boolean inMonitor(int frame) {
    return false;
  }

  /**
   * The highest bytecode index at which the innermost frame was seen; 0 if unknown. Read it after
   * all events were read, as for {@link #line}.
   */
  public int highestIndex() {
    return 0;
  }

  /** Whether the innermost frame ran in the interpreter. */
  public abstract boolean interpreted();

  /** Whether the stack was truncated, so that its outermost frames are missing. */
  public abstract boolean cut();

  /** A note about this stack; computed on first access and kept with the stack. */
  public final <T> T note(Note<T> about) {
    for (int i = 0; i < notes.length; i += 2) {
      if (notes[i] == about) {
        return about.cast(notes[i + 1]);
      }
    }
    T made = about.make(this);
    int at = notes.length;
    notes = Arrays.copyOf(notes, at + 2);
    notes[at] = about;
    notes[at + 1] = made;
    return made;
  }
}
