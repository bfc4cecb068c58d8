package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Code locations in which threads wait, with the whole stacks of waiting request threads. The
 * meaning of a stack is computed once, so that a wait only adds two amounts to arrays: recordings
 * have millions.
 */
final class WaitedCode {

  private static final Set<String> OF_FILES =
      Set.of(WaitEvents.FILE_READ, WaitEvents.FILE_WRITE, WaitEvents.FILE_FORCE);

  /** A connection that a pool lends is used through the pool's own classes: it is in a call. */
  private static final Set<String> ON_SOCKETS =
      Set.of(WaitEvents.SOCKET_READ, WaitEvents.SOCKET_WRITE);

  private final Stacks stacks;
  private final CodeBook book;
  private final StackRecorder profile;

  /** Nothing has been added yet. */
  WaitedCode(Stacks stacks, FrameBook frames, CodeBook book) {
    this.stacks = stacks;
    this.book = book;
    this.profile = new StackRecorder(StackProfile.Kind.WAITING, frames);
  }

  /** Waits of one kind on one stack. */
  final class At {
    private final Trace trace;
    private final StackKind kind;
    private final WaitKind waitsFor;
    private final CodeEnds ends;
    private final Optional<Activity> activity;
    private final String event;
    private final boolean profiled;
    private final boolean file;

    /** By whether the thread serves a request. */
    private final Map<Boolean, CodeSpots.Way> ways = new HashMap<>(2);

    private boolean placed;
    private int place;

    private At(String event, Trace trace, StackKind kind) {
      this.trace = trace;
      this.kind = kind;
      this.event = event;
      file = OF_FILES.contains(event);
      ends = book.ends(trace);
      waitsFor =
          kind.waitsFor() == WaitKind.POOL && ON_SOCKETS.contains(event)
              ? WaitKind.DOWNSTREAM
              : kind.waitsFor();
      activity = trace.frames().isEmpty() ? Optional.empty() : activity(waitsFor, file);
      profiled = activity.isPresent() && !event.equals(WaitEvents.SOCKET_WRITE);
    }

    private CodeSpots.Way way(boolean onRequest) {
      CodeSpots.Way known = ways.get(onRequest);
      if (known == null) {
        String subject = file ? "" : kind.name();
        known = book.way(ends, activity.orElseThrow(), event, subject, onRequest);
        ways.put(onRequest, known);
      }
      return known;
    }

    private int place() {
      if (!placed) {
        place = profile.place(trace, file ? "" : about(waitsFor, kind.name()));
        placed = true;
      }
      return place;
    }
  }

  /** What a thread does, in words. */
  static String about(WaitKind waitsFor, String name) {
    return name.isEmpty() ? waitsFor.doing() : waitsFor.doing() + ": " + name;
  }

  private static Optional<Activity> activity(WaitKind wait, boolean file) {
    if (file) {
      return Optional.of(Activity.FILE_IO);
    }
    return switch (wait) {
      case POOL -> Optional.of(Activity.BORROWING);
      case DOWNSTREAM -> Optional.of(Activity.CALLING);
      case LOCK -> Optional.of(Activity.LOCKING);
      case FILE -> Optional.of(Activity.FILE_IO);
      case SLEEP -> Optional.of(Activity.SLEEPING);
      case CLIENT -> Optional.of(Activity.AT_CLIENT);
      case OTHER, LOG_QUEUE, DIRECT_MEMORY -> Optional.of(Activity.WAITING);
      case IDLE, PINNED, ALLOCATION_STALL -> Optional.empty();
    };
  }

  /**
   * The place of waits.
   *
   * @param event the name of their type
   * @param kind what the stack says of them
   */
  At at(String event, Trace trace, StackKind kind) {
    return new At(event, trace, kind);
  }

  void add(Event event, At at) {
    if (at.activity.isEmpty()) {
      return;
    }
    long nanos = event.lengthNanos();
    if (nanos <= 0 || nanos > WaitBook.LONGEST_NANOS) {
      return;
    }
    long start = event.startNanos();
    Optional<EventThread> thread = event.thread();
    if (!at.ends.isNowhere()) {
      at.way(book.serves(at.ends, thread, start)).add(start, nanos);
    }
    if (at.profiled
        && stacks.onRequestThread(at.kind, thread.isPresent() ? thread.get().name() : "")) {
      profile.add(at.place(), start, nanos);
    }
  }

  void finish(String file, TimelineBuilder timeline) {
    profile.finish(timeline, new Source(file, "waits of request threads"));
  }
}
