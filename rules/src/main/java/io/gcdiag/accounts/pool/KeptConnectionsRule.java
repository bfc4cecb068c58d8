package io.gcdiag.accounts.pool;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.pool.PoolMeters;
import io.gcdiag.measures.stops.PauseTotals;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UnendedWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Asks whether borrowers wait while no request works on a connection: then the connections are held
 * idle, or were not returned. Samples of a recording show it and thread dumps.
 */
// Samples beside the waits of a recording, or dumps, whichever there are.
@Judges({Hypothesis.CONNECTION_LEAK, Hypothesis.SLOW_DOWNSTREAM})
public final class KeptConnectionsRule implements Rule {

  /**
   * Even a pool of one connection has it at work whenever a thread waits for it. If it is found so
   * in one dump of three at most, it is kept for most of the time.
   */
  private static final long AT_WORK_ONE_IN = 3;

  @Override
  public List<Finding> examine(Case incident) {
    return Stream.of(sampled(incident), dumped(incident)).flatMap(Optional::stream).toList();
  }

  /** By the samples of a recording. */
  private Optional<Finding> sampled(Case incident) {

    return UnusedConnections.of(incident)
        .map(unused -> unused(incident, unused))
        .or(
            () ->
                SampledPool.of(incident)
                    .filter(
                        pool ->
                            pool.idle() || pool.atWork() && !HoldersTime.mostlyElsewhere(incident))
                    .map(pool -> compared(incident, pool)));
  }

