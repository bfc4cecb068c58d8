package io.gcdiag.ingest.jfr.profile;

import io.gcdiag.evidence.profile.StackProfile.Kind;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.StackRecorder;
import io.gcdiag.ingest.jfr.waits.WallSamples;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Whole stacks of what executed or allocated, for the eye: rules judge by sites. */
public final class StackEvents implements EventGroup {

  private static final String EXECUTED = "jdk.ExecutionSample";
  private static final String ALLOCATED = "jdk.ObjectAllocationSample";
  private static final String OUTSIDE_TLAB = "jdk.ObjectAllocationOutsideTLAB";

  private static final String NEW = "new ";

  private final String file;
  private final StackRecorder executed;
  private final StackRecorder allocated;
  private final StackRecorder outside;

  public StackEvents(String file, FrameBook book) {
    this.file = file;
    this.executed = new StackRecorder(Kind.CPU, book);
    this.allocated = new StackRecorder(Kind.ALLOCATION, book);
    this.outside = new StackRecorder(Kind.ALLOCATION_OUTSIDE_TLABS, book);
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(
        EXECUTED, this::executed,
        ALLOCATED, event -> allocated(event, allocated, "weight"),
        OUTSIDE_TLAB, event -> allocated(event, outside, "allocationSize"));
  }

  private void executed(Event event) {
    if (!WallSamples.isWaiting(event)) {
      executed.add(event, 1);
    }
  }

  private static void allocated(Event event, StackRecorder recorder, String bytes) {
    Optional<String> type = event.className("objectClass");
    if (type.isPresent()) {
      recorder.add(event, NEW, type.get(), event.numberOr(bytes, 0));
    } else {
      recorder.add(event, event.numberOr(bytes, 0));
    }
  }

  @Override
  public void finish(IngestContext intake, RecordedSettings settings) {
    executed.finish(intake, new Source(file, settings.written(EXECUTED)));
    allocated.finish(intake, new Source(file, settings.written(ALLOCATED)));
    outside.finish(intake, new Source(file, OUTSIDE_TLAB));
  }
}
