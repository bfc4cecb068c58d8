package io.gcdiag.causes.waits;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.pool.PoolWaitSplit;
import io.gcdiag.causes.workers.StuckThreads;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.OpenedConnections;
import io.gcdiag.measures.ShortCalls;
import io.gcdiag.measures.TimedOutReads;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.measures.requests.AllocatedElsewhere;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.AsyncWaits;
import io.gcdiag.measures.threads.CallGrowth;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Occupancy;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.UnrestedLoops;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Compares the time spent in calls to databases and remote services before and during, by events,
 * by thread dumps where these show what no event does, or by the timers of clients.
 */
public final class DownstreamTimeRule implements CombinedRule {

  @Override
  public List<Rule> sensors() {
    return List.of(new Events(id()), new Meters(id()));
  }

  // Samples see threads that wait to be connected, and dumps calls in progress.
  @Judges(
      value = {Hypothesis.SLOW_DOWNSTREAM, Hypothesis.THREAD_POOL_EXHAUSTED},
      needs = Signal.SOCKET_READS,
      standIns = {Signal.CPU_SAMPLES, Signal.THREAD_DUMPS})
  private record Events(String id) implements Rule {
    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return new DownstreamTimeRule().byEvents(incident);
    }
  }

  @Judges(Hypothesis.SLOW_DOWNSTREAM)
  private record Meters(String id) implements Rule {
    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return CallsWithoutEvents.metered(id, incident).stream().toList();
    }
  }

  /** What requests wait for until a new connection has logged in is no slow answer. */
  private List<Finding> byEvents(MeasuredIncident incident) {
    double opening = OpenedConnections.shareOfCalls(incident, incident.effects());
    return callsByEvents(incident).stream()
        .map(finding -> opening > 0 ? finding.without(Effect.DOWNSTREAM_WAIT, opening) : finding)
        .toList();
  }

  private List<Finding> callsByEvents(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    if (CallMeters.areAlone(timeline)
        && !UserWaits.recorded(timeline, WaitKind.DOWNSTREAM).isEmpty()) {
      // Events have some of the calls, which say nothing beside all of them.
      return List.of();
    }
    Optional<DownstreamCalls> during = DownstreamCalls.of(timeline, incident.window());
    EffectTimes times = incident.effects();
    Optional<TimedOutReads> unrecorded = TimedOutReads.of(incident, times);
    Optional<TimedOutReads> timedOut = unrecorded.filter(TimedOutReads::thrown);
    Optional<ShortCalls> many =
        timedOut.isPresent()
            ? Optional.empty()
            : ShortCalls.of(incident, times)
                .filter(calls -> mostEnd(incident, calls.during() - calls.before()));
    boolean longerHolds = PoolWaitSplit.longerCalls(incident);
    Optional<CallGrowth> more =
        many.isPresent()
            ? Optional.empty()
            : CallGrowth.of(incident)
                .filter(any -> longerHolds || CallGrowth.hidden(incident, incident.window()) > 0);
    List<Finding> findings = new ArrayList<>();
    boolean onlyInDumps = times.isBoundBefore(Effect.DOWNSTREAM_WAIT);
    boolean baseline = incident.baseline().isPresent();
    Optional<Finding> notConnected = NotConnected.of(id(), incident);
    if (notConnected.isPresent()) {
      findings.add(notConnected.get());
    } else if (!timeline.sees(Signal.SOCKET_READS)) {
      return CallsWithoutEvents.unrecorded(id(), incident).stream().toList();
    } else if (timedOut.isPresent()) {
      findings.add(CallsWithoutEvents.timedOut(id(), incident, timedOut.get(), times));
    } else if (more.isPresent()) {
      CallGrowth grown = more.get();
      findings.add(
          mostEnd(incident, grown.during() - grown.before())
              ? CallsWithoutEvents.ofThreads(id(), incident, grown, longerHolds)
              : CallsWithoutEvents.unended(id(), incident, grown));
    } else if (onlyInDumps && (!baseline || during.isEmpty())) {
      CallsWithoutEvents.unrecorded(id(), incident).ifPresent(findings::add);
    } else if (during.isPresent() && !(many.isPresent() && longerHolds)) {
      boolean seen = many.isPresent() || unrecorded.isPresent();
      findings.add(judge(incident, during.get(), times, seen, longerHolds));
    } else if (many.isEmpty() && unrecorded.isEmpty()) {
      findings.addAll(none(incident, times));
    }
    many.ifPresent(
        calls -> findings.add(CallsWithoutEvents.ofRequests(id(), incident, calls, longerHolds)));
    return findings;
  }

  /** A call that does not end is in no event either, and in each sample. */
  private static boolean mostEnd(MeasuredIncident incident, double more) {
    return Math.max(
            StuckThreads.in(DumpTimes.during(incident)).inCalls(),
            UnrestedLoops.usersInCalls(incident.timeline(), incident.window()))
        < Policy.MAJORITY * more;
  }

  static double share(double excess, EffectTimes times) {
    double total = times.totalExcessSeconds();
    return total > 0 ? excess / total : 0;
  }

  /**
   * No call was long enough to be recorded. Short calls are cleared, unless borrowers queued or the
   * clients in use never record calls. Calls below the threshold can still fill a pool or hold a
   * lock.
   */
  private List<Finding> none(MeasuredIncident incident, EffectTimes times) {
    Timeline timeline = incident.timeline();
    Optional<WaitSeries> any = timeline.waits().stream().findFirst();
    if (any.isEmpty()) {
      return List.of();
    }
    // More than a little of the lost time is explained elsewhere, such as by idle connections.
    double excess = share(times.excessSeconds(Effect.DOWNSTREAM_WAIT), times);
    Optional<String> timedOut = TimedOutReads.amongExceptions(timeline);
    String unseen =
        timedOut
            .map(many -> "that time out (" + many + ")")
            .orElseGet(() -> AsyncWaits.unseen(timeline, incident.window()));
    FindingBuilder finding =
        Finding.of(
                id(),
                "no call%s of request threads to a database or service in the window%s"
                    .formatted(
                        limit(timeline),
                        unseen.isEmpty() ? "" : "; those " + unseen + " are not recorded"))
            .brief(
                "no call"
                    + timeline.coverage().of(Signal.SOCKET_READS).shortest()
                    + (CallThreads.areFelt(times) && excess < Policy.NOTABLE
                        ? ", " + CallThreads.brief(times)
                        : ""))
            .value("calls", 0)
            .from(timeline.recorded("jdk.SocketRead"));
    if (timedOut.isPresent()
        && incident.baseline().flatMap(usual -> DownstreamCalls.of(timeline, usual)).isPresent()) {
      // They did not end, or they would be recorded as those before are.
      return List.of(
          finding
              .brief("no call ends by an answer any more: " + timedOut.get())
              .supports(Hypothesis.SLOW_DOWNSTREAM)
              .build());
    }
    if (!unseen.isEmpty() && mayBeLong(incident, times)) {
      return List.of(finding.leavesOpen(Hypothesis.SLOW_DOWNSTREAM).build());
    }
    if (CallsWithoutEvents.areOthersLonger(incident, finding)) {
      return List.of(finding.build());
    }
    // What another thread of a client waits for is a latch or a condition to who called it.
    boolean clients =
        !AsyncWaits.clients(timeline).isEmpty()
            || share(times.excessSeconds(Effect.OTHER_WAIT), times) >= Policy.MAJORITY;
    return List.of(
        (clients
                ? finding.accompanies(Hypothesis.SLOW_DOWNSTREAM)
                : finding.contradicts(
                    Hypothesis.SLOW_DOWNSTREAM,
                    times.during(Effect.POOL_WAIT) <= 0 && !keepLocks(incident)))
            .build());
  }

  /** Whether requests can have lost a delay that is felt where nothing recorded shows it. */
  private static boolean mayBeLong(MeasuredIncident incident, EffectTimes times) {
    Window window = incident.window();
    return !incident.timeline().areRequestsMeasured()
        || RequestRate.of(incident.timeline(), window)
            .map(
                rate ->
                    times.excessSeconds(Effect.UNACCOUNTED) / window.seconds() / rate.perSecond())
            .filter(each -> !LoadTestDelays.isFelt(each, 0))
            .isEmpty();
  }

  /** Owners of locks that sleep may do so until the other side takes what they send. */
  private static boolean keepLocks(Incident incident) {
    return OwnersTime.of(incident)
        .filter(
            owners ->
                owners.share(WaitKind.DOWNSTREAM) >= Policy.NEGLIGIBLE
                    || owners.share(WaitKind.SLEEP) >= Policy.MAJORITY)
        .isPresent();
  }

  private Finding judge(
      MeasuredIncident incident,
      DownstreamCalls during,
      EffectTimes times,
      boolean moreUnrecorded,
      boolean longerHolds) {
    FindingBuilder finding = figures(incident, during, times);
    boolean known = before(incident, during).isPresent();
    double inflation = DownstreamCalls.inflation(incident);
    boolean longer = inflation > 1 || longerHolds;
    boolean mayBeOfJobs = CallThreads.mayBeNoRequests(incident, during.busiest().site().name());
    boolean mayBeNew = !longerHolds && DownstreamCalls.mayBeNew(incident);
    boolean slower = areSlower(incident, times, longer) && !mayBeOfJobs && !mayBeNew;
    double lost = slower ? 1 : DownstreamCalls.randomShare(incident);
    double stopped = stoppedByQuota(incident, during, inflation);
    boolean moreRequests = !longer && !times.areCallsMore() && mayBeMoreRequests(incident, during);
    boolean explains = lost > 0 && !(moreRequests && stopped <= 0);
    finding.brief(
        (explains || areClearlyLonger(incident, during)) && CallThreads.areFelt(times)
            ? CallThreads.brief(times)
            : known
                ? (longer ? "" : "calls take no longer: ") + "mean " + lengths(incident, during)
                : (moreRequests ? "more requests make more calls: " : "")
                    + "%s, %s each".formatted(CallThreads.brief(times), lengths(incident, during)));
    boolean comparable = incident.baseline().isPresent();
    if (explains) {
      attribute(incident, during, finding, lost, stopped, moreRequests);
    } else if (mayBeOfJobs) {
      finding
          .sum(
              "no thread that makes them is known to serve requests, and they were not made before:"
                  + " a job that began makes them as well")
          .supports(Hypothesis.SLOW_DOWNSTREAM);
    } else if (mayBeNew) {
      finding
          .sum(
              "no sample of threads and no count of requests shows whether the calls of before were"
                  + " shorter or were not made: requests may have begun")
          .supports(Hypothesis.SLOW_DOWNSTREAM);
    } else if (moreRequests
        && !incident.timeline().areRequestsMeasured()
        && share(times.excessSeconds(Effect.DOWNSTREAM_WAIT), times) > Policy.MAJORITY) {
      // Each as long as before: more requests make them, or each makes more.
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    } else if (comparable && !moreUnrecorded && (known || !areLong(incident, during))) {
      finding.contradicts(Hypothesis.SLOW_DOWNSTREAM, !mayBeMoreEach(incident, times));
    } else if (!comparable && times.during(Effect.DOWNSTREAM_WAIT) >= Policy.LEAST_THREADS_FELT) {
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    }
    return finding.build();
  }

  /** The calls in figures, without what follows from them. */
  private FindingBuilder figures(
      MeasuredIncident incident, DownstreamCalls during, EffectTimes times) {
    FindingBuilder finding = Finding.of(id(), sentence(incident, during, times));
    Optional<DownstreamCalls> before = before(incident, during);
    if (times.areCallsMore() && before.isPresent() && !areClearlyLonger(incident, during)) {
      moreEach(incident, finding);
    }
    if (before.isPresent() && times.fromDumps().contains(Effect.DOWNSTREAM_WAIT)) {
      moreInDumps(incident, during, finding);
    }
    finding
        .figure(
            "request threads in calls, mean",
            times.before(Effect.DOWNSTREAM_WAIT),
            times.during(Effect.DOWNSTREAM_WAIT))
        .sum(sum(incident, during))
        .value("calls", during.count())
        .value("meanCallSeconds", during.meanSeconds())
        .value("threadsDuring", times.during(Effect.DOWNSTREAM_WAIT))
        .value("threadsBefore", times.before(Effect.DOWNSTREAM_WAIT))
        .value("shareOfExcess", share(times.excessSeconds(Effect.DOWNSTREAM_WAIT), times))
        .from(during.source());
    before.ifPresent(
        usual ->
            finding
                .value("busiestMeanCallSeconds", now(incident, during).meanSeconds())
                .value("busiestMeanCallBeforeSeconds", usual.meanSeconds()));
    return finding.figure(
        CallThreads.meanCall(
            during.busiest().site().label(),
            incident.timeline().coverage().of(Signal.SOCKET_READS).shortest()),
        before.map(DownstreamTimeRule::length),
        length(now(incident, during)));
  }

  /** Whether requests lose time in calls: these take longer, or there are more of them. */
  private static boolean areSlower(MeasuredIncident incident, EffectTimes times, boolean longer) {
    boolean queue =
        incident
            .workerQueue()
            .filter(behind -> OccupiedWorkers.areKeptLonger(incident, behind.group()))
            .isPresent();
    return longer
        || queue
        || times.areCallsMore()
        || incident.baseline().isPresent()
            && share(times.excessSeconds(Effect.DOWNSTREAM_WAIT), times) >= Policy.NOTABLE;
  }

  /**
   * Books the time that requests lose in calls.
   *
   * @param lost share of the time in calls that is lost, 0 to 1
   * @param stopped share of that which a CPU quota stopped, 0 to 1
   */
  private static void attribute(
      MeasuredIncident incident,
      DownstreamCalls during,
      FindingBuilder finding,
      double lost,
      double stopped,
      boolean moreRequests) {
    if (isStarvedNeighbour(incident, during)) {
      finding.passes(
          Effect.DOWNSTREAM_WAIT,
          Effect.CPU_QUEUE,
          lost,
          "the downstream service runs on this machine, whose cores were full: it is slow because"
              + " it waits for CPU");
      return;
    }
    if (!moreRequests && stopped == 0 && DownstreamCalls.isForResult(during.busiest())) {
      CallsWithoutEvents.AsyncResults.attribute(incident, during, finding, lost);
      return;
    }
    if (!moreRequests && AnsweredHere.forced(incident, during).isPresent()) {
      return;
    }
    Optional<String> here = AnsweredHere.byOneThread(incident, during);
    here.ifPresent(
        words ->
            finding
                .sum(words)
                .advises(Hypothesis.THREAD_POOL_EXHAUSTED, AnsweredHere.MORE_THREADS));
    if (!moreRequests) {
      finding.explains(
          here.isPresent() ? Hypothesis.THREAD_POOL_EXHAUSTED : Hypothesis.SLOW_DOWNSTREAM,
          Effect.DOWNSTREAM_WAIT,
          lost * (1 - stopped));
    }
    finding.passes(
        Effect.DOWNSTREAM_WAIT,
        Effect.THROTTLED,
        lost * stopped,
        "a thread that the CPU quota stops in a call gets its answer when it may run again");
  }

  /** Calls of which the baseline, too, would have shown some if they had been as long. */
  private static boolean areLong(Incident incident, DownstreamCalls during) {
    Duration least = incident.timeline().threshold(Signal.SOCKET_READS).orElse(Duration.ZERO);
    return now(incident, during).meanSeconds() >= Policy.CLEARLY_MORE * Durations.seconds(least);
  }

  /** More calls for each request, of the length of before: not they are slow, they are too many. */
  private static void moreEach(Incident incident, FindingBuilder finding) {
    Window window = incident.window();
    Window usual = incident.baseline().orElseThrow();
    Optional<String> usually = perRequest(incident, usual);
    if (usually.isPresent() && RequestRate.isKnownOverTime(incident.timeline())) {
      boolean all = incident.timeline().coverage().of(Signal.SOCKET_READS).note().isEmpty();
      finding.figure(
          (all ? "" : "recorded ") + "calls per request",
          usually,
          perRequest(incident, window).orElse(""));
    } else {
      finding.figure("calls a second", incident, one -> perSecond(incident.timeline(), one));
      AllocatedElsewhere.of(incident, Activity.CALLING)
          .filter(any -> RequestRate.of(incident, window).isEmpty())
          .ifPresent(
              requests ->
                  finding
                      .figure(
                          "allocated a second by the requests that make them, elsewhere",
                          Optional.of(Bytes.of(Math.round(requests.before())).toString()),
                          Bytes.of(Math.round(requests.during())).toString())
                      .from(requests.source()));
    }
    finding.advises(Hypothesis.SLOW_DOWNSTREAM, CallsWithoutEvents.ONE_CALL);
  }

  /**
   * The same by dumps, where events have the longest calls only: so many of those at least. They
   * are of a client whose calls no event of a socket shows, so that both know them by its name.
   */
  private static void moreInDumps(
      MeasuredIncident incident, DownstreamCalls during, FindingBuilder finding) {
    EffectTimes times = incident.effects();
    double now =
        each(
            times.during(Effect.DOWNSTREAM_WAIT),
            incident.window(),
            now(incident, during),
            incident);
    double before =
        each(
            times.before(Effect.DOWNSTREAM_WAIT).orElse(0),
            incident.baseline().orElseThrow(),
            before(incident, during).orElseThrow(),
            incident);
    // Calls that never end are in no event, and there need not be more of them.
    if (now >= Math.max(Policy.RECURRING, Policy.CLEARLY_MORE * before)
        && times
            .sites(Effect.DOWNSTREAM_WAIT, incident.window())
            .containsKey(during.busiest().site().name())
        && mostEnd(incident, times.during(Effect.DOWNSTREAM_WAIT))) {
      finding
          .figure(
              "calls per request, each as long as those recorded",
              Optional.of(Numbers.threeDigits(before)),
              "at least " + Numbers.threeDigits(now))
          .advises(Hypothesis.SLOW_DOWNSTREAM, CallsWithoutEvents.ONE_CALL);
    }
  }

  /** Threads in calls / requests a second / mean of the recorded calls; 0 if a rate is unknown. */
  private static double each(
      double threads, Window window, DownstreamCalls calls, MeasuredIncident incident) {
    return incident
        .timeline()
        .requestsOfSpan()
        .flatMap(series -> series.rate(window))
        .map(rate -> threads / rate.perSecond() / calls.meanSeconds())
        .orElse(0.0);
  }

  private static String perSecond(Timeline timeline, Window window) {
    return occupancy(timeline, window)
        .map(calls -> Numbers.threeDigits(calls.perSecond()))
        .orElse("0");
  }

  /** Whether there may be more requests: nothing counts them, and a call takes no longer. */
  private static boolean mayBeMoreRequests(Incident incident, DownstreamCalls during) {
    return RequestRate.of(incident.timeline(), incident.window()).isEmpty()
        && before(incident, during).isPresent()
        && !areClearlyLonger(incident, during);
  }

  /**
   * Whether each request may make more calls: there are more of them, and nothing says how many
   * requests there are.
   */
  private static boolean mayBeMoreEach(Incident incident, EffectTimes times) {
    return RequestRate.of(incident.timeline(), incident.window()).isEmpty()
        && CallThreads.areFelt(times)
        && times.before(Effect.DOWNSTREAM_WAIT).isPresent()
        && times.during(Effect.DOWNSTREAM_WAIT)
            >= Policy.CLEARLY_MORE * times.before(Effect.DOWNSTREAM_WAIT).getAsDouble();
  }

  /** How many threads are in calls, and where the rate of each window is known, per request. */
  private static String sum(Incident incident, DownstreamCalls during) {
    Timeline timeline = incident.timeline();
    String threads =
        Occupancy.sum(
                incident,
                window -> occupancy(timeline, window),
                "calls" + limit(timeline) + ", most to " + during.busiest().site().label(),
                "threads in calls, with what is outside the window or in GC pauses")
            .orElse("");
    return threads + perRequest(incident).map(calls -> "; " + calls).orElse("");
  }

  private static Optional<Occupancy> occupancy(Timeline timeline, Window window) {
    return DownstreamCalls.of(timeline, window)
        .flatMap(calls -> Occupancy.of(calls.count(), calls.count() * calls.meanSeconds(), window));
  }

  private static Optional<String> perRequest(Incident incident) {
    if (!RequestRate.isKnownOverTime(incident.timeline())) {
      return Optional.empty();
    }
    String before =
        incident
            .baseline()
            .flatMap(window -> perRequest(incident, window))
            .map(calls -> calls + " -> ")
            .orElse("");
    return perRequest(incident, incident.window())
        .map(calls -> before + calls + (calls.equals("1") ? " call" : " calls") + " per request");
  }

  private static Optional<String> perRequest(Incident incident, Window window) {
    return RequestRate.of(incident, window)
        .flatMap(
            rate ->
                occupancy(incident.timeline(), window)
                    .map(calls -> Numbers.threeDigits(calls.perSecond() / rate.perSecond())));
  }

  private static String sentence(Incident incident, DownstreamCalls during, EffectTimes times) {
    String remote = during.busiest().site().name();
    String longer = DownstreamCalls.inflation(incident) > 1 ? longer(incident, remote) : "";
    String change = CallThreads.change(times);
    double borrowing = times.during(Effect.POOL_WAIT);
    boolean dumps = times.fromDumps().contains(Effect.DOWNSTREAM_WAIT);
    return "request threads in calls"
        + (dumps ? " of any length, by thread dumps," : limit(incident.timeline()))
        + (isOnly(remote, incident) ? " to " : ", most to ")
        + during.busiest().site().label()
        + ": "
        + change
        + (isOnly(remote, incident) || dumps ? "" : there(incident, during, times))
        + (borrowing >= Policy.LEAST_THREADS_NAMED
            ? ", against " + Numbers.threeDigits(borrowing) + " waiting for a connection"
            : "")
        + (times.during(Effect.STOPPED) >= Policy.LEAST_THREADS_NAMED && !dumps
            ? ", pause time subtracted"
            : "")
        + longer;
  }

  /** What clears the busiest remote host: its calls take no longer than before. */
  private static String lengths(Incident incident, DownstreamCalls during) {
    return before(incident, during).map(calls -> length(calls) + " -> ").orElse("")
        + length(now(incident, during));
  }

  static boolean areClearlyLonger(Incident incident, DownstreamCalls during) {
    double now = now(incident, during).meanSeconds();
    return before(incident, during)
        .filter(calls -> now >= Policy.CLEARLY_MORE * calls.meanSeconds())
        .isPresent();
  }

  static Optional<DownstreamCalls> before(Incident incident, DownstreamCalls during) {
    return DownstreamCalls.usual(during.busiest().site().name(), incident);
  }

  static DownstreamCalls now(Incident incident, DownstreamCalls during) {
    String remote = during.busiest().site().name();
    return DownstreamCalls.to(remote, incident.timeline(), incident.window()).orElse(during);
  }

  /** Threads in calls to the busiest remote host alone, where there are others; by a baseline. */
  private static String there(Incident incident, DownstreamCalls during, EffectTimes times) {
    String label = during.busiest().site().label();
    return incident
        .baseline()
        .map(baseline -> times.sites(Effect.DOWNSTREAM_WAIT, baseline).getOrDefault(label, 0.0))
        .map(
            before ->
                " (to that host %s -> %s)"
                    .formatted(
                        Numbers.threeDigits(before),
                        Numbers.threeDigits(
                            times
                                .sites(Effect.DOWNSTREAM_WAIT, incident.window())
                                .getOrDefault(label, 0.0))))
        .orElse("");
  }

  /** Whether neither the incident nor the baseline has calls to any other host. */
  private static boolean isOnly(String remote, Incident incident) {
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    return UserWaits.of(incident.timeline(), WaitKind.DOWNSTREAM).stream()
        .filter(
            one ->
                one.within(window).count() > 0
                    || baseline.filter(before -> one.within(before).count() > 0).isPresent())
        .allMatch(one -> one.site().name().equals(remote));
  }

  /** How long a call to that remote host takes, now and in the baseline. */
  private static String longer(Incident incident, String remote) {
    Timeline timeline = incident.timeline();
    Optional<DownstreamCalls> usual =
        incident.baseline().flatMap(baseline -> DownstreamCalls.to(remote, timeline, baseline));
    return DownstreamCalls.to(remote, timeline, incident.window())
        .map(DownstreamTimeRule::length)
        .map(
            now ->
                usual
                    .map(calls -> length(calls) + " -> " + now)
                    .orElse(now + ", none recorded before"))
        .map(change -> "; mean call " + change)
        .orElse("");
  }

  private static String length(DownstreamCalls calls) {
    return Durations.format(calls.meanSeconds());
  }

  private static String limit(Timeline timeline) {
    return timeline.coverage().of(Signal.SOCKET_READS).limit();
  }

  /**
   * Upper bound on the share of the added call time that CPU quota throttling explains, 0 to 1. A
   * thread is throttled only while it runs, so each call waits for at most the throttled time of
   * one period.
   *
   * @param inflation how many times longer calls are than in the baseline; 1 if that is not known
   */
  private static double stoppedByQuota(Incident incident, DownstreamCalls calls, double inflation) {
    Timeline timeline = incident.timeline();
    double stopped = Throttling.shareStopped(timeline, incident.window());
    double added = stopped * Durations.seconds(Throttling.period(timeline));
    double longer = calls.meanSeconds() * (inflation > 1 ? 1 - 1 / inflation : 1);
    return longer > 0 ? Math.min(1, added / longer) : 0;
  }

  /** A machine that was as full in the baseline does not explain what changed. */
  private static boolean isStarvedNeighbour(Incident incident, DownstreamCalls calls) {
    String name = calls.busiest().site().name();
    boolean here =
        Stream.of("localhost", "127.", "::1", "0:0:0:0:0:0:0:1").anyMatch(name::startsWith);
    return here && MachineLoad.becameFull(incident) && !DownstreamCalls.areSlowedAlike(incident);
  }

  /** How many request threads are in downstream calls, in words. */
  private static final class CallThreads {

    /** Whether they are more than print as none: others may wait for what fewer hold. */
    static boolean areFelt(EffectTimes times) {
      return times.during(Effect.DOWNSTREAM_WAIT) >= Policy.LEAST_THREADS_NAMED;
    }

    /**
     * Whether calls that the baseline does not have may be a job's that began: no load test shows
     * requests, and no thread that makes them is known to serve or to answer any.
     */
    static boolean mayBeNoRequests(Incident incident, String remote) {
      return incident.baseline().isPresent()
          && RequestRate.of(incident.timeline(), incident.window()).isEmpty()
          && incident.timeline().samples(AnsweringGroup.class).isEmpty()
          && UserWaits.of(incident.timeline(), WaitKind.DOWNSTREAM).stream()
              .noneMatch(calls -> calls.site().onRequestThread())
          && DownstreamCalls.areNew(incident, remote);
    }

    /** {@code 0.27 -> 6.8 on average}. */
    static String change(EffectTimes times) {
      boolean unknown = areFelt(times) && times.before(Effect.DOWNSTREAM_WAIT).isEmpty();
      return threads(times) + " on average" + (unknown ? "; their normal duration is unknown" : "");
    }

    /** {@code 0.27 -> 6.8 threads in calls (mean)}. */
    static String brief(EffectTimes times) {
      return threads(times) + " threads in calls (mean)";
    }

    private static String threads(EffectTimes times) {
      OptionalDouble before = times.before(Effect.DOWNSTREAM_WAIT);
      return areFelt(times)
          ? (before.isPresent() ? Numbers.threeDigits(before.getAsDouble()) + " -> " : "")
              + Numbers.threeDigits(times.during(Effect.DOWNSTREAM_WAIT))
          : "less than " + Policy.LEAST_THREADS_NAMED;
    }

    /**
     * The host itself answers lookups and random numbers: these are no calls to a service.
     *
     * @param limit from which length on they were recorded, which a mean of them depends on
     */
    static String meanCall(String label, String limit) {
      boolean own = HostService.isLookup(label) || HostService.isRandom(label);
      return (own ? "mean wait" + limit + ", " : "mean call" + limit + " to ") + label;
    }
  }

  /** The finding that threads wait to be connected to a remote host, or for its address. */
  private static final class NotConnected {

    private static final String ADVICE =
        "check whether the remote host is up and accepts connections (backlog, firewall, DNS name):"
            + " an unanswered connect costs each request the whole timeout; shorten the timeout,"
            + " and stop calling for a while after one";

    /** Absent where most of the time in calls is lost waiting for answers. */
    static Optional<Finding> of(String rule, MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      EffectTimes times = incident.effects();
      boolean byDumps = times.fromDumps().contains(Effect.DOWNSTREAM_WAIT);
      double now =
          byDumps ? ConnectWaits.inDumps(incident) : ConnectWaits.of(timeline).threads(window);
      double usual =
          byDumps
              ? 0
              : incident
                  .baseline()
                  .map(baseline -> ConnectWaits.of(timeline).threads(baseline))
                  .orElse(0.0);
      double lost = times.excessSeconds(Effect.DOWNSTREAM_WAIT) / window.seconds();
      if (now - usual < Policy.FEWEST_QUEUED || now - usual < Policy.MAJORITY * lost) {
        return Optional.empty();
      }
      String where =
          times.sites(Effect.DOWNSTREAM_WAIT, window).entrySet().stream()
              .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
              .map(site -> ", most in " + site.getKey())
              .orElse("");
      FindingBuilder finding =
          Finding.of(
                  rule,
                  ("threads wait in connect or in a host lookup: %s on average %s%s%s; no event"
                          + " names the remote host")
                      .formatted(
                          Numbers.threeDigits(now),
                          byDumps ? "in thread dumps" : "by samples",
                          byDumps || incident.baseline().isEmpty()
                              ? ""
                              : ", against " + Numbers.threeDigits(usual) + " in the baseline",
                          where))
              .value("threadsNotConnected", now)
              .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1)
              .advises(Hypothesis.SLOW_DOWNSTREAM, ADVICE);
      return Optional.of(
          byDumps
              ? finding
                  .from(timeline.dumps(window).stream().map(dump -> dump.source()).toList())
                  .build()
              : finding.from(timeline.recorded("jdk.NativeMethodSample")).build());
    }
  }
}
