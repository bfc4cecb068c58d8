package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.Stacks;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** How the JVM ended that was recorded ({@code jdk.Shutdown}, {@code jdk.DumpReason}). */
public final class EndEvents implements EventGroup {

  private static final String SHUTDOWN = "jdk.Shutdown";
  private static final String DUMP = "jdk.DumpReason";

  /** The end of {@code main}, as HotSpot words it. */
  private static final String BY_ITSELF = "No remaining non-daemon Java threads";

  /** {@code System.exit}, and what a signal makes of it. */
  private static final String REQUESTED = "Shutdown requested from Java";

  private final String file;
  private final Stacks stacks;
  private Optional<End> end = Optional.empty();
  private Optional<End> dump = Optional.empty();

  private record End(Instant at, String reason, String place) {}

  public EndEvents(String file, Stacks stacks) {
    this.file = file;
    this.stacks = stacks;
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(
        SHUTDOWN,
        event -> end = Optional.of(end(event, stacks.kind(event, "RUNNABLE").top())),
        DUMP,
        event -> dump = Optional.of(end(event, "")));
  }

  private static End end(Event event, String place) {
    return new End(event.start(), event.text("reason").orElse("unknown"), place);
  }

  /** A signal ends a JVM in order, and so does the end of main: only other ends are reported. */
  private static boolean isOdd(End end) {
    return !end.reason().equals(BY_ITSELF)
        && (!end.reason().equals(REQUESTED) || !end.place().isEmpty());
  }

  @Override
  public void finish(IngestContext intake, RecordedSettings settings) {
    end.or(() -> dump)
        .filter(EndEvents::isOdd)
        .ifPresent(
            one ->
                intake
                    .timeline()
                    .note(
                        file
                            + ": the JVM ended at "
                            + one.at()
                            + " ("
                            + one.reason()
                            + (one.place().isEmpty() ? "" : ", at " + one.place())
                            + ")"));
  }
}
