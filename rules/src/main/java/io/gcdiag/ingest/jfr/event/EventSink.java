package io.gcdiag.ingest.jfr.event;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What receives the events of a recording, in the order in which they stand in the file. */
public interface EventSink {

  /** The types that the recording declares, by their number, be there events of them or not. */
  void types(Map<Long, String> nameById);

  /** What to do with events of a type; absent if nothing but their time counts. */
  Optional<Consumer<Event>> reader(String type);

  /**
   * Two ends of events, none of which lies before the first or after the last, whether or not
   * somebody reads their type.
   */
  void span(Instant firstEnd, Instant lastEnd);
}
