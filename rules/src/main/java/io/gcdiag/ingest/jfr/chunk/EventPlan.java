package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.Event;
import java.util.Optional;
import java.util.function.Consumer;

/** What is done with the events of one type in one chunk. */
final class EventPlan {

  /** Numbers of types below this are looked up in an array; few recordings have others. */
  static final int COMMON = 1 << 14;

  private static final Consumer<Event> NOBODY = event -> {};

  private final ChunkEvent event;
  private final Consumer<Event> reader;
  private final boolean wanted;
  private final boolean timeFirst;
  private final boolean dated;
  private final boolean lasting;

  EventPlan(Type type, Optional<Consumer<Event>> reader, Constants constants, ChunkClock clock) {
    this.event = new ChunkEvent(type, constants, clock);
    this.reader = reader.orElse(NOBODY);
    this.wanted = reader.isPresent();
    this.timeFirst = type.isTimeFirst();
    this.dated = type.start() != Type.NONE;
    this.lasting = type.duration() != Type.NONE;
  }

  /**
   * Reads the present event.
   *
   * @return false if its content does not fit its size
   */
  boolean read(EventWindow events, EventSpan span) {
    Bytes in = events.bytes();
    if (!dated) {
      return true;
    }
    if (!wanted && timeFirst) {
      long end = in.readLong();
      if (lasting) {
        end += in.readLong();
      }
      span.add(end);
      return in.at() <= events.eventEnd();
    }
    try {
      event.read(in);
      if (in.at() > events.eventEnd()) {
        return false;
      }
      if (span.add(event.endTicks())) {
        reader.accept(event);
      }
      return true;
    } catch (RuntimeException e) {
      // A length that goes beyond the bytes, a time beyond all clocks: the next event may be sound.
      return false;
    }
  }
}
