package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.threads.AsyncWaits;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks where requests of asynchronous clients wait, which keep no thread of this JVM busy. By a
 * recording: the load test shows all requests waiting, no recorded thread waits, the event loops
 * are idle and the cores free. What remains is a limit on the calls in progress, of the pool or of
 * the downstream service. By thread dumps: requests wait for a future that no thread works on.
 */
@Judges(
    value = {Hypothesis.CONNECTION_POOL_UNDERSIZED, Hypothesis.SLOW_DOWNSTREAM},
    needs = Signal.THREAD_PARKS,
    standIns = Signal.THREAD_DUMPS)
final class AsyncQueueRule implements Rule {

  private static final String FIND_IT =
      "check the latency of each downstream service (the client's timers, or the service's): no"
          + " event names the one that an asynchronous client waits for";

  private static final String EXPERIMENT =
      "record the pool's meters with the next load test (r2dbc_pool_pending_connections,"
          + " vertx_pool_queue_pending, reactor_netty_connection_provider_pending_connections or"
          + " similar), or double the pool alone: if the waiting stays, the downstream service is"
          + " slow";

  private static final String CLIENT_EXPERIMENT =
      "have the service time its calls of others (its client's timers or a log line before and after"
          + " each): if they take as long as before, look for a timer or a queue of its own";

  private static final String RAISE_LIMIT =
      "raise the client's limit of calls at a time for this host to request rate x time of a call,"
          + " and some more (OkHttp: maxRequestsPerHost of its Dispatcher, 5 unless set; others:"
          + " connections for each host)";

  /** What a thread parks on in {@code CompletableFuture.get} and {@code join}. */
  private static final String FUTURE = "java.util.concurrent.CompletableFuture$Signaller";

  /**
   * Clients that open a connection for each call that finds none idle, so that no call queues
   * before them: {@code jdk.internal.net.http.ConnectionPool} keeps only idle ones; AsyncHttpClient
   * has no limit unless {@code maxConnections} is set, and then fails the call or waits in the
   * calling thread, not in the future.
   */
  private static final Set<String> UNLIMITED = Set.of("JDK HttpClient", "AsyncHttpClient");

