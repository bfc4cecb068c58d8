package io.gcdiag.books;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;

/** The activity and location of a thread in a dump, in words. */
public final class PlaceText {

  private PlaceText() {}

  /** {@code in a downstream call (PostgreSQL) at com.shop.Orders.find}. */
  public static String of(ThreadState thread) {
    String what = words(thread.activity());
    String of = thread.subject().isEmpty() ? "" : " (" + thread.subject() + ")";
    String at = thread.standing().at().isEmpty() ? "" : " at " + thread.standing().at();
    return what + of + at;
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
