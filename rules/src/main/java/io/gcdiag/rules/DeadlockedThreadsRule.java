package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Looks for threads that the JVM itself found to wait for each other in a circle. */
public final class DeadlockedThreadsRule implements Rule {

  /** More names than this are no help in a sentence. */
  private static final int MOST_NAMED = 4;

  @Override
  public String id() {
    return "deadlocked-threads";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.DEADLOCK);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    List<ThreadSnapshot> dumps = incident.timeline().dumps();
    List<ThreadSnapshot> locked =
        dumps.stream().filter(dump -> !dump.deadlocked().isEmpty()).toList();
    if (dumps.isEmpty()) {
      return List.of();
    }
    if (locked.isEmpty()) {
      return List.of(
          Finding.of(
                  id(),
                  "no circle of threads waiting for each other in "
                      + dumps.size()
                      + (dumps.size() == 1 ? " thread dump" : " thread dumps"))
              .value("dumps", dumps.size())
              .from(dumps.get(0).source())
              .refutes(Hypothesis.DEADLOCK)
              .build());
    }
    return List.of(describe(dumps, locked));
  }

  private Finding describe(List<ThreadSnapshot> dumps, List<ThreadSnapshot> locked) {
    ThreadSnapshot worst =
        locked.stream().max(Comparator.comparingLong(DeadlockedThreadsRule::waiting)).orElseThrow();
    List<String> names = worst.deadlocked();
    String shown = String.join(", ", names.stream().limit(MOST_NAMED).toList());
    return Finding.of(
            id(),
            names.size()
                + " threads wait for each other in a circle ("
                + shown
                + (names.size() > MOST_NAMED ? ", ..." : "")
                + "), in "
                + locked.size()
                + " of "
                + dumps.size()
                + " dumps; "
                + waiting(worst)
                + " threads wait for locks")
        .value("deadlocked", names.size())
        .value("waitingForLocks", waiting(worst))
        .value("dumps", dumps.size())
        .from(locked.stream().map(ThreadSnapshot::source).toList())
        .proves(Hypothesis.DEADLOCK)
        .build();
  }

  private static long waiting(ThreadSnapshot dump) {
    return dump.count(ThreadActivity.WAITING_FOR_LOCK);
  }
}