  private Finding compared(Incident incident, SampledPool pool) {
    String against =
        pool.usual().isPresent()
            ? ", against " + Numbers.threeDigits(pool.usual().getAsDouble()) + " before: "
            : HoldersTime.mostlyAtWork(incident)
                ? ", and holders spend most of the hold time in such calls: "
                : ", dumps show as many, and no other thread can hold one: ";
    FindingBuilder finding =
        Finding.of(
                id(),
                "while threads waited for a connection (%s seconds), %s in a call (by samples)%s%s"
                    .formatted(
                        Numbers.count(pool.seconds()),
                        requestThreads(pool.whileWaiting()),
                        against,
                        pool.idle()
                            ? "the connections are held but idle"
                            : "the connections are at work"))
            .figure(
                "request threads in calls while others wait for a connection",
                pool.usual(),
                pool.whileWaiting(),
                Numbers::threeDigits)
            .value("callsWhileWaiting", pool.whileWaiting())
            .value("callsUsual", pool.usual())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"));
    return pool.idle()
        ? finding
            .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 1 - HoldersTime.kept(incident))
            .build()
        : finding.refutes(Hypothesis.CONNECTION_LEAK).build();
  }

  private static String requestThreads(double number) {
    String text = Numbers.threeDigits(number);
    return text.equals("0") ? "no request thread was" : text + " request threads were";
  }

  private Finding unused(Incident incident, UnusedConnections unused) {
    String seconds = Numbers.count(unused.seconds());
    String when =
        unused.dump().isPresent()
            ? "in the " + seconds + " seconds before a dump with threads waiting for a connection"
            : "while threads waited for a connection (" + seconds + " seconds)";
    FindingBuilder finding =
        Finding.of(
                id(),
                "%s, %s running or in a call (by samples): the connections are held but idle"
                    .formatted(when, requestThreads(unused.atWork())))
            .figure(
                "request threads running or in calls while others wait for a connection",
                Numbers.threeDigits(unused.atWork()))
            .value("atWorkWhileWaiting", unused.atWork())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"))
            .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 1 - HoldersTime.kept(incident));
    unused.dump().ifPresent(finding::from);
    return finding.build();
  }

  /** By thread dumps, and the pool's meters beside them. */
  private Optional<Finding> dumped(Case incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<ThreadSnapshot> dumps =
        timeline.dumps(window).stream()
            .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) >= Policy.RECURRING)
            .toList();
    if (dumps.isEmpty()) {
      return Optional.empty();
    }
    long working = dumps.stream().mapToLong(ConnectionsInUse::count).sum();
    boolean nobodyWorks = working * AT_WORK_ONE_IN <= dumps.size();
    boolean running = PauseTotals.of(timeline, window).shareStopped() < Policy.HARDLY_STOPPED;
    Optional<PoolMeters> metered =
        PoolMeters.of(timeline).filter(meters -> meters.nothingComesBack(window));
    boolean enough =
        dumps.size() >= Policy.FEWEST_DUMPS
            || metered.isPresent()
            || nobodyGotOne(incident)
            || timeline.dumps(window).size() == Policy.FEWEST_DUMPS && nobodyIsAtWork(dumps.get(0));
    if (enough && nobodyWorks && running) {
      return Optional.of(kept(incident, dumps, working, metered));
    }
    // Those in calls to other hosts may hold most of the connections.
    long elsewhere =
        dumps.stream().mapToLong(dump -> ConnectionsInUse.elsewhere(dump).size()).sum();
    boolean atWork =
        !nobodyWorks
            && PoolSaturation.share(incident) > Policy.MAJORITY
            && elsewhere <= working
            && !HoldersTime.mostlyElsewhere(incident);
    return atWork ? Optional.of(atWork(dumps, working)) : Optional.empty();
  }

  /**
   * Whether so many wait that the pool would be at work with their requests, and no thread could
   * hold a connection, nor is in a call, as one that opens a connection does. A connection changes
   * hands in much less time than so many come together in: of two dumps one is enough then, as the
   * other may be from before or after.
   */
  private static boolean nobodyIsAtWork(ThreadSnapshot dump) {
    return dump.count(ThreadActivity.WAITING_FOR_POOL) >= ThreadsAtWork.QUEUE
        && dump.count(ThreadActivity.IN_DOWNSTREAM_CALL) == 0
        && ConnectionsInUse.noThreadHoldsOne(dump);
  }

  /**
   * Whether a dump shows request threads that wait for a connection, all for longer than a call
   * takes, and none that could hold one. The moment between two calls looks so as well, but then
   * others have just got one.
   */
  static boolean nobodyGotOne(Incident incident) {
    Timeline timeline = incident.timeline();
    return timeline.dumps(incident.window()).stream()
        .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) >= Policy.RECURRING)
        .anyMatch(
            dump ->
                ConnectionsInUse.noThreadHoldsOne(dump) && UnendedWaits.areInPools(timeline, dump));
  }

  /**
   * Passes on what requests took and nothing recorded has, where most request threads wait so at
   * the end: requests that arrive later wait for a connection as well, or for one of these threads,
   * and a load test counts that although the recording has ended.
   */
  private static void later(Incident incident, FindingBuilder finding) {
    Timeline timeline = incident.timeline();
    timeline.dumps(incident.window()).stream()
        .filter(dump -> ConnectionsInUse.noThreadHoldsOne(dump))
        .filter(dump -> UnendedWaits.areInPools(timeline, dump))
        .filter(KeptConnectionsRule::mostWait)
        .findFirst()
        .ifPresent(
            dump -> {
              String how =
                  "in a dump "
                      + dump.count(ThreadActivity.WAITING_FOR_POOL)
                      + " threads wait for a connection, most of those that serve requests, and"
                      + " none is returned: requests that arrive later wait behind them";
              finding
                  .passes(Effect.UNACCOUNTED, Effect.POOL_WAIT, 1, how)
                  .passes(Effect.WORKER_WAIT, Effect.POOL_WAIT, 1, how);
            });
  }

  private static boolean mostWait(ThreadSnapshot dump) {
    return dump.requestsAt(ThreadActivity.WAITING_FOR_POOL)
        > Policy.MAJORITY * dump.requestThreads().size();
  }

  private Finding kept(
      Incident incident, List<ThreadSnapshot> dumps, long working, Optional<PoolMeters> metered) {
    long waiting =
        dumps.stream()
            .mapToLong(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL))
            .max()
            .orElseThrow();
    Set<String> others = new TreeSet<>();
    Set<String> elsewhere = new TreeSet<>();
    for (ThreadSnapshot dump : dumps) {
      ConnectionsInUse.elsewhere(dump).forEach(thread -> elsewhere.add(thread.subject()));
      dump.threads().stream()
          .filter(ConnectionsInUse.users(dump).negate())
          .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
          .forEach(thread -> others.add(ThreadNames.numbered(thread.name())));
    }
    boolean idle = elsewhere.isEmpty() && others.isEmpty();
    String holders =
        !elsewhere.isEmpty()
            ? "; meanwhile requests are in other downstream calls: " + named(elsewhere)
            : others.isEmpty() ? "" : "; other threads are in calls: " + named(others);
    FindingBuilder finding =
        Finding.of(
                id(),
                "up to %s threads wait for a connection in %s%s uses one%s%s"
                    .formatted(
                        waiting,
                        Numbers.counted(dumps.size(), "dump"),
                        working > 0
                            ? ", and hardly any request"
                            : idle ? ", and no thread" : ", and no request",
                        holders,
                        metered.isPresent() ? "; by the pool's meters none is returned" : ""))
            .figure(
                "connections in use by requests while " + waiting + " threads wait for one",
                Numbers.count(working))
            .value("waiting", waiting)
            .value("dumps", dumps.size())
            .from(dumps.stream().map(ThreadSnapshot::source).toList());
    boolean timed = incident.timeline().sees(Signal.SOCKET_READS);
    blame(finding, 1 - HoldersTime.kept(incident), elsewhere.isEmpty() || timed);
    if (!elsewhere.isEmpty()) {
      finding.advises(
          Hypothesis.CONNECTION_LEAK, HoldersText.giveBackBefore(HoldersTime.of(incident)));
    }
    later(incident, finding);
    metered
        .flatMap(meters -> meters.source(MetricMeaning.POOL_USED))
        .ifPresent(source -> finding.from(source).warns(Hypothesis.CONNECTION_LEAK));
    return finding.build();
  }

  /**
   * What holds the connections, if no possible holder is in a call whose usual length is unknown:
   * such a call may as well have become slow.
   */
  private static void blame(FindingBuilder finding, double share, boolean known) {
    if (known) {
      finding.explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, share);
      return;
    }
    finding.explainsEither(
        Hypothesis.CONNECTION_LEAK,
        Hypothesis.SLOW_DOWNSTREAM,
        Effect.POOL_WAIT,
        share,
        "measure how long these calls take in normal operation (a recording with socket reads), or"
            + " return the connections before them and change nothing else: if the calls take as"
            + " long as before, holding connections during them is the cause");
  }

  private static String named(Set<String> names) {
    return String.join(", ", names.stream().limit(Policy.MOST_NAMED).toList());
  }

  private Finding atWork(List<ThreadSnapshot> dumps, long working) {
    return Finding.of(
            id(),
            "the connections that threads wait for are in use: %s on them in %s"
                .formatted(Numbers.counted(working, "call"), Numbers.counted(dumps.size(), "dump")))
        .value("dumps", dumps.size())
        .value("working", working)
        .from(dumps.stream().map(ThreadSnapshot::source).toList())
        .refutes(Hypothesis.CONNECTION_LEAK)
        .build();
  }
}
