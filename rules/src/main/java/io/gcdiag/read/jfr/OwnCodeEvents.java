package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.JvmSample.RequestFramework;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Code locations of the service that run, allocate or throw, as line numbers for the advice. Rules
 * judge by waits; this adds where they come from.
 */
final class OwnCodeEvents extends EventGroup {

  /** Limit of stored safepoint requests. */
  private static final int MOST_STOPS = 10_000;

  /** A longer wait is not a request's, or its length is damaged. */
  private static final long LONGEST_NANOS = 86_400_000_000_000L;

  /** Names of the JDK's threads that serve jcmd and similar tools, and JMX by RMI. */
  private static final List<String> FOR_OTHER_PROCESSES =
      List.of("Attach Listener", "RMI TCP Connection");

  private static final String STOP = "jdk.ExecuteVMOperation";
  private final CodeBook code;
  private final CodeBook waits;
  private final List<Stop> stops = new ArrayList<>();
  private final StopDelays delays = new StopDelays();

  /**
   * Handles all events except waits.
   *
   * @param waits the locations of waits, from another lane
   */
  OwnCodeEvents(LaneContext lane, CodeBook waits) {
    super(lane);
    this.code = new CodeBook(stacks, frames);
    this.waits = waits;
    on(
        "jdk.SafepointLatency",
        event -> code.add(event, Activity.DELAYING_STOPS, "", delays.more(event, length(event))));
    on("jdk.VirtualThreadPinned", this::pinned);
    on("jdk.ExecutionSample", this::executed);
    on("jdk.NativeMethodSample", this::inNative);
    on(
        "jdk.ObjectAllocationSample",
        event -> allocated(event, Activity.ALLOCATING, event.numberOr("weight", 0)));
    on(
        "jdk.ObjectAllocationOutsideTLAB",
        event -> allocated(event, Activity.ALLOCATING_LARGE, event.numberOr("allocationSize", 0)));
    on(
        "jdk.JavaExceptionThrow",
        event -> code.add(event, Activity.THROWING, event.className("thrownClass").orElse(""), 1));
    on("jdk.SystemGC", event -> code.add(event, Activity.COLLECTING, "", 1));
    on(STOP, this::stopRequested);
    on("jdk.ThreadStart", event -> code.add(event, Activity.STARTING_THREADS, "", 1));
  }

  private static long length(Event event) {
    long nanos = event.lengthNanos();
    return nanos > LONGEST_NANOS ? 0 : Math.max(0, nanos);
  }

  private void pinned(Event event) {
    CodeEnds blocked = code.ends(event);
    // Since JDK 24 monitors do not pin, and the event states the reason.
    boolean byMonitor = event.text("pinnedReason").filter(text -> !text.isBlank()).isEmpty();
    CodeEnds holding = byMonitor ? code.synchronizedEnds(event) : blocked;
    String subject = holding.place == blocked.place ? "" : blocked.method;
    code.add(event, holding, Activity.PINNED, subject, length(event));
  }

  private void executed(Event event) {
    if (!WallSamples.isWaiting(event)) {
      CodeEnds at = code.ends(event);
      code.add(event, Activity.RUNNING, at.callee, 1);
      if (at.definesClass) {
        code.add(event, Activity.DEFINING_CLASSES, at.callee, 1);
      }
      if (at.throwing) {
        code.add(event, Activity.SAMPLED_THROWING, at.callee, 1);
      }
    }
  }

  private void inNative(Event event) {
    if (!event.hasStack()) {
      return;
    }
    StackKind kind = stacks.running(event);
    CodeEnds at = code.ends(event);
    if (at.definesClass) {
      code.add(event, Activity.DEFINING_CLASSES, at.callee, 1);
    }
    switch (kind.waitsFor()) {
      case DOWNSTREAM -> code.add(event, Activity.SAMPLED_CALLING, kind.name(), 1);
      case OTHER -> code.add(event, Activity.NATIVE, at.callee, 1);
      default -> {}
    }
  }

