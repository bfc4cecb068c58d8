package io.gcdiag.read.jfr.reader;

import java.util.Arrays;
import java.util.List;

/**
 * A recorded stack. Events of one chunk with the same stack share one object, which also holds the
 * notes about it.
 */
public class Trace {

  /** A line that was not recorded, or differs between stacks of the same frames. */
  public static final int NO_LINE = 0;

  final List<String> frames;
  final int[] lines;
  private final boolean interpreted;
  private final boolean cut;
  private int highestIndex;

  /** Two elements per note: the kind of note, and its value. */
  private Object[] notes = {};

  /**
   * A stack.
   *
   * @param frames as {@code package.Class.method}, innermost first
   * @param lines the lines they were at; {@link #NO_LINE} if unknown
   * @param interpreted whether the innermost frame ran in the interpreter
   * @param cut whether the outermost frames are missing
   */
  protected Trace(List<String> frames, int[] lines, boolean interpreted, boolean cut) {
    this.frames = frames;
    this.lines = lines;
    this.interpreted = interpreted;
    this.cut = cut;
  }

  /** The stack of an event without one. */
  public static Trace none() {
    return new Trace(List.of(), new int[0], false, false);
  }

  /** Its Java frames as {@code package.Class.method}, innermost first. */
  public final List<String> frames() {
    return frames;
  }

  /**
   * The line of a frame; {@link #NO_LINE} if unknown. Read it after all events were read, because a
   * later stack may be at another line of the same method.
   *
   * @param frame its index in {@link #frames()}
   */
  public final int line(int frame) {
    return lines[frame];
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

  /** Notes the bytecode index at which the innermost frame was seen; 0 if unknown. */
  protected final void seenAt(int index) {
    highestIndex = Math.max(highestIndex, index);
  }

  /**
   * The highest bytecode index at which the innermost frame was seen; 0 if unknown. Read it after
   * all events were read, as for {@link #line}.
   */
  public final int highestIndex() {
    return highestIndex;
  }

  /** Whether the innermost frame ran in the interpreter. */
  public final boolean interpreted() {
    return interpreted;
  }

  /** Whether the stack was truncated, so that its outermost frames are missing. */
  public final boolean cut() {
    return cut;
  }

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
