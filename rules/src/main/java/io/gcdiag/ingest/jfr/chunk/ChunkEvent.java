package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Note;
import io.gcdiag.ingest.jfr.event.Trace;
import io.gcdiag.ingest.jfr.file.ChunkBytes;
import io.gcdiag.ingest.jfr.file.ChunkClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** An event; one object serves all events of its type, one after another. */
final class ChunkEvent extends Event {

  private final EventValues fields;
  private final ChunkClock clock;
  private final int start;
  private final int duration;
  private final int thread;
  private final int stack;
  private final StackNotes notes;

  /** From when to when it lasted, in nanoseconds since 1970: asked for again and again. */
  private long from;

  private long to;

  ChunkEvent(Type type, Constants constants, ChunkClock clock) {
    this(type, constants, clock, new EventValues(type, constants, clock));
  }

  private ChunkEvent(Type type, Constants constants, ChunkClock clock, EventValues fields) {
    super(fields);
    this.fields = fields;
    this.clock = clock;
    start = type.start();
    duration = type.duration();
    thread = type.place("eventThread");
    stack = type.place("stackTrace");
    notes = new StackNotes(type, stack, constants);
  }

  /** Reads the next event, which begins where the bytes stand. */
  void read(ChunkBytes in) {
    fields.read(in);
    from = clock.nanos(fields.value(start));
    to = duration == Type.NONE ? from : clock.nanos(endTicks());
  }

  long endTicks() {
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
