package io.gcdiag.verdict;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.HiddenWaits;
import io.gcdiag.measures.DelaySummary;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.RequestDelays;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.measures.requests.BeforeServer;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.measures.requests.UnendedRequests;
import io.gcdiag.measures.threads.BackgroundWorkers;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.ExecutorBacklog;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whether time is lost at all. High numbers alone (allocation, collections, CPU) are none; time
 * that requests lose is.
 *
 * @param present whether requests lose time that matters
 * @param unseen whether the load test saw delays or failures that nothing recorded accounts for
 * @param visible whether the inputs show what requests wait for, or how long requests took, most
 *     and slowest: else no delay seen is not no delay
 * @param measure how much is lost, one sentence
 */
record UserImpact(boolean present, boolean unseen, boolean visible, String measure) {

  /** Shares of a shorter time than this are chance. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /**
   * Measures it.
   *
   * @param unexplained share of the excess that no finding accounts for, 0 to 1
   */
  static UserImpact of(MeasuredIncident incident, EffectTimes times, double unexplained) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double lost =
        (times.totalExcessSeconds() - unlike(incident, times, unexplained)) / window.seconds();
    double throttled = Throttling.shareStopped(timeline, window);
    double stopped =
        PauseTotals.of(timeline, window).shareStopped()
            + incident.safepoints(window).share()
            + throttled;
    Optional<Rate> rate = RequestRate.of(timeline, window);
    Optional<RequestExcess> compared = RequestExcess.overTime(incident);
    DelaySummary felt = new DelaySummary(incident);
    boolean alike = areSpreadAsBefore(incident);
    boolean delayed =
        compared.isPresent()
            ? felt.isSlowerBy(beside(compared.get(), times)) && !alike
                || RequestDelays.rose(incident)
            : !felt.byNoRequest()
                && rate.map(r -> felt.isSlowerBy(lost / r.perSecond()))
                    .orElseGet(
                        () -> isQueue(incident, times, lost - inPassing(timeline, times, window)));
    boolean longEnough = window.length().compareTo(SHORTEST) >= 0;
    boolean halting =
        (stopped - hiccup(timeline, window) >= Policy.FELT_STOPPED
                    && (stopped >= Policy.SUBSTANTIAL
                        || throttled >= Policy.FELT_STOPPED
                        || felt.areKnown()
                        || areFelt(timeline, window))
                || makeTheTail(timeline, window, felt.usualSeconds()))
            && !felt.notEvenBySlowest();
    boolean allSensors = Sensors.missing(timeline).isEmpty();
    boolean hanging = UnendedRequests.of(incident).filter(UnendedRequests::areSeen).isPresent();
    boolean present = longEnough && (delayed || halting || hanging || tail(incident).isPresent());
    return new UserImpact(
        present,
        !present && !alike && felt.beyond(times),
        CrowdedCores.slowerRequests(incident).isEmpty()
            && metered(incident).isEmpty()
            && (felt.areKnown() && (allSensors || compared.isPresent() || felt.areAllQuick())
                || allSensors && blindSpot(incident, times).isEmpty()),
        words(incident, lost, unrecorded(times, window, lost), rate, stopped)
            + ofLooks(incident, times));
  }

  /**
   * Whether no percentile of the latencies is longer than in the baseline, nor the longest, and no
   * more requests fail: then some more of a kind that takes long by design, such as long polls,
   * make the mean.
   */
  static boolean areSpreadAsBefore(Incident incident) {
    Optional<RequestSeries> series = incident.timeline().requestsOfSpan();
    Optional<RequestInterval> usual = series.flatMap(all -> incident.baseline().map(all::within));
    return usual
        .filter(
            before -> {
              RequestInterval now = series.get().within(incident.window());
              return Math.min(now.latencies().count(), before.latencies().count())
                      >= Policy.FEWEST_FOR_A_TAIL
                  && now.failed() * before.requests() <= before.failed() * now.requests()
                  && isNoLonger(
                      Optional.of(now.latencies().longestAtLeast()),
                      Optional.of(before.latencies().longestAtLeast()))
                  && Stream.of(Percentiles.MEDIAN, Percentiles.NINE_OF_TEN, Percentiles.TAIL)
                      .allMatch(part -> isNoLonger(length(now, part), length(before, part)));
            })
        .isPresent();
  }

  private static Optional<Duration> length(RequestInterval requests, double percentile) {
    return requests.latencies().percentile(percentile).map(LatencyBound::atLeast);
  }

  private static boolean isNoLonger(Optional<Duration> now, Optional<Duration> before) {
    return now.isPresent()
        && before.isPresent()
        && Durations.seconds(now.get()) <= (1 + Policy.NOTABLE) * Durations.seconds(before.get());
  }

  /** What may delay requests although every sensor was on; one clause after a colon, or empty. */
  static String blindSpot(MeasuredIncident incident, EffectTimes times) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    if (BackgroundWorkers.neverFree(incident).isPresent()
        || BackgroundWorkers.aloneNeverFree(incident).isPresent()
        || ExecutorBacklog.of(incident).isPresent()
        || UserWaits.limiterOfUnknown(timeline, window).isPresent()
        || UserWaits.moreForTasks(timeline, window, incident.baseline()) >= Policy.LASTING_QUEUE
        || queuesMore(incident, times)) {
      return ": requests or their tasks may queue where no event shows it";
    }
    Optional<String> collected = metered(incident);
    if (collected.isPresent()) {
      return collected.get();
    }
    boolean full = incident.baseline().isPresent() && MachineLoad.becameFull(incident);
    return full && !ServedRequests.areAsBefore(incident)
        ? ": the CPUs became full, and no event shows a thread that waits for one"
        : LoadTestDelays.mayMultiply(moreByStops(incident))
            ? ": stops are longer than in the baseline, and quick requests would feel it"
            : "";
  }

  /**
   * Stops that meters alone show and that were not there before: how long each was, and whom it
   * delayed, they do not say.
   */
  private static Optional<String> metered(Incident incident) {
    Timeline timeline = incident.timeline();
    double now = PauseTotals.of(timeline, incident.window()).shareStopped();
    double before =
        incident.baseline().map(b -> PauseTotals.of(timeline, b).shareStopped()).orElse(now);
    return CollectorMeters.of(timeline)
        .filter(any -> now >= Policy.FELT_STOPPED && now >= Policy.CLEARLY_MORE * before)
        .filter(any -> RequestExcess.overTime(incident).isEmpty())
        .map(
            any ->
                ": GC stops requests %s of the time by its meters, %s in the baseline"
                    .formatted(new Ratio(now).share(), new Ratio(before).share()));
  }

  /**
   * Whether requests whose rate is not known wait about as much as half a thread waits all the
   * time, or as much as the rounds of their workers are longer, which then take three times as
   * long. Stops weigh by these rounds, and no more than they make of each request.
   */
  private static boolean isQueue(MeasuredIncident incident, EffectTimes times, double threads) {
    Window window = incident.window();
    double stops = times.excessSeconds(Effect.STOPPED) + times.excessSeconds(Effect.SAFEPOINT);
    double rounds = ServedRequests.roundsPerSecond(incident.timeline(), window);
    double waiting = threads - stops / window.seconds();
    return waiting >= Policy.LASTING_QUEUE / 2
        || (threads >= Policy.LASTING_QUEUE / 2
                || isWaitingOfLongerRounds(incident, times, waiting, rounds))
            && new DelaySummary(incident).isSlowerBy(threads / rounds);
  }

  /** Whether rounds of workers take three times as long, and most of that is no computing. */
  private static boolean isWaitingOfLongerRounds(
      Incident incident, EffectTimes times, double waiting, double rounds) {
    Timeline timeline = incident.timeline();
    double usual = incident.baseline().map(b -> OccupiedWorkers.meanRound(timeline, b)).orElse(0.0);
    double longer = OccupiedWorkers.meanRound(timeline, incident.window()) - usual;
    double computing = times.excessSeconds(Effect.RUNNING) / incident.window().seconds();
    return LoadTestDelays.multiplies(longer, usual)
        && waiting - computing >= Policy.MAJORITY * longer * rounds;
  }

  /**
   * Whether clearly more threads than in the baseline queue, and no worker shows that its requests
   * take as long as before. The number of requests is not known.
   */
  private static boolean queuesMore(MeasuredIncident incident, EffectTimes times) {
    return incident.baseline().isPresent()
        && !OccupiedWorkers.areRoundsAsLong(incident)
        && Stream.of(Effect.POOL_WAIT, Effect.LOCK_WAIT, Effect.LOG_WAIT)
            .anyMatch(
                queue ->
                    times.excessSeconds(queue)
                            >= Policy.LEAST_THREADS_FELT * incident.window().seconds()
                        && times.during(queue)
                            >= Policy.CLEARLY_MORE * times.before(queue).orElse(0));
  }

  /**
   * Whether stops delay a request noticeably. It arrives in a stop of length d in proportion to d
   * and waits half of it. Stops of a millisecond, however frequent, lengthen a request only by
   * their share of the time. True if no single stop is known.
   */
  private static boolean areFelt(Timeline timeline, Window window) {
    double[] lengths = stops(timeline, window);
    double sum = DoubleStream.of(lengths).sum();
    return sum == 0 || LoadTestDelays.isFelt(squares(lengths) / (2 * sum), 0);
  }

  /**
   * The mean delay of a request by stops, less that in the baseline, in seconds: it arrives in a
   * stop of length d in proportion to d and waits half of it. 0 without a baseline.
   */
  private static double moreByStops(Incident incident) {
    return incident
        .baseline()
        .map(
            baseline ->
                byStops(incident.timeline(), incident.window())
                    - byStops(incident.timeline(), baseline))
        .orElse(0.0);
  }

  private static double byStops(Timeline timeline, Window window) {
    return squares(stops(timeline, window)) / (2 * window.seconds());
  }

  private static double squares(double[] lengths) {
    return DoubleStream.of(lengths).map(d -> d * d).sum();
  }

  /**
   * Whether stops are rare and long: most requests have none and the mean hardly shows them, but
   * one request in a hundred arrives in a stop and waits noticeably and many times as long as
   * requests usually take. Of a stop of 400 ms these are the requests of its first 200 ms.
   *
   * @param usualSeconds how long requests take otherwise; 0 if it is not known
   */
  private static boolean makeTheTail(Timeline timeline, Window window, double usualSeconds) {
    double felt = LoadTestDelays.longSeconds(usualSeconds);
    double[] beyond =
        DoubleStream.of(stops(timeline, window)).map(s -> s - felt).filter(s -> s > 0).toArray();
    return beyond.length >= Policy.RECURRING
        && DoubleStream.of(beyond).sum() >= Policy.TAIL * window.seconds();
  }

  /** How long each stop of a window was, beside those for observing it, in seconds. */
  private static double[] stops(Timeline timeline, Window window) {
    Pauses pauses = timeline.pauses(window);
    ObserverCost cost = ObserverCost.of(timeline);
    return DoubleStream.concat(
            IntStream.range(0, pauses.size()).mapToDouble(pauses::seconds),
            timeline.safepoints(window).stream().map(cost::lost).mapToDouble(Durations::seconds))
        .toArray();
  }

  /**
   * Share of a window that the longest stop beside GC took, if it is short: one such stop, as while
   * a JVM starts, is no state that a service is in.
   */
  private static double hiccup(Timeline timeline, Window window) {
    ObserverCost observation = ObserverCost.of(timeline);
    double longest =
        timeline.safepoints(window).stream()
            .map(observation::lost)
            .mapToDouble(Durations::seconds)
            .max()
            .orElse(0);
    return longest < Durations.seconds(SHORTEST) ? longest / window.seconds() : 0;
  }

  /**
   * Waiting for CPU by less than {@link #Policy.LASTING_QUEUE}, on average, where nothing can see
   * what the work waits for: beside what is hidden that says nothing. Else nothing.
   */
  private static double inPassing(Timeline timeline, EffectTimes times, Window window) {
    double queue = times.excessSeconds(Effect.CPU_QUEUE) / window.seconds();
    return queue < Policy.LASTING_QUEUE && HiddenWaits.of(timeline).isPresent() ? queue : 0;
  }

  /**
   * What requests take beyond the median one where all of them are quick: then some are of another
   * kind that takes longer, and no request waits. It is left out only where no cause accounts for
   * enough to be a suspect, and no baseline says what is usual.
   */
  private static double unlike(Incident incident, EffectTimes times, double unexplained) {
    boolean noSuspect = unexplained > 1 - Policy.SUBSTANTIAL;
    DelaySummary felt = new DelaySummary(incident);
    return (noSuspect && (felt.areAllQuick() || felt.isTailOfPauses())
                || isAsBusyAsEver(incident) && felt.isTailQuick())
            && RequestExcess.overTime(incident).isEmpty()
        ? times.excessSeconds(Effect.UNACCOUNTED)
        : 0;
  }

  /**
   * Whether other processes fill the machine all the time and nothing is known to have changed:
   * they delay some requests now and then, which is how long requests take there.
   */
  private static boolean isAsBusyAsEver(Incident incident) {
    return incident.baseline().isEmpty()
        && MachineLoad.isFull(incident)
        && CpuUse.of(incident.timeline(), incident.window())
            .filter(use -> !use.isOwnWork())
            .isPresent();
  }

  /** By how much a request took longer, beside what stops for observing the incident cost. */
  private static double beside(RequestExcess requests, EffectTimes times) {
    double looks = requests.seconds() > 0 ? times.observerSeconds() / requests.seconds() : 0;
    return requests.perRequestSeconds() * Math.max(0, 1 - looks);
  }

  /**
   * Only measured loss: a loss without a sensor is unknown, not zero. Recorded waits of more than
   * all requests of a load test lost are other threads', and no part of them is a request's. Time
   * in no recorded state is a latency less the states, and so always that of requests.
   */
  private static String words(
      MeasuredIncident incident,
      double lost,
      double unrecorded,
      Optional<Rate> rate,
      double stopped) {
    Timeline timeline = incident.timeline();
    List<String> parts = new ArrayList<>();
    String threads = Numbers.threads(lost);
    UnendedRequests.of(incident).map(UnendedRequests::words).ifPresent(parts::add);
    means(incident).or(() -> tail(incident)).ifPresent(parts::add);
    few(incident).ifPresent(parts::add);
    BeforeServer.felt(incident).map(BeforeServer::words).ifPresent(parts::add);
    steps(incident, unrecorded).ifPresent(parts::add);
    if (timeline.sees(Signal.THREAD_PARKS)) {
      parts.add(
          Numbers.isNothing(lost)
              ? "no recorded wait delayed requests"
              : (lost - unrecorded) * incident.window().seconds()
                      > RequestExcess.mostInRun(timeline)
                  ? "on average, %s were waiting or paused, longer than all requests together: not those of requests"
                      .formatted(threads)
                  : rate.map(r -> perRequest(incident, lost, unrecorded, r))
                      .orElse(
                          "on average, %s were waiting or paused"
                              .formatted(threads.replace(" thread", " request thread"))));
    } else {
      latencies(timeline).ifPresent(parts::add);
    }
    if (timeline.sees(Signal.GC_PAUSES)) {
      parts.add(
          stopped == 0
              ? "no GC pauses"
              : PauseTotals.areOneAlone(incident)
                  ? "a single GC pause is all of it"
                  : "GC pauses and other safepoints took %s of the time"
                      .formatted(new Ratio(stopped).share()));
    }
    return parts.isEmpty()
        ? "neither waits nor dated pauses are in these inputs"
        : String.join("; ", parts);
  }

  /**
   * Time in no recorded state is the load test's figure, and no wait or pause that anything saw. Of
   * a queue that grows to the end of the window, a part of the delay comes after it.
   */
  private static String perRequest(Incident incident, double lost, double unrecorded, Rate rate) {
    String all = Durations.format(lost / rate.perSecond());
    double each =
        RequestExcess.overTime(incident).map(RequestExcess::perRequestSeconds).orElse(0.0);
    boolean later = each > (1 + Policy.NEGLIGIBLE) * lost / rate.perSecond();
    String seen = Durations.format((lost - unrecorded) / rate.perSecond());
    return unrecorded < Policy.MAJORITY * lost
        ? "waits and pauses took " + all + " per request on average"
        : "requests took "
            + (later ? Durations.format(Durations.ofSeconds(each)) : all)
            + " longer on average than "
            + (incident.baseline().isPresent() ? "in the baseline, " : "undelayed ones, ")
            + (later ? all + " of it in the incident window, " : "")
            + (lost - unrecorded < Policy.NEGLIGIBLE * lost
                ? "and no recorded wait or pause explains it"
                : "of it " + seen + " in recorded waits and pauses");
  }

  /** How much of the lost time, in threads, no recorded wait or stop shows. */
  private static double unrecorded(EffectTimes times, Window window, double lost) {
    return Math.min(lost, times.excessSeconds(Effect.UNACCOUNTED) / window.seconds());
  }

  /**
   * A few requests take many times as long as in the baseline and the others as long as before: the
   * mean describes neither.
   */
  private static Optional<String> few(Incident incident) {
    return incident
        .baseline()
        .flatMap(
            baseline ->
                incident
                    .timeline()
                    .requestsOfSpan()
                    .filter(series -> !series.hasMeansAlone())
                    .flatMap(series -> few(series, baseline, incident.window())));
  }

  private static Optional<String> few(RequestSeries series, Window baseline, Window window) {
    Latencies all = series.within(window).latencies();
    double usual = series.within(baseline).latencies().mean().map(Durations::seconds).orElse(0.0);
    Latencies slow = all.from(Durations.ofSeconds(LoadTestDelays.longSeconds(usual)));
    double share = slow.count() / (double) all.count();
    double others = (all.totalSeconds() - slow.totalSeconds()) / (all.count() - slow.count());
    return slow.count() < Policy.RECURRING
            || share >= Policy.NOTABLE
            || slow.totalSeconds() <= Policy.MAJORITY * all.totalSeconds()
            || others >= Policy.CLEARLY_MORE * usual
        ? Optional.empty()
        : slow.mean()
            .map(
                mean ->
                    "%s of the requests took %s on average, the others %s (baseline: %s)"
                        .formatted(
                            new Ratio(share),
                            Durations.format(mean),
                            Durations.format(others),
                            Durations.format(usual)));
  }

  /** Where spans find most of the time that no wait or stop shows. */
  private static Optional<String> steps(MeasuredIncident incident, double unrecorded) {
    return incident.stations().stream()
        .filter(one -> one.kind() == Station.Kind.STEPS)
        .filter(
            one -> one.more() >= Math.max(Policy.LEAST_THREADS_FELT, Policy.MAJORITY * unrecorded))
        .max(Comparator.comparingDouble(Station::more))
        .map(
            one ->
                "by spans most of the time is in "
                    + one.name()
                    + one.inWords().substring(one.title().length()));
  }

  /** The mean latency, where timers say it of both windows and nothing says more. */
  private static Optional<String> means(Incident incident) {
    Optional<RequestSeries> timed =
        incident
            .timeline()
            .mainRequestSeries()
            .filter(RequestSeries::hasMeansAlone)
            .filter(any -> RequestExcess.overTime(incident).isPresent());
    Optional<String> before =
        timed.flatMap(series -> incident.baseline().flatMap(usual -> mean(series, usual)));
    return timed
        .flatMap(series -> mean(series, incident.window()))
        .filter(during -> before.isPresent())
        .map(
            during ->
                "requests took %s on average by the service's own timer, %s in the baseline"
                    .formatted(during, before.get()));
  }

  /** The highest percentile that the service computed itself, if users feel that it grew. */
  private static Optional<String> tail(Incident incident) {
    return incident.timeline().metrics(MetricMeaning.LATENCY).stream()
        .filter(series -> series.percentile().isPresent())
        .max(Comparator.comparingDouble(series -> series.percentile().orElseThrow()))
        .flatMap(series -> tail(incident, series));
  }

  private static Optional<String> tail(Incident incident, MetricSeries series) {
    OptionalDouble now = new Gauge(series).mean(incident.window());
    OptionalDouble usual =
        incident.baseline().map(new Gauge(series)::mean).orElse(OptionalDouble.empty());
    return now.isPresent()
            && usual.isPresent()
            && LoadTestDelays.isFelt(now.getAsDouble() - usual.getAsDouble(), usual.getAsDouble())
        ? Optional.of(
            "the P%s latency by the service's own meter is %s on average, %s in the baseline"
                .formatted(
                    Numbers.threeDigits(series.percentile().orElseThrow()),
                    Durations.format(Durations.ofSeconds(now.getAsDouble())),
                    Durations.format(Durations.ofSeconds(usual.getAsDouble()))))
        : Optional.empty();
  }

  private static Optional<String> mean(RequestSeries series, Window window) {
    return series.within(window).latencies().mean().map(Durations::format);
  }

  private static Optional<String> latencies(Timeline timeline) {
    Optional<RequestStats> stats = timeline.mainRequestStats();
    Optional<Duration> p99 = stats.flatMap(all -> all.percentile(Percentiles.TAIL));
    return stats
        .flatMap(all -> all.percentile(Percentiles.MEDIAN))
        .filter(median -> p99.isPresent())
        .map(
            median ->
                "over the whole time half of the requests took at most %s, 99 in 100 at most %s"
                    .formatted(Durations.format(median), Durations.format(p99.get())));
  }

  /** What a reader of the load test's figures finds in them and not in these. */
  private static String ofLooks(Incident incident, EffectTimes times) {
    double perSecond = times.observerSeconds() / incident.window().seconds();
    return perSecond < Policy.LEAST_THREADS_FELT
        ? ""
        : "; delays by thread dumps and the recorder itself are not counted ("
            + Numbers.threads(perSecond)
            + " on average)";
  }
}
