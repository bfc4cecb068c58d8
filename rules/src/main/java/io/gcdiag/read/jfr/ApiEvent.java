package io.gcdiag.read.jfr;

import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.read.jfr.reader.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;

/** An event as the JDK gives it. */
final class ApiEvent extends Event {

  private static final long NANOS = 1_000_000_000L;

  private final RecordedEvent event;
  private final ApiTraces traces;

  ApiEvent(RecordedEvent event, ApiTraces traces) {
    super(new ApiFields(event));
    this.event = event;
    this.traces = traces;
  }

  @Override
  public String type() {
    return event.getEventType().getName();
  }

  @Override
  public Instant start() {
    return Fields.storable(event.getStartTime());
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
    return Fields.storable(event.getDuration());
  }

  @Override
  public Optional<Trace> stack() {
    return Optional.ofNullable(ApiFields.decode(event::getStackTrace)).map(traces::of);
  }

  @Override
  public Optional<EventThread> thread() {
    return thread("eventThread");
  }
}
