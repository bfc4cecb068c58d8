package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.HandlerException;
import java.util.Optional;
import java.util.function.Consumer;

/** Handles the events of consecutive chunks in one lane. */
final class LaneRun {

  private final EventLane lane;
  private final Names names = new Names();
  private final KnownStacks stacks = new KnownStacks(names);

  /** By the index of the type; only event types have one. */
  private ChunkEvent[] events = {};

  private EventSpan span = EventSpan.NEVER;

  LaneRun(EventLane lane) {
    this.lane = lane;
  }

  /**
   * Moves to the next chunk.
   *
   * @param plausible when its events may have ended
   */
  void begin(Metadata types, ConstantIndex index, ChunkClock clock, Window plausible) {
    told(() -> lane.types(types.events()));
    stacks.nextChunk();
    Constants constants = new Constants(index, clock, names, stacks);
    span = new EventSpan(clock, plausible);
    events = new ChunkEvent[types.types().size()];
    for (Type type : types.types().values()) {
      if (type.isEvent()) {
        events[type.index()] = new ChunkEvent(type, reader(type), constants, clock, span);
      }
    }
  }

  /** Whether a handler reads events of that type. */
  boolean wants(Type type) {
    return events[type.index()].isWanted();
  }

  /** Reads the chunk's events of the type with that index. */
  ChunkEvent event(int type) {
    return events[type];
  }

  /** Whether the content of each event of the chunk fitted its size. */
  boolean isWhole() {
    return span.isWhole();
  }

  /** Reports the earliest and the latest end of the chunk's events. */
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
