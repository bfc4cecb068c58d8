package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.heap.MetaspaceUse;
import io.gcdiag.evidence.jvm.ClassLoads;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.Fields;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Class metadata after collections, and the number of classes over time. */
public final class MetaspaceEvents implements EventGroup {

  private static final String SUMMARY = "jdk.MetaspaceSummary";
  private static final String CLASSES = "jdk.ClassLoadingStatistics";

  private final String file;
  private final List<MetaspaceUse> uses = new ArrayList<>();
  private final List<ClassLoads> loads = new ArrayList<>();

  public MetaspaceEvents(String file) {
    this.file = file;
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(SUMMARY, this::summary, CLASSES, this::classes);
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
              new Source(file, SUMMARY + " gcId " + event.number("gcId").orElse(-1))));
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
  public void finish(IngestContext intake, RecordedSettings settings) {
    uses.forEach(intake.timeline()::sample);
    loads.forEach(intake.timeline()::sample);
  }
}
