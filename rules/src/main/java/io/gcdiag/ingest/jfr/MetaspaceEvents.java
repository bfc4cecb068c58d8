package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.ClassLoads;
import io.gcdiag.evidence.MetaspaceUse;
import io.gcdiag.evidence.Source;
import io.gcdiag.ingest.Intake;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;

/** Class metadata after collections, and the number of classes over time. */
final class MetaspaceEvents implements EventGroup {

  private static final String SUMMARY = "jdk.MetaspaceSummary";
  private static final String CLASSES = "jdk.ClassLoadingStatistics";

  private final String file;
  private final List<MetaspaceUse> uses = new ArrayList<>();
  private final List<ClassLoads> loads = new ArrayList<>();

  MetaspaceEvents(String file) {
    this.file = file;
  }

  @Override
  public Map<String, Consumer<RecordedEvent>> readers() {
    return Map.of(SUMMARY, this::summary, CLASSES, this::classes);
  }

  private void summary(RecordedEvent event) {
    Object space = event.hasField("metaspace") ? event.getValue("metaspace") : null;
    boolean after = Fields.text(event, "when").filter("After GC"::equals).isPresent();
    if (after && space instanceof RecordedObject sizes) {
      uses.add(
          new MetaspaceUse(
              event.getStartTime(),
              bytes(sizes, "used"),
              bytes(sizes, "committed"),
              bytes(event, "gcThreshold"),
              new Source(file, SUMMARY + " gcId " + Fields.number(event, "gcId").orElse(-1))));
    }
  }

  private static Bytes bytes(RecordedObject object, String field) {
    return Bytes.of(Math.max(0, Fields.number(object, field).orElse(0)));
  }

  private void classes(RecordedEvent event) {
    OptionalLong loaded = Fields.number(event, "loadedClassCount");
    OptionalLong unloaded = Fields.number(event, "unloadedClassCount");
    if (loaded.isPresent() && unloaded.isPresent()) {
      loads.add(
          new ClassLoads(
              event.getStartTime(),
              loaded.getAsLong(),
              unloaded.getAsLong(),
              new Source(file, CLASSES)));
    }
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    uses.forEach(intake.timeline()::sample);
    loads.forEach(intake.timeline()::sample);
  }
}
