package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.CarrierThreads;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Virtual threads that keep their carrier while they block ({@code jdk.VirtualThreadPinned}, JDK 21
 * and later), and those that could not be started or continued.
 */
final class VirtualThreadEvents extends EventGroup {

  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final String FAILED = "jdk.VirtualThreadSubmitFailed";
  private static final String PROPERTY = "jdk.InitialSystemProperty";
  private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  /** Code that pins stands at some dozens of places. */
  private static final int MOST_SITES = 200;

  /** The frame that blocks, and the callers among which is the one with the monitor. */
  private static final int FRAMES = 3;

  /** No request lasts a day; such a length is damaged. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Map<WaitSite, WaitSeries.Builder> series = new HashMap<>();
  private Optional<CarrierThreads> carriers = Optional.empty();
  private long failures;

  VirtualThreadEvents(LaneContext lane) {
    super(lane);
    on(PINNED, this::pinned);
    on(FAILED, event -> failures++);
    on(PROPERTY, this::property);
  }

  private void pinned(Event event) {
    Duration duration = event.duration();
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      return;
    }
    StackKind kind = stacks.kind(event, "WAITING");
    // Since JDK 24 the event says why: a native frame, or a class that is being initialised.
    String reason =
        event
            .text("pinnedReason")
            .filter(text -> !text.isBlank())
            .map(text -> " (" + text + ")")
            .orElse("");
    String name = callers(event, kind.top()) + redactor.redact(reason);
    boolean serving = stacks.onRequestThread(kind, event);
    WaitSite site = new WaitSite(WaitKind.PINNED, name, serving, kind.top());
    if (!series.containsKey(site) && series.size() >= MOST_SITES) {
      site = new WaitSite(WaitKind.PINNED, "other sites", serving, "");
    }
    series
        .computeIfAbsent(site, key -> new WaitSeries.Builder(key, source(PINNED)))
        .add(event.start(), duration);
  }

  private static String callers(Event event, String top) {
    List<String> frames = event.stack().map(Trace::frames).orElse(List.of());
    if (frames.isEmpty()) {
      return "unknown code";
    }
    int first = Math.max(0, frames.indexOf(top));
    return String.join(" < ", frames.subList(first, Math.min(frames.size(), first + FRAMES)));
  }

  private void property(Event event) {
    if (event.text("key").filter(PARALLELISM::equals).isEmpty()) {
      return;
    }
    Instant at = event.start();
    carriers =
        event
            .text("value")
            .filter(text -> text.matches("[1-9]\\d{0,4}"))
            .map(text -> new CarrierThreads(at, Integer.parseInt(text)))
            .or(() -> carriers);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    series.values().forEach(builder -> timeline.waits(builder.build()));
    carriers.ifPresent(timeline::sample);
    timeline.signal(
        Signal.PINNED_THREADS,
        settings.stated() && !settings.knows(PINNED)
            // A JVM without the event has no virtual threads.
            ? new SignalState(SignalState.Kind.NOTHING_SEEN, Optional.empty(), "")
            : settings.state(PINNED, !series.isEmpty()));
    if (failures > 0) {
      timeline.note(
          "%s has %s virtual threads that could not be started or continued (%s)"
              .formatted(file, failures, FAILED));
    }
  }
}
