package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.evidence.Window;
import io.gcdiag.ingest.jfr.event.EventSink;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Hands the events of one chunk after another to a sink. */
final class ChunkRun {

  private final EventSink sink;
  private final EventWindow.Memory memory = new EventWindow.Memory();

  /** Types of the chunk before, and the bytes that declared them: most chunks declare the same. */
  private Optional<Metadata> metadata = Optional.empty();

  private byte[] declaration = {};
  private final Names names = new Names();
  private final Traces traces = new Traces();

  ChunkRun(EventSink sink) {
    this.sink = sink;
  }

  /**
   * Reads a chunk.
   *
   * @param plausible when its events can have ended
   * @return false if not all of it could be read; the events before the damage have been handed on
   */
  boolean read(ChunkHeader header, Window plausible) {
    try {
      Metadata types = metadata(header);
      sink.types(types.events());
      Constants constants = constants(header, types);
      return events(header, types, constants, plausible);
    } catch (IOException | RuntimeException e) {
      // Of what is damaged no more can be said than how much was read.
      return false;
    }
  }

  private Metadata metadata(ChunkHeader header) throws IOException {
    Bytes event = header.file().event(header.metadataAt(), ChunkHeader.TYPE_METADATA);
    // Time, duration and a running number.
    event.readLong();
    event.readLong();
    event.readLong();
    byte[] data = event.data();
    int from = event.at();
    boolean same = Arrays.equals(data, from, data.length, declaration, 0, declaration.length);
    if (metadata.isEmpty() || !same) {
      metadata = Optional.empty();
      declaration = Arrays.copyOfRange(data, from, data.length);
      metadata = Optional.of(Metadata.read(event));
    }
    return metadata.get();
  }

  /** Events with constants refer to the one before, by the distance; the first one has 0. */
  private Constants constants(ChunkHeader header, Metadata types) throws IOException {
    Constants constants = new Constants(types.types(), header.clock(), names, traces);
    long at = header.constantsAt();
    long distance = -1;
    while (distance != 0) {
      Bytes event = header.file().event(at, ChunkHeader.TYPE_CONSTANTS);
      // Time and duration.
      event.readLong();
      event.readLong();
      distance = event.readLong();
      // What made the JVM write it.
      event.readByte();
      constants.add(event);
      if (distance > 0) {
        throw new DamagedChunkException("constants that refer to later ones");
      }
      at += distance;
    }
    return constants;
  }

  private boolean events(ChunkHeader header, Metadata types, Constants constants, Window plausible)
      throws IOException {
    EventSpan span = new EventSpan(header.clock(), plausible);
    Map<Long, EventPlan> plans = new HashMap<>();
    EventPlan[] common = new EventPlan[EventPlan.COMMON];
    types
        .types()
        .values()
        .forEach(
            type -> {
              if (type.isEvent()) {
                EventPlan plan =
                    new EventPlan(type, sink.reader(type.name()), constants, header.clock());
                if (type.id() >= 0 && type.id() < common.length) {
                  common[(int) type.id()] = plan;
                }
                plans.put(type.id(), plan);
              }
            });
    boolean all = true;
    EventWindow events = new EventWindow(header.file(), memory);
    try {
      while (events.next()) {
        long type = events.type();
        EventPlan plan = type >= 0 && type < common.length ? common[(int) type] : plans.get(type);
        if (plan != null) {
          all &= plan.read(events, span);
        }
      }
      all &= events.endPosition() == header.file().end();
    } finally {
      span.tell(sink);
    }
    return all;
  }
}
