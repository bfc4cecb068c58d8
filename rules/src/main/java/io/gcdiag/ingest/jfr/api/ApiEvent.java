package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;

/** An event as the JDK gives it. */
final class ApiEvent extends ApiFields implements Event {

  private static final long NANOS = 1_000_000_000L;

  private final RecordedEvent event;
  private final Function<RecordedStackTrace, Trace> traces;

  /**
   * An event.
   *
   * @param traces gives the same object for the same stack
   */
  ApiEvent(RecordedEvent event, Function<RecordedStackTrace, Trace> traces) {
    super(event);
    this.event = event;
    this.traces = traces;
  }

  @Override
  public String type() {
    return event.getEventType().getName();
  }

  @Override
  public Instant start() {
    return event.getStartTime();
  }

  @Override
  public long startNanos() {
    Instant start = start();
    return start.getEpochSecond() * NANOS + start.getNano();
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
    return event.getDuration();
  }

  @Override
  public Optional<Trace> stack() {
    return Optional.ofNullable(event.getStackTrace()).map(traces);
  }

  @Override
  public Optional<EventThread> thread() {
    return thread("eventThread");
  }
}