  private void allocated(Event event, Activity activity, long bytes) {
    code.add(event, activity, event.className("objectClass").orElse(""), bytes);
  }

  /** The event has no stack, and is of a JVM thread. */
  private void stopRequested(Event event) {
    Optional<EventThread> caller = event.thread("caller");
    Optional<String> operation = event.text("operation");
    if (caller.isPresent()
        && operation.filter(VmOperations::isRequest).isPresent()
        && stops.size() < MOST_STOPS) {
      stops.add(new Stop(caller.get(), operation.get(), event.startNanos(), length(event)));
    }
  }

  /**
   * The locations of requesting threads; a thread may have been seen for the first time only later.
   */
  private void placeStops(TimelineBuilder timeline) {
    for (Stop stop : stops) {
      Optional<CodeBook.Seen> seen =
          Stream.of(code, waits)
              .flatMap(book -> book.lastSeen(stop.caller().id()).stream())
              .max(Comparator.comparingLong((CodeBook.Seen one) -> one.nanos));
      if (seen.isPresent() && stop.nanos() > 0) {
        CodeEnds at = seen.get().at;
        code.way(at, Activity.REQUESTING_STOPS, STOP, stop.operation(), at.serving)
            .add(stop.at(), stop.nanos());
      } else if (seen.isEmpty()
          && FOR_OTHER_PROCESSES.stream().anyMatch(stop.caller.name()::startsWith)) {
        timeline.sample(
            new OutsideRequest(
                Instant.ofEpochSecond(0, stop.at()),
                Duration.ofNanos(stop.nanos()),
                stop.operation(),
                source(STOP)));
      }
    }
  }

  /** A requested safepoint operation. */
  private record Stop(EventThread caller, String operation, long at, long nanos) {}

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    placeStops(timeline);
    Set<String> frameworks = new TreeSet<>(code.frameworks());
    frameworks.addAll(waits.frameworks());
    Optional<Instant> first =
        Stream.of(code, waits).flatMap(book -> book.first().stream()).min(Instant::compareTo);
    code.finish(file, timeline);
    waits.finish(file, timeline);
    first.ifPresent(
        at ->
            frameworks.forEach(
                name ->
                    timeline.sample(
                        new RequestFramework(at, name, source("stacks of its events")))));
  }

  /**
   * How late threads reach a safepoint, by {@code jdk.SafepointLatency}: one event for each sample
   * that waited for the thread, from the sample on. In a long loop many samples wait, and their
   * events end together, so overlapping time counts once.
   */
  static final class StopDelays {

    private static final int MOST_THREADS = 10_000;

    /** Events are written in buffers, so a late event is late by a few others only. */
    private static final int MOST_STRETCHES = 100;

    /** The latest counted intervals by thread number: each start with its end. */
    private final Map<Long, NavigableMap<Long, Long>> counted = new HashMap<>();

    /** The event's time that is not counted yet for its thread. */
    long more(Event event, long nanos) {
      Optional<EventThread> thread = event.thread();
      return thread.isEmpty() || nanos <= 0
          ? nanos
          : more(thread.get().id(), event.startNanos(), event.startNanos() + nanos);
    }

    /** The part of an interval that is not counted yet for the thread. */
    long more(long thread, long from, long to) {
      if (!counted.containsKey(thread) && counted.size() >= MOST_THREADS) {
        return to - from;
      }
      NavigableMap<Long, Long> stretches = counted.computeIfAbsent(thread, any -> new TreeMap<>());
      long start = from;
      long end = to;
      long known = 0;
      Map.Entry<Long, Long> last = stretches.floorEntry(to);
      while (last != null && last.getValue() >= from) {
        known += Math.min(to, last.getValue()) - Math.max(from, last.getKey());
        start = Math.min(start, last.getKey());
        end = Math.max(end, last.getValue());
        stretches.remove(last.getKey());
        last = stretches.floorEntry(to);
      }
      stretches.put(start, end);
      if (stretches.size() > MOST_STRETCHES) {
        stretches.pollFirstEntry();
      }
      return to - from - known;
    }
  }
}
