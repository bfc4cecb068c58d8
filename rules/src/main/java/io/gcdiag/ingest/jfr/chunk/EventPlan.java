package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.DamagedValueException;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.HandlerException;
import io.gcdiag.ingest.jfr.file.ChunkBytes;
import io.gcdiag.ingest.jfr.file.ChunkClock;
import java.util.Optional;
import java.util.function.Consumer;

/** What is done with the events of one type in one chunk. */
final class EventPlan {

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

  /** Whether a handler reads the events. */
  boolean isWanted() {
    return wanted;
  }

  /**
   * Reads an event.
   *
   * @param in stands behind its type
   * @param eventEnd where it ends
   * @return false if its content does not fit its size
   */
  boolean read(ChunkBytes in, int eventEnd, EventSpan span) {
    if (!dated) {
      return true;
    }
    if (!wanted && timeFirst) {
      long end = in.readLong();
      if (lasting) {
        end += in.readLong();
      }
      span.add(end);
      return in.at() <= eventEnd;
    }
    boolean plausible;
    try {
      event.read(in);
      if (in.at() > eventEnd) {
        return false;
      }
      plausible = span.add(event.endTicks());
    } catch (RuntimeException e) {
      // A length that goes beyond the bytes, a time beyond all clocks: the next event may be sound.
      return false;
    }
    return !plausible || deliver();
  }

  /** What a handler throws is a defect of the handler, unless a value of the event is damaged. */
  private boolean deliver() {
    try {
      reader.accept(event);
      return true;
    } catch (DamagedValueException e) {
      return false;
    } catch (RuntimeException e) {
      throw HandlerException.of(e);
    }
  }
}