  /** HotSpot's thread that writes dumps to files, and so is running in each of them. */
  private static final String DUMPER = "Attach Listener";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    Optional<Finding> capped = capped(incident);
    return Stream.of(capped.or(() -> queued(incident)), awaited(incident))
        .flatMap(Optional::stream)
        .toList();
  }

  /** By the calls that are recorded: always as many at a time, while more requests wait. */
  private Optional<Finding> capped(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    boolean unseen =
        times.excessSeconds(Effect.UNACCOUNTED) >= Policy.MAJORITY * times.totalExcessSeconds();
    return !incident.timeline().sees(Signal.THREAD_PARKS) || !unseen
        ? Optional.empty()
        : CappedCalls.of(incident).map(calls -> limited(incident, calls));
  }

  private Finding limited(MeasuredIncident incident, CappedCalls calls) {
    double inSystem = incident.requests().orElseThrow().inSystem();
    FindingBuilder finding =
        Finding.of(
                id(),
                ("%s calls to %s are in progress in each second and never more, while %s requests"
                        + " are in the service, most of their time in no recorded wait: the client"
                        + " lets no more run at a time")
                    .formatted(
                        calls.limit(), calls.remote().label(), Numbers.threeDigits(inSystem)))
            .brief(
                "%s calls at a time, never more, for %s requests"
                    .formatted(calls.limit(), Numbers.threeDigits(inSystem)))
            .figure(
                "calls in progress to " + calls.remote().label(),
                Optional.of(Numbers.threeDigits(calls.before().inProgress())),
                Numbers.threeDigits(calls.during().inProgress()))
            .figure(
                "mean call",
                Optional.of(Durations.format(Durations.ofSeconds(calls.before().seconds()))),
                Durations.format(Durations.ofSeconds(calls.during().seconds())))
            .sum(
                "%s/s x %s = %s calls in progress"
                    .formatted(
                        Numbers.threeDigits(calls.during().perSecond()),
                        Durations.format(Durations.ofSeconds(calls.during().seconds())),
                        Numbers.threeDigits(calls.during().inProgress())))
            .value("limit", calls.limit())
            .value("requestsInSystem", inSystem)
            .from(incident.timeline().recorded("jdk.SocketRead"));
    return calls.areLonger()
        ? finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, 1).build()
        : finding
            .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED, 1)
            .advises(Hypothesis.CONNECTION_POOL_UNDERSIZED, RAISE_LIMIT)
            .build();
  }

  private Optional<Finding> queued(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<RequestStats> requests =
        TestedRequests.ofIncident(incident).filter(LoadTestDelays::everybodyWaits);
    Optional<Rate> rate = RequestRate.of(timeline, window);
    EffectTimes times = incident.effects();
    boolean unseen =
        times.excessSeconds(Effect.UNACCOUNTED)
            >= (1 - Policy.SUBSTANTIAL) * times.totalExcessSeconds();
    Optional<AsyncWaits> async =
        AsyncWaits.of(timeline, window)
            .or(() -> AsyncWaits.ofUnknown(timeline, window))
            .filter(waits -> waits.idle() >= Policy.MAJORITY);
    // The absence of waiting threads is evidence only if their waits would have been recorded.
    return timeline.sees(Signal.THREAD_PARKS)
            && requests.isPresent()
            && rate.isPresent()
            && unseen
            && async.isPresent()
            // A waiting virtual thread keeps no platform thread waiting, even at a lock.
            && timeline.samples(VirtualThreadUse.class).isEmpty()
            // Cores that were as full in the baseline are not what changed.
            && !MachineLoad.becameFull(incident)
            && OccupiedWorkers.of(incident).isEmpty()
            && QueueBeforeGroup.singles(incident).isEmpty()
        ? queue(incident, requests.get(), rate.get(), async.get())
        : Optional.empty();
  }

  private Optional<Finding> queue(
      Incident incident, RequestStats requests, Rate rate, AsyncWaits async) {
    Duration shortest = requests.shortest().orElseThrow();
    Duration median = requests.percentile(50).orElseThrow();
    double underWay = rate.perSecond() * Durations.seconds(shortest);
    boolean atOnce = isLongAtOnce(incident);
    boolean alike = atOnce || allAlike(incident, requests, median, shortest);
    boolean known = !async.clients().isEmpty();
    if (!known && !alike) {
      // A queue may stand before this service as well.
      return Optional.empty();
    }
    String why =
        alike
            ? (atOnce
                    ? "they do so from one second to the next, faster than a queue grows"
                    : "all wait for about the same time, unlike in a queue")
                + (known
                    ? ", so the service behind an asynchronous client (%s) takes that long"
                    : ", so what the event loop waits for (the answer of another service, a timer)"
                        + " takes that long")
            : "they queue where no thread waits, in an asynchronous client (%s) or at the service"
                + " behind it";
    String stated =
        ("half of the requests take %s or longer, the shortest %s, while no thread waits and the"
                + " event loops are idle %s of the time: %s")
            .formatted(
                Durations.format(median),
                Durations.format(shortest),
                new Ratio(async.idle()),
                why.formatted(async.clients()));
    FindingBuilder finding =
        Finding.of(id(), stated)
            .sum(
                "requests in progress if each took as long as the shortest: %s x %s = %s"
                    .formatted(rate, Durations.format(shortest), Numbers.decimals(underWay, 1)))
            .value("underWay", underWay)
            .value("shortestSeconds", Durations.seconds(shortest))
            .value("idleShare", async.idle())
            .from(requests.source())
            .from(async.source());
    if (!known) {
      finding.inseparable(
          Hypothesis.SLOW_DOWNSTREAM, Hypothesis.NATIVE_OR_UNKNOWN, CLIENT_EXPERIMENT);
    }
    return Optional.of(
        alike
            ? finding
                .weakens(Hypothesis.CONNECTION_POOL_UNDERSIZED)
                .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, 1)
                .advises(Hypothesis.SLOW_DOWNSTREAM, FIND_IT)
                .build()
            : either(finding, 1).build());
  }

  /**
   * Whether all waiting requests wait about equally long. A load generator that stops sending while
   * its users wait keeps the queue at one length, so only a generator known to keep sending counts:
   * it says so, or it sends as many requests as before although they take far longer.
   */
  private static boolean allAlike(
      Incident incident, RequestStats requests, Duration median, Duration shortest) {
    // Of several outputs of one run, one may have the sending mode and another the measurements.
    List<RequestStats> outputs = incident.timeline().requests().stats();
    boolean open =
        outputs.stream().anyMatch(one -> one.model().equals(Optional.of(LoadModel.OPEN)))
            && outputs.stream().allMatch(one -> one.dropped().orElse(0) == 0);
    return (open || sendsAsBefore(incident))
        && requests
            .percentile(Percentiles.NINE_OF_TEN)
            .filter(
                most ->
                    Durations.seconds(most.minus(median))
                        < Policy.SUBSTANTIAL * Durations.seconds(median.minus(shortest)))
            .isPresent();
  }

  /**
   * Whether the latency rises from one second to the next at the start of an incident by clearly
   * more than a growing queue adds in a second.
   */
  private static boolean isLongAtOnce(Incident incident) {
    Window window = incident.window();
    double usual = incident.baseline().map(before -> median(incident, before)).orElse(0.0);
    double jump = 0;
    double first = usual;
    // Edges of windows are accurate to a few seconds.
    for (int i = -Policy.RECURRING; i < Policy.RECURRING; i++) {
      double now = median(incident, second(window, i));
      jump = Math.max(jump, now - median(incident, second(window, i - 1)));
      first = now;
    }
    double last = median(incident, second(window, (int) window.seconds() - 1));
    double grows = Math.max(0, last - first) / (window.seconds() - Policy.RECURRING);
    return usual > 0
        && sendsAsBefore(incident)
        && LoadTestDelays.isManyTimes(jump, usual)
        && jump >= Policy.RECURRING * grows;
  }

  private static Window second(Window window, int number) {
    Instant from = window.from().plusSeconds(number);
    return new Window(from, from.plusSeconds(1));
  }

  /** Mean latency of a part of the load test, in seconds; 0 if unknown. */
  private static double median(Incident incident, Window part) {
    return incident
        .timeline()
        .requestsOfSpan()
        .flatMap(series -> series.within(part).latencies().percentile(Percentiles.MEDIAN))
        .map(median -> Durations.seconds(median.atLeast()))
        .orElse(0.0);
  }

  private static boolean sendsAsBefore(Incident incident) {
    Optional<RequestSeries> sent = incident.timeline().requestsOfSpan();
    Optional<Rate> now = sent.flatMap(series -> series.rate(incident.window()));
    Optional<Rate> usual =
        incident.baseline().flatMap(baseline -> sent.flatMap(series -> series.rate(baseline)));
    return now.isPresent()
        && usual.isPresent()
        && now.get().perSecond() >= (1 - Policy.NEGLIGIBLE) * usual.get().perSecond();
  }

  /**
   * By thread dumps: requests wait for a future that no thread of the JVM works on, so the answer
   * comes from outside. Neither such calls nor a virtual thread's wait for them have an event.
   */
  private Optional<Finding> awaited(MeasuredIncident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> found =
        dumps.stream().filter(AsyncQueueRule::isForAnswersFromOutside).toList();
    return !DumpTimes.areOften(found.size(), dumps) || isOneAlwaysRunning(found)
        ? Optional.empty()
        : Optional.of(answers(incident, dumps.size(), found));
  }

  private static boolean isForAnswersFromOutside(ThreadSnapshot dump) {
    int awaiting = awaiting(dump).size();
    return awaiting >= Policy.FEWEST_COUNTED
        && awaiting >= Policy.MAJORITY * atWork(dump)
        && !ThreadsAtWork.isAnyTaskRun(dump);
  }

  /** A thread that computes in each dump may be the only one of its executor. */
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

  /**
   * Whether most of them run tasks of a full executor, whose threads would be as full at the rate
   * of the incident if each task took as long as before: what these wait for is no slower then.
   */
  private static boolean areTasksAsLong(MeasuredIncident incident, List<ThreadSnapshot> found) {
    List<ThreadState> waiting = found.stream().flatMap(dump -> awaiting(dump).stream()).toList();
    return waiting.stream().filter(ThreadState::overflow).count()
            >= Policy.MAJORITY * waiting.size()
        && RequestRate.isKnownOverTime(incident.timeline())
        && RequestRate.busier(incident) >= Policy.CLEARLY_MORE
        && OccupiedWorkers.of(incident).stream()
            .filter(group -> !group.serving())
            .anyMatch(group -> !OccupiedWorkers.areKeptLonger(incident, group.group()));
  }

  private Finding answers(MeasuredIncident incident, int dumps, List<ThreadSnapshot> found) {
    Timeline timeline = incident.timeline();
    int awaiting = found.stream().mapToInt(dump -> awaiting(dump).size()).sum();
    int atWork = found.stream().mapToInt(AsyncQueueRule::atWork).sum();
    ThreadSnapshot last = found.get(found.size() - 1);
    Set<String> clients = AsyncWaits.clients(timeline);
    FindingBuilder finding =
        Finding.of(
                id(),
                ("%s of %s request threads at work wait for a future%s, likewise in %s of %s dumps,"
                        + " and no thread of this JVM works on one: the results come from outside,"
                        + " %s")
                    .formatted(
                        Numbers.count(awaiting(last).size()),
                        Numbers.count(atWork(last)),
                        at(last),
                        found.size(),
                        dumps,
                        clients.isEmpty()
                            ? "or from a timer"
                            : "through an asynchronous client (%s)"
                                .formatted(String.join(", ", clients))))
            .value("awaiting", awaiting(last).size())
            .value("atWork", atWork(last))
            .value("dumps", found.size())
            .from(found.stream().map(ThreadSnapshot::source).toList())
            .advises(Hypothesis.SLOW_DOWNSTREAM, FIND_IT);
    if (areTasksAsLong(incident, found)) {
      return finding
          .sum(
              "they run tasks of an executor that as many requests fill with tasks as long as before")
          .accompanies(Hypothesis.SLOW_DOWNSTREAM)
          .build();
    }
    if (clients.isEmpty()) {
      return finding.supports(Hypothesis.SLOW_DOWNSTREAM).build();
    }
    finding.from(timeline.samples(AsyncClient.class).get(0).source());
    double share = awaiting / (double) atWork;
    return UNLIMITED.containsAll(clients)
        ? finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, share).build()
        : either(finding, share).build();
  }

  private static FindingBuilder either(FindingBuilder finding, double share) {
    return finding.explainsEither(
        Hypothesis.CONNECTION_POOL_UNDERSIZED,
        Hypothesis.SLOW_DOWNSTREAM,
        Effect.UNACCOUNTED,
        share,
        EXPERIMENT);
  }

  /** The code location of the service in which most of them wait. */
  private static String at(ThreadSnapshot dump) {
    Map<String, Long> places =
        awaiting(dump).stream()
            .map(thread -> thread.standing().at())
            .filter(name -> !name.isEmpty())
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    return Ordered.largest(places).map(name -> " at " + name).orElse("");
  }
}
