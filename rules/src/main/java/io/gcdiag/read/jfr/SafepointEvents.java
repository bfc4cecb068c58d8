package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.jfr.reader.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Safepoints. {@code jdk.SafepointBegin} lasts until the last thread has stopped, {@code
 * jdk.ExecuteVMOperation} as long as the operation. Each has its own threshold, and both have the
 * safepoint's number.
 */
final class SafepointEvents extends EventGroup {

  private static final String BEGIN = "jdk.SafepointBegin";
  private static final String OPERATION = "jdk.ExecuteVMOperation";

  private final Source begun;
  private final Source done;
  private final List<Stop> stops = new ArrayList<>();
  private final Map<Long, Stop> byNumber = new HashMap<>();

  /** A safepoint being assembled; parts that are not recorded are zero or empty. */
  private static final class Stop {
    private Instant start;
    private Duration reaching = Duration.ZERO;
    private Duration at = Duration.ZERO;
    private String operation = "";
    private Source source;

    Stop(Instant start, Source source) {
      this.start = start;
      this.source = source;
    }

    SafepointStop finished() {
      return new SafepointStop(
          start, reaching, at, operation, VmOperations.isCollection(operation), source);
    }
  }

  SafepointEvents(LaneContext lane) {
    super(lane);
    this.begun = source(BEGIN);
    this.done = source(OPERATION);
    on(BEGIN, this::begin);
    on(OPERATION, this::operation);
  }

  private void begin(Event event) {
    Stop stop = stop(event, begun);
    stop.start = event.start();
    stop.reaching = event.duration();
    stop.source = begun;
  }

  private void operation(Event event) {
    if (!event.isTrue("safepoint")) {
      return;
    }
    Stop stop = stop(event, done);
    // Several operations may run at one safepoint; the longest gives its name.
    if (stop.operation.isEmpty() || event.duration().compareTo(stop.at) > 0) {
      stop.operation = event.text("operation").orElse("");
    }
    stop.at = stop.at.plus(event.duration());
  }

  /** The safepoint with the event's number; a new one if the event has none. */
  private Stop stop(Event event, Source source) {
    OptionalLong number = event.number("safepointId");
    Stop known = number.isPresent() ? byNumber.get(number.getAsLong()) : null;
    if (known != null) {
      return known;
    }
    Stop stop = new Stop(event.start(), source);
    stops.add(stop);
    if (number.isPresent()) {
      byNumber.put(number.getAsLong(), stop);
    }
    return stop;
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    for (Stop stop : stops) {
      timeline.safepoint(stop.finished());
    }
    timeline.signal(Signal.SAFEPOINTS, settings.state(BEGIN, !stops.isEmpty()));
  }
}
