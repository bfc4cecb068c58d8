package io.gcdiag.read.jfr.reader;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What receives the events of a recording, in the order in which they stand in the file. */
public interface EventSink extends EventLane {

  /** What all lanes together receive. */
  @Override
  void types(Map<Long, String> nameById);

  /** What all lanes together do with events of a type. */
  @Override
  Optional<Consumer<Event>> reader(String type);

  /**
   * The same work in parts, two at most. A caller that serves them one by one hands every event to
   * each of them that reads its type, in the order of the file.
   */
  default List<EventLane> lanes() {
    return List.of(this);
  }

  /**
   * Two ends of events, none of which lies before the first or after the last, whether or not their
   * type is read.
   */
  void span(Instant firstEnd, Instant lastEnd);
}
