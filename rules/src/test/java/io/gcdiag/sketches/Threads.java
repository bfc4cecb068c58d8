package io.gcdiag.sketches;

import io.gcdiag.Made;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Threads of made-up dumps: of the operating system, each at work of its own. */
public final class Threads {

  /** Nothing is known of where a thread stands. */
  public static final ThreadPosition NOWHERE = Made.position(0, "", ThreadPosition.UNKNOWN_CPU);

  private Threads() {}

  /** A thread of which it is not known where it stands. */
  public static ThreadState thread(
      String name, String state, ThreadActivity activity, String subject, boolean serving) {
    return thread(name, state, activity, subject, serving, false);
  }

  /** The same, perhaps at a client of a service that is no database. */
  public static ThreadState thread(
      String name,
      String state,
      ThreadActivity activity,
      String subject,
      boolean serving,
      boolean ofService) {
    return new ThreadState(
        name, state, activity, subject, serving, ofService, NOWHERE, false, false);
  }

  /** A thread of which it is known where it stands. */
  public static ThreadState thread(
      String name,
      String state,
      ThreadActivity activity,
      String subject,
      boolean serving,
      ThreadPosition standing) {
    return new ThreadState(name, state, activity, subject, serving, false, standing, false, false);
  }

  /** So many waiting threads of a group, numbered from 1. */
  public static List<ThreadState> threads(
      String name, int count, ThreadActivity activity, boolean serving) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> thread(name + i, "WAITING", activity, "", serving))
        .toList();
  }

  /**
   * So many request threads that hold a connection and wait for another, each with that CPU time.
   */
  public static List<ThreadState> nested(int count, long cpuMicros) {
    ThreadPosition holding =
        new ThreadPosition(
            1,
            "com.shop.Audit.log",
            cpuMicros * 1_000,
            ThreadPosition.NO_VIRTUAL_THREAD,
            Optional.empty(),
            Optional.empty(),
            true,
            false,
            true);
    return IntStream.rangeClosed(1, count)
        .mapToObj(
            i ->
                thread(
                    "nested-" + i,
                    "WAITING",
                    ThreadActivity.WAITING_FOR_POOL,
                    "HikariCP",
                    true,
                    holding))
        .toList();
  }

  /** So many request threads that are at that, of one pool or library, at one place. */
  public static List<ThreadState> serving(
      int count, ThreadActivity activity, String subject, String place) {
    ThreadPosition standing = Made.position(1, place, ThreadPosition.UNKNOWN_CPU);
    return IntStream.rangeClosed(1, count)
        .mapToObj(
            i -> thread("exec-" + activity + "-" + i, "WAITING", activity, subject, true, standing))
        .toList();
  }

  /** The threads of all these groups. */
  @SafeVarargs
  public static List<ThreadState> all(List<ThreadState>... groups) {
    List<ThreadState> all = new ArrayList<>();
    for (List<ThreadState> group : groups) {
      all.addAll(group);
    }
    return all;
  }
}
