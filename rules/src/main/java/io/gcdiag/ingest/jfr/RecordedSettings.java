package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.SignalState;
import io.gcdiag.evidence.SignalState.Kind;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings in force while the recording was made, from {@code jdk.ActiveSetting}. Without them
 * "no waits" cannot be told from "waits not recorded".
 */
final class RecordedSettings {

  static final String EVENT = "jdk.ActiveSetting";

  private final Map<Long, String> typeNames = new HashMap<>();
  private final Map<Long, Map<String, String>> byType = new HashMap<>();

  void accept(Event event) {
    OptionalLong type = event.number("id");
    Optional<String> name = event.text("name");
    if (type.isPresent() && name.isPresent()) {
      // The last statement holds: settings may change while recording.
      byType
          .computeIfAbsent(type.getAsLong(), id -> new HashMap<>())
          .put(name.get(), event.text("value").orElse(""));
    }
  }

  /** Learns the names of types, also of those that no event was seen of. */
  void types(Map<Long, String> nameById) {
    nameById.forEach(typeNames::putIfAbsent);
  }

  /** Whether the recording states its settings at all; converted ones may not. */
  boolean stated() {
    return !byType.isEmpty();
  }

  /** Whether the JVM that recorded has events of this type at all. */
  boolean knows(String eventName) {
    return typeNames.containsValue(eventName);
  }

  Optional<String> setting(String eventName, String setting) {
    return byType.entrySet().stream()
        .filter(entry -> eventName.equals(typeNames.get(entry.getKey())))
        .map(entry -> entry.getValue().get(setting))
        .filter(value -> value != null)
        .findFirst();
  }

  boolean enabled(String eventName) {
    return setting(eventName, "enabled").filter("true"::equals).isPresent();
  }

  Optional<Duration> threshold(String eventName) {
    return duration(eventName, "threshold");
  }

  /** The time between two events of a periodic type; empty for one event a chunk. */
  Optional<Duration> period(String eventName) {
    return duration(eventName, "period");
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

  /** What can be said of a signal that one event type carries. */
  SignalState state(String eventName, boolean seen) {
    boolean throttled =
        setting(eventName, "throttle").filter(value -> !value.equals("off")).isPresent();
    String note =
        throttled
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
