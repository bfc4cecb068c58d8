package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.heap.MetaspaceUse;
import io.gcdiag.evidence.jvm.ClassLoads;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.Fields;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.LaneContext;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Class metadata after collections, and the number of classes over time. */
public final class MetaspaceEvents extends EventGroup {

  private static final String SUMMARY = "jdk.MetaspaceSummary";
  private static final String CLASSES = "jdk.ClassLoadingStatistics";

  private final List<MetaspaceUse> uses = new ArrayList<>();
  private final List<ClassLoads> loads = new ArrayList<>();

  public MetaspaceEvents(LaneContext lane) {
    super(lane);
    on(SUMMARY, this::summary);
    on(CLASSES, this::classes);
  }

  private void summary(Event event) {
    Optional<Fields> space = event.inside("metaspace");
    boolean after = event.text("when").filter("After GC"::equals).isPresent();
    if (after && space.isPresent()) {
      uses.add(
          new MetaspaceUse(
              event.start(),
              bytes(space.get(), "used"),
              bytes(space.get(), "committed"),
              bytes(event, "gcThreshold"),
              source(SUMMARY + " gcId " + event.number("gcId").orElse(-1))));
    }
  }

  private static Bytes bytes(Fields object, String field) {
    return Bytes.of(Math.max(0, object.number(field).orElse(0)));
  }

  private void classes(Event event) {
    event
        .number("loadedClassCount")
        .ifPresent(loaded -> loads.add(new ClassLoads(event.start(), loaded)));
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    uses.forEach(timeline::sample);
    loads.forEach(timeline::sample);
  }
}
