package io.gcdiag.read.jfr.events;

import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A sample of Datadog's profiler, told as the JVM or async-profiler tells the same ({@code
 * jfrMetadata.cpp} of java-profiler 1.22). The agent has these take the place of the JVM's own
 * samples, which it switches off.
 */
public final class DatadogEvent extends Event {

  /** Of threads that execute, by CPU time used. */
  static final String EXECUTED = "datadog.ExecutionSample";

  /** Of threads whatever they do, by the clock on the wall. */
  static final String WALL = "datadog.MethodSample";

  private static final String ALLOCATED = "datadog.ObjectSample";

  /** The types of others that say the same. */
  private static final Map<String, String> STANDARD =
      Map.of(
          EXECUTED, "jdk.ExecutionSample",
          WALL, "profiler.WallClockSample",
          ALLOCATED, "jdk.ObjectAllocationSample");

  private final Event event;

  private DatadogEvent(Event event) {
    super(event);
    this.event = event;
  }

  /** The type that readers know instead of that one; itself, if it is none of Datadog's. */
  public static String standard(String type) {
    return STANDARD.getOrDefault(type, type);
  }

  /** The type of Datadog's in whose place readers know that one; itself, if there is none. */
  static String own(String standard) {
    return STANDARD.entrySet().stream()
        .filter(entry -> entry.getValue().equals(standard))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(standard);
  }

  /** Hands events of that type on as those of the standard one. */
  public static Consumer<Event> told(String type, Consumer<Event> reader) {
    return STANDARD.containsKey(type) ? event -> reader.accept(new DatadogEvent(event)) : reader;
  }

  @Override
  public String type() {
    return event.type();
  }

  @Override
  public Instant start() {
    return event.start();
  }

  @Override
  public long startNanos() {
    return event.startNanos();
  }

  @Override
  public long lengthNanos() {
    return event.lengthNanos();
  }

  @Override
  public Instant end() {
    return event.end();
  }

  @Override
  public Duration duration() {
    return event.duration();
  }

  @Override
  public Optional<Trace> stack() {
    return event.stack();
  }

  @Override
  public Optional<EventThread> thread() {
    return event.thread();
  }

  @Override
  public Optional<EventThread> thread(String field) {
    return field.equals("sampledThread") ? event.thread() : event.thread(field);
  }

  /** A thread may use CPU time inside a system call, which is no waiting. */
  @Override
  public Optional<String> text(String field) {
    boolean executing = event.type().equals(EXECUTED) && field.equals("state");
    return executing ? Optional.empty() : event.text(field);
  }

  /** Of an allocated object it says how many of that size it stands for. */
  @Override
  public long numberOr(String field, long absent) {
    if (event.type().equals(ALLOCATED) && field.equals("weight")) {
      return Math.round(event.numberOr("size", 0) * event.decimal("weight").orElse(1));
    }
    return event.numberOr(field, absent);
  }
}
