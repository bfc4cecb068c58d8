package io.gcdiag.verdict;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Cause;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.memory.HeapSurvival;
import io.gcdiag.causes.memory.LiveSetGrowthRule;
import io.gcdiag.causes.waits.DeadlockedThreadsRule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.HiddenWaits;
import io.gcdiag.figures.HiddenWaits.Step;
import io.gcdiag.figures.NotableEvents;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.DelaySummary;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.HiddenTime;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PausePhases;
import io.gcdiag.measures.requests.BeforeServer;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.SampledCalls;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The answer in one to three sentences, printed below the name of the suspect.
 *
 * @param impact whether users are affected
 * @param judgements of all causes, the strongest first
 * @param attribution the shares of the lost time
 */
record Summary(
    MeasuredIncident incident,
    UserImpact impact,
    List<Judgement> judgements,
    Attribution attribution) {

  /** A window this short has one or two collections, so its rates and shares mean little. */
  private static final Duration SHORTEST_HEALTHY = Duration.ofSeconds(5);

  private static final String TWO_DUMPS = "two thread dumps, or give a load test's results";

  /** The window of one page of metrics, or of one dump. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private static final Step WHAT_SLOW_ONES_DO =
      deciding(
          "thread dumps while slow requests are in progress",
          " (" + Signal.THREAD_DUMPS.howToRecord() + "), and latencies by endpoint");

  Diagnosis.Told of(Conclusion conclusion) {
    return conclusion == Conclusion.UNDECIDED
        ? undecided()
        : Diagnosis.Told.of(
            capital(
                conclusion == Conclusion.PRIMARY_SUSPECT
                    ? suspects()
                    : "No slowdown found: " + impact.measure() + "." + notes().sentences()));
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private Diagnosis.Told undecided() {
    boolean delayed = impact.present() || impact.unseen();
    Optional<HiddenWaits> behind =
        delayed ? HiddenWaits.behindDelays(incident.timeline()) : Optional.empty();
    Optional<HiddenWaits> open = delayed ? Optional.empty() : open();
    // Threads that did not run worked on nothing.
    boolean ran = incident.collectorTimes(incident.window()).starved() <= 0;
    Optional<PausePhases.Most> pauses =
        PausePhases.of(incident.timeline(), incident.window()).most().filter(any -> ran);
    String known =
        open.map(this::words).orElseGet(() -> withoutCause(behind))
            + pauses
                .map(PausePhases.Most::sentence)
                .or(() -> kernel().filter(any -> ran))
                .map(" "::concat)
                .orElse("");
    Set<String> stated = new HashSet<>();
    open.map(HiddenWaits::statement).ifPresent(stated::add);
    String leads = leads(stated);
    Step decider = open.filter(any -> any.step().byLatencies()).isPresent() ? Step.NONE : decider();
    return new Diagnosis.Told(
        capital(known),
        leads,
        (decider == Step.NONE ? "" : " " + decider.words() + ".") + notes().neverSilent(stated),
        Stream.concat(
                judgements.stream().filter(Judgement::isLead).filter(one -> one.isIn(stated)),
                uncompared().stream().filter(any -> impact.present()))
            .map(Judgement::hypothesis)
            .collect(Collectors.toSet()),
        !delayed && open.isEmpty(),
        pauses.map(PausePhases.Most::shorter),
        Stream.of(open.map(HiddenWaits::step), Optional.of(decider), behind.map(HiddenWaits::step))
            .flatMap(Optional::stream)
            .filter(step -> step != Step.NONE)
            .map(Step::first)
            .findFirst());
  }

  private String words(HiddenWaits open) {
    String how = open.step() == Step.NONE ? "" : " " + open.step().words() + ".";
    return open.why() + "; " + impact.measure() + "." + how;
  }

  /** Kernel time of pauses that no swapping explains. */
  private Optional<String> kernel() {
    Timeline timeline = incident.timeline();
    return incident
        .collectorTimes(incident.window())
        .ofKernel(timeline)
        .filter(any -> !CollectorTimes.mayBeSwapped(timeline))
        .map(words -> words + CollectorTimes.pages(false) + ".");
  }

  private HealthNotes notes() {
    return new HealthNotes(incident, judgements, attribution);
  }

  private String suspects() {
    List<Judgement> primary =
        judgements.stream().filter(j -> j.verdict() == Verdict.PRIMARY_SUSPECT).toList();
    List<String> sentences = new ArrayList<>();
    for (Judgement judgement : primary) {
      if (judgement.share().explained().isEmpty() && primary.size() > 1) {
        sentences.add(judgement.title() + ": " + judgement.reason() + ".");
      }
    }
    if (!impact.present()) {
      sentences.add("In all, " + impact.measure() + ".");
    } else if (primary.stream().allMatch(j -> j.share().explained().isEmpty())) {
      sentences.add("The inputs do not show how much time was lost.");
    } else {
      sentences.add(shares() + ".");
    }
    return String.join(" ", sentences);
  }

  /** The whole lost time by cause: shares and unexplained time add up to 100 %. */
  private String shares() {
    List<String> parts = new ArrayList<>();
    double others = 0;
    boolean alone =
        judgements.stream().filter(j -> j.verdict() == Verdict.PRIMARY_SUSPECT).count() == 1;
    List<Double> shown = Diagnosis.shown(judgements, attribution.unexplained());
    for (int i = 0; i < judgements.size(); i++) {
      Judgement judgement = judgements.get(i);
      double share = shown.get(i);
      boolean first = judgement.verdict() == Verdict.PRIMARY_SUSPECT;
      boolean suspect = first || judgement.verdict() == Verdict.CONTRIBUTING;
      if (suspect && share >= Judgement.LEAST_SHOWN) {
        parts.add(
            (first && alone ? "This" : judgement.hypothesis().id())
                + (parts.isEmpty() ? " explains " : " ")
                + new Ratio(share)
                + (first && alone
                    ? judgement.share().interval().map(Summary::range).orElse("")
                    : "")
                + (parts.isEmpty() ? " of the lost time" : ""));
      } else {
        others += share;
      }
    }
    if (others >= Judgement.LEAST_SHOWN) {
      parts.add("other causes " + new Ratio(others));
    }
    double rest = shown.get(judgements.size());
    return String.join(", ", parts)
        + (rest < Judgement.LEAST_SHOWN
            ? "; " + unexplained()
            : "; " + new Ratio(rest) + " is unexplained");
  }

  /** Time in no recorded state may be longer than the counted time. */
  private String unexplained() {
    double most = incident.hiddenShare();
    return most < Judgement.LEAST_SHOWN
        ? "nothing is unexplained"
        : "up to " + new Ratio(most) + " is in no recorded state";
  }

  private static String range(Estimate share) {
    return " (" + Ratio.range(share.low(), share.high()) + ")";
  }

  /**
   * The strongest leads if there is no suspect, as a place to start.
   *
   * @param stated the statements that are printed before; those of the leads are added
   */
  private String leads(Set<String> stated) {
    Map<String, List<String>> causesByStatement = new LinkedHashMap<>();
    judgements.stream()
        .filter(Judgement::isLead)
        .limit(Policy.MOST_NAMED)
        .forEach(
            lead ->
                causesByStatement
                    .computeIfAbsent(
                        lead.leads().findFirst().map(Finding::statement).orElseThrow(),
                        statement -> new ArrayList<>())
                    .add(lead.hypothesis().id()));
    if (causesByStatement.isEmpty()) {
      return "";
    }
    return (causesByStatement.size() == 1
            ? " The lead, not proven: "
            : " The strongest leads, not proven: ")
        + causesByStatement.entrySet().stream()
            .map(
                lead ->
                    String.join(" or ", lead.getValue())
                        + (stated.add(lead.getKey()) ? " (" + lead.getKey() + ")" : ""))
            .collect(Collectors.joining("; "))
        + ".";
  }

  private static final Step QUEUE_BEFORE =
      deciding(
          "ss -lnt while it lasts",
          " (Recv-Q of the port is its accept queue) and a thread dump (are all worker threads"
              + " busy?); if neither shows it, the queue is the proxy's");

  private static final Step RECORDING =
      deciding(
          "a recording of a minute of the incident",
          " (jcmd PID JFR.start settings=profile duration=60s filename=incident.jfr)");

  private static Step deciding(String what, String how) {
    return Step.deciding(what, how, false);
  }

  /**
   * The one file that would decide most: what shows waits, else how long requests take, else what
   * the first lead lacks.
   */
  private Step decider() {
    Timeline timeline = incident.timeline();
    if (BeforeServer.felt(incident).isPresent()) {
      return QUEUE_BEFORE;
    }
    List<Signal> unseen = Sensors.missing(timeline);
    if (unseen.size() > Policy.MOST_NAMED && !timeline.sees(Signal.THREAD_PARKS)) {
      return RECORDING;
    }
    boolean measured = timeline.areRequestsMeasured();
    if (!measured && !impact.present()) {
      return Step.LATENCIES;
    }
    Step other = isNowhere() ? WHAT_SLOW_ONES_DO : measured ? Step.NONE : Step.LATENCIES;
    return Stream.concat(
            judgements.stream().filter(Judgement::isLead).flatMap(lead -> lead.missing().stream()),
            unseen.stream())
        .map(signal -> deciding(signal.description(), " (" + signal.howToRecord() + ")"))
        .findFirst()
        .orElse(other);
  }

  /** Whether requests lose most of their time where nothing was recorded. */
  private boolean isNowhere() {
    EffectTimes times = incident.effects();
    return impact.present()
        && times.excessSeconds(Effect.UNACCOUNTED) > Policy.MAJORITY * times.totalExcessSeconds();
  }

  /** Where no single thing may hide a delay. */
  private String withoutCause(Optional<HiddenWaits> behind) {
    if (impact.unseen()) {
      return unaccounted() + "; " + impact.measure() + "." + missing(behind);
    }
    String untimed =
        incident
            .hidden()
            .filter(HiddenTime::isNotable)
            .map(time -> " " + new HiddenTimeText(incident, time).sentence() + ".")
            .orElse("");
    return impact.present()
        ? impact.measure()
            + "; no cause found explains the delay."
            + largestEffect(incident).map(most -> " " + most).orElse("")
            + (uncompared().isEmpty()
                ? ""
                : uncompared().stream()
                    .map(one -> one.hypothesis().id() + " (" + one.brief() + ")")
                    .collect(
                        Collectors.joining(
                            " or ",
                            " No baseline shows which has more than its normal part: ",
                            ".")))
            + missing(behind)
            + untimed
        : "These inputs cannot show whether requests were delayed"
            + withoutDurations()
            + unrecorded()
            + (impact.visible() ? "" : UserImpact.blindSpot(incident, incident.effects()))
            + ("; " + impact.measure() + "." + untimed);
  }

  /**
   * Why the absence of a visible delay does not prove that there is none, if a single thing may
   * hide it; else empty.
   */
  Optional<HiddenWaits> open() {
    Timeline timeline = incident.timeline();
    if (isPartial(timeline)) {
      return open("No cause found in what could be read, but part of the inputs is missing");
    }
    if (incident.windows().dated() && isTooShort(incident.window())) {
      Duration length = incident.window().length();
      return open(
          length.compareTo(MOMENT) <= 0
              ? "The inputs show a single moment"
              : "The inputs cover only " + Durations.format(length) + ", which is too short");
    }
    Optional<Window> silent = OccupiedWorkers.silence(timeline);
    if (silent.isPresent()) {
      return open(
          ("For the last %s no request thread took up any work, after it had before: no requests"
                  + " came any more, or all threads hang")
              .formatted(Durations.format(silent.get().length())),
          new Step("take " + TWO_DUMPS, "Take " + TWO_DUMPS, true));
    }
    Optional<HeapSurvival> filling = HeapSurvival.of(incident);
    if (filling.isPresent()) {
      String words = filling.get().words();
      String why = "No slowdown found yet, but the heap fills: " + words;
      return Optional.of(new HiddenWaits(why, Step.NONE, words));
    }
    Optional<String> crowded = CrowdedCores.slowerRequests(incident);
    if (crowded.isPresent()) {
      return open(crowded.get());
    }
    String uncounted = UncountedRequests.words(incident);
    if (!uncounted.isEmpty()) {
      return open(uncounted, Step.LATENCIES);
    }
    List<String> longer =
        Stream.of(Percentiles.MEDIAN, Percentiles.TAIL)
            .flatMap(percentile -> clearlyLonger(percentile).stream())
            .toList();
    if (longer.size() == 2) {
      return open(
          "All requests take longer than in the baseline, too little for users to notice: P50 "
              + String.join(", P99 ", longer));
    }
    return HiddenWaits.of(timeline)
        .or(
            () ->
                HiddenWaits.ofUnknown(timeline)
                    .or(() -> UnseenTime.unbounded(incident))
                    .filter(any -> impact.visible()));
  }

  private static Optional<HiddenWaits> open(String why) {
    return open(why, Step.NONE);
  }

  private static Optional<HiddenWaits> open(String why, Step step) {
    return Optional.of(new HiddenWaits(why, step));
  }

  /** A percentile of the latency before and now; empty if it is not clearly longer. */
  private Optional<String> clearlyLonger(double percentile) {
    Duration before =
        incident
            .baseline()
            .flatMap(window -> RequestExcess.latency(incident, window, percentile))
            .orElse(Duration.ZERO);
    return RequestExcess.latency(incident, incident.window(), percentile)
        .filter(now -> !before.isZero())
        .filter(now -> LoadTestDelays.mayMultiply(Durations.seconds(now.minus(before))))
        .filter(now -> Durations.seconds(now) >= Policy.CLEARLY_MORE * Durations.seconds(before))
        .map(now -> Durations.format(before) + " -> " + Durations.format(now));
  }

  /** The causes between which only a baseline decides; none, or several. */
  private List<Judgement> uncompared() {
    List<Judgement> open =
        judgements.stream()
            .filter(any -> incident.windows().baseline().isEmpty())
            .filter(one -> Causes.of(one.hypothesis()).is(Cause.Trait.PART_OF_NORMAL_WORK))
            .filter(one -> one.verdict() == Verdict.CONTRIBUTING || one.isLead())
            .toList();
    return open.size() < 2 ? List.of() : open;
  }

  /** An access log that a server writes without the one thing needed. */
  private String withoutDurations() {
    return incident.timeline().inputs().stream()
        .filter(input -> input.remark() == Remark.NO_DURATIONS)
        .findFirst()
        .map(log -> ": " + log.file() + " has no durations of requests")
        .orElse("");
  }

  /** The missing sensors, if they are few enough to name. */
  private String unrecorded() {
    List<Signal> missing = Sensors.missing(incident.timeline());
    return missing.isEmpty() || missing.size() > Policy.MOST_NAMED
        ? ""
        : missing.stream()
            .map(Signal::description)
            .collect(Collectors.joining(", ", " (not recorded: ", ")"));
  }

  /** A request that fails at once waits for nothing, so only its response shows the reason. */
  private String unaccounted() {
    return new DelaySummary(incident)
        .failures()
        .map(
            share ->
                share
                    + " of the requests failed, and nothing recorded explains it: see their status"
                    + " codes and the service's own log")
        .orElse("The load test shows delays or failures that nothing recorded explains");
  }

  /** What may be missing to explain it. */
  private static String missing(Optional<HiddenWaits> hidden) {
    return hidden
        .map(waits -> " Possibly missing: " + waits.why() + ". " + waits.step().words() + ".")
        .orElse("");
  }

  /** A shorter window cannot show health, and its shares are chance. */
  static boolean isTooShort(Window window) {
    return window.length().compareTo(SHORTEST_HEALTHY) < 0;
  }

  /**
   * If a part could not be read, or may have been misread, a healthy rest proves nothing: the cause
   * may be in that part.
   */
  static boolean isPartial(Timeline timeline) {
    return timeline.inputs().stream()
        .anyMatch(
            input ->
                input.remark() == Remark.UNSURE
                    || input.status() == InputReport.Status.PARTIAL
                    || input.status() == InputReport.Status.LEFT_OUT);
  }

  /**
   * The largest effect with its largest part, and what was mostly waited for. Empty if no single
   * effect has most of the lost time, or if it is not recorded.
   */
  private static Optional<String> largestEffect(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    double all = times.totalExcessSeconds();
    List<Double> shown =
        Ratio.parts(
            Arrays.stream(Effect.values())
                .map(effect -> all > 0 ? times.excessSeconds(effect) / all : 0)
                .toList());
    return Arrays.stream(Effect.values())
        .max(Comparator.comparingDouble(times::excessSeconds))
        .filter(effect -> effect != Effect.UNACCOUNTED)
        .filter(effect -> times.excessSeconds(effect) > Policy.MAJORITY * all)
        .map(
            effect ->
                "Most of it (%s) is time %s%s."
                    .formatted(
                        new Ratio(shown.get(effect.ordinal())),
                        effect.title(),
                        times.sites(effect, incident.window()).entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .map(site -> ", most for " + site.getKey())
                            .orElse("")));
  }

  /**
   * Work for users that is new for the most part, where no file counts requests: more of them,
   * which is no harm while there is room, or more work for each, which delays it by as much and is
   * in no wait that events show.
   *
   * @param during share of all cores, 0 to 1, or threads in calls in the incident
   * @param before the same in the baseline
   */
  record UncountedRequests(double during, double before) {

    static String words(Incident incident) {
      Optional<UncountedRequests> computing = computing(incident);
      return computing
          .or(() -> calling(incident))
          .map(
              work ->
                  computing.isPresent()
                      ? "Work for requests takes %s of the CPU (before: %s), and no file counts requests: more of them, or more CPU time for each"
                          .formatted(new Ratio(work.during()), new Ratio(work.before()))
                      : "%s threads are in calls too short for events (before: %s), and no file counts requests: more of them, or more calls for each"
                          .formatted(
                              Numbers.threeDigits(work.during()),
                              Numbers.threeDigits(work.before())))
          .orElse("");
    }

    static Optional<UncountedRequests> computing(Incident incident) {
      Timeline timeline = incident.timeline();
      return of(
          incident,
          MachineLoad.cores(timeline),
          window ->
              CpuUse.of(timeline, window)
                  .map(use -> use.jvm() * CoreQueue.users(timeline, window)));
    }

    static Optional<UncountedRequests> calling(Incident incident) {
      Timeline timeline = incident.timeline();
      boolean timed = timeline.sees(Signal.SOCKET_READS);
      return timed && SampledCalls.areMostHidden(timeline, incident.window())
          ? of(incident, 1, window -> Optional.of(SampledCalls.hidden(timeline, window)))
          : Optional.empty();
    }

    /**
     * Absent if requests are counted, the work did not grow as much, or all of it is too little to
     * delay a request noticeably. A round of request threads may be two requests; without recorded
     * rounds any work may be that of one request.
     *
     * @param threads how many threads a whole unit of the amount is
     */
    private static Optional<UncountedRequests> of(
        Incident incident, double threads, Function<Window, Optional<Double>> amount) {
      Timeline timeline = incident.timeline();
      if (timeline.areRequestsMeasured() || timeline.operator().rate().isPresent()) {
        return Optional.empty();
      }
      double rounds = ServedRequests.roundsPerSecond(timeline, incident.window());
      return incident
          .baseline()
          .flatMap(amount)
          .flatMap(
              before ->
                  amount
                      .apply(incident.window())
                      .map(during -> new UncountedRequests(during, before)))
          .filter(work -> work.before() < Policy.MAJORITY * work.during())
          .filter(work -> (work.during() - work.before()) * threads >= Policy.LEAST_THREADS_FELT)
          .filter(work -> LoadTestDelays.isFelt(work.during() * threads / rounds, 0));
    }
  }

  /**
   * What a healthy report says beside that: little that was lost, what changed, what may come.
   *
   * @param judgements of all causes, the strongest first
   * @param attribution who has how much of the lost time
   */
  private record HealthNotes(
      MeasuredIncident incident, List<Judgement> judgements, Attribution attribution) {

    /** Effects that are queues: a few requests carry all of the waiting. */
    private static final List<Effect> QUEUES =
        List.of(Effect.POOL_WAIT, Effect.LOCK_WAIT, Effect.WORKER_WAIT);

    private static final String OTHERS_WAIT =
        " Threads wait for a connection, more of them than the load test can have requests in progress:"
            + " they work for no request.";

    /** Each note starts with a space; empty if there is none. */
    String sentences() {
      return noticed()
          + queued()
          + busier()
          + calling()
          + (incident.effects().isPoolOfOthers() ? OTHERS_WAIT : "")
          + neverSilent(Set.of());
    }

    /**
     * Notes that every report without a suspect needs, each with a leading space.
     *
     * @param stated what is printed already
     */
    String neverSilent(Set<String> stated) {
      List<String> events =
          NotableEvents.of(incident).stream().filter(event -> !stated.contains(event)).toList();
      return (events.isEmpty() ? "" : " Notable: " + String.join("; ", events) + ".")
          + toWatch(LiveSetGrowthRule.FULL_IF_ALIVE, stated)
          + toWatch(DeadlockedThreadsRule.DEADLOCKED, stated);
    }

    /**
     * What a reader who asks for better than healthy should look at. The lost time is compared with
     * the median latency: where a request loses a quarter of it on average, or the 99th percentile
     * is long and many times the median, and one cause explains most of the lost time, that cause
     * is named, however little it is.
     */
    private String noticed() {
      return isOfOthers(incident.effects().totalExcessSeconds())
              || lostOfMedian() < Policy.SUBSTANTIAL && !isTailLong()
          ? ""
          : judgements.stream()
              .filter(judgement -> judgement.verdict() == Verdict.NOT_INDICATED)
              .filter(judgement -> attribution.share(judgement.hypothesis()) > Policy.MAJORITY)
              .findFirst()
              .map(
                  judgement ->
                      " Most of the little lost time (%s) is explained by %s: %s."
                          .formatted(
                              new Ratio(attribution.share(judgement.hypothesis())),
                              judgement.hypothesis().id(),
                              judgement.reason()))
              .orElse("");
    }

    /**
     * What the slowest requests wait for, if they take at least twice as long as most. If one
     * request in 100 waits for the difference, the mean wait is 1 % of the difference, and a queue
     * with that mean wait explains all of it. More waiting than all requests of a load test lost is
     * that of other threads.
     */
    private String queued() {
      Optional<Duration> p99 = tested(Percentiles.TAIL);
      Optional<Duration> p50 = tested(Percentiles.MEDIAN);
      Optional<Rate> rate = RequestRate.of(incident.timeline(), incident.window());
      if (p99.isEmpty() || p50.isEmpty() || rate.isEmpty()) {
        return "";
      }
      Duration longer = p99.get().minus(p50.get());
      Effect most =
          QUEUES.stream().max(Comparator.comparingDouble(incident.effects()::during)).orElseThrow();
      double waiting = incident.effects().during(most);
      double each = waiting / rate.get().perSecond();
      return isOfOthers(waiting * incident.window().seconds())
              || longer.compareTo(p50.get()) < 0
              || each < Policy.TAIL * Durations.seconds(longer)
          ? ""
          : (" A few requests are delayed, %s: %s per request on average, enough for a P99"
                  + " latency of %s.")
              .formatted(
                  most.title(),
                  Durations.format(Durations.ofSeconds(each)),
                  Durations.format(p99.get()));
    }

    /**
     * Whether threads waited longer than all requests of the load test together: it is not these.
     */
    private boolean isOfOthers(double seconds) {
      return seconds > RequestExcess.mostInRun(incident.timeline());
    }

    private Optional<Duration> tested(double percent) {
      return TestedRequests.of(incident).flatMap(stats -> stats.percentile(percent));
    }

    private boolean isTailLong() {
      Optional<Duration> p50 = tested(Percentiles.MEDIAN);
      return tested(Percentiles.TAIL)
          .filter(p99 -> p50.isPresent() && LoadTestDelays.isQueued(p99, p50.get()))
          .isPresent();
    }

    /**
     * Of a service that became slower it is worth knowing that it computes more than before, also
     * where no thread is seen to wait: how long requests compute is in no wait.
     */
    private String busier() {
      Timeline timeline = incident.timeline();
      double now = CpuUse.of(timeline, incident.window()).map(CpuUse::service).orElse(0.0);
      return incident
          .baseline()
          .flatMap(baseline -> CpuUse.of(timeline, baseline))
          .filter(
              baseline ->
                  now >= Math.max(Policy.MAJORITY, Policy.CLEARLY_MORE * baseline.service()))
          .map(
              baseline ->
                  (" What changed: the service uses %s of the CPU (before: %s): more requests, or"
                          + " more CPU time per request.")
                      .formatted(new Ratio(now), new Ratio(baseline.service())))
          .orElse("");
    }

    /**
     * Calls of which the baseline shows hardly any, where half of all requests take as long as one:
     * requests may make them now and not before, or they were shorter than events show. Figures of
     * a whole test do not tell which.
     */
    private String calling() {
      Timeline timeline = incident.timeline();
      SignalState reads = timeline.coverage().of(Signal.SOCKET_READS);
      double median = tested(Percentiles.MEDIAN).map(Durations::seconds).orElse(0.0);
      return DownstreamCalls.of(timeline, incident.window())
          .map(all -> all.busiest().site())
          .filter(site -> incident.baseline().isPresent())
          .filter(site -> DownstreamCalls.usual(site.name(), incident).isEmpty())
          .flatMap(site -> DownstreamCalls.to(site.name(), timeline, incident.window()))
          .filter(calls -> calls.count() >= Policy.FEWEST_COUNTED)
          .filter(calls -> median >= (1 - Policy.SAMPLES_GOOD_TO) * calls.meanSeconds())
          .map(
              calls ->
                  (" What changed: calls%s to %s, %s%s a second of %s each, of which the baseline"
                          + " shows hardly any; half of all requests take about as long: see"
                          + " whether they did before.")
                      .formatted(
                          reads.shortest(),
                          calls.busiest().site().label(),
                          reads.note().isEmpty() ? "" : "at least ",
                          Numbers.threeDigits(calls.count() / incident.window().seconds()),
                          Durations.format(calls.meanSeconds())))
          .orElse("");
    }

    /** What the first finding with that value states. */
    private String toWatch(String value, Set<String> stated) {
      return judgements.stream()
          .flatMap(judgement -> judgement.findings().stream())
          .filter(finding -> finding.values().containsKey(value))
          .map(Finding::statement)
          .findFirst()
          .filter(statement -> !stated.contains(statement))
          .map(statement -> " To watch: " + statement + ".")
          .orElse("");
    }

    /** Time lost to known causes, a request on average, as a part of the median; 0 if not known. */
    private double lostOfMedian() {
      Window window = incident.window();
      double lost = Hypothesis.catalogue().stream().mapToDouble(attribution::seconds).sum();
      double requests =
          RequestRate.of(incident.timeline(), window)
              .map(rate -> rate.perSecond() * window.seconds())
              .orElse(0.0);
      double median = tested(Percentiles.MEDIAN).map(Durations::seconds).orElse(0.0);
      return requests > 0 && median > 0 ? lost / requests / median : 0;
    }
  }
}
