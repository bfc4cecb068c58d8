package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** An event; one object serves all events of its type, one after another. */
final class ChunkEvent extends Values implements Event {

  private static final Bytes NOTHING = new Bytes(new byte[0], true);

  private final int start;
  private final int duration;
  private final int thread;
  private final int stack;

  /** What each field referred to last: who needs a constant of an event asks several times. */
  private final Constant[] latest;

  private final long[] latestKeys;

  ChunkEvent(Type type, Constants constants, ChunkClock clock) {
    super(type, NOTHING, constants, clock);
    start = type.start();
    duration = type.duration();
    thread = type.place("eventThread");
    stack = type.place("stackTrace");
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

  @Override
  public String type() {
    return structure().name();
  }

  long endTicks() {
    return value(start) + (duration == Type.NONE ? 0 : value(duration));
  }

  @Override
  public Instant start() {
    return clock().instant(value(start));
  }

  @Override
  public long startNanos() {
    return clock().nanos(value(start));
  }

  @Override
  public long lengthNanos() {
    return duration == Type.NONE ? 0 : clock().nanos(endTicks()) - clock().nanos(value(start));
  }

  @Override
  public Instant end() {
    return clock().instant(endTicks());
  }

  @Override
  public Duration duration() {
    return duration == Type.NONE ? Duration.ZERO : clock().between(value(start), endTicks());
  }

  @Override
  public Optional<Trace> stack() {
    return constant(stack).trace();
  }

  @Override
  public Optional<EventThread> thread() {
    return constant(thread).thread();
  }
}
