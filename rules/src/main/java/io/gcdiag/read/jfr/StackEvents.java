package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.StackProfile.Kind;
import io.gcdiag.read.jfr.reader.Event;
import java.util.Optional;

/** Whole stacks of what executed or allocated, for the eye: rules judge by sites. */
final class StackEvents extends EventGroup {

  private static final String EXECUTED = "jdk.ExecutionSample";
  private static final String ALLOCATED = "jdk.ObjectAllocationSample";
  private static final String OUTSIDE_TLAB = "jdk.ObjectAllocationOutsideTLAB";

  private static final String NEW = "new ";

  private final StackRecorder executed;
  private final StackRecorder allocated;
  private final StackRecorder outside;

  StackEvents(LaneContext lane) {
    super(lane);
    this.executed = new StackRecorder(Kind.CPU, frames);
    this.allocated = new StackRecorder(Kind.ALLOCATION, frames);
    this.outside = new StackRecorder(Kind.ALLOCATION_OUTSIDE_TLABS, frames);
    on(EXECUTED, this::executed);
    on(ALLOCATED, event -> allocated(event, allocated, "weight"));
    on(OUTSIDE_TLAB, event -> allocated(event, outside, "allocationSize"));
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
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    executed.finish(timeline, source(settings.written(EXECUTED)));
    allocated.finish(timeline, source(settings.written(ALLOCATED)));
    outside.finish(timeline, source(OUTSIDE_TLAB));
  }
}
