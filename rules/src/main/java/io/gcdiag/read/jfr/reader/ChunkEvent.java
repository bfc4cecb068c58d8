package io.gcdiag.read.jfr.reader;

import io.gcdiag.read.bytes.HandlerException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An event, and what is done with it; one object serves all events of its type in one chunk, one
 * after another.
 */
final class ChunkEvent extends Event {

  private static final Consumer<Event> NOBODY = event -> {};

  private final Consumer<Event> reader;
  private final boolean wanted;
  private final boolean timeFirst;
  private final EventValues fields;
  private final ChunkClock clock;
  private final EventSpan span;
  private final int start;
  private final int duration;
  private final int thread;
  private final int stack;
  private final StackNotes notes;

  /** From when to when it lasted, in nanoseconds since 1970: asked for again and again. */
  private long from;

  private long to;

  /**
   * Events of a type.
   *
   * @param span learns when they ended, and whether they fit
   */
  ChunkEvent(
      Type type,
      Optional<Consumer<Event>> reader,
      Constants constants,
      ChunkClock clock,
      EventSpan span) {
    this(type, reader, constants, clock, span, new EventValues(type, constants, clock));
  }

  private ChunkEvent(
      Type type,
      Optional<Consumer<Event>> reader,
      Constants constants,
      ChunkClock clock,
      EventSpan span,
      EventValues fields) {
    super(fields);
    this.reader = reader.orElse(NOBODY);
    this.wanted = reader.isPresent();
    this.timeFirst = type.isTimeFirst();
    this.fields = fields;
    this.clock = clock;
    this.span = span;
    start = type.start();
    duration = type.duration();
    thread = type.place("eventThread");
    stack = type.place("stackTrace");
    notes = new StackNotes(type, stack, constants);
  }

  /** Whether a handler reads the events. */
  boolean isWanted() {
    return wanted;
  }

  /**
   * Reads an event, or no more than its time.
   *
   * @param in stands behind its type
   * @param eventEnd where it ends
   */
  void read(ChunkBytes in, int eventEnd) {
    if (!fits(in, eventEnd)) {
      span.misfit();
    }
  }

  private boolean fits(ChunkBytes in, int eventEnd) {
    if (start == Type.NONE) {
      return true;
    }
    if (!wanted && timeFirst) {
      long end = in.readLong();
      if (duration != Type.NONE) {
        end += in.readLong();
      }
      span.add(end);
      return in.at() <= eventEnd;
    }
    boolean plausible;
    try {
      read(in);
      if (in.at() > eventEnd) {
        return false;
      }
      plausible = span.add(endTicks());
    } catch (RuntimeException e) {
      // A length that goes beyond the bytes, a time beyond all clocks: the next event may be sound.
      return false;
    }
    return !plausible || deliver();
  }

  /** What a handler throws is a defect of the handler, unless a value of the event is damaged. */
  private boolean deliver() {
    try {
      reader.accept(this);
      return true;
    } catch (DamagedValueException e) {
      return false;
    } catch (RuntimeException e) {
      throw HandlerException.of(e);
    }
  }

  private void read(ChunkBytes in) {
    fields.read(in);
    from = clock.nanos(fields.value(start));
    to = duration == Type.NONE ? from : clock.nanos(endTicks());
  }

  private long endTicks() {
    return fields.value(start) + (duration == Type.NONE ? 0 : fields.value(duration));
  }

  @Override
  public String type() {
    return fields.structure().name();
  }

  @Override
  public Instant start() {
    return Instant.ofEpochSecond(0, from);
  }

  @Override
  public long startNanos() {
    return from;
  }

  @Override
  public long lengthNanos() {
    return to - from;
  }

  @Override
  public Instant end() {
    return Instant.ofEpochSecond(0, to);
  }

  @Override
  public Duration duration() {
    return Duration.ofNanos(to - from);
  }

  @Override
  public Optional<Trace> stack() {
    return fields.constant(stack).trace();
  }

  @Override
  public boolean hasStack() {
    return stack != Type.NONE && notes.has(fields.value(stack));
  }

  @Override
  public <T> T stackNote(Note<T> about, Trace otherwise) {
    return stack == Type.NONE
        ? otherwise.note(about)
        : notes.get(fields.value(stack), about, otherwise);
  }

  @Override
  public Optional<EventThread> thread() {
    return fields.constant(thread).thread();
  }

  /** As by {@link Event}, without an interface between: numbers are asked of millions of events. */
  @Override
  public long numberOr(String field, long absent) {
    return fields.numberOr(field, absent);
  }

  /** The values of one event after another of a type. */
  private static final class EventValues extends Values {

    private static final ChunkBytes NOTHING = new ChunkBytes(new byte[0], true);

    /** What each field referred to last: who needs a constant of an event asks several times. */
    private final Constant[] latest;

    private final long[] latestKeys;

    EventValues(Type type, Constants constants, ChunkClock clock) {
      super(type, NOTHING, constants, clock);
      latest = new Constant[type.fields().length];
      latestKeys = new long[latest.length];
    }

    @Override
    Constant constant(int place) {
      if (place == Type.NONE) {
        return Constant.ABSENT;
      }
      long key = value(place);
      if (latest[place] == null || latestKeys[place] != key) {
        latest[place] = super.constant(place);
        latestKeys[place] = key;
      }
      return latest[place];
    }
  }

  /**
   * What readers found out about the stacks of a chunk that one type of events refers to. It is the
   * same as the stacks themselves say ({@link Trace#note}); here it stands by the stack's row among
   * the constants. Large recordings have so many stacks that each object on the way from an event
   * to its stack and on to the note is a wait for memory.
   */
  private static final class StackNotes {

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
}
