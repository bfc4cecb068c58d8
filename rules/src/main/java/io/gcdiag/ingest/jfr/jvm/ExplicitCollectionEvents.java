package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.pauses.ExplicitCollection;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.Stacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Calls of {@code System.gc()} with who made them. */
public final class ExplicitCollectionEvents implements EventGroup {

  private static final String EVENT = "jdk.SystemGC";

  private static final String DIRECT_BUFFERS = "java.nio.Bits.reserveMemory";

  /** What every stack begins with. */
  private static final Set<String> THE_CALL = Set.of("java.lang.Runtime.gc", "java.lang.System.gc");

  private final Source source;
  private final Stacks stacks;
  private final List<ExplicitCollection> calls = new ArrayList<>();

  public ExplicitCollectionEvents(String file, Stacks stacks) {
    this.source = new Source(file, EVENT);
    this.stacks = stacks;
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(EVENT, this::call);
  }

  private void call(Event event) {
    calls.add(
        new ExplicitCollection(
            event.start(),
            event.duration(),
            caller(event),
            stacks.trace(event).frames().contains(DIRECT_BUFFERS),
            source));
  }

  /** Threads of the JDK request collections as well: then all frames are its own. */
  private String caller(Event event) {
    String top = stacks.kind(event, "RUNNABLE").top();
    return !THE_CALL.contains(top)
        ? top
        : stacks.trace(event).frames().stream()
            .filter(frame -> !THE_CALL.contains(frame))
            .findFirst()
            .orElse("");
  }

  @Override
  public void finish(IngestContext intake, RecordedSettings settings) {
    calls.forEach(intake.timeline()::sample);
  }
}
