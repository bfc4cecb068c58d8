package io.gcdiag.causes.pool;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.workers.ExhaustedGroup;
import io.gcdiag.causes.workers.StuckThreads;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UnendedWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What dumps show of a pool that threads wait for: a queue before connections at work, or before
 * connections that no request works on. One instant shows that a pool was empty, not why.
 *
 * @param rule the id of the rule
 * @param queues dumps of the incident in which several wait
 */
record PoolInDumps(String rule, MeasuredIncident incident, List<ThreadSnapshot> queues) {

  /**
   * Even a pool of one connection has it at work whenever a thread waits for it. If it is found so
   * in one dump of three at most, it is kept for most of the time.
   */
  private static final long AT_WORK_ONE_IN = 3;

  private static final String DOUBLE_IT =
      "double the pool alone: if requests succeed then, threads that wait for a lock held the"
          + " connections for which the lock's owner waits";

  private static final String ENOUGH_FOR_THE_RATE =
      "change one thing alone and measure again: raise the pool's maximum size to request rate x"
          + " time a connection is held and some more, or return the connections before these calls";

  private static final String MEASURE_CALLS =
      "measure how long these calls take in normal operation (a recording with socket reads), or"
          + " return the connections before them and change nothing else: if the calls take as"
          + " long as before, holding connections during them is the cause";

  PoolInDumps(String rule, MeasuredIncident incident) {
    this(
        rule,
        incident,
        incident.timeline().dumps(incident.window()).stream()
            .filter(dump -> ConnectionsInUse.waiting(dump) >= Policy.RECURRING)
            .toList());
  }

  Optional<Finding> finding() {
    // A dump from just outside the window, or without a date, is still one the user chose to give.
    return ExhaustedGroup.dumps(incident).stream()
        .filter(dump -> ConnectionsInUse.waiting(dump) > 0 && !incident.effects().isPoolOfOthers())
        .max(Comparator.comparingLong(ConnectionsInUse::waiting))
        .filter(dump -> !dump.isDeadlocked(ThreadActivity.WAITING_FOR_POOL))
        .map(this::judge);
  }

  /**
   * Whether so many wait that the pool would be at work with their requests, and no thread could
   * hold a connection, nor is in a call, as one that opens a connection does. A connection changes
   * hands in much less time than so many come together in: of two dumps one is enough then, as the
   * other may be from before or after.
   */
  private static boolean noneIsAtWork(ThreadSnapshot dump) {
    return ConnectionsInUse.waiting(dump) >= ThreadsAtWork.QUEUE
        && dump.count(ThreadActivity.IN_DOWNSTREAM_CALL) == 0
        && ConnectionsInUse.noThreadHoldsOne(dump);
  }

  /**
   * Whether a dump shows request threads that wait for a connection, all for longer than a call
   * takes, and none that could hold one. The moment between two calls looks so as well, but then
   * others have just got one.
   */
  boolean noneWasHandedOn() {
    return withoutHolders().findAny().isPresent();
  }

  private Stream<ThreadSnapshot> withoutHolders() {
    return queues.stream()
        .filter(ConnectionsInUse::noThreadHoldsOne)
        .filter(dump -> UnendedWaits.areInPools(incident.timeline(), dump));
  }

  /** Connections found in use while several wait. */
  private long working() {
    return queues.stream().mapToLong(ConnectionsInUse::count).sum();
  }

