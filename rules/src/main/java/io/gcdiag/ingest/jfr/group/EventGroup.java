package io.gcdiag.ingest.jfr.group;

import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.jfr.event.Event;
import java.util.Map;
import java.util.function.Consumer;

/** A few event types that are read together. */
public interface EventGroup {

  /** What to do with an event, by event type name. */
  Map<String, Consumer<Event>> readers();

  /** Whether events of a type would be used, with the types that the recording declares so far. */
  default boolean needs(String type) {
    return true;
  }

  /** Hands on what was collected. */
  void finish(IngestContext intake, RecordedSettings settings);
}
