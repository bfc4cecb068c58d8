package io.gcdiag.read.jfr.reader;

import io.gcdiag.read.bytes.HandlerException;
import java.time.Duration;
import java.time.Instant;
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
}
