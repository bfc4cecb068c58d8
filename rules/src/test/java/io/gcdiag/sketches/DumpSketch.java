package io.gcdiag.sketches;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.Threads.thread;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.DumpTotals;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The thread dumps of an incident made by hand.
 *
 * @param <B> the builder
 */
public abstract class DumpSketch<B> extends LoadSketch<B> {

  public DumpSketch(TimelineBuilder timeline) {
    super(timeline);
  }

  /** A dump: threads that wait for a connection, talk on one, run, and idle. */
  public B dump(double second, int waiting, int calling, int running, int idle) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, waiting, ThreadActivity.WAITING_FOR_POOL, "HikariCP");
    add(threads, calling, ThreadActivity.IN_DOWNSTREAM_CALL, "db:5432");
    add(threads, running, ThreadActivity.RUNNING, "");
    add(threads, idle, ThreadActivity.IDLE, "");
    return dump(second, threads, Deadlocks.NONE);
  }

  /** A dump in which threads wait for a lock whose owner is known. */
  public B lockOwner(double second, LockOwner owner) {
    return dump(second, List.of(), Deadlocks.NONE, List.of(owner));
  }

  /** A dump of any threads, some of them found deadlocked. */
  public B dump(double second, List<ThreadState> threads, String... deadlocked) {
    return dump(second, threads, new Deadlocks(List.of(deadlocked), true));
  }

  /** A dump of any threads, and what it tells of deadlocks. */
  public B dump(double second, List<ThreadState> threads, Deadlocks deadlocks) {
    return dump(second, threads, deadlocks, List.of());
  }

  /**
   * A dump that states the CPU time of the JVM's own threads.
   *
   * @param ownCpuSeconds what they have used so far
   */
  public B dump(double second, List<ThreadState> threads, double ownCpuSeconds) {
    Duration upFor = Durations.ofSeconds(second);
    DumpTotals totals = new DumpTotals(upFor, Durations.ofSeconds(ownCpuSeconds));
    return dump(second, threads, Deadlocks.NONE, List.of(), Optional.of(totals));
  }

  /** A dump of any threads, what it tells of deadlocks, and who owns the locks. */
  public B dump(
      double second, List<ThreadState> threads, Deadlocks deadlocks, List<LockOwner> owners) {
    return dump(second, threads, deadlocks, owners, Optional.empty());
  }

  private B dump(
      double second,
      List<ThreadState> threads,
      Deadlocks deadlocks,
      List<LockOwner> owners,
      Optional<DumpTotals> totals) {
    timeline()
        .dump(
            new ThreadSnapshot(
                Optional.of(at(second)),
                threads,
                deadlocks,
                owners,
                totals,
                new Source("threads.txt", "1")));
    return self();
  }

  private static void add(List<ThreadState> to, int count, ThreadActivity activity, String at) {
    for (int i = 0; i < count; i++) {
      String name = activity + "-" + i;
      to.add(thread(name, "", activity, at, activity != ThreadActivity.IDLE));
    }
  }
}
