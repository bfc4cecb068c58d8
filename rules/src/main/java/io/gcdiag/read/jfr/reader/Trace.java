package io.gcdiag.read.jfr.reader;

import java.util.Arrays;
import java.util.List;

/**
 * A recorded stack. Events of one chunk that have the same stack share one object, so that what is
 * found out about it can be kept with it.
 */
public abstract class Trace {

  /** Two places a note: what it is about, and what it says. */
  private Object[] notes = {};

  /** Its Java frames as {@code package.Class.method}, innermost first. */
  public abstract List<String> frames();

  /** Stands for a line that was not recorded, or differs between stacks of the same frames. */
  public static final int NO_LINE = 0;

  /**
   * The line that a frame was at; {@link #NO_LINE} if that is not known. To be asked when all
   * events are read: stacks that come later may be at another line of the same method.
   *
   * @param frame its place in {@link #frames()}
   */
  public int line(int frame) {
    return NO_LINE;
  }

  /**
   * Whether a frame holds its object's monitor: its method, or one of the same name, is
   * synchronized. Synchronized blocks are not recorded.
   *
   * @param frame its place in {@link #frames()}
   */
  public boolean inMonitor(int frame) {
    return false;
  }

  /** Whether the innermost frame ran in the interpreter. */
  public abstract boolean interpreted();

  /** Whether it was deeper than is recorded: its outermost frames are missing. */
  public abstract boolean cut();

  /** What was found out about this stack: made when first asked for, gone with the stack. */
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
