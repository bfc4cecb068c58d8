package io.gcdiag.evidence.threads;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What a thread in a dump was doing, by its state and stack. */
public enum ThreadActivity {
  WAITING_FOR_POOL(WaitKind.POOL),
  /** In a downstream call: waiting for a response on a connection, or transferring data on it. */
  IN_DOWNSTREAM_CALL(WaitKind.DOWNSTREAM),
  /** Waiting for a monitor or lock that another thread owns. */
  WAITING_FOR_LOCK(WaitKind.LOCK),
  /** Waiting for space in the queue of an asynchronous logger. */
  WAITING_TO_LOG(WaitKind.LOG_QUEUE),
  /** Waiting until other direct buffers are freed. */
  WAITING_FOR_DIRECT_MEMORY(WaitKind.DIRECT_MEMORY),
  /** Waiting for a client that is slow to read its response or to send its request. */
  WAITING_FOR_CLIENT(WaitKind.CLIENT),
  /** In file I/O: read, write or fsync. */
  IN_FILE(WaitKind.FILE),
  /** Waiting for a fixed time: sleeping, or in a rate limiter. */
  SLEEPING(WaitKind.SLEEP),
  RUNNING,
  IDLE(WaitKind.IDLE),
  /** Waiting for something else. */
  OTHER(WaitKind.OTHER);

  private static final Map<WaitKind, ThreadActivity> BY_KIND = new EnumMap<>(WaitKind.class);

  static {
    for (ThreadActivity activity : values()) {
      activity.waitsFor.ifPresent(kind -> BY_KIND.put(kind, activity));
    }
  }

  private final Optional<WaitKind> waitsFor;

  ThreadActivity() {
    waitsFor = Optional.empty();
  }

  ThreadActivity(WaitKind waitsFor) {
    this.waitsFor = Optional.of(waitsFor);
  }

  /** Whether it waits for something that others hold: a place in a queue, or memory. */
  public boolean isQueueing() {
    return this == WAITING_FOR_POOL
        || this == WAITING_FOR_LOCK
        || this == WAITING_TO_LOG
        || this == WAITING_FOR_DIRECT_MEMORY
        || this == WAITING_FOR_CLIENT;
  }

  /** What it waits for, if it waits. */
  public Optional<WaitKind> waitsFor() {
    return waitsFor;
  }

  /**
   * The activity of a thread in that kind of wait; {@link #OTHER} if dumps do not show the kind.
   */
  public static ThreadActivity of(WaitKind kind) {
    return BY_KIND.getOrDefault(kind, OTHER);
  }
}
