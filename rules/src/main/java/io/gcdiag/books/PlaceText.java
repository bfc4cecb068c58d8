package io.gcdiag.books;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import java.util.List;

/** The activity and location of a thread in a dump, in words. */
public final class PlaceText {

  private PlaceText() {}

  /** {@code in a downstream call (PostgreSQL) at com.shop.Orders.find}. */
  public static String of(ThreadState thread) {
    String of = thread.named().isEmpty() ? "" : " (" + thread.named() + ")";
    return words(thread.activity()) + of + at(thread);
  }

  /** The same for threads at one place; what they run inside only if it is the same for all. */
  public static String of(List<ThreadState> threads) {
    ThreadState first = threads.get(0);
    boolean same = threads.stream().allMatch(one -> one.subject().equals(first.subject()));
    return same ? of(first) : words(first.activity()) + at(first);
  }

  /** How places differ: a running thread is where it is, whatever it runs inside. */
  public static String key(ThreadState thread) {
    return thread.is(ThreadActivity.RUNNING) ? words(thread.activity()) + at(thread) : of(thread);
  }

  private static String at(ThreadState thread) {
    return thread.standing().at().isEmpty() ? "" : " at " + thread.standing().at();
  }

  private static String words(ThreadActivity activity) {
    return switch (activity) {
      case WAITING_FOR_POOL -> "waiting for a connection";
      case WAITING_FOR_LOCK -> "waiting for a lock";
      case WAITING_TO_LOG -> "waiting for room in a log queue";
      case WAITING_FOR_DIRECT_MEMORY -> "waiting for direct buffer memory";
      case WAITING_FOR_CLIENT -> "waiting for a slow client";
      case IN_DOWNSTREAM_CALL -> "in a downstream call";
      case IN_FILE -> "in file I/O";
      case SLEEPING -> "sleeping";
      case RUNNING -> "running";
      case IDLE, OTHER -> "waiting";
    };
  }
}
