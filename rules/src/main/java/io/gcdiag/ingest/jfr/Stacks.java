package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.frames.StackKind;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Trace;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Tells what the stack of an event stands for; each distinct stack is looked at once. */
final class Stacks {

  /** Services have some thousands of distinct stacks; beyond that nothing is remembered. */
  private static final int REMEMBERED = 20_000;

  private final FrameBook book;
  private final Map<Key, StackKind> known = new HashMap<>();

  /**
   * The frames of each trace of the present chunk. All events of a chunk that share a stack share
   * one trace object, and to spell out its frames costs more than all else that is done to an
   * event.
   */
  private final Map<Trace, Frames> spelled = new IdentityHashMap<>();

  /** What was said of each trace last: events of one stack mostly have one type. */
  private final Map<Trace, Last> latest = new IdentityHashMap<>();

  /** Threads by name: to hold a name against all patterns takes longer than all else. */
  private final Map<String, Boolean> requestThreads = new HashMap<>();

  /** One object for traces of several chunks that have the same frames. */
  private final Map<Frames, Frames> same = new HashMap<>();

  private final Set<String> asyncClients = new TreeSet<>();

  Stacks(FrameBook book) {
    this.book = book;
  }

  /** Frames with their hash, so that a long list is walked once. */
  private record Frames(List<String> names, int hash) {
    static Frames of(List<String> names) {
      return new Frames(names, names.hashCode());
    }

    @Override
    public boolean equals(Object other) {
      return this == other
          || other instanceof Frames that && hash == that.hash && names.equals(that.names);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private static final Frames NO_FRAMES = Frames.of(List.of());

  private record Last(String state, Optional<String> parkedClass, StackKind kind) {}

  private record Key(Frames frames, String state, Optional<String> parkedClass) {}

  /**
   * What the stack of an event stands for.
   *
   * @param state the state the thread was in, such as {@code BLOCKED} for a monitor entry
   * @param parkedClass the class of what it waited on, where the event tells
   */
  StackKind kind(Event event, String state, Optional<String> parkedClass) {
    Optional<Trace> trace = event.stack();
    Last last = trace.isEmpty() ? null : latest.get(trace.get());
    if (last != null && last.state().equals(state) && last.parkedClass().equals(parkedClass)) {
      return last.kind();
    }
    StackKind kind = find(trace, state, parkedClass);
    if (trace.isPresent()) {
      if (latest.size() >= REMEMBERED) {
        // Mostly traces of chunks that are done with.
        latest.clear();
      }
      latest.put(trace.get(), new Last(state, parkedClass, kind));
    }
    return kind;
  }

  private StackKind find(Optional<Trace> trace, String state, Optional<String> parkedClass) {
    Key key = new Key(trace.map(this::spelled).orElse(NO_FRAMES), state, parkedClass);
    StackKind kind = known.get(key);
    if (kind == null) {
      kind = book.classify(key.frames().names(), state, parkedClass);
      asyncClients.addAll(book.asyncClients(key.frames().names()));
      if (known.size() < REMEMBERED) {
        known.put(key, kind);
      } else {
        kind = kind.withoutFrames();
      }
    }
    return kind;
  }

  private Frames spelled(Trace trace) {
    Frames frames = spelled.get(trace);
    if (frames == null) {
      if (spelled.size() >= REMEMBERED) {
        // Mostly traces of chunks that are done with.
        spelled.clear();
        same.clear();
      }
      Frames own = Frames.of(NativeFrames.without(trace.frames()));
      frames = same.computeIfAbsent(own, any -> own);
      spelled.put(trace, frames);
    }
    return frames;
  }

  /** Whether the thread serves requests, by its stack or, where the stack is cut, by its name. */
  boolean onRequestThread(StackKind kind, Event event) {
    return onRequestThread(kind, threadName(event));
  }

  /** The same for an event that is not its thread's own, such as a sample. */
  boolean onRequestThread(StackKind kind, String threadName) {
    return kind.requestThread() || isRequestThread(threadName);
  }

  /** Clients and pools in the stacks seen so far that nobody waits for on a thread. */
  Set<String> asyncClients() {
    return Collections.unmodifiableSet(asyncClients);
  }

  /** Whether a thread of that name serves requests. */
  boolean isRequestThread(String threadName) {
    if (requestThreads.size() >= REMEMBERED) {
      requestThreads.clear();
    }
    return requestThreads.computeIfAbsent(threadName, book::isRequestThread);
  }

  static String threadName(Event event) {
    return event.thread().map(EventThread::name).orElse("");
  }
}
