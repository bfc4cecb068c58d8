package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.AllocatedElsewhere;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.threads.BackgroundWorkers;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Groups of worker threads that never have a free thread in a recording: none waits for work longer
 * than the recording's threshold. Requests queue for some of them; for others, jobs that no thread
 * waits for.
 */
@Judges(value = Hypothesis.THREAD_POOL_EXHAUSTED, needs = Signal.THREAD_PARKS)
public record NeverFreeWorkers(String id) implements Rule {

  /** How to tell too few threads from longer calls. */
  static final String EXPERIMENT =
      "compare the duration of the calls with a recording from normal operation: if they take"
          + " longer now, the downstream service is slow, and more threads would only queue there";

  /** How to tell more requests from more work per request. */
  private static final String COUNT =
      "count the requests of both windows (an access log, a load test over time): if they grew as"
          + " much as the calls or sleeps, give the group more threads; if less, each request makes"
          + " more of these: take them out of the loop that makes them";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double awaited = WorkerQueue.waitingForAnswers(timeline, window);
    boolean slower = DownstreamCalls.inflation(incident) > 1;
    boolean full = MachineLoad.isFull(timeline, window);
    boolean unseen = areRequestsUnseen(incident);
    boolean onTop = onTop(incident) > 0;
    Predicate<OccupiedWorkers> wanted =
        group ->
            answered(timeline, group).isPresent() || WorkerQueue.isShort(awaited, group.workers());
    Stream<OccupiedWorkers> throughout =
        OccupiedWorkers.of(incident).stream()
            .filter(
                wanted.or(
                    group ->
                        group.serving() || unseen || QueueBeforeGroup.stands(incident, group)));
    Stream<OccupiedWorkers> lately = OccupiedWorkers.inARow(incident).stream().filter(wanted);
    Optional<Finding> ofRequests =
        Stream.concat(
                Stream.concat(throughout, lately), QueueBeforeGroup.singles(incident).stream())
            .filter(
                group ->
                    group.isByWork(full)
                        || sleepsAsBefore(incident, group)
                        || onTop && group.serving())
            .filter(group -> !slower || onTop || group.share(WaitKind.DOWNSTREAM) < Policy.MAJORITY)
            .min(
                // Request threads that wait for an executor are busy because the executor is.
                Comparator.comparing(OccupiedWorkers::serving)
                    .thenComparing(OccupiedWorkers::group))
            .map(group -> neverFree(incident, group, unseen));
    return Stream.of(ofRequests, BackgroundWorkers.neverFree(incident).map(g -> jobs(incident, g)))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Threads that take what answers bring, none of which was free: what a client times ends when one
   * of them gets to it. Empty where calls that a recording shows take longer, too.
   */
  public static Optional<OccupiedWorkers> takingAnswers(MeasuredIncident incident) {
    boolean full = MachineLoad.isFull(incident.timeline(), incident.window());
    return Stream.concat(
            OccupiedWorkers.of(incident).stream(), OccupiedWorkers.inARow(incident).stream())
        .filter(group -> answered(incident.timeline(), group).isPresent() && group.isByWork(full))
        .filter(any -> DownstreamCalls.inflation(incident) <= 1)
        .findFirst();
  }

  /** Whether by the load test all requests wait, but no request thread is seen waiting. */
  static boolean areRequestsUnseen(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    return TestedRequests.ofIncident(incident).filter(LoadTestDelays::everybodyWaits).isPresent()
        && times.excessSeconds(Effect.UNACCOUNTED) >= Policy.MAJORITY * times.totalExcessSeconds();
  }

  /** Threads busy with additional requests; 0 if there is a known queue before them. */
  private static double onTop(MeasuredIncident incident) {
    return incident.workerQueue().isPresent() ? 0 : incident.effects().during(Effect.WORKER_WAIT);
  }

  /**
   * Whether sleeps of the baseline's length keep them busy, and they had idle time then: more sleep
   * then means more work.
   */
  private static boolean sleepsAsBefore(MeasuredIncident incident, OccupiedWorkers group) {
    EffectTimes times = incident.effects();
    return group.serving()
        && group.share(WaitKind.SLEEP) >= Policy.MAJORITY
        && OccupiedWorkers.restedBefore(incident, group)
        && times.excessSeconds(Effect.SLEEP)
            < Policy.SUBSTANTIAL * times.during(Effect.SLEEP) * incident.window().seconds();
  }

  /** What is known of threads outside any server that hand requests their answers. */
  private static Optional<AnsweringGroup> answered(Timeline timeline, OccupiedWorkers group) {
    return timeline.samples(AnsweringGroup.class).stream()
        .filter(seen -> seen.group().equals(group.group()))
        .findFirst();
  }

  private static String answering(AnsweringGroup seen) {
    return (", and they complete the responses of requests (%s, seen in %s): new work"
            + " for them queues")
        .formatted(seen.server(), Numbers.counted(seen.samples(), "stack"));
  }

