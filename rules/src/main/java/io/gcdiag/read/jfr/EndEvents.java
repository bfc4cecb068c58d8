package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.read.jfr.reader.Event;
import java.time.Instant;
import java.util.Optional;

/** How the JVM ended that was recorded ({@code jdk.Shutdown}, {@code jdk.DumpReason}). */
final class EndEvents extends EventGroup {

  private static final String SHUTDOWN = "jdk.Shutdown";
  private static final String DUMP = "jdk.DumpReason";

  /** HotSpot's text for the end of {@code main}. */
  private static final String BY_ITSELF = "No remaining non-daemon Java threads";

  /** {@code System.exit}, also after a signal. */
  private static final String REQUESTED = "Shutdown requested from Java";

  private Optional<End> end = Optional.empty();
  private Optional<End> dump = Optional.empty();

  private record End(Instant at, String reason, String place) {}

  EndEvents(LaneContext lane) {
    super(lane);
    on(SHUTDOWN, event -> end = Optional.of(end(event, stacks.running(event).top())));
    on(DUMP, event -> dump = Optional.of(end(event, "")));
  }

  private static End end(Event event, String place) {
    return new End(event.start(), event.text("reason").orElse("unknown"), place);
  }

  /** A signal and the end of main are normal ends; only others are reported. */
  private static boolean isOdd(End end) {
    return !end.reason().equals(BY_ITSELF)
        && (!end.reason().equals(REQUESTED) || !end.place().isEmpty());
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    end.or(() -> dump)
        .filter(EndEvents::isOdd)
        .ifPresent(
            one ->
                timeline.note(
                    "%s: the JVM ended at %s (%s%s)"
                        .formatted(
                            file,
                            one.at(),
                            one.reason(),
                            one.place().isEmpty() ? "" : ", at " + one.place())));
  }
}
