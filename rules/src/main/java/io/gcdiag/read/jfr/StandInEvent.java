package io.gcdiag.read.jfr;

import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A sample that replaces another, converted to that of the JVM or async-profiler. Datadog's agent
 * has its own, and switches the JVM's off ({@code jfrMetadata.cpp} of java-profiler 1.22). The
 * JVM's CPU-time sampler (JDK 25, Linux) may run beside the wall-clock one; then the latter's
 * samples are used, because both find the same threads.
 */
final class StandInEvent extends Event {

  /** Running threads by CPU time used: the JVM's own. */
  static final String CPU_TIME = "jdk.CPUTimeSample";

  /** The type it is converted to. */
  private static final String SAMPLE = "jdk.ExecutionSample";

  /** Running threads by CPU time used. */
  static final String EXECUTED = "datadog.ExecutionSample";

  /** All threads, by wall-clock time. */
  static final String WALL = "datadog.MethodSample";

  private static final String ALLOCATED = "datadog.ObjectSample";

  /** The types that replace others, with these. */
  private static final Map<String, String> STANDARD =
      Map.of(
          EXECUTED, SAMPLE,
          WALL, "profiler.WallClockSample",
          ALLOCATED, "jdk.ObjectAllocationSample");

  private final Event event;

  private StandInEvent(Event event) {
    super(event);
    this.event = event;
  }

  /** The type that readers know instead of that one; itself, if it stands in for none. */
  static String standard(String type) {
    return type.equals(CPU_TIME) ? SAMPLE : STANDARD.getOrDefault(type, type);
  }

  /** Datadog's type for a standard one; the same if there is none. */
  static String own(String standard) {
    return STANDARD.entrySet().stream()
        .filter(entry -> entry.getValue().equals(standard))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(standard);
  }

  /**
   * Passes events of that type on as the standard one.
   *
   * @param settings the recording's, as far as they were read
   */
  static Consumer<Event> told(String type, Consumer<Event> reader, RecordedSettings settings) {
    if (type.equals(CPU_TIME)) {
      return new ByCpuTime(reader, settings);
    }
    return STANDARD.containsKey(type) ? event -> reader.accept(new StandInEvent(event)) : reader;
  }

  /**
   * Passes CPU-time samples on unless wall-clock ones are recorded. A thread's events are written
   * when its buffer is full, so samples of the first second may precede the settings; they are kept
   * until these are known.
   */
  private static final class ByCpuTime implements Consumer<Event> {

    /** A second of samples at 20 ms on some hundred cores. */
    private static final int MOST_KEPT = 10_000;

    private final Consumer<Event> reader;
    private final RecordedSettings settings;
    private final List<Event> kept = new ArrayList<>();

    ByCpuTime(Consumer<Event> reader, RecordedSettings settings) {
      this.reader = reader;
      this.settings = settings;
    }

    @Override
    public void accept(Event event) {
      settings.cpuTimePeriod(event.duration("samplingPeriod"));
      if (settings.states(SAMPLE)) {
        kept.forEach(this::tell);
        kept.clear();
        tell(event);
      } else if (kept.size() < MOST_KEPT) {
        kept.add(new KeptSample(event));
      }
    }

    private void tell(Event event) {
      if (!settings.enabled(SAMPLE)) {
        reader.accept(new StandInEvent(event));
      }
    }
  }

  /** The values of a sample, kept while the reader moves on. */
  private static final class KeptSample extends Event {
    private final long nanos;
    private final Optional<Trace> stack;
    private final Optional<EventThread> thread;

    KeptSample(Event event) {
      super(event);
      nanos = event.startNanos();
      stack = event.stack();
      thread = event.thread();
    }

    @Override
    public String type() {
      return CPU_TIME;
    }

    @Override
    public long startNanos() {
      return nanos;
    }

    @Override
    public long lengthNanos() {
      return 0;
    }

    @Override
    public Optional<Trace> stack() {
      return stack;
    }

    @Override
    public Optional<EventThread> thread() {
      return thread;
    }
  }

  @Override
  public String type() {
    return event.type();
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

  /** A thread may use CPU time inside a system call, which is no wait. */
  @Override
  public Optional<String> text(String field) {
    boolean executing = event.type().equals(EXECUTED) && field.equals("state");
    return executing ? Optional.empty() : event.text(field);
  }

  /** For an allocated object, it states how many of that size it stands for. */
  @Override
  public long numberOr(String field, long absent) {
    if (event.type().equals(ALLOCATED) && field.equals("weight")) {
      return Math.round(event.numberOr("size", 0) * event.decimal("weight").orElse(1));
    }
    return event.numberOr(field, absent);
  }
}
