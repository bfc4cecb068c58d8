package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.pauses.GcSample.ExplicitCollection;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.LaneContext;
import java.util.Set;

/** Calls of {@code System.gc()} with who made them. */
public final class ExplicitCollectionEvents extends EventGroup {

  private static final String EVENT = "jdk.SystemGC";

  private static final String DIRECT_BUFFERS = "java.nio.Bits.reserveMemory";

  /** What every stack begins with. */
  private static final Set<String> THE_CALL = Set.of("java.lang.Runtime.gc", "java.lang.System.gc");

  private final Source source;

  public ExplicitCollectionEvents(LaneContext lane) {
    super(lane);
    this.source = source(EVENT);
    on(EVENT, this::call);
  }

  private void call(Event event) {
    keep(
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
}
