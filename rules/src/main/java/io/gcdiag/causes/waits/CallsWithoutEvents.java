package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.workers.NeverFreeWorkers;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.ShortCalls;
import io.gcdiag.measures.TimedOutReads;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.WakeDelay;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.CallGrowth;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is found of calls that no event shows: thread dumps and samples do. Some have not ended or
 * ended by their timeout, others are each too short for events and together make requests slow.
 */
final class CallsWithoutEvents {

  /** What helps where each request makes more calls. */
  static final String ONE_CALL =
      "take the calls out of the loop that makes them: fetch everything in one call (a batch, a"
          + " join), not one per row";

  private static final String FEWER_CALLS =
      "count the calls per request (a database's statement log, the client's metrics): if there are"
          + " more than before, fetch everything in one call instead of one per row; if not, each"
          + " call is slower: look at the remote host";

  /** What is advised where each request makes, or may make, more calls. */
  static final Set<String> OF_MANY_CALLS = Set.of(ONE_CALL, FEWER_CALLS);

  /** The value of calls that take longer, and not in the service that is called. */
  static final String SERVED = "servedSeconds";

  /**
   * Calls that most threads at work are in, where no event shows how long calls take. It is a lead:
   * services that do little else look so when all is well, too. Where a load test shows that fewer
   * requests were in progress before than threads are in calls now, the calls take longer.
   */
  static Optional<Finding> unrecorded(String rule, MeasuredIncident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> mostly =
        ThreadsAtWork.mostly(dumps, ThreadActivity.IN_DOWNSTREAM_CALL).stream()
            .filter(dump -> !dump.isDeadlocked(ThreadActivity.IN_DOWNSTREAM_CALL))
            .toList();
    long most = mostly.stream().filter(dump -> calling(dump) >= Policy.FEWEST_COUNTED).count();
    double share = grew(incident) ? ofServices(incident) * besideStops(incident) : 0;
    boolean shown = DumpTimes.areOften(most, dumps) || areFewButSlow(incident, dumps, mostly);
    // Calls on all threads of a small group are as many as it has threads.
    boolean grown =
        share > 0
            && incident.workerQueue().isEmpty()
            && areMostInProgress(incident, dumps)
            && dumps.stream()
                .noneMatch(dump -> dump.isDeadlocked(ThreadActivity.IN_DOWNSTREAM_CALL));
    if (!shown && !grown) {
      return Optional.empty();
    }
    FindingBuilder finding =
        ThreadsAtWork.finding(
            rule, dumps, ThreadActivity.IN_DOWNSTREAM_CALL, "are in downstream calls", "");
    Optional<ThreadState> answering = answering(dumps);
    if (answering.isPresent()) {
      String own = answering.get().standing().own().orElseThrow().toString();
      return Optional.of(
          finding
              .sum(
                  "thread %s of the same client runs %s in each dump: if it is what answers, the calls wait for it and not for a remote host"
                      .formatted(answering.get().name(), own))
              .supports(Hypothesis.SLOW_DOWNSTREAM)
              .supports(Hypothesis.THREAD_POOL_EXHAUSTED)
              .build());
    }
    return Optional.of(
        (share >= Policy.NOTABLE
                ? finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, share)
                : finding.supports(Hypothesis.SLOW_DOWNSTREAM))
            .build());
  }

  /**
   * A thread of the client that most calls are made with, itself in this service's code in each
   * dump, and in no call of that client: it takes the messages that come in. Dumps do not show
   * whether it is what the calls wait for.
   */
  private static Optional<ThreadState> answering(List<ThreadSnapshot> dumps) {
    String client = ThreadsAtWork.most(dumps, ThreadActivity.IN_DOWNSTREAM_CALL, false);
    return busyOf(client, dumps.get(0))
        .filter(
            thread ->
                dumps.stream()
                    .allMatch(
                        dump ->
                            busyOf(client, dump).anyMatch(it -> it.name().equals(thread.name()))))
        .findFirst();
  }

  private static Stream<ThreadState> busyOf(String client, ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(thread -> !thread.requestThread() && !thread.is(ThreadActivity.IDLE))
        .filter(thread -> thread.name().regionMatches(true, 0, client, 0, client.length()))
        .filter(thread -> !client.isEmpty() && !thread.subject().equals(client))
        .filter(thread -> thread.standing().own().isPresent());
  }

  /**
   * The share of the calls that is known to be to another service. Where each thread of a group is
   * taken and requests wait in front of it, a read by no known client may be that of a server whose
   * caller keeps its connection and has nothing to ask at present.
   */
  private static double ofServices(MeasuredIncident incident) {
    Map<String, Double> calls =
        incident.effects().inDumps(Effect.DOWNSTREAM_WAIT).orElseThrow().bySubject();
    return incident.workerQueue().isEmpty()
        ? 1
        : 1 - calls.getOrDefault(CallPart.SOCKET, 0.0) / Numbers.sum(calls);
  }

  /**
   * The share of the time in calls that no stop can have had: calls that straddle one are longer by
   * it. Of requests that take no longer outside the stops, at least as many are untouched as there
   * is time without a stop. So where there is none in more than half of the time, a median above
   * the tail of before is not by stops alone. 0 if it may be.
   */
  private static double besideStops(MeasuredIncident incident) {
    double stopped = UnrecordedStops.atMost(incident);
    if (stopped < Policy.NOTABLE) {
      return 1;
    }
    Optional<Duration> median =
        RequestExcess.latency(incident, incident.window(), Percentiles.MEDIAN);
    Optional<Duration> tail =
        incident
            .baseline()
            .flatMap(window -> RequestExcess.latency(incident, window, Percentiles.TAIL));
    boolean longer =
        median.isPresent() && tail.isPresent() && median.get().compareTo(tail.get()) > 0;
    return longer && stopped < Policy.MAJORITY ? 1 - stopped : 0;
  }

  private static long calling(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.IN_DOWNSTREAM_CALL);
  }

  /**
   * One or two requests at a time may be found in calls by chance, but not in each dump where a
   * load test shows that there are more of them than before, and no more than these: others would
   * wait for a thread of a small group.
   */
  private static boolean areFewButSlow(
      MeasuredIncident incident, List<ThreadSnapshot> dumps, List<ThreadSnapshot> mostly) {
    return dumps.size() > Policy.FEWEST_DUMPS
        && mostly.size() == dumps.size()
        && incident.workerQueue().isEmpty()
        && areMostInProgress(incident, dumps);
  }

  /** Whether most requests of the load test are in calls, by all dumps together. */
  private static boolean areMostInProgress(MeasuredIncident incident, List<ThreadSnapshot> dumps) {
    long calls = dumps.stream().mapToLong(CallsWithoutEvents::calling).sum();
    return calls >= Policy.FEWEST_COUNTED
        && incident
            .requests()
            .filter(RequestExcess::compared)
            .filter(any -> calls >= Policy.MAJORITY * any.inSystem() * dumps.size())
            .isPresent();
  }

  /**
   * Compares the calls that client timers count with the baseline. Growth belongs to the remote
   * host if each call takes longer or each request makes more calls. A saturated machine is the
   * exception: the answer may have arrived and wait for CPU.
   */
  static Optional<Finding> metered(String rule, MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    Timeline timeline = incident.timeline();
    Optional<CallMeters> during = CallMeters.mostGrown(incident);
    if (!times.areCallsFromMeters() || incident.baseline().isEmpty() || during.isEmpty()) {
      return Optional.empty();
    }
    CallMeters now = during.get();
    Optional<CallMeters> before = now.before(incident);
    FindingBuilder finding =
        Finding.of(
                rule,
                "%s calls to %s take %s on average%s, %s; %s requests are in calls at a time%s"
                    .formatted(
                        now.how(),
                        now.target(),
                        Durations.format(now.meanSeconds()),
                        before
                            .map(one -> " (before: " + Durations.format(one.meanSeconds()) + ")")
                            .orElse(""),
                        new Rate(now.perSecond()),
                        Numbers.threeDigits(times.during(Effect.DOWNSTREAM_WAIT)),
                        times.before(Effect.DOWNSTREAM_WAIT).stream()
                            .mapToObj(usual -> " (before: " + Numbers.threeDigits(usual) + ")")
                            .findFirst()
                            .orElse("")))
            .sum("requests in calls = calls a second x mean (Little's law)")
            .value("callsPerSecond", now.perSecond())
            .value("meanCallSeconds", now.meanSeconds())
            .from(now.source());
    // A statement that is new has none before.
    boolean longer =
        before
            .filter(one -> now.meanSeconds() > Policy.CLEARLY_MORE * one.meanSeconds())
            .isPresent();
    boolean more = !longer && times.areCallsMore();
    if (more) {
      finding.figure(
          now.isQuery() ? "database queries per request" : "calls per request",
          now.perRequest(incident, incident.baseline().get()),
          now.perRequest(incident, incident.window()).orElse(0));
    }
    finding.figure(
        "mean call, " + now.target(),
        before.map(one -> Durations.format(one.meanSeconds())),
        Durations.format(now.meanSeconds()));
    if (longer) {
      OutsideCalled.of(incident, now, before.get()).ifPresent(outside -> outside.tell(finding));
    }
    finding.figure(
        "requests in calls, mean",
        times.before(Effect.DOWNSTREAM_WAIT),
        times.during(Effect.DOWNSTREAM_WAIT));
    if (times.excessSeconds(Effect.DOWNSTREAM_WAIT) > 0) {
      Optional<String> taking = fullLoops(incident, before);
      if (taking.isPresent()) {
        finding
            .sum(taking.get())
            .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.DOWNSTREAM_WAIT, 1);
      } else if (mayBeStarved(incident)) {
        finding.supports(Hypothesis.SLOW_DOWNSTREAM);
      } else {
        finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1);
      }
      if (more && taking.isEmpty()) {
        finding.advises(Hypothesis.SLOW_DOWNSTREAM, ONE_CALL);
      }
    }
    return Optional.of(finding.build());
  }

  /**
   * Calls that take longer, and hardly any of it in the service that is called.
   *
   * @param call as the client sees it
   * @param served how long the called service takes, by its own spans
   * @param before whether most of the rest passes before that service begins
   */
  private record OutsideCalled(CallMeters call, CallMeters.Served served, boolean before) {

    static Optional<OutsideCalled> of(MeasuredIncident incident, CallMeters now, CallMeters usual) {
      Timeline timeline = incident.timeline();
      CallMeters.Served then =
          usual
              .served(timeline, incident.baseline().orElseThrow())
              .orElse(new CallMeters.Served(0, 0));
      double grown = now.meanSeconds() - usual.meanSeconds();
      return now.served(timeline, incident.window())
          .filter(one -> one.seconds() - then.seconds() < (1 - Policy.MAJORITY) * grown)
          .map(
              one ->
                  new OutsideCalled(
                      now,
                      one,
                      one.beforeSeconds() - then.beforeSeconds() >= Policy.MAJORITY * grown));
    }

    void tell(FindingBuilder finding) {
      finding
          .figure("of it in the called service, by its spans", Durations.format(served.seconds()))
          .value(SERVED, served.seconds())
          .sum(
              "%s of a call, %s in the called service by its own spans: %s pass %s"
                  .formatted(
                      Durations.format(call.meanSeconds()),
                      Durations.format(served.seconds()),
                      Durations.format(call.meanSeconds() - served.seconds()),
                      before ? "before it begins" : "outside of it"))
          .advises(
              Hypothesis.SLOW_DOWNSTREAM,
              (before
                      ? "calls wait before %1$s takes them up: look at this service's client (connection pool, connects, name lookups), at the network, and at the queue in front of %1$s (accept queue, busy threads); what that service itself does is not slower"
                      : "calls wait outside of %s: look at the network, and at what takes the answers in this service (pauses, event loops, CPU); what that service itself does is not slower")
                  .formatted(call.target()));
    }
  }

  /**
   * Why calls that a client times took no longer, but waited for one of the threads that take their
   * answers: none of these was free, and recorded calls are as long as before; or dumps find all
   * event loops at work, and so many requests passed by them that each held one for less than a
   * call took.
   */
  private static Optional<String> fullLoops(
      MeasuredIncident incident, Optional<CallMeters> before) {
    Optional<String> recorded =
        NeverFreeWorkers.takingAnswers(incident)
            .map(OccupiedWorkers::group)
            .map(
                group ->
                    "no call that is recorded takes longer: the timer ends when one of the threads %s gets to the answer, and none of them was free"
                        .formatted(group));
    double usual = before.map(CallMeters::meanSeconds).orElse(0.0);
    double requests = RequestRate.of(incident, incident.window()).map(Rate::perSecond).orElse(0.0);
    return recorded.or(
        () ->
            incident
                .workerQueue()
                .filter(queue -> queue.role() == WorkerQueue.Role.HANDED)
                .filter(queue -> queue.workers() <= requests * usual)
                .filter(queue -> areLoops(DumpTimes.during(incident), queue.group()))
                .map(
                    queue ->
                        "a request holds one of the %s threads %s for at most %s (%s / %s), less than a call took before: the timer ends when one of them gets to the answer"
                            .formatted(
                                queue.workers(),
                                queue.group(),
                                Durations.format(queue.workers() / requests),
                                queue.workers(),
                                new Rate(requests))));
  }

  private static boolean areLoops(List<ThreadSnapshot> dumps, String group) {
    List<ThreadState> threads =
        dumps.stream().flatMap(dump -> WorkerQueue.group(dump, group).stream()).toList();
    return !threads.isEmpty() && threads.stream().allMatch(one -> one.standing().loop());
  }

  /**
   * Whether more threads are in calls, by all that so few dumps allow, than the load test allows
   * requests in progress before.
   */
  private static boolean grew(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    return times.isBoundBefore(Effect.DOWNSTREAM_WAIT)
        && !mayBeStarved(incident)
        && times
            .inDumps(Effect.DOWNSTREAM_WAIT)
            .filter(seen -> seen.range().low() > times.boundBefore(Effect.DOWNSTREAM_WAIT))
            .isPresent();
  }

  /**
   * Whether cores are a reason why answers come late: the remote host may run on this machine. Not
   * if it has become full and this JVM's threads get CPU at once.
   */
  private static boolean mayBeStarved(Incident incident) {
    return MachineLoad.becameFull(incident)
        && WakeDelay.of(incident.timeline(), incident.window())
            .filter(delay -> !delay.isLate())
            .isEmpty();
  }

  /** Calls below the event threshold; a load test shows how much longer they make a request. */
  static Finding ofRequests(String rule, Incident incident, ShortCalls calls, boolean holdLonger) {
    String under = Durations.format(calls.threshold());
    boolean several = calls.leastCalls() >= Policy.RECURRING;
    FindingBuilder finding =
        Finding.of(
                rule,
                ("a request spends %s more than before in calls that each take less than %s"
                        + " (by samples %s -> %s threads on average)%s")
                    .formatted(
                        Durations.format(calls.perRequest()),
                        under,
                        Numbers.threeDigits(calls.before()),
                        Numbers.threeDigits(calls.during()),
                        inSequence(incident, calls)))
            .value("threadsInShortCalls", calls.during())
            .value("threadsInShortCallsBefore", calls.before())
            .value("perRequestSeconds", Durations.seconds(calls.perRequest()))
            .from(incident.timeline().recorded("jdk.NativeMethodSample"));
    if (several) {
      finding
          .value("leastCallsPerRequest", calls.leastCalls())
          .sum(
              "%s / %s = %s calls or more"
                  .formatted(Durations.format(calls.perRequest()), under, calls.leastCalls()))
          .advises(Hypothesis.SLOW_DOWNSTREAM, FEWER_CALLS);
    }
    if (calls.shareOfUnaccounted() >= Policy.NOTABLE) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, calls.shareOfUnaccounted());
    } else {
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    }
    if (holdLonger) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1);
    }
    return finding.build();
  }

  /**
   * How many calls a request makes: at least as many as fit, or as many as it takes connections
   * from the pool, if each takes one of its own.
   */
  private static String inSequence(Incident incident, ShortCalls calls) {
    double now = acquired(incident, incident.window());
    double before = incident.baseline().map(usual -> acquired(incident, usual)).orElse(0.0);
    if (before > 0 && now >= Math.max(calls.leastCalls(), Policy.CLEARLY_MORE * before)) {
      return ": it obtains a connection %s -> %s times, by the pool's meters"
          .formatted(Numbers.threeDigits(before), Numbers.threeDigits(now));
    }
    return calls.leastCalls() >= Policy.RECURRING
        ? ": at least " + calls.leastCalls() + " of them in sequence"
        : "";
  }

  private static double acquired(Incident incident, Window window) {
    double requests =
        RequestRate.of(incident, window).map(Rate::perSecond).orElse(Double.POSITIVE_INFINITY);
    return PoolMeters.of(incident.timeline())
        .flatMap(meters -> meters.borrows(window))
        .map(taken -> taken.perSecond() / requests)
        .orElse(0.0);
  }

  /**
   * Calls below the threshold of events that grew by more than requests can have.
   *
   * @param holdLonger whether connections are held longer for them
   */
  static Finding ofThreads(String rule, Incident incident, CallGrowth calls, boolean holdLonger) {
    String under = Durations.format(calls.threshold());
    FindingBuilder finding =
        Finding.of(
                rule,
                ("threads in calls that each take less than %s: %s -> %s on average by samples;"
                        + " each %s has more of them, or slower ones")
                    .formatted(
                        under,
                        Numbers.threeDigits(calls.before()),
                        Numbers.threeDigits(calls.during()),
                        holdLonger ? "connection hold" : "request"))
            .value("threadsInShortCalls", calls.during())
            .value("threadsInShortCallsBefore", calls.before())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"))
            .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1);
    Optional<DownstreamCalls> during = DownstreamCalls.of(incident.timeline(), incident.window());
    Optional<DownstreamCalls> before =
        during.flatMap(any -> DownstreamCalls.usual(any.busiest().site().name(), incident));
    // Slower calls would make those longer that are long enough for events.
    boolean asLong = before.isPresent() && during.get().meanSeconds() <= before.get().meanSeconds();
    if (asLong) {
      finding.figure(
          "mean of calls of " + under + " or longer",
          before.map(recorded -> Durations.format(recorded.meanSeconds())),
          Durations.format(during.get().meanSeconds()));
    }
    finding.advises(Hypothesis.SLOW_DOWNSTREAM, asLong ? ONE_CALL : FEWER_CALLS);
    return finding.build();
  }

  /** The same of calls that have not ended: each sample meets one of these threads in a call. */
  static Finding unended(String rule, Incident incident, CallGrowth calls) {
    return Finding.of(
            rule,
            ("threads in calls that no event of %s or longer shows: %s -> %s on average by samples,"
                    + " most of them always in a call: a call that does not end has no event")
                .formatted(
                    Durations.format(calls.threshold()),
                    Numbers.threeDigits(calls.before()),
                    Numbers.threeDigits(calls.during())))
        .value("threadsInUnendedCalls", calls.during())
        .from(incident.timeline().recorded("jdk.NativeMethodSample"))
        .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1)
        .build();
  }

  /** Calls that end by their timeout and so leave no event. */
  static Finding timedOut(String rule, Incident incident, TimedOutReads reads, EffectTimes times) {
    String change =
        reads.before().map(before -> Numbers.threeDigits(before) + " -> ").orElse("")
            + Numbers.threeDigits(reads.during());
    FindingBuilder finding =
        Finding.of(
                rule,
                ("request threads in calls by samples: %s on average, of which events show %s:"
                        + " reads end by their timeout, and such reads have no event on JDK 22 and"
                        + " later")
                    .formatted(change, Numbers.threeDigits(reads.recorded())))
            .brief(change + " threads in calls by samples")
            .value("threadsInCalls", reads.during())
            .value("threadsInCallsBefore", Numbers.of(reads.before(), before -> before))
            .value("threadsInRecordedCalls", reads.recorded())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"));

    if (times.fromDumps().contains(Effect.DOWNSTREAM_WAIT)) {
      // Dumps meet these calls as well, and those that events show are few among them.
      finding.explains(
          Hypothesis.SLOW_DOWNSTREAM,
          Effect.DOWNSTREAM_WAIT,
          1 - reads.recorded() / reads.during());
    } else if (reads.shareOfUnaccounted() >= Policy.NOTABLE) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, reads.shareOfUnaccounted());
    } else {
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    }
    return finding.build();
  }

  private static final String WHOSE_THREADS =
      "take three thread dumps: if the threads that make these calls empty the queue that requests"
          + " wait for, the remote host is it";

  /**
   * Whether calls of threads that serve no request take clearly longer than in the baseline, while
   * requests wait for something unknown: that may be these threads. If the calls are most of what a
   * group does that has no free thread any more, the two are not separated.
   */
  static boolean areOthersLonger(MeasuredIncident incident, FindingBuilder finding) {
    Optional<Station> longer =
        incident.stations().stream()
            .filter(station -> station.kind() == Station.Kind.CALLS && station.effect().isEmpty())
            .filter(station -> station.time() == Station.Moved.MORE)
            .findFirst();
    if (longer.isEmpty() || incident.effects().excessSeconds(Effect.OTHER_WAIT) <= 0) {
      return false;
    }
    Optional<Station> full =
        incident.stations().stream()
            .filter(group -> group.kind() == Station.Kind.WORKERS && group.isNewlyFull())
            .filter(
                group -> longer.get().during().inIt() >= Policy.MAJORITY * group.during().inIt())
            .findFirst();
    String calls = longer.get().inWords();
    finding.brief(calls).sum(calls);
    full.ifPresentOrElse(
        group ->
            finding
                .sum("they fill the threads " + group.inWords())
                .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.OTHER_WAIT, 1)
                .inseparable(
                    Hypothesis.SLOW_DOWNSTREAM, Hypothesis.NATIVE_OR_UNKNOWN, WHOSE_THREADS),
        () -> finding.supports(Hypothesis.SLOW_DOWNSTREAM));
    return true;
  }

  /**
   * Waits for the result of a reactive chain. A request may wait there for an answer, or for a
   * connection before its call has begun, for which no thread waits: the clients' own timers or
   * spans tell which.
   */
  static final class AsyncResults {

    private static final String EXPERIMENT =
        "record the pool's meters (connections in use and threads or subscribers that wait), or the"
            + " client's timers or spans: if its calls take no longer, the requests wait for a"
            + " connection";

    private AsyncResults() {}

    /**
     * Books the time of these waits.
     *
     * @param lost share of it that is lost, 0 to 1
     */
    static void attribute(
        MeasuredIncident incident, DownstreamCalls during, FindingBuilder finding, double lost) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      List<CallMeters> timed = CallMeters.of(timeline, window);
      double inCalls = timed.stream().mapToDouble(CallMeters::inProgress).sum();
      double waiting = during.count() * during.meanSeconds() / window.seconds();
      if (timeline.metrics(MetricMeaning.CALL_SECONDS).isEmpty()) {
        // As long as each other to a hundredth: a time limit ended them, whatever they waited for.
        boolean byLimit =
            DownstreamCalls.spread(timeline, window).orElse(Double.MAX_VALUE) <= 1 + Policy.TAIL;
        finding.sum("a request waits so for an answer, or for a connection before its call");
        if (byLimit) {
          finding.sum(
              "half of them take %s, and 99 %% no longer: a time limit ends them"
                  .formatted(
                      Durations.format(during.busiest().length(Percentiles.MEDIAN / 100.0))));
          finding.supports(Hypothesis.SLOW_DOWNSTREAM).supports(Hypothesis.CONNECTION_LEAK);
        } else {
          finding.explainsEither(
              Hypothesis.SLOW_DOWNSTREAM,
              Hypothesis.CONNECTION_POOL_UNDERSIZED,
              Effect.DOWNSTREAM_WAIT,
              lost,
              EXPERIMENT);
        }
      } else if (inCalls >= Policy.MAJORITY * waiting) {
        finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, lost);
      } else {
        double now = timed.stream().mapToDouble(CallMeters::perSecond).sum();
        double usual =
            incident
                .baseline()
                .map(before -> CallMeters.of(timeline, before))
                .orElse(List.of())
                .stream()
                .mapToDouble(CallMeters::perSecond)
                .sum();
        finding.figure(
            "calls a second, by the client's timers",
            Optional.of(Numbers.threeDigits(usual)),
            Numbers.threeDigits(now));
        finding.sum(
            "%s %s calls a second (before: %s) and %s requests in them: the others wait before their call"
                .formatted(
                    timed.stream().map(CallMeters::how).findFirst().orElse(CallMeters.BY_TIMER),
                    Numbers.threeDigits(now),
                    Numbers.threeDigits(usual),
                    Numbers.threeDigits(inCalls)));
        if (now < (1 - Policy.MAJORITY) * usual) {
          // A pool that is too small hands out as many connections as before.
          finding.explains(Hypothesis.CONNECTION_LEAK, Effect.DOWNSTREAM_WAIT, lost);
        } else {
          finding.supports(Hypothesis.CONNECTION_POOL_UNDERSIZED);
        }
      }
    }
  }
}
