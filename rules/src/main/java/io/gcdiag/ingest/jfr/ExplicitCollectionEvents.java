package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.ExplicitCollection;
import io.gcdiag.evidence.Source;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.jfr.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Calls of {@code System.gc()} with who made them. */
final class ExplicitCollectionEvents implements EventGroup {

  private static final String EVENT = "jdk.SystemGC";

  private final Source source;
  private final Stacks stacks;
  private static final String DIRECT_BUFFERS = "java.nio.Bits.reserveMemory";

  private final List<ExplicitCollection> calls = new ArrayList<>();

  ExplicitCollectionEvents(String file, Stacks stacks) {
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
            stacks.kind(event, "RUNNABLE").top(),
            stacks.trace(event).frames().contains(DIRECT_BUFFERS),
            source));
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    calls.forEach(intake.timeline()::sample);
  }
}
