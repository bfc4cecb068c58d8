package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Fields;
import io.gcdiag.ingest.jfr.event.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;

/** An event as the JDK gives it. */
final class ApiEvent extends Event {

  private static final long NANOS = 1_000_000_000L;

  private final RecordedEvent event;
  private final ApiFields fields;
  private final ApiConstants constants;

  /** What each event is asked for several times; null before the first. */
  private Instant start;

  private Duration duration;
  private Optional<Trace> stack;
  private Optional<EventThread> thread;

  ApiEvent(RecordedEvent event, ApiConstants constants) {
    this(event, constants, new ApiFields(event, constants));
  }

  private ApiEvent(RecordedEvent event, ApiConstants constants, ApiFields fields) {
    super(fields);
    this.fields = fields;
    this.event = event;
    this.constants = constants;
  }

  @Override
  public String type() {
    return event.getEventType().getName();
  }

  @Override
  public Instant start() {
    if (start == null) {
      start = Fields.storable(event.getStartTime());
    }
    return start;
  }

  @Override
  public long startNanos() {
    return start().getEpochSecond() * NANOS + start().getNano();
  }

  @Override
  public long lengthNanos() {
    return duration().toNanos();
  }

  @Override
  public Instant end() {
    return event.getEndTime();
  }

  @Override
  public Duration duration() {
    if (duration == null) {
      duration = Fields.storable(event.getDuration());
    }
    return duration;
  }

  @Override
  public Optional<Trace> stack() {
    if (stack == null) {
      // Asked for a stack, the JDK goes through the names of all fields twice.
      stack =
          fields.value("stackTrace") instanceof RecordedStackTrace recorded
              ? Optional.of(constants.trace(recorded))
              : Optional.empty();
    }
    return stack;
  }

  @Override
  public Optional<EventThread> thread() {
    if (thread == null) {
      thread = thread("eventThread");
    }
    return thread;
  }
}
