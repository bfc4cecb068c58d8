package io.gcdiag.accounts.calls;

import io.gcdiag.accounts.workers.AsyncQueueRule;
import io.gcdiag.accounts.workers.DumpGroups;
import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.waits.AsyncClient;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.workers.AsyncWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Asks thread dumps whether requests wait for a future that no thread of the JVM works on: then the
 * answer comes from outside, by a client that keeps no thread while it waits. No event shows such
 * calls, and of a virtual thread that waits for one no event shows either.
 */
@Judges(
    value = {Hypothesis.SLOW_DOWNSTREAM, Hypothesis.CONNECTION_POOL_UNDERSIZED},
    needs = Signal.THREAD_DUMPS)
public final class AwaitedAnswersRule implements Rule {

  /** What a thread parks on in {@code CompletableFuture.get} and {@code join}. */
  private static final String FUTURE = "java.util.concurrent.CompletableFuture$Signaller";

  /**
   * Clients that open a connection for a call that finds none free, so that calls queue nowhere
   * before them: {@code jdk.internal.net.http.ConnectionPool} keeps idle ones only; AsyncHttpClient
   * has no limit unless {@code maxConnections} sets one, and then refuses a call or waits for its
   * turn where it is made, not in the future.
   */
  private static final Set<String> UNLIMITED = Set.of("JDK HttpClient", "AsyncHttpClient");

  /** The thread of HotSpot that writes a dump to a file, and so runs in each. */
  private static final String DUMPER = "Attach Listener";

  @Override
  public List<Finding> examine(Case incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> found =
        dumps.stream().filter(AwaitedAnswersRule::isForAnswersFromOutside).toList();
    return !DumpTimes.areOften(found.size(), dumps) || isOneAlwaysRunning(found)
        ? List.of()
        : List.of(finding(incident.timeline(), dumps.size(), found));
  }

  private static boolean isForAnswersFromOutside(ThreadSnapshot dump) {
    int awaiting = awaiting(dump).size();
    return awaiting >= Policy.FEWEST_COUNTED
        && awaiting >= Policy.MAJORITY * atWork(dump)
        && !DumpGroups.isAnyTaskRun(dump);
  }

  /** A thread that computes in each of them may be the only one of its executor. */
  private static boolean isOneAlwaysRunning(List<ThreadSnapshot> dumps) {
    Set<String> always = running(dumps.get(0));
    dumps.forEach(dump -> always.retainAll(running(dump)));
    return !always.isEmpty();
  }

  private static Set<String> running(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(thread -> thread.is(ThreadActivity.RUNNING))
        .map(ThreadState::name)
        .filter(name -> !name.equals(DUMPER))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<ThreadState> awaiting(ThreadSnapshot dump) {
    return dump.requestThreads().stream()
        .filter(thread -> thread.is(ThreadActivity.OTHER) && thread.subject().equals(FUTURE))
        .toList();
  }

  private static int atWork(ThreadSnapshot dump) {
    return ThreadsAtWork.of(dump).size();
  }

  private Finding finding(Timeline timeline, int dumps, List<ThreadSnapshot> found) {
    int awaiting = found.stream().mapToInt(dump -> awaiting(dump).size()).sum();
    int atWork = found.stream().mapToInt(AwaitedAnswersRule::atWork).sum();
    ThreadSnapshot last = found.get(found.size() - 1);
    Set<String> clients = AsyncWaits.clients(timeline);
    FindingBuilder finding =
        Finding.of(
                id(),
                Numbers.count(awaiting(last).size())
                    + " of "
                    + Numbers.count(atWork(last))
                    + " request threads at work wait for a future"
                    + at(last)
                    + ", likewise in "
                    + found.size()
                    + " of "
                    + dumps
                    + " dumps, and no thread of this JVM works on one: the results come from"
                    + " outside"
                    + (clients.isEmpty()
                        ? ", or from a timer"
                        : ", through an asynchronous client (" + String.join(", ", clients) + ")"))
            .value("awaiting", awaiting(last).size())
            .value("atWork", atWork(last))
            .value("dumps", found.size())
            .from(found.stream().map(ThreadSnapshot::source).toList())
            .advises(Hypothesis.SLOW_DOWNSTREAM, AsyncQueueRule.FIND_IT);
    if (clients.isEmpty()) {
      return finding.supports(Hypothesis.SLOW_DOWNSTREAM).build();
    }
    finding.from(timeline.samples(AsyncClient.class).get(0).source());
    double share = awaiting / (double) atWork;
    return UNLIMITED.containsAll(clients)
        ? finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, share).build()
        : finding
            .explainsEither(
                Hypothesis.CONNECTION_POOL_UNDERSIZED,
                Hypothesis.SLOW_DOWNSTREAM,
                Effect.UNACCOUNTED,
                share,
                AsyncQueueRule.EXPERIMENT)
            .build();
  }

  /** The place in the service that most of them wait in. */
  private static String at(ThreadSnapshot dump) {
    Map<String, Long> places =
        awaiting(dump).stream()
            .map(thread -> thread.standing().at())
            .filter(name -> !name.isEmpty())
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    return Ordered.largest(places).map(name -> " at " + name).orElse("");
  }
}