  /**
   * How long which threads were never idle and what they did, as text up to a closing bracket.
   *
   * @param which more on the threads, after a comma
   * @param calls more on their calls, after a space
   */
  private static String busy(Timeline timeline, OccupiedWorkers group, String which, String calls) {
    boolean one = group.workers() == 1;
    String running = new Ratio(group.running()).toString();
    return "for %s s of the window %s%s%s idle%s (%s of %s time in calls%s%s"
        .formatted(
            Numbers.count(group.seconds()),
            one
                ? "the only thread " + group.group()
                : "none of the " + group.workers() + " threads " + group.group(),
            which,
            one ? " was never" : " was",
            timeline
                .threshold(Signal.THREAD_PARKS)
                .map(shortest -> " for " + Durations.format(shortest) + " or longer")
                .orElse(""),
            new Ratio(group.share(WaitKind.DOWNSTREAM)),
            one ? "its" : "their",
            calls,
            running.equals(Ratio.ofPercent(0).toString()) ? "" : ", " + running + " running");
  }

  private FindingBuilder finding(Incident incident, OccupiedWorkers group, String statement) {
    return Finding.of(id, statement)
        .value("workers", group.workers())
        .value("occupied", group.occupied())
        .from(incident.timeline().recorded("jdk.ThreadPark, jdk.NativeMethodSample"));
  }

  private Finding neverFree(MeasuredIncident incident, OccupiedWorkers group, boolean unseen) {
    Timeline timeline = incident.timeline();
    FindingBuilder finding =
        finding(
                incident,
                group,
                busy(timeline, group, "", "")
                    + ")"
                    + (group.serving()
                        ? ": new requests queue"
                        : answered(timeline, group)
                            .map(NeverFreeWorkers::answering)
                            .orElse(
                                ", and requests wait for "
                                    + (group.workers() == 1 ? "its" : "their")
                                    + " results")))
            .figure(
                "busy threads " + group.group() + ", mean",
                Numbers.threeDigits(group.occupied()) + " of " + group.workers())
            .value("seconds", group.seconds());
    if (unseen) {
      finding.explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED, 1);
    }
    boolean seenToWait =
        timeline.mainRequestStats().isEmpty()
            || TestedRequests.ofIncident(incident)
                .filter(LoadTestDelays::everybodyWaits)
                .isPresent()
            || QueueBeforeGroup.stands(incident, group);
    double onTop = onTop(incident);
    finding.supports(Hypothesis.THREAD_POOL_EXHAUSTED, seenToWait && onTop <= 0);
    if (onTop > 0 && group.serving()) {
      finding
          .figure("threads kept by more waits of the same length, mean", Numbers.threeDigits(onTop))
          .value("threadsOnTop", onTop)
          .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT, 1);
    }

    if (incident.baseline().isEmpty() && group.share(WaitKind.DOWNSTREAM) >= Policy.MAJORITY) {
      finding.inseparable(Hypothesis.THREAD_POOL_EXHAUSTED, Hypothesis.SLOW_DOWNSTREAM, EXPERIMENT);
    }
    if (mayEachMakeMore(incident, group, WaitKind.DOWNSTREAM, Activity.CALLING)) {
      orMoreEach(finding, Hypothesis.SLOW_DOWNSTREAM);
    }
    if (mayEachMakeMore(incident, group, WaitKind.SLEEP, Activity.SLEEPING)) {
      orMoreEach(finding, Hypothesis.REQUESTS_SLEEP);
    }
    return finding.build();
  }

  private static void orMoreEach(FindingBuilder finding, Hypothesis other) {
    finding
        .inseparable(Hypothesis.THREAD_POOL_EXHAUSTED, other, COUNT)
        .advises(Hypothesis.THREAD_POOL_EXHAUSTED, COUNT);
  }

  /**
   * Whether each request may make more of the calls or sleeps that keep the group busy: there are
   * more than before, and no count shows that the requests grew as much.
   */
  private static boolean mayEachMakeMore(
      MeasuredIncident incident, OccupiedWorkers group, WaitKind kind, Activity activity) {
    if (group.share(kind) < Policy.MAJORITY || incident.baseline().isEmpty()) {
      return false;
    }
    double usual = perSecond(incident, kind, incident.baseline().get());
    double grown = usual > 0 ? perSecond(incident, kind, incident.window()) / usual : 1;
    return grown > 1 + Policy.SAMPLES_GOOD_TO
        && !Double.isFinite(RequestRate.busierAtMost(incident, activity, grown))
        && AllocatedElsewhere.of(incident, activity)
            .filter(requests -> requests.grewAsMuch(grown))
            .isEmpty();
  }

  private static double perSecond(Incident incident, WaitKind kind, Window window) {
    return WaitSeries.totals(UserWaits.of(incident.timeline(), kind), window).count()
        / window.seconds();
  }

  /** Jobs that no thread waits for, such as those of a table or a message queue. */
  private Finding jobs(Incident incident, OccupiedWorkers group) {
    Timeline timeline = incident.timeline();
    double rested =
        BackgroundWorkers.rested(timeline, incident.baseline().orElseThrow(), group.group());
    return finding(
            incident,
            group,
            busy(
                    timeline,
                    group,
                    ", which do the work of this process,",
                    " that take as long as before")
                + "; in the baseline idle "
                + new Ratio(rested)
                + " of the time): new jobs queue")
        .value("restedBefore", rested)
        .warns(Hypothesis.THREAD_POOL_EXHAUSTED)
        .advises(Hypothesis.THREAD_POOL_EXHAUSTED, JobBacklog.ADVICE)
        .build();
  }
}
