package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Code locations of the service and what threads do there: amounts by location and time. One book
 * per lane; not thread-safe.
 */
final class CodeBook {

  /** Number of threads whose latest location is kept. */
  private static final int MOST_THREADS = 10_000;

  private final Stacks stacks;
  private final FrameBook book;
  private final Map<Activity, CodeSpots> found = new EnumMap<>(Activity.class);
  private final Set<String> frameworks = new TreeSet<>();
  private final Note<CodeEnds> ends = new Note<>(this::innermost);
  private final Note<CodeEnds> monitors = new Note<>(this::inMonitor);
  private final CodeEnds noStack;

  /** By the number of the thread. */
  private final Map<Long, Seen> latest = new HashMap<>();

  /** The latest thread; cached because a thread writes its events in blocks. */
  private long latestThread;

  private Seen latestSeen;

  CodeBook(Stacks stacks, FrameBook book) {
    this.stacks = stacks;
    this.book = book;
    this.noStack = innermost(Trace.none());
    this.latestSeen = new Seen(noStack);
  }

  /** The ends of an event's stack; without a stack, those of an empty one. */
  CodeEnds ends(Event event) {
    return event.hasStack() ? event.stackNote(ends, noStack.trace) : noStack;
  }

  CodeEnds ends(Trace trace) {
    return trace.note(ends);
  }

  /**
   * The same for the service's innermost synchronized method; for its innermost frame if there is
   * none.
   */
  CodeEnds synchronizedEnds(Event event) {
    return event.hasStack() ? event.stackNote(monitors, noStack.trace) : noStack;
  }

  /** Adds an amount at the location of the event's stack; nothing without a stack. */
  void add(Event event, Activity activity, String subject, long amount) {
    if (event.hasStack()) {
      add(event, ends(event), activity, subject, amount);
    }
  }

  /** Adds an amount at a location in the event's stack; nothing without a stack. */
  void add(Event event, CodeEnds at, Activity activity, String subject, long amount) {
    if (!event.hasStack() || amount <= 0 || at.isNowhere()) {
      return;
    }
    Optional<EventThread> own = event.thread();
    boolean serving =
        serves(at, own.isPresent() ? own : event.thread("sampledThread"), event.startNanos());
    CodeSpots.Way way = at.latest;
    if (way == null || !way.is(activity, subject, serving)) {
      way = way(at, activity, event.type(), subject, serving);
      at.latest = way;
    }
    way.add(event.startNanos(), amount);
  }

  /**
   * The counter for one activity at the end of a stack.
   *
   * @param event the name of the event type
   */
  CodeSpots.Way way(CodeEnds at, Activity activity, String event, String subject, boolean serving) {
    CodeSpots spots = found.get(activity);
    if (spots == null) {
      spots = new CodeSpots(event);
      found.put(activity, spots);
    }
    return spots.way(activity, at, subject, serving);
  }

  /**
   * Whether the thread serves a request, by its stack or name. For other threads the location is
   * remembered, because they may request a safepoint operation.
   *
   * @param nanos time since 1970
   */
  boolean serves(CodeEnds at, Optional<EventThread> thread, long nanos) {
    if (at.serving || thread.isEmpty()) {
      return at.serving;
    }
    boolean serving = stacks.isRequestThread(thread.get().name());
    if (at.own && !serving) {
      remember(thread.get().id(), at, nanos);
    }
    return serving;
  }

  private void remember(long thread, CodeEnds at, long nanos) {
    if (thread != latestThread || latestSeen.at == noStack) {
      Seen seen = latest.get(thread);
      if (seen == null) {
        seen = new Seen(at);
        if (latest.size() < MOST_THREADS) {
          latest.put(thread, seen);
        }
      }
      latestThread = thread;
      latestSeen = seen;
    }
    latestSeen.at = at;
    latestSeen.nanos = nanos;
  }

  /** The last location of a thread that serves no request. */
  Optional<Seen> lastSeen(long thread) {
    return Optional.ofNullable(latest.get(thread));
  }

  Set<String> frameworks() {
    return Collections.unmodifiableSet(frameworks);
  }

  /** When the first event began. */
  Optional<Instant> first() {
    return found.values().stream().map(CodeSpots::first).min(Instant::compareTo);
  }

  void finish(String file, TimelineBuilder timeline) {
    found.forEach((activity, spots) -> timeline.sample(spots.build(file, activity)));
  }

  /** The latest location of a thread. */
  static final class Seen {
    CodeEnds at;

    /** When, in nanoseconds since 1970. */
    long nanos;

    private Seen(CodeEnds at) {
      this.at = at;
    }
  }

  private CodeEnds innermost(Trace trace) {
    return ends(trace, book.innermostOfApplication(trace.frames()));
  }

  private CodeEnds inMonitor(Trace trace) {
    List<String> frames = trace.frames();
    for (int frame = 0; frame < frames.size(); frame++) {
      if (trace.inMonitor(frame) && book.isServices(frames.get(frame))) {
        return ends(trace, frame);
      }
    }
    return innermost(trace);
  }

  private CodeEnds ends(Trace trace, int innermost) {
    frameworks.addAll(book.frameworks(trace.frames()));
    return new CodeEnds(trace, innermost, book, stacks);
  }
}
