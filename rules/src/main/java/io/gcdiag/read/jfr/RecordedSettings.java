package io.gcdiag.read.jfr;

import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.SignalState.Kind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The settings in force during the recording, from {@code jdk.ActiveSetting}. Without them "no
 * waits" cannot be distinguished from "waits not recorded".
 */
final class RecordedSettings {

  static final String EVENT = "jdk.ActiveSetting";

  private static final String SAMPLE = "jdk.ExecutionSample";

  /** The event type that carries async-profiler's own settings ({@code flightRecorder.cpp}). */
  private static final String PROFILER = "jdk.ActiveRecording";

  /** Events of async-profiler whose interval is a time; for others it is a count. */
  private static final Set<String> TIMERS = Set.of("cpu", "itimer", "ctimer");

  /** {@code DEFAULT_INTERVAL} in async-profiler's {@code arguments.h}. */
  private static final Duration USUAL_INTERVAL = Duration.ofMillis(10);

  /** Five times as much for wall-clock samples ({@code wallClock.cpp}). */
  private static final Duration USUAL_WALL_INTERVAL = Duration.ofMillis(50);

  private final Map<Long, String> typeNames = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Map<Long, Map<String, String>> byType = new HashMap<>();
  private Optional<Duration> cpuTimePeriod = Optional.empty();

  void accept(Event event) {
    OptionalLong type = event.number("id");
    Optional<String> name = event.text("name");
    if (type.isPresent() && name.isPresent()) {
      // The last setting wins, because settings may change during recording.
      byType
          .computeIfAbsent(type.getAsLong(), id -> new HashMap<>())
          .put(name.get(), event.text("value").orElse(""));
    }
  }

  /**
   * Sets the CPU time between two samples of a thread, which each sample states. If the setting is
   * a rate, the JVM divides it by the machine's cores.
   */
  void cpuTimePeriod(Duration period) {
    cpuTimePeriod = Optional.of(period);
  }

  /** Learns the names of types, also of those that no event was seen of. */
  void types(Map<Long, String> nameById) {
    nameById.forEach(typeNames::putIfAbsent);
    names.addAll(typeNames.values());
  }

  /** Whether the recording contains its settings; converted ones may not. */
  boolean stated() {
    return !byType.isEmpty();
  }

  /** Whether the recording JVM has this event type. */
  boolean knows(String eventName) {
    return names.contains(eventName);
  }

  private Optional<String> setting(String eventName, String setting) {
    return byType.entrySet().stream()
        .filter(entry -> eventName.equals(typeNames.get(entry.getKey())))
        .map(entry -> entry.getValue().get(setting))
        .filter(value -> value != null)
        .findFirst();
  }

  /** Whether the setting for events of a type is known yet. */
  boolean states(String eventName) {
    return setting(eventName, "enabled").isPresent();
  }

  boolean enabled(String eventName) {
    return setting(eventName, "enabled").filter("true"::equals).isPresent();
  }

  Optional<Duration> threshold(String eventName) {
    return duration(eventName, "threshold");
  }

  /** The period of a periodic event type; empty for one event per chunk. */
  Optional<Duration> period(String eventName) {
    if (eventName.equals(SAMPLE) && byCpuTime()) {
      return cpuTimePeriod;
    }
    return duration(eventName, "period")
        .or(() -> eventName.equals(SAMPLE) ? profilerPeriod() : Optional.empty());
  }

  /** Whether async-profiler made the recording, which states its engine in the settings. */
  boolean byAsyncProfiler() {
    return setting(PROFILER, "engine").isPresent();
  }

  /** Whether samples of Datadog's profiler replace the JVM's. */
  boolean byDatadog() {
    return enabled(StandInEvent.EXECUTED) || enabled(StandInEvent.WALL);
  }

  /** Whether CPU-time samples replace those by wall-clock time. */
  boolean byCpuTime() {
    return enabled(StandInEvent.CPU_TIME) && !enabled(SAMPLE);
  }

  /** The type under which the recording contains the JVM's events of that type. */
  String written(String eventName) {
    if (eventName.equals(SAMPLE) && byCpuTime()) {
      return StandInEvent.CPU_TIME;
    }
    return byDatadog() && !enabled(eventName) ? StandInEvent.own(eventName) : eventName;
  }

  /** The time between two samples of a running thread. */
  private Optional<Duration> profilerPeriod() {
    if (byDatadog()) {
      return Optional.of(nanos(StandInEvent.EXECUTED, "interval").orElse(USUAL_INTERVAL));
    }
    if (!byAsyncProfiler()) {
      return Optional.empty();
    }
    boolean timed = setting(PROFILER, "event").filter(TIMERS::contains).isPresent();
    return Optional.of(timed ? nanos(SAMPLE, "interval").orElse(USUAL_INTERVAL) : wallPeriod());
  }

  /** Whether async-profiler samples threads that wait as well. */
  boolean byTheWall() {
    return setting(PROFILER, "event").filter("wall"::equals).isPresent()
        || setting(SAMPLE, "wall").isPresent();
  }

  /** The time between two wall-clock samples of a thread. */
  Duration wallPeriod() {
    if (byDatadog()) {
      return nanos(StandInEvent.WALL, "interval").orElse(USUAL_WALL_INTERVAL);
    }
    boolean alone = setting(PROFILER, "event").filter("wall"::equals).isPresent();
    return nanos(SAMPLE, alone ? "interval" : "wall").orElse(USUAL_WALL_INTERVAL);
  }

  /** Nanoseconds without a unit; 0 means the default. */
  private Optional<Duration> nanos(String eventName, String setting) {
    return setting(eventName, setting)
        .filter(text -> text.matches("\\d{1,18}"))
        .map(text -> Duration.ofNanos(Long.parseLong(text)))
        .filter(duration -> !duration.isZero());
  }

  private Optional<Duration> duration(String eventName, String setting) {
    return setting(eventName, setting)
        .flatMap(
            text -> {
              try {
                return Optional.of(Durations.parse(text));
              } catch (IllegalArgumentException e) {
                return Optional.empty();
              }
            })
        .filter(duration -> !duration.isZero());
  }

  /** Whether only so many events a second are recorded. */
  boolean sampled(String eventName) {
    return setting(eventName, "throttle").filter(value -> !value.equals("off")).isPresent();
  }

  SignalState state(String eventName, boolean seen) {
    String note =
        sampled(eventName)
            ? "sampled at " + setting(eventName, "throttle").orElse("") + ": sums are not totals"
            : "";
    if (seen) {
      return new SignalState(Kind.SEEN, threshold(eventName), note);
    }
    if (enabled(eventName)) {
      return new SignalState(Kind.NOTHING_SEEN, threshold(eventName), note);
    }
    return new SignalState(
        Kind.NOT_RECORDED,
        Optional.empty(),
        stated() ? eventName + " was switched off in this recording" : "");
  }
}
