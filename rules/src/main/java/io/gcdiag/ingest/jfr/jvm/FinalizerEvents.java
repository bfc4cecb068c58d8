package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.pauses.GcSample.FinalizableObjects;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.LaneContext;

/** Objects with finalizers by class, of JDK 18 and later. */
public final class FinalizerEvents extends EventGroup {

  private static final String STATISTICS = "jdk.FinalizerStatistics";

  /** Each chunk has one event a class; a JVM has some dozens of such classes. */
  private static final int MOST = 100_000;

  private final Source source;
  private int kept;

  public FinalizerEvents(LaneContext lane) {
    super(lane);
    source = source(STATISTICS);
    on(STATISTICS, this::count);
  }

  private void count(Event event) {
    event
        .className("finalizableClass")
        .filter(any -> kept++ < MOST)
        .ifPresent(
            type ->
                keep(
                    new FinalizableObjects(
                        event.start(),
                        type,
                        Math.max(0, event.number("objects").orElse(0)),
                        Math.max(0, event.number("totalFinalizersRun").orElse(0)),
                        source)));
  }
}
