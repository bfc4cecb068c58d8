package io.gcdiag.read.jfr.reader;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Handlers for some of the event types. They share nothing with other lanes, so each lane can have
 * its own thread.
 */
public interface EventLane {

  /**
   * Receives the types that the recording declares, by number, whether or not there are events of
   * them.
   */
  void types(Map<Long, String> nameById);

  /** The handler for events of a type; empty if only their time counts. */
  Optional<Consumer<Event>> reader(String type);
}
