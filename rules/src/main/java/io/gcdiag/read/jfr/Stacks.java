package io.gcdiag.read.jfr;

import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds what the stack of an event stands for; each distinct stack of a chunk is looked at once.
 */
final class Stacks {

  private static final String RUNNABLE = "RUNNABLE";

  /** Services have some thousands of distinct stacks; beyond this number nothing is cached. */
  private static final int REMEMBERED = 20_000;

  private final FrameBook book;
  private final Map<Key, StackKind> known = new HashMap<>();

  /** Cached by name, because matching a name with all patterns is the most expensive step. */
  private final Map<String, Boolean> requestThreads = new HashMap<>();

  /** The latest thread; cached because a thread writes its events in blocks. */
  private String latestThread = "";

  private boolean latestServes;

  /** The latest stack; cached because waits of one stack come in blocks. */
  private Optional<StackKind> latestWait = Optional.empty();

  private boolean latestIsLoop;

  private final Set<String> asyncClients = new TreeSet<>();

  private final Note<Kinds> kinds = new Note<>(Kinds::new);
  private final Trace noStack = Trace.none();

  Stacks(FrameBook book) {
    this.book = book;
    this.latestServes = book.isRequestThread(latestThread);
  }

  /** Frames with their hash, so that a long list is walked once. */
  private record Frames(List<String> names, int hash) {
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

  /**
   * equals is written by hand, because it is called for each stack of each chunk and a record's is
   * too slow.
   */
  private record Key(Frames frames, String state, Optional<String> parkedClass) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that
          && frames.equals(that.frames)
          && state.equals(that.state)
          && parkedClass.equals(that.parkedClass);
    }

    @Override
    public int hashCode() {
      return (frames.hash() * 31 + state.hashCode()) * 31 + parkedClass.hashCode();
    }
  }

  /** The latest meaning of a stack, because its events mostly have one type. */
  private final class Kinds {
    private final Frames frames;
    private String state = "";
    private Optional<String> parkedClass = Optional.empty();
    private StackKind kind;

    Kinds(Trace trace) {
      List<String> names = NativeFrames.without(trace.frames());
      frames = new Frames(names, names.hashCode());
    }

    StackKind of(String wantedState, Optional<String> wantedClass) {
      if (kind == null || !state.equals(wantedState) || !parkedClass.equals(wantedClass)) {
        state = wantedState;
        parkedClass = wantedClass;
        kind = find(new Key(frames, state, parkedClass));
      }
      return kind;
    }
  }

  Trace trace(Event event) {
    return event.stack().orElse(noStack);
  }

  /** A note about the stack of an event, or about an empty one if it has none. */
  <T> T note(Event event, Note<T> about) {
    return event.stackNote(about, noStack);
  }

  /** The meaning of the stack of an event that a running thread caused. */
  StackKind running(Event event) {
    return kind(event, RUNNABLE);
  }

  /** The same of a stack. */
  StackKind running(Trace trace) {
    return kind(trace, RUNNABLE, Optional.empty());
  }

  /**
   * The meaning of an event's stack.
   *
   * @param state the state of the thread, such as {@code BLOCKED} for a monitor entry
   */
  StackKind kind(Event event, String state) {
    return event.stackNote(kinds, noStack).of(state, Optional.empty());
  }

  /** The same if the event may have the class of the object that the thread waited on. */
  StackKind kind(Trace trace, String state, Optional<String> parkedClass) {
    return trace.note(kinds).of(state, parkedClass);
  }

  /**
   * Whether the service's own code is on the stack; for a stack that is not cached, by its two
   * ends.
   */
  boolean isOfApplication(StackKind kind) {
    return book.isOfApplication(
        kind.frames().isEmpty() ? List.of(kind.top(), kind.root()) : kind.frames());
  }

  private StackKind find(Key key) {
    StackKind kind = known.get(key);
    if (kind == null) {
      kind = book.classify(key.frames().names(), key.state(), key.parkedClass());
      asyncClients.addAll(book.asyncClients(key.frames().names()));
      if (known.size() < REMEMBERED) {
        known.put(key, kind);
      } else {
        kind = kind.withoutFrames();
      }
    }
    return kind;
  }

  /** Whether the thread serves requests, by its stack or, if that is truncated, by its name. */
  boolean onRequestThread(StackKind kind, Event event) {
    return kind.requestThread() || isRequestThread(threadName(event));
  }

  /** The same for an event of another thread, such as a sample. */
  boolean onRequestThread(StackKind kind, String threadName) {
    return kind.requestThread() || isRequestThread(threadName);
  }

  /**
   * Whether a thread that waits there is an event loop of the server, or kept in reserve for it,
   * and takes no request.
   */
  boolean isServerLoop(StackKind kind) {
    if (latestWait.isEmpty() || latestWait.get() != kind) {
      latestWait = Optional.of(kind);
      latestIsLoop = book.isServerLoop(List.of(kind.top()));
    }
    return latestIsLoop;
  }

  /** Clients and pools in the stacks seen so far that no thread waits for. */
  Set<String> asyncClients() {
    return Collections.unmodifiableSet(asyncClients);
  }

  boolean isRequestThread(String threadName) {
    if (!threadName.equals(latestThread)) {
      latestServes = serves(threadName);
      latestThread = threadName;
    }
    return latestServes;
  }

  private boolean serves(String threadName) {
    Boolean serves = requestThreads.get(threadName);
    if (serves == null) {
      if (requestThreads.size() >= REMEMBERED) {
        requestThreads.clear();
      }
      serves = book.isRequestThread(threadName);
      requestThreads.put(threadName, serves);
    }
    return serves;
  }

  static String threadName(Event event) {
    Optional<EventThread> thread = event.thread();
    return thread.isPresent() ? thread.get().name() : "";
  }

  /**
   * Frames of libraries and of the kernel, which async-profiler puts on top of a thread's Java
   * frames: {@code libc.so.6.__memset_avx2}, {@code libjvm.so.ObjectMonitor::enter}, {@code
   * .finish_task_switch}. HotSpot records none.
   */
  static final class NativeFrames {

    private static final String SHARED_OBJECT = ".so.";

    /** Whether a frame is native; for a library, its file is in place of a class. */
    static boolean isOne(String frame) {
      return frame.startsWith(".")
          || frame.startsWith("[")
          || (frame.startsWith("lib") || frame.startsWith("ld-")) && frame.contains(SHARED_OBJECT);
    }

    /** The frames from the innermost Java frame on; all frames if there is none. */
    static List<String> without(List<String> frames) {
      int java = 0;
      while (java < frames.size() && isOne(frames.get(java))) {
        java++;
      }
      return java == 0 || java == frames.size() ? frames : frames.subList(java, frames.size());
    }
  }
}
