package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Threads that wait inside an allocation, outside of GC pauses.
 *
 * <p>{@code jdk.ZAllocationStall} is one thread's wait. {@code jdk.GCLocker} is recorded once for
 * all threads that a JNI critical section delayed: it lasts from the first of them until the
 * section is left, and has their number. Their arrivals are assumed to be evenly spread.
 */
final class AllocationStallEvents extends EventGroup {

  private static final String Z_STALL = "jdk.ZAllocationStall";
  private static final String GC_LOCKER = "jdk.GCLocker";

  /** Stacks differ by what is allocated; sites beyond this number are summed up as one. */
  private static final int MOST_SITES = 200;

  /** No JVM runs more threads than this; a larger number is damaged. */
  private static final long MOST_THREADS = 100_000;

  /** No critical section is held for longer; a longer one is damaged. */
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Map<WaitSite, WaitSeries.Builder> series = new TreeMap<>();

  AllocationStallEvents(LaneContext lane) {
    super(lane);
    on(Z_STALL, this::collectorStall);
    on(GC_LOCKER, this::lockerStall);
  }

  private void collectorStall(Event event) {
    StackKind kind = stacks.running(event);
    boolean serving = stacks.onRequestThread(kind, event);
    add(event, AllocationStalls.COLLECTOR, serving, kind, event.start());
  }

  private void lockerStall(Event event) {
    OptionalLong stalled = event.number("stallCount");
    long threads = Math.min(MOST_THREADS, stalled.orElse(0));
    // The stack is that of the thread that left the section last, which is the relevant one.
    StackKind kind = stacks.running(event);
    for (long i = 0; i < threads; i++) {
      Duration late = event.duration().multipliedBy(i).dividedBy(threads);
      add(event, AllocationStalls.GC_LOCKER, true, kind, event.start().plus(late));
    }
  }

  /** Adds a wait until the event's end. */
  private void add(Event event, String name, boolean serving, StackKind kind, Instant from) {
    Duration length = Duration.between(from, event.end());
    if (length.isNegative() || length.compareTo(LONGEST) > 0) {
      return;
    }
    WaitSite site = new WaitSite(WaitKind.ALLOCATION_STALL, name, serving, kind.top());
    if (!series.containsKey(site) && series.size() >= MOST_SITES) {
      site = new WaitSite(WaitKind.ALLOCATION_STALL, name, serving, "");
    }
    series
        .computeIfAbsent(site, key -> new WaitSeries.Builder(key, source(event.type())))
        .add(from, length);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    series.values().forEach(builder -> timeline.waits(builder.build()));
  }
}
