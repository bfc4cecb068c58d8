package io.gcdiag.read.jfr.reader;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Receives the events of a recording in file order. */
public interface EventSink extends EventLane {

  /** For all lanes. */
  @Override
  void types(Map<Long, String> nameById);

  /** For all lanes. */
  @Override
  Optional<Consumer<Event>> reader(String type);

  /**
   * The same handlers split into at most two lanes. A caller that serves the lanes one by one
   * passes every event to each lane that handles its type, in file order.
   */
  default List<EventLane> lanes() {
    return List.of(this);
  }

  /**
   * Receives the earliest and the latest end of all events, whether or not their types are handled.
   */
  void span(Instant firstEnd, Instant lastEnd);
}