  private Finding judge(ThreadSnapshot worst) {
    Optional<PoolMeters> metered =
        PoolMeters.of(incident.timeline())
            .filter(meters -> meters.nothingComesBack(incident.window()));
    boolean kept = areKept(metered.isPresent());
    long waiting = ConnectionsInUse.waiting(worst);
    long calling = ConnectionsInUse.calls(worst).size();
    String pools =
        worst.threads().stream()
            .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL))
            .map(ThreadState::subject)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    long next = waiting - worst.count(ThreadActivity.WAITING_FOR_POOL);
    if (next > 0) {
      pools += ", " + next + " of them for the lock of the thread that requests one";
    }
    String inAll = queues.size() > 1 ? "in " + queues.size() + " dumps " : "";
    FindingBuilder finding =
        Finding.of(
                rule,
                "in one dump %s of %s threads wait for a connection (%s) and %s%s"
                    .formatted(
                        waiting,
                        worst.threads().size(),
                        pools,
                        kept ? inAll + unused() : used(worst, calling),
                        metered.isPresent() && kept
                            ? "; by the pool's meters none is returned"
                            : ""))
            .figure(
                "threads waiting for a connection, in a dump",
                waiting + " of " + worst.threads().size())
            .figure("request threads using a connection, in a dump", Long.toString(calling))
            .value("waiting", waiting)
            .value("inCalls", calling)
            .value("nested", ConnectionsInUse.nested(worst))
            .value("threads", worst.threads().size())
            .from(
                kept
                    ? queues.stream().map(ThreadSnapshot::source).toList()
                    : List.of(worst.source()));
    if (kept) {
      blameHolders(finding);
      metered
          .flatMap(meters -> meters.source(MetricMeaning.POOL_USED))
          .ifPresent(source -> finding.from(source).warns(Hypothesis.CONNECTION_LEAK));
      return finding.build();
    }
    if (areAtWork()) {
      finding.refutes(Hypothesis.CONNECTION_LEAK);
    }
    finding.supports(
        noThreadHoldsOne(worst)
            ? Hypothesis.CONNECTION_LEAK
            : Hypothesis.CONNECTION_POOL_UNDERSIZED);
    boolean callsSeen = incident.timeline().sees(Signal.SOCKET_READS);
    if (calling > 0 && !callsSeen) {
      // What keeps the connections at work is too many requests or slow answers.
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    }
    // What events measure is split by what they show of the holders.
    boolean counted = incident.effects().fromDumps().contains(Effect.POOL_WAIT);
    if (counted && holdersCompute()) {
      finding.passes(
          Effect.POOL_WAIT,
          Effect.CPU_QUEUE,
          1,
          "the cores are full: threads that may hold a connection wait for CPU before they"
              + " return it");
    } else if (counted && !callsSeen && isMetOnce()) {
      LoadedPool loaded = LoadedPool.of(incident, queues);
      if (loaded.longer()) {
        finding.sum(loaded.sum()).explains(Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT, 1);
      }
    }
    // Connections are not returned while the JVM is stopped: an empty pool may be due to that, but
    // not if each is held as briefly as before.
    else if (counted && PoolSaturation.byDumps(incident)) {
      LoadedPool loaded = LoadedPool.of(incident, queues);
      if (loaded.asBriefly() && !callsSeen) {
        finding
            .sum(loaded.sum())
            .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 1);
      } else if (UnrecordedStops.atMost(incident) < Policy.NOTABLE) {
        blameWork(finding, callsSeen, loaded);
      }
    }
    return finding.build();
  }

  /** Whether one dump of two shows a queue, and nothing can have stopped the JVM for long. */
  private boolean isMetOnce() {
    return queues.size() == 1
        && DumpTimes.during(incident).size() == Policy.FEWEST_DUMPS
        && incident.baseline().isEmpty()
        && UnrecordedStops.atMost(incident) < Policy.NOTABLE;
  }

  private static boolean noThreadHoldsOne(ThreadSnapshot worst) {
    return ConnectionsInUse.waiting(worst) >= Policy.RECURRING
        && ConnectionsInUse.noThreadHoldsOne(worst);
  }

  private static String used(ThreadSnapshot worst, long calling) {
    long nested = ConnectionsInUse.nested(worst);
    String using =
        calling == 0
            ? "no request thread uses one"
            : calling + (calling == 1 ? " request thread uses one" : " request threads use one");
    return using
        + (nested > 0
            ? "; of those that wait " + nested + " hold another meanwhile"
            : noThreadHoldsOne(worst) ? "; the other threads are idle" : "");
  }

  /** Whether hardly any connection is in use that several wait for. */
  private boolean areKept(boolean metered) {
    return !queues.isEmpty()
        && working() * AT_WORK_ONE_IN <= queues.size()
        && (queues.size() >= Policy.FEWEST_DUMPS
            || metered
            || noneWasHandedOn()
            || incident.timeline().dumps(incident.window()).size() == Policy.FEWEST_DUMPS
                && noneIsAtWork(queues.get(0)))
        && !holdersCompute()
        && !(elsewhere().isEmpty() && areHandedOn())
        && PauseTotals.of(incident.timeline(), incident.window()).shareStopped()
            < Policy.HARDLY_STOPPED;
  }

  /**
   * Whether threads of those that use the pool run in most dumps and the cores became full: what
   * they hold is returned when they get to it. Connections that are not returned leave nothing to
   * compute.
   */
  private boolean holdersCompute() {
    long running =
        queues.stream()
            .filter(
                dump ->
                    dump.threads().stream()
                        .filter(ConnectionsInUse.users(dump))
                        .anyMatch(thread -> thread.is(ThreadActivity.RUNNING)))
            .count();
    return running > Policy.MAJORITY * queues.size() && DumpedCpu.areCoresInUse(incident, queues);
  }

  /**
   * Whether most connections are held by threads that use them, not by threads in calls to other
   * hosts.
   */
  private boolean areAtWork() {
    long elsewhere =
        queues.stream().mapToLong(dump -> ConnectionsInUse.elsewhere(dump).size()).sum();
    return working() * AT_WORK_ONE_IN > queues.size()
        && PoolSaturation.share(incident) > Policy.MAJORITY
        && elsewhere <= working()
        && !HoldersTime.mostlyElsewhere(incident);
  }

  /**
   * Passes on what requests took and nothing recorded has, where most request threads wait so at
   * the end: requests that arrive later wait for a connection as well, or for one of these threads,
   * and a load test counts that although the recording has ended.
   */
  private void later(FindingBuilder finding) {
    withoutHolders()
        .filter(
            dump ->
                dump.requestsAt(ThreadActivity.WAITING_FOR_POOL)
                    > Policy.MAJORITY * dump.requestThreads().size())
        .findFirst()
        .ifPresent(
            dump -> {
              String how =
                  "in a dump "
                      + ConnectionsInUse.waiting(dump)
                      + " threads wait for a connection, most of those that serve requests, and"
                      + " none is returned: requests that arrive later wait behind them";
              finding
                  .passes(Effect.UNACCOUNTED, Effect.POOL_WAIT, 1, how)
                  .passes(Effect.WORKER_WAIT, Effect.POOL_WAIT, 1, how);
            });
  }

  /**
   * Whether in each dump a thread has got a connection where others wait for theirs: it is further
   * on in the method that borrows. Of a pool that gets none back no thread comes so far.
   */
  private boolean areHandedOn() {
    return queues.stream().allMatch(PoolInDumps::isHandedOn);
  }

  private static boolean isHandedOn(ThreadSnapshot dump) {
    List<CodePlace> borrowing =
        dump.threads().stream()
            .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL))
            .flatMap(thread -> thread.standing().own().stream())
            .filter(place -> place.line() != CodePlace.NO_LINE)
            .distinct()
            .toList();
    return dump.threads().stream()
        .filter(ConnectionsInUse.users(dump))
        .filter(thread -> !thread.is(ThreadActivity.WAITING_FOR_POOL))
        .flatMap(thread -> thread.standing().own().stream())
        .anyMatch(
            place ->
                borrowing.stream()
                    .anyMatch(
                        borrow ->
                            borrow.method().equals(place.method())
                                && borrow.line() < place.line()));
  }

  /** Who may hold the connections instead. */
  private String unused() {
    Set<String> elsewhere = elsewhere();
    Set<String> others = new TreeSet<>();
    for (ThreadSnapshot dump : queues) {
      dump.threads().stream()
          .filter(ConnectionsInUse.users(dump).negate())
          .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
          .forEach(thread -> others.add(ThreadNames.numbered(thread.name())));
    }
    String which =
        working() > 0
            ? "hardly any request"
            : elsewhere.isEmpty() && others.isEmpty() ? "no thread" : "no request";
    return which
        + " uses one"
        + (!elsewhere.isEmpty()
            ? "; meanwhile requests are in other downstream calls: " + named(elsewhere)
            : others.isEmpty() ? "" : "; other threads are in calls: " + named(others));
  }

  /**
   * Whether in most dumps several threads wait for a lock whose owner waits for a connection: they
   * may hold those that it waits for, unless more of them are next to ask for one than there are.
   */
  private boolean areBehindABorrower() {
    int size =
        PoolDemand.size(incident.timeline(), incident.window())
            .filter(known -> known.bound().isEmpty())
            .map(PoolDemand.Known::value)
            .orElse(Integer.MAX_VALUE);
    return queues.stream().filter(dump -> mayHold(dump, size)).count()
        > Policy.MAJORITY * queues.size();
  }

  private static boolean mayHold(ThreadSnapshot dump, int size) {
    return dump.lockOwners().stream().anyMatch(PoolInDumps::isOfABorrower)
        && dump.threads().stream().filter(ConnectionsInUse.next(dump)).count() <= size;
  }

  private static boolean isOfABorrower(LockOwner lock) {
    return lock.doing().equals(Optional.of(WaitKind.POOL))
        && lock.waiting() >= Policy.FEWEST_QUEUED;
  }

  private Set<String> elsewhere() {
    return queues.stream()
        .flatMap(dump -> ConnectionsInUse.elsewhere(dump).stream())
        .map(ThreadState::subject)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String named(Set<String> names) {
    return String.join(", ", names.stream().limit(Policy.MOST_NAMED).toList());
  }

  /**
   * What holds the connections. If a possible holder is in a call whose usual length is unknown,
   * that call may as well have become slow.
   */
  private void blameHolders(FindingBuilder finding) {
    boolean elsewhere = !elsewhere().isEmpty();
    boolean behind = areBehindABorrower();
    double share = 1 - HoldersTime.kept(incident);
    if (elsewhere) {
      finding.advises(
          Hypothesis.CONNECTION_LEAK, HoldersText.giveBackBefore(HoldersTime.of(incident)));
    }
    boolean unmeasured = elsewhere && !incident.timeline().sees(Signal.SOCKET_READS);
    LoadedPool loaded = LoadedPool.keptElsewhere(incident, queues);
    boolean fed = unmeasured && loaded.asBriefly();
    if (fed) {
      finding.sum(loaded.sum());
    }
    if (behind || unmeasured) {
      finding.explainsEither(
          Hypothesis.CONNECTION_LEAK,
          behind || fed ? Hypothesis.CONNECTION_POOL_UNDERSIZED : Hypothesis.SLOW_DOWNSTREAM,
          Effect.POOL_WAIT,
          share,
          behind ? DOUBLE_IT : fed ? ENOUGH_FOR_THE_RATE : MEASURE_CALLS);
    } else {
      finding.explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, share);
    }
    later(finding);
  }

  /**
   * Every connection was at work and only dumps show the queue. Calls that are known to be as fast
   * as in the baseline make the pool too small; calls of unknown length may as well have become
   * slow, and those that do not move from dump to dump are, or that keep a pool at work that by the
   * stated figures has room.
   */
  private void blameWork(FindingBuilder finding, boolean callsSeen, LoadedPool loaded) {
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
    } else if (mostAreStuck() || PoolByFigures.hasRoomAsStated(incident)) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT, 1);
    } else if (loaded.longer()) {
      finding.sum(loaded.sum()).explains(Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT, 1);
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

  /** Whether most connections completed no call for as long as any thread waits for a response. */
  private boolean mostAreStuck() {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    return StuckThreads.in(dumps).areMost(ConnectionsInUse.calls(dumps.get(dumps.size() - 1)));
  }

  /**
   * How long a request holds the connections that dumps find in use, by Little's law from the
   * requests that a load test counts ({@code S = N / lambda}), beside what requests took before: a
   * connection is held no longer than its request takes.
   *
   * @param asBriefly whether more requests came and each held a connection about as long as before:
   *     whatever else happened, also stops, is in that time
   * @param longer whether each holds one for clearly longer than whole requests took before
   * @param sum the calculation; empty if neither
   */
  private record LoadedPool(boolean asBriefly, boolean longer, String sum) {

    private static final LoadedPool UNKNOWN = new LoadedPool(false, false, "");

    /** For dumps of the incident in which several wait for a connection. */
    static LoadedPool of(MeasuredIncident incident, List<ThreadSnapshot> queues) {
      return of(incident, queues, ConnectionsInUse::count);
    }

    /** The same where requests keep their connections while they are in calls to other hosts. */
    static LoadedPool keptElsewhere(MeasuredIncident incident, List<ThreadSnapshot> queues) {
      return of(
          incident,
          queues,
          dump -> ConnectionsInUse.count(dump) + ConnectionsInUse.elsewhere(dump).size());
    }

    private static LoadedPool of(
        MeasuredIncident incident,
        List<ThreadSnapshot> queues,
        ToLongFunction<ThreadSnapshot> holders) {
      double inUse = queues.stream().mapToLong(holders).average().orElse(0);
      if (inUse <= 0) {
        return UNKNOWN;
      }
      if (incident.baseline().isPresent()) {
        return overTime(incident, queues, inUse, holders);
      }
      // Of requests that come while all others queue, the fastest need no connection and say
      // nothing of those that do. In the figures of a whole run they may be from quieter times.
      return incident.timeline().mainRequestSeries().isPresent()
          ? UNKNOWN
          : ofWholeRun(incident, queues, inUse);
    }

    /** Compares the rates of incident and baseline, and what a request takes in each. */
    private static LoadedPool overTime(
        MeasuredIncident incident,
        List<ThreadSnapshot> queues,
        double inUse,
        ToLongFunction<ThreadSnapshot> holders) {
      Optional<RequestExcess> requests =
          incident
              .requests()
              .filter(RequestExcess::compared)
              .filter(any -> any.inSystemBefore() > 0);
      double rate = perSecond(incident, incident.window());
      double usualRate = perSecond(incident, incident.baseline().orElseThrow());
      if (requests.isEmpty() || rate <= 0 || usualRate <= 0) {
        return UNKNOWN;
      }
      double held = inUse / rate;
      double usual = requests.get().inSystemBefore() / usualRate;
      // What requests do beside it now, they did before: the rest was the time of holding one.
      double beside =
          queues.stream().mapToLong(dump -> neitherWaitNorHold(dump, holders)).average().orElse(0)
              / rate;
      boolean more = rate >= Policy.CLEARLY_MORE * usualRate;
      boolean briefly = more && held < Policy.CLEARLY_MORE * (usual - beside);
      boolean longer = held >= Policy.CLEARLY_MORE * usual;
      return briefly || longer
          ? new LoadedPool(
              briefly,
              longer,
              "connections in use / requests per second = %s / %s = %s each; before, at %s, a request took %s in all"
                  .formatted(
                      Numbers.threeDigits(inUse),
                      new Rate(rate),
                      seconds(held),
                      new Rate(usualRate),
                      seconds(usual)))
          : UNKNOWN;
    }

    /**
     * No more requests than the run had can have come while the connections were in use. If even
     * those would not have needed them by what an undisturbed request takes, and at the run's mean
     * rate each is held for many times that, it is held longer.
     */
    private static LoadedPool ofWholeRun(
        MeasuredIncident incident, List<ThreadSnapshot> queues, double inUse) {
      Optional<RequestStats> run = incident.timeline().mainRequestStats();
      Optional<Duration> usual = run.flatMap(RequestExcess::undisturbed);
      List<Instant> at = queues.stream().flatMap(dump -> dump.at().stream()).sorted().toList();
      double seconds =
          at.isEmpty() ? 0 : Durations.seconds(Duration.between(at.get(0), at.get(at.size() - 1)));
      if (usual.isEmpty() || run.get().requests().isEmpty()) {
        return UNKNOWN;
      }
      if (seconds <= 0) {
        return inOneDump(incident, Durations.seconds(usual.get()), inUse);
      }
      double most = run.get().requests().getAsLong() / seconds;
      double needed = most * Durations.seconds(usual.get());
      double held = inUse / perSecond(incident, incident.window());
      return needed <= Policy.CLEAR_ROOM * inUse
              && LoadTestDelays.isManyTimes(held, Durations.seconds(usual.get()))
          ? new LoadedPool(
              false,
              true,
              "even if all %s requests of the test had come in these %s, they would have needed %s of the %s connections in use, at %s each"
                  .formatted(
                      Numbers.count(run.get().requests().getAsLong()),
                      seconds(seconds),
                      Numbers.threeDigits(needed),
                      Numbers.threeDigits(inUse),
                      Durations.format(usual.get())))
          : UNKNOWN;
    }

    /**
     * Half of the requests took no longer than an undisturbed one, and so waited for no connection.
     * If the other half, held as briefly, cannot keep the connections in use for more than a moment
     * of the test, a dump does not meet that moment by chance.
     */
    private static LoadedPool inOneDump(MeasuredIncident incident, double usual, double inUse) {
      double rate = perSecond(incident, incident.window());
      double full = rate * Policy.MAJORITY * usual / inUse;
      return rate > 0
              && full <= Policy.NEGLIGIBLE
              && LoadTestDelays.isManyTimes(inUse / rate, usual)
          ? new LoadedPool(
              false,
              true,
              "half of the requests took at most %s and did not wait: the others, held as briefly, keep %s connections in use for %s / 2 x %s / %s = %s of the test"
                  .formatted(
                      seconds(usual),
                      Numbers.threeDigits(inUse),
                      new Rate(rate),
                      seconds(usual),
                      Numbers.threeDigits(inUse),
                      new Ratio(full)))
          : UNKNOWN;
    }

    private static double perSecond(MeasuredIncident incident, Window window) {
      return RequestRate.of(incident, window).map(Rate::perSecond).orElse(0.0);
    }

    private static long neitherWaitNorHold(
        ThreadSnapshot dump, ToLongFunction<ThreadSnapshot> holders) {
      long working =
          dump.requestThreads().stream()
              .filter(thread -> !thread.is(ThreadActivity.IDLE))
              .filter(thread -> !thread.is(ThreadActivity.WAITING_FOR_POOL))
              .count();
      return Math.max(0, working - holders.applyAsLong(dump));
    }

    private static String seconds(double seconds) {
      return Durations.format(Duration.ofNanos(Math.round(seconds * 1e9)));
    }
  }
}
