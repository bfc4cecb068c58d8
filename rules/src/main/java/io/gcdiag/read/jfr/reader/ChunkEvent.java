package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.HandlerException;
import io.gcdiag.read.jfr.reader.Constants.Constant;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** An event and its handler; one object is reused for all events of its type in a chunk. */
final class ChunkEvent extends Event {

  private static final Consumer<Event> IGNORED = event -> {};

  private final Consumer<Event> reader;

  /** Whether a handler reads the events. */
  final boolean wanted;

  private final boolean timeFirst;
  private final EventValues fields;
  private final ChunkClock clock;
  private final EventSpan span;
  private final int start;
  private final int duration;
  private final int thread;
  private final int stack;

  /** Start and end in nanoseconds since 1970; cached, because they are read repeatedly. */
  private long from;

  private long to;

  /**
   * For events of a type.
   *
   * @param span collects when they ended, and whether their content fits their size
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
    this.reader = reader.orElse(IGNORED);
    this.wanted = reader.isPresent();
    this.timeFirst = type.isTimeFirst();
    this.fields = fields;
    this.clock = clock;
    this.span = span;
    start = type.start();
    duration = type.duration();
    thread = type.place("eventThread");
    stack = type.place("stackTrace");
  }

  /**
   * Reads an event, or only its time if there is no handler.
   *
   * @param in positioned after its type
   */
  void read(ChunkBytes in, int eventEnd) {
    if (!fits(in, eventEnd)) {
      span.whole = false;
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
      // A length beyond the bytes, or an impossible time: the next event may be intact.
      return false;
    }
    return !plausible || deliver();
  }

  /**
   * An exception of a handler is a defect of the handler, unless a value of the event is damaged.
   */
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
    return fields.structure().name;
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
  public Optional<Trace> stack() {
    return fields.constant(stack).trace();
  }

  @Override
  public Optional<EventThread> thread() {
    return fields.constant(thread).thread();
  }

  /**
   * Overrides the method of {@link Event} without an interface call: numbers of millions of events
   * are read.
   */
  @Override
  public long numberOr(String field, long absent) {
    return fields.numberOr(field, absent);
  }

  /** The values of the current event of a type. */
  private static final class EventValues extends Values {

    private static final ChunkBytes NOTHING = new ChunkBytes(new byte[0], true);

    /** The latest constant of each field, because a handler often reads it several times. */
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

  /** The earliest and the latest end of a chunk's events, without implausible times from damage. */
  static final class EventSpan {

    private static final long NANOS = 1_000_000_000L;

    /** A damaged header can have any time; a long of nanoseconds covers 290 years around 1970. */
    private static final long MOST_SECONDS = 9_000_000_000L;

    /** The span of no chunk. */
    static final EventSpan NEVER =
        new EventSpan(
            new ChunkClock(0, 0, 1), new Window(Instant.EPOCH, Instant.EPOCH.plusNanos(1)));

    private final ChunkClock clock;
    private final long firstNanos;
    private final long lastNanos;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private boolean whole = true;

    EventSpan(ChunkClock clock, Window plausible) {
      this.clock = clock;
      firstNanos = nanos(plausible.from());
      lastNanos = nanos(plausible.to());
    }

    private static long nanos(Instant instant) {
      long seconds = Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, instant.getEpochSecond()));
      return seconds * NANOS + instant.getNano();
    }

    private boolean isInside(long ticks) {
      long nanos = clock.nanos(ticks);
      return nanos >= firstNanos && nanos < lastNanos;
    }

    /**
     * Adds the end of an event.
     *
     * @return whether it is plausible
     */
    boolean add(long ticks) {
      if (!isInside(ticks)) {
        return false;
      }
      first = Math.min(first, ticks);
      last = Math.max(last, ticks);
      return true;
    }

    /** Whether the content of every event fitted. */
    boolean isWhole() {
      return whole;
    }

    void tell(EventSink sink) {
      if (first <= last) {
        sink.span(clock.instant(first), clock.instant(last));
      }
    }
  }
}
