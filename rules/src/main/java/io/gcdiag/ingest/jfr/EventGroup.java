package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.jfr.event.Event;
import java.util.Map;
import java.util.function.Consumer;

/** A few event types that are read together. */
interface EventGroup {

  /** What to do with an event, by event type name. */
  Map<String, Consumer<Event>> readers();

  /** Whether events of a type would be used, with the types that the recording declares so far. */
  default boolean needs(String type) {
    return true;
  }

  /** Hands on what was collected. */
  void finish(Intake intake, RecordedSettings settings);
}
