package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Activities of the busy threads in dumps. */
public final class ThreadsAtWork {

  /**
   * If this many threads wait for one thing at the same moment, they arrived one after another
   * while it was held. For a chance coincidence each would have to wait most of the time.
   */
  public static final int QUEUE = 10;

  /**
   * A thread that runs now and then, such as one that reports metrics, does not work for requests.
   */
  private static final int MOST_RUNNING = 1;

  private ThreadsAtWork() {}

  /** Busy threads of the application; only request threads if any are known. */
  public static List<ThreadState> of(ThreadSnapshot dump) {
    boolean known = dump.showsRequests();
    return dump.threads().stream()
        .filter(thread -> !thread.is(ThreadActivity.IDLE))
        .filter(
            thread ->
                known
                    ? thread.requestThread()
                    : !thread.is(ThreadActivity.OTHER) && !thread.is(ThreadActivity.SLEEPING))
        .toList();
  }

  /** Number of busy threads with that activity. */
  public static long count(ThreadSnapshot dump, ThreadActivity activity) {
    return of(dump).stream().filter(thread -> thread.is(activity)).count();
  }

  /**
   * The dumps in which most busy threads have that activity; none if there are too few such dumps.
   */
  public static List<ThreadSnapshot> mostly(List<ThreadSnapshot> dumps, ThreadActivity activity) {
    List<ThreadSnapshot> found = dumps.stream().filter(dump -> isMostly(dump, activity)).toList();
    return DumpTimes.areOften(found.size(), dumps) ? found : List.of();
  }

  /**
   * Starts a finding on the number of threads with that activity, in the dump with most of them.
   *
   * @param rule the id of the rule
   * @param dumps one or more
   * @param what what they do, such as {@code sleep}
   * @param more the end of the sentence, from the semicolon; may be empty
   */
  public static FindingBuilder finding(
      String rule, List<ThreadSnapshot> dumps, ThreadActivity activity, String what, String more) {
    ThreadSnapshot worst =
        dumps.stream().max(Comparator.comparingLong(dump -> count(dump, activity))).orElseThrow();
    long found = dumps.stream().filter(dump -> count(dump, activity) > 0).count();
    String subject = most(dumps, activity, false);
    String place = most(dumps, activity, true);
    return Finding.of(
            rule,
            "%s of %s threads at work %s%s%s, in %s of %s%s"
                .formatted(
                    count(worst, activity),
                    of(worst).size(),
                    what,
                    subject.isEmpty() ? "" : " (" + subject + ")",
                    place.isEmpty() ? "" : ", most at " + place,
                    found,
                    Numbers.counted(dumps.size(), "dump"),
                    more))
        .figure(
            "threads that " + what + ", of those not idle, in a dump",
            count(worst, activity) + " of " + of(worst).size())
        .value("threadsInDump", count(worst, activity))
        .value("atWork", of(worst).size())
        .value("dumps", found)
        .from(
            dumps.stream()
                .filter(dump -> found == 0 || count(dump, activity) > 0)
                .map(ThreadSnapshot::source)
                .toList());
  }

  private static boolean isMostly(ThreadSnapshot dump, ThreadActivity activity) {
    int atWork = of(dump).size();
    return atWork > 0 && count(dump, activity) >= Policy.MAJORITY * atWork;
  }

  /**
   * The most frequent subject (or code location) of threads with that activity in the dumps; may be
   * empty.
   */
  public static String most(List<ThreadSnapshot> dumps, ThreadActivity activity, boolean place) {
    Map<String, Integer> counts = new TreeMap<>();
    for (ThreadSnapshot dump : dumps) {
      of(dump).stream()
          .filter(thread -> thread.is(activity))
          .map(thread -> place ? thread.standing().at() : thread.named())
          .forEach(name -> counts.merge(name, 1, Integer::sum));
    }
    return Ordered.largest(counts).orElse("");
  }

  /** Whether any thread runs something that others may wait for. */
  static boolean isAnyTaskRun(ThreadSnapshot dump) {
    return dump.threads().stream()
            .anyMatch(thread -> isInCallOrQueue(thread) || thread.is(ThreadActivity.IN_FILE))
        || WorkerQueue.byName(dump).values().stream().anyMatch(ThreadsAtWork::areAsleep)
        || dump.count(ThreadActivity.RUNNING) > MOST_RUNNING;
  }

  /** A single thread sleeps between two rounds of its own work; several may do so within a task. */
  private static boolean areAsleep(List<ThreadState> group) {
    return group.stream().filter(t -> t.is(ThreadActivity.SLEEPING)).count()
        >= Policy.FEWEST_QUEUED;
  }

  static boolean isInCallOrQueue(ThreadState thread) {
    return thread.is(ThreadActivity.IN_DOWNSTREAM_CALL) || thread.activity().isQueueing();
  }
}
