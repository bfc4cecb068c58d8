package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventLane;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.HandlerException;
import io.gcdiag.ingest.jfr.file.ChunkBytes;
import io.gcdiag.ingest.jfr.file.ChunkClock;
import java.util.Optional;
import java.util.function.Consumer;

/** Hands the events of one chunk after another to one lane. */
final class LaneRun {

  private final EventLane lane;
  private final Names names = new Names();
  private final KnownStacks stacks = new KnownStacks(names);

  /** By the index of the type; only types of events have one. */
  private ChunkEvent[] events = {};

  private EventSpan span = EventSpan.NEVER;
  private boolean whole = true;

  LaneRun(EventLane lane) {
    this.lane = lane;
  }

  /**
   * Goes on with the next chunk.
   *
   * @param plausible when its events can have ended
   */
  void begin(Metadata types, ConstantIndex index, ChunkClock clock, Window plausible) {
    told(() -> lane.types(types.events()));
    stacks.nextChunk();
    Constants constants = new Constants(index, clock, names, stacks);
    events = new ChunkEvent[types.types().size()];
    for (Type type : types.types().values()) {
      if (type.isEvent()) {
        events[type.index()] = new ChunkEvent(type, reader(type), constants, clock);
      }
    }
    span = new EventSpan(clock, plausible);
    whole = true;
  }

  /** Whether a handler reads events of that type. */
  boolean wants(Type type) {
    return events[type.index()].isWanted();
  }

  /**
   * Reads an event, or no more than its time.
   *
   * @param in stands behind the event's type
   * @param end where the event ends
   */
  void read(int type, ChunkBytes in, int end) {
    whole &= events[type].read(in, end, span);
  }

  /** Whether the content of each event of the chunk fitted its size. */
  boolean isWhole() {
    return whole;
  }

  /** Tells from when to when the events of the chunk ended. */
  void tell(EventSink sink) {
    told(() -> span.tell(sink));
  }

  private Optional<Consumer<Event>> reader(Type type) {
    try {
      return lane.reader(type.name());
    } catch (RuntimeException e) {
      throw HandlerException.of(e);
    }
  }

  private static void told(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException e) {
      throw HandlerException.of(e);
    }
  }
}
