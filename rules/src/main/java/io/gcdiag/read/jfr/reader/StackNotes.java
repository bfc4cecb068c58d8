package io.gcdiag.read.jfr.reader;

import java.util.Arrays;

/**
 * What readers found out about the stacks of a chunk that one type of events refers to. It is the
 * same as the stacks themselves say ({@link Trace#note}); here it stands by the stack's row among
 * the constants. Large recordings have so many stacks that each object on the way from an event to
 * its stack and on to the note is a wait for memory.
 */
final class StackNotes {

  /** No chunk numbers a stack so. */
  private static final long NO_STACK = Long.MIN_VALUE;

  private final Pool stacks;
  private final Type type;
  private final Constants constants;
  private Note<?>[] matters = {};

  /** The stack that was asked for last, and its row. */
  private long latest = NO_STACK;

  private int latestRow = Pool.FREE;

  /** By the place of the matter, and by the row of the stack. */
  private Object[][] notes = {};

  /**
   * Nothing found out yet.
   *
   * @param event a type of events
   * @param place of the field that refers to a stack; {@link Type#NONE} if there is none
   */
  StackNotes(Type event, int place, Constants constants) {
    this.constants = constants;
    boolean refers = place != Type.NONE && event.fields()[place].kind() == Kind.CONSTANT;
    type = refers ? event.fields()[place].type() : event;
    stacks = refers && type.isStack() ? constants.pool(type) : Pool.NONE;
  }

  /** Whether there is a stack of that number. */
  boolean has(long key) {
    return row(key) != Pool.FREE;
  }

  /**
   * What is found out about a stack.
   *
   * @param otherwise stands for a stack that the chunk does not have
   */
  <T> T get(long key, Note<T> about, Trace otherwise) {
    int row = row(key);
    if (row == Pool.FREE) {
      return otherwise.note(about);
    }
    Object[] known = of(about);
    if (known[row] == null) {
      known[row] = constants.get(type, key).trace().orElse(otherwise).note(about);
    }
    return about.cast(known[row]);
  }

  /** Each event asks for its stack several times. */
  private int row(long key) {
    if (key != latest) {
      latestRow = stacks.find(key);
      latest = key;
    }
    return latestRow;
  }

  private Object[] of(Note<?> about) {
    int place = about.placeAmong(matters);
    if (place == matters.length) {
      matters = Arrays.copyOf(matters, place + 1);
      notes = Arrays.copyOf(notes, place + 1);
      matters[place] = about;
      notes[place] = new Object[stacks.count()];
    }
    return notes[place];
  }
}
