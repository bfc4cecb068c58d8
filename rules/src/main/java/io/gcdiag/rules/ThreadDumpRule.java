package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadSnapshot;
import io.gcdiag.evidence.ThreadState;
import io.gcdiag.evidence.Window;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counts what threads do in the dump with the most waiting borrowers. One instant shows that a pool
 * was empty, not why.
 */
public final class ThreadDumpRule implements Rule {

  @Override
  public String id() {
    return "thread-dump";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.CONNECTION_POOL_UNDERSIZED);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    Window window = incident.windows().incident();
    // A dump from just outside the window, or without a date, is still one the user chose to give.
    List<ThreadSnapshot> inside = incident.timeline().dumps(window);
    List<ThreadSnapshot> dumps = inside.isEmpty() ? incident.timeline().dumps() : inside;
    return dumps.stream()
        .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) > 0)
        .max(Comparator.comparingLong(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL)))
        .map(dump -> List.of(describe(dump)))
        .orElse(List.of());
  }

  private Finding describe(ThreadSnapshot dump) {
    long waiting = dump.count(ThreadActivity.WAITING_FOR_POOL);
    long calling =
        dump.threads().stream()
            .filter(ThreadState::requestThread)
            .filter(thread -> thread.activity() == ThreadActivity.IN_DOWNSTREAM_CALL)
            .count();
    String pools =
        dump.threads().stream()
            .filter(thread -> thread.activity() == ThreadActivity.WAITING_FOR_POOL)
            .map(ThreadState::subject)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return Finding.of(
            id(),
            "at one instant "
                + waiting
                + " of "
                + dump.threads().size()
                + " threads wait for a connection ("
                + pools
                + ") and "
                + calling
                + " request threads talk on one")
        .value("waiting", waiting)
        .value("inCalls", calling)
        .value("threads", dump.threads().size())
        .from(dump.source())
        .supports(Hypothesis.CONNECTION_POOL_UNDERSIZED)
        .build();
  }
}
