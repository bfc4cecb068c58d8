package io.gcdiag.accounts.pool;

import io.gcdiag.accounts.workers.ExhaustedGroup;
import io.gcdiag.accounts.workers.StuckThreads;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.calls.DownstreamCalls;
import io.gcdiag.measures.effects.UnrecordedStops;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counts what threads do in the dump with the most waiting borrowers. One instant shows that a pool
 * was empty, not why.
 */
@Judges(
    value = {
      Hypothesis.CONNECTION_POOL_UNDERSIZED,
      Hypothesis.CONNECTION_LEAK,
      Hypothesis.SLOW_DOWNSTREAM
    },
    needs = Signal.THREAD_DUMPS)
public final class ThreadDumpRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    // A dump from just outside the window, or without a date, is still one the user chose to give.
    return ExhaustedGroup.dumps(incident).stream()
        .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) > 0)
        .max(Comparator.comparingLong(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL)))
        .map(dump -> describe(incident, dump))
        .stream()
        .toList();
  }

  private Finding describe(Case incident, ThreadSnapshot dump) {
    long waiting = dump.count(ThreadActivity.WAITING_FOR_POOL);
    long calling = ConnectionsInUse.calls(dump).size();
    long nested = ConnectionsInUse.nested(dump);
    String pools =
        dump.threads().stream()
            .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL))
            .map(ThreadState::subject)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    boolean noThreadHoldsOne =
        waiting >= Policy.RECURRING && ConnectionsInUse.noThreadHoldsOne(dump);
    FindingBuilder finding =
        Finding.of(
                id(),
                "in one dump %s of %s threads wait for a connection (%s) and %s%s"
                    .formatted(
                        waiting,
                        dump.threads().size(),
                        pools,
                        using(calling),
                        nested > 0
                            ? "; of those that wait " + nested + " hold another meanwhile"
                            : noThreadHoldsOne ? "; the other threads are idle" : ""))
            .figure(
                "threads waiting for a connection, in a dump",
                waiting
                    + " of "
                    + dump.threads().size()
                    + (nested > 0 ? ", of which " + nested + " hold another meanwhile" : ""))
            .figure("request threads using a connection, in a dump", Long.toString(calling))
            .value("waiting", waiting)
            .value("inCalls", calling)
            .value("nested", nested)
            .value("threads", dump.threads().size())
            .from(dump.source())
            .supports(
                noThreadHoldsOne
                    ? Hypothesis.CONNECTION_LEAK
                    : Hypothesis.CONNECTION_POOL_UNDERSIZED);
    boolean callsSeen = incident.timeline().sees(Signal.SOCKET_READS);
    if (calling > 0 && !callsSeen) {
      // What keeps the connections at work is too many requests or slow answers.
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    }
    // Connections are not returned while the JVM is stopped: an empty pool may be due to that.
    if (incident.effects().fromDumps().contains(Effect.POOL_WAIT)
        && PoolSaturation.byDumps(incident)
        && UnrecordedStops.atMost(incident) < Policy.NOTABLE) {
      blame(incident, finding, callsSeen);
    }
    return finding.build();
  }

  private static String using(long calling) {
    if (calling == 0) {
      return "no request thread uses one";
    }
    return calling + (calling == 1 ? " request thread uses one" : " request threads use one");
  }

  /**
   * Every connection was at work and only dumps show the queue. Calls that are known to be as fast
   * as in the baseline make the pool too small; calls of unknown length may as well have become
   * slow, and those that do not move from dump to dump are, or that keep a pool at work that by the
   * stated figures has room.
   */
  private static void blame(Incident incident, FindingBuilder finding, boolean callsSeen) {
    double locked = ConnectionsInUse.shareLocked(incident.timeline());
    if (locked > Policy.MAJORITY) {
      finding.passes(
          Effect.POOL_WAIT,
          Effect.LOCK_WAIT,
          locked,
          "every connection is in use, by threads that wait for a lock in the database");
    } else if (DownstreamCalls.inflation(incident) > 1) {
      finding.passes(
          Effect.POOL_WAIT,
          Effect.DOWNSTREAM_WAIT,
          1,
          "every connection is at work, in calls that became slower");
    } else if (callsSeen || ConnectionsInUse.areMostlyNested(incident.timeline())) {
      finding.explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 1);
    } else if (mostAreStuck(incident) || LittlesLawPoolRule.hasRoomAsStated(incident)) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT, 1);
    } else {
      finding.explainsEither(
          Hypothesis.CONNECTION_POOL_UNDERSIZED,
          Hypothesis.SLOW_DOWNSTREAM,
          Effect.POOL_WAIT,
          1,
          "measure how long a connection is held in normal operation (the pool's usage timer, or a"
              + " recording with socket reads), and give it as --hold; or double the pool alone");
    }
  }

  /**
   * Whether no call of most connections has ended for as long as any thread waits for an answer.
   */
  private static boolean mostAreStuck(Incident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    Set<String> stuck =
        StuckThreads.in(dumps).threads().stream()
            .map(ThreadState::name)
            .collect(Collectors.toSet());
    List<ThreadState> calls =
        dumps.isEmpty() ? List.of() : ConnectionsInUse.calls(dumps.get(dumps.size() - 1));
    long standing = calls.stream().filter(call -> stuck.contains(call.name())).count();
    return standing > Policy.MAJORITY * calls.size();
  }
}
