package io.gcdiag.ingest.jfr.waits;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.waits.OverflowTime;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.group.Stacks;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Books a wait wherever it counts: its site, its thread, what the thread holds meanwhile. */
final class WaitBook {

  /**
   * A wait this long belongs to no request, or its length is damaged; its course would be kept in
   * some 900,000 steps.
   */
  static final long LONGEST_NANOS = Duration.ofDays(1).toNanos();

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final Stacks stacks;
  private final WaitCoverage coverage;
  private final LockHandovers handovers;
  private final PoolHolds holds;
  private final WorkerTimes workers;

  /** Nanoseconds, by second, that request threads wait at work an executor has no thread for. */
  private final Map<Long, Long> overflow = new TreeMap<>();

  private final Source source;

  WaitBook(
      String file,
      Stacks stacks,
      WaitCoverage coverage,
      LockHandovers handovers,
      PoolHolds holds,
      WorkerTimes workers) {
    source = new Source(file, "CallerRunsPolicy in stacks of waits");
    this.stacks = stacks;
    this.coverage = coverage;
    this.handovers = handovers;
    this.holds = holds;
    this.workers = workers;
  }

  /** An event whose time has been counted, whatever it was for. */
  Event counted(Event event, boolean inNative) {
    coverage.count(event);
    Optional<EventThread> thread = event.thread();
    long length = event.lengthNanos();
    if (thread.isPresent() && isCredible(length)) {
      workers.whole().timed(thread.get(), event.startNanos(), length, inNative);
    }
    return event;
  }

  /** A wait at a place, of whatever thread. */
  void wait(Event event, WaitPlace place) {
    Optional<EventThread> thread = event.thread();
    long start = event.startNanos();
    long length = event.lengthNanos();
    if (place.isIdle()) {
      // Who waits for new work is done with the old, however long the wait is.
      if (thread.isPresent()) {
        idle(place, thread.get(), start, length);
      }
      return;
    }
    if (!isCredible(length)) {
      return;
    }
    span(event, place, thread, start, length);
    boolean named = thread.isPresent() && stacks.isRequestThread(thread.get().name());
    boolean serving = named || place.kind().requestThread();
    if (serving && place.kind().overflow()) {
      overflow.merge(Math.floorDiv(start, NANOS_PER_SECOND), length, Long::sum);
    }
    WaitSeries.Builder waits = place.series(serving);
    if (thread.isPresent()) {
      waits.add(start, length, thread.get().id());
    } else {
      waits.add(event.start(), Duration.ofNanos(length));
    }
  }

  private void idle(WaitPlace place, EventThread thread, long start, long length) {
    holds.step(thread.id(), start, 0, place.step());
    if (isCredible(length)) {
      worked(place, thread, start, length);
    }
  }

  /** What the sampler of native calls sees as well is left to it. */
  private void worked(WaitPlace place, EventThread thread, long start, long length) {
    if (!place.isInNative()) {
      if (place.isIdle() && stacks.isServerLoop(place.kind())) {
        workers.reserved(thread, start, length);
        return;
      }
      boolean serving = stacks.onRequestThread(place.kind(), thread.name());
      workers.waited(thread, serving, start, length, place.waitsFor());
    }
  }

  private static boolean isCredible(long nanos) {
    return nanos >= 0 && nanos <= LONGEST_NANOS;
  }

  /**
   * What a thread does between two rounds of its own: it keeps only those waiting that wait for it.
   */
  void rest(Event event, WaitPlace place) {
    span(event, place, event.thread(), event.startNanos(), event.lengthNanos());
  }

  /** Remembers what the thread is at: it may hold what others wait for. */
  private void span(
      Event event, WaitPlace place, Optional<EventThread> thread, long start, long length) {
    if (thread.isEmpty() || !isCredible(length)) {
      return;
    }
    long id = thread.get().id();
    worked(place, thread.get(), start, length);
    handovers.spans().add(id, start, length, place.doing());
    holds.step(id, start, length, place.step());
    if (place.waitsFor() == WaitKind.POOL) {
      holds.borrowed(id, start, length, place.what(), place.kind(), event.type());
    }
  }

  /** Remembers which thread got a lock after which. */
  void handover(Event event, WaitPlace place, OptionalLong previousOwner) {
    OptionalLong address = event.number("address");
    Optional<EventThread> thread = event.thread();
    long length = event.lengthNanos();
    if (thread.isPresent() && address.isPresent() && isCredible(length)) {
      handovers.add(
          event.type(),
          place.what(),
          address.getAsLong(),
          event.startNanos(),
          length,
          thread.get().id(),
          previousOwner);
    }
  }

  void finish(TimelineBuilder timeline) {
    overflow.forEach(
        (second, nanos) ->
            timeline.sample(
                new OverflowTime(Instant.ofEpochSecond(second), Duration.ofNanos(nanos), source)));
  }
}
