package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.jfr.reader.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Phases inside pauses, of both upper levels. The same phase may be on the first level in one
 * collector and on the second in another, or both; overlapping time counts once.
 */
final class PhaseEvents extends EventGroup {

  private static final String PAUSE = "jdk.GCPhasePause";
  private static final String OUTER = "jdk.GCPhasePauseLevel1";
  private static final String INNER = "jdk.GCPhasePauseLevel2";

  /** Shorter phases are ignored. */
  private static final Duration LEAST = Duration.ofMillis(1);

  private final List<Span> pauses = new ArrayList<>();
  private final Map<Long, Map<PausePart, List<Span>>> phases = new HashMap<>();

  /** Start and end of something in the collection of that number. */
  private record Span(Instant start, Instant end, long gcId) {
    boolean isIn(Span other) {
      return !start.isBefore(other.start()) && !end.isAfter(other.end());
    }
  }

  PhaseEvents(LaneContext lane) {
    super(lane);
    on(PAUSE, this::pause);
    on(OUTER, this::phase);
    on(INNER, this::phase);
  }

  /** Without a number a phase cannot be assigned to its pause. */
  private static Optional<Span> span(Event event) {
    if (event.duration().compareTo(LEAST) < 0) {
      return Optional.empty();
    }
    OptionalLong gcId = event.number("gcId");
    return gcId.isEmpty()
        ? Optional.empty()
        : Optional.of(new Span(event.start(), event.end(), gcId.getAsLong()));
  }

  private void pause(Event event) {
    span(event).ifPresent(pauses::add);
  }

  private void phase(Event event) {
    span(event)
        .ifPresent(
            span -> event.text("name").flatMap(PausePart::of).ifPresent(part -> add(span, part)));
  }

  private void add(Span span, PausePart part) {
    phases
        .computeIfAbsent(span.gcId(), any -> new HashMap<>())
        .computeIfAbsent(part, any -> new ArrayList<>())
        .add(span);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    Source source = source(OUTER);
    for (Span pause : pauses) {
      phases
          .getOrDefault(pause.gcId(), Map.of())
          .forEach(
              (part, spans) -> {
                Duration taken = covered(spans, pause);
                if (taken.compareTo(LEAST) >= 0) {
                  Duration whole = Duration.between(pause.start(), pause.end());
                  timeline.sample(new PausePhase(pause.start(), whole, part, taken, source));
                }
              });
    }
  }

  /** How much of a pause at least one of the spans covers. */
  private static Duration covered(List<Span> spans, Span pause) {
    Duration sum = Duration.ZERO;
    Instant until = Instant.MIN;
    for (Span span : spans.stream().sorted(Comparator.comparing(Span::start)).toList()) {
      if (span.isIn(pause) && span.end().isAfter(until)) {
        sum =
            sum.plus(
                Duration.between(span.start().isBefore(until) ? until : span.start(), span.end()));
        until = span.end();
      }
    }
    return sum;
  }
}
