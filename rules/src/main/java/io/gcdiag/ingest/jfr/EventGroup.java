package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.Intake;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/** A few event types that are read together. */
interface EventGroup {

  /** What to do with an event, by event type name. */
  Map<String, Consumer<RecordedEvent>> readers();

  /** Hands on what was collected. */
  void finish(Intake intake, RecordedSettings settings);
}
