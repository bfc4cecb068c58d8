package io.gcdiag.read.jfr.reader;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Readers of some of the events, which share nothing with those of other lanes: each lane may be
 * served by a thread of its own.
 */
public interface EventLane {

  /** The types that the recording declares, by their number, be there events of them or not. */
  void types(Map<Long, String> nameById);

  /** What to do with events of a type; absent if nothing but their time counts. */
  Optional<Consumer<Event>> reader(String type);
}
