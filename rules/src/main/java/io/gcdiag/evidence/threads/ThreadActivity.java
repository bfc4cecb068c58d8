package io.gcdiag.evidence.threads;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What a thread in a dump was doing, by its state and stack. */
public enum ThreadActivity {
  /** Waiting to borrow a connection from a pool. */
  WAITING_FOR_POOL(WaitKind.POOL),
  /** Holding a connection and waiting for the other side to answer, or talking to it. */
  IN_DOWNSTREAM_CALL(WaitKind.DOWNSTREAM),
  /** Waiting for a monitor or lock that another thread owns. */
  WAITING_FOR_LOCK(WaitKind.LOCK),
  /** Waiting for room in the queue of an asynchronous logger. */
  WAITING_TO_LOG(WaitKind.LOG_QUEUE),
  /** Waiting for other direct buffers to be freed. */
  WAITING_FOR_DIRECT_MEMORY(WaitKind.DIRECT_MEMORY),
  /** Writing a response that its client reads slowly, or reading a request that comes slowly. */
  WAITING_FOR_CLIENT(WaitKind.CLIENT),
  /** Reading, writing or forcing a file. */
  IN_FILE(WaitKind.FILE),
  /** Waiting for a fixed time to pass: asleep, or until a limiter lets it go on. */
  SLEEPING(WaitKind.SLEEP),
  /** Executing, or ready to. */
  RUNNING,
  /** Waiting for work. */
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

  /** Whether it waits for what others have, be it a place in a queue or memory. */
  public boolean isQueueing() {
    return this == WAITING_FOR_POOL
        || this == WAITING_FOR_LOCK
        || this == WAITING_TO_LOG
        || this == WAITING_FOR_DIRECT_MEMORY
        || this == WAITING_FOR_CLIENT;
  }

  /** What it waits for, where it waits. */
  public Optional<WaitKind> waitsFor() {
    return waitsFor;
  }

  /** What a thread that waits is doing; {@link #OTHER} where a dump does not show that kind. */
  public static ThreadActivity of(WaitKind kind) {
    return BY_KIND.getOrDefault(kind, OTHER);
  }
}
