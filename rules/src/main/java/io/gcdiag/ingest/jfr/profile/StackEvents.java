package io.gcdiag.ingest.jfr.profile;

import io.gcdiag.evidence.profile.StackProfile.Kind;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.frames.StackKind;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.StackRecorder;
import io.gcdiag.ingest.jfr.group.Stacks;
import io.gcdiag.ingest.jfr.waits.WallSamples;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Whole stacks of what executed, allocated or waited, for the eye: rules judge by sites. */
public final class StackEvents implements EventGroup {

  private static final String EXECUTED = "jdk.ExecutionSample";
  private static final String ALLOCATED = "jdk.ObjectAllocationSample";
  private static final String RUNNABLE = "RUNNABLE";
  private static final String OUTSIDE_TLAB = "jdk.ObjectAllocationOutsideTLAB";

  private static final String NEW = "new ";

  /** A wait this long is no request's, or its length is damaged. */
  private static final long LONGEST_NANOS = 86_400_000_000_000L;

  private final String file;
  private final Stacks stacks;
  private final StackRecorder waited;
  private final StackRecorder executed;
  private final StackRecorder allocated;
  private final StackRecorder outside;

  public StackEvents(String file, Stacks stacks, FrameBook book) {
    this.file = file;
    this.stacks = stacks;
    this.waited = new StackRecorder(Kind.WAITING, book);
    this.executed = new StackRecorder(Kind.CPU, book);
    this.allocated = new StackRecorder(Kind.ALLOCATION, book);
    this.outside = new StackRecorder(Kind.ALLOCATION_OUTSIDE_TLABS, book);
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.ofEntries(
        Map.entry(EXECUTED, this::executed),
        Map.entry(ALLOCATED, event -> allocated(event, allocated, "weight")),
        Map.entry(OUTSIDE_TLAB, event -> allocated(event, outside, "allocationSize")),
        Map.entry(
            "jdk.ThreadPark", event -> waited(event, "WAITING", event.className("parkedClass"))),
        Map.entry(
            "jdk.JavaMonitorEnter",
            event -> waited(event, "BLOCKED", event.className("monitorClass"))),
        Map.entry(
            "jdk.JavaMonitorWait",
            event -> waited(event, "WAITING", event.className("monitorClass"))),
        Map.entry("jdk.ThreadSleep", event -> waited(event, "TIMED_WAITING", Optional.empty())),
        Map.entry("jdk.SocketRead", event -> waited(event, RUNNABLE, Optional.empty())),
        Map.entry("jdk.FileRead", this::fileAccess),
        Map.entry("jdk.FileWrite", this::fileAccess),
        Map.entry("jdk.FileForce", this::fileAccess));
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

  private void waited(Event event, String state, Optional<String> lock) {
    if (event.hasStack()) {
      StackKind kind = stacks.kind(stacks.trace(event), state, lock);
      String what =
          switch (kind.waitsFor()) {
            case POOL -> "waiting for a connection";
            case DOWNSTREAM -> "in a call";
            case LOCK -> "waiting for a lock";
            case LOG_QUEUE -> "waiting for a log queue";
            case FILE -> "in file I/O";
            case SLEEP -> "sleeping";
            case OTHER -> "waiting";
            case IDLE, PINNED, ALLOCATION_STALL -> "";
          };
      if (!what.isEmpty() && stacks.onRequestThread(kind, event)) {
        boolean named = !kind.name().isEmpty();
        waited.add(event, named ? what + ": " : what, kind.name(), length(event));
      }
    }
  }

  private void fileAccess(Event event) {
    if (event.hasStack()
        && stacks.onRequestThread(stacks.kind(stacks.trace(event), RUNNABLE), event)) {
      waited.add(event, length(event));
    }
  }

  private static long length(Event event) {
    long nanos = event.lengthNanos();
    return nanos > LONGEST_NANOS ? 0 : Math.max(0, nanos);
  }

  @Override
  public void finish(IngestContext intake, RecordedSettings settings) {
    waited.finish(intake, new Source(file, "waits of request threads"));
    executed.finish(intake, new Source(file, settings.written(EXECUTED)));
    allocated.finish(intake, new Source(file, settings.written(ALLOCATED)));
    outside.finish(intake, new Source(file, OUTSIDE_TLAB));
  }
}
