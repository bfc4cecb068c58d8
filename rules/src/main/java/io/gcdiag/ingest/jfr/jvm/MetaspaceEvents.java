package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.jvm.JvmSample.ClassLoads;
import io.gcdiag.evidence.machine.MemorySample.MetaspaceUse;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.Fields;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.LaneContext;
import java.util.Optional;

/** Class metadata after collections, and the number of classes over time. */
public final class MetaspaceEvents extends EventGroup {

  private static final String SUMMARY = "jdk.MetaspaceSummary";
  private static final String CLASSES = "jdk.ClassLoadingStatistics";

  public MetaspaceEvents(LaneContext lane) {
    super(lane);
    on(SUMMARY, this::summary);
    on(CLASSES, this::classes);
  }

  private void summary(Event event) {
    Optional<Fields> space = event.inside("metaspace");
    boolean after = event.text("when").filter("After GC"::equals).isPresent();
    if (after && space.isPresent()) {
      keep(
          new MetaspaceUse(
              event.start(),
              space.get().bytes("used"),
              space.get().bytes("committed"),
              event.bytes("gcThreshold"),
              source(SUMMARY + " gcId " + event.number("gcId").orElse(-1))));
    }
  }

  private void classes(Event event) {
    event
        .number("loadedClassCount")
        .ifPresent(loaded -> keep(new ClassLoads(event.start(), loaded)));
  }
}
