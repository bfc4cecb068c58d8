package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.memory.MetaspacePressureCause;
import io.gcdiag.causes.workers.UnendedThreads;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.WakeDelay;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.ArrivalCourse;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.RequestSimulation;
import io.gcdiag.queueing.Stall;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** The JVM's own work fills its cores. */
public final class CpuSaturationCause extends Cause {

  /** Class names for password hashing in Spring Security, jBCrypt, Bouncy Castle and others. */
  private static final Pattern PASSWORD_HASHING =
      Pattern.compile("(?i)bcrypt|scrypt|argon2|pbkdf2|PBEKeyFactory");

  public CpuSaturationCause() {
    super(
        Hypothesis.CPU_SATURATION,
        "CPU saturation by the service's own work",
        "profile the hot methods and do less of that work, or add cores; an "
            + "executor sized to the cores shortens the longest waits but serves no more "
            + "requests",
        List.of(new CpuDemandRule(), new CpuLoadRule(), new LateWakesRule()),
        Trait.PART_OF_NORMAL_WORK,
        Trait.SEEN_IN_CPU);
    askedFirst(4);
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().mostOfAll(Activity.RUNNING).or(found.own()::runningInDumps));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(less(suspect));
  }

  private static String less(SuspectContext suspect) {
    OwnPlaces places = new OwnPlaces(suspect.incident());
    String callee =
        suspect
            .place()
            .flatMap(any -> places.mostOfAll(Activity.RUNNING, spot -> true))
            .map(Seen::subject)
            .orElse("");
    if (PASSWORD_HASHING.matcher(callee).find()
        || PASSWORD_HASHING.matcher(places.mostRunInDumps()).find()) {
      return boundHashing(suspect.timeline().jvm().cpus());
    }
    if (callee.startsWith("java.util.regex.")) {
      return "simplify the regular expression (" + callee + "), the top of the CPU profile";
    }
    return callee.isEmpty()
        ? "do less here, at the top of the CPU profile"
        : "call " + callee + ", the top of the CPU profile, less often or make it cheaper";
  }

  /** More concurrent tasks than cores only wait for each other. */
  private static String boundHashing(OptionalInt cores) {
    return "password hashing is slow on purpose, keep its strength: let no more than "
        + (cores.isPresent()
            ? Numbers.counted(cores.getAsInt(), "of these call")
            : "one call a core")
        + " run at a time (a semaphore, or an executor of as many threads), limit the rate of logins"
        + " before it, or add cores";
  }

  /**
   * Asks whether threads got a CPU when they needed one, by how late their timed waits ended. A
   * full machine alone does not show it: Linux's scheduler favours threads that slept, and other
   * processes may have a lower priority.
   */
  @Judges(
      value = {Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_SATURATION},
      needs = Signal.CPU_LOAD)
  static final class LateWakesRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Optional<CpuUse> full = CrowdedCores.of(incident).map(CrowdedCores::then);
      Optional<WakeDelay> delay = WakeDelay.of(incident.timeline(), incident.window());
      return full.isPresent() && delay.isPresent()
          ? List.of(judge(incident, full.get(), delay.get()))
          : List.of();
    }

    private Finding judge(MeasuredIncident incident, CpuUse use, WakeDelay delay) {
      Timeline timeline = incident.timeline();
      Optional<WakeDelay> before =
          incident.baseline().flatMap(baseline -> WakeDelay.of(timeline, baseline));
      boolean collectorWaits = HostCpuContentionCause.PauseCpuRule.isKeptWaiting(incident);
      boolean late = delay.isLate() || WakeDelay.isLaterWhereFull(timeline, incident.window());
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "%s: timed waits overran by %s on average%s"
                      .formatted(
                          late
                              ? "threads waited for CPU"
                                  + (delay.isLate() ? "" : " where the cores were full")
                              : collectorWaits
                                  ? "threads that woke got CPU at once, the collector's did not"
                                  : "threads got CPU at once although the cores were full",
                          lateness(delay),
                          before
                              .map(baseline -> " (before: " + lateness(baseline) + ")")
                              .orElse("")))
              .figure(
                  "mean overrun of timed waits",
                  before.map(LateWakesRule::lateness),
                  lateness(delay))
              .value("waits", delay.waits())
              .value("meanLateSeconds", delay.meanSeconds())
              .value("meanLateSecondsBefore", Numbers.of(before, WakeDelay::meanSeconds))
              .from(delay.source());
      boolean others = use.others() >= MachineLoad.OTHERS_NEGLIGIBLE;
      if (!late && collectorWaits) {
        // The findings contradict each other: pauses are longer for want of CPU.
        return finding.build();
      } else if (!late) {
        finding.weakens(Hypothesis.HOST_CPU_CONTENTION);
      } else if (others && use.others() > use.service()) {
        boolean every = before.filter(baseline -> delaysAll(delay, baseline)).isPresent();
        finding.supports(Hypothesis.HOST_CPU_CONTENTION, every && !timeline.areRequestsMeasured());
      } else {
        finding.supports(Hypothesis.CPU_SATURATION);
      }
      return finding.build();
    }

    /**
     * Whether late wake-ups delay all requests. Each request starts by waking a thread, and that
     * thread waits for CPU like one whose timed wait ended.
     */
    private static boolean delaysAll(WakeDelay delay, WakeDelay baseline) {
      return LoadTestDelays.mayMultiply(delay.meanSeconds() - baseline.meanSeconds());
    }

    private static String lateness(WakeDelay delay) {
      return Durations.format(delay.meanSeconds());
    }
  }

  /**
   * Asks how much of the lost time can be waiting for CPU, and whether CPU time per request grew.
   */
  @Judges(
      value = {Hypothesis.CPU_SATURATION, Hypothesis.THREAD_LEAK, Hypothesis.EXCEPTION_STORM},
      needs = Signal.CPU_LOAD)
  static final class CpuDemandRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      List<Finding> findings = new ArrayList<>();
      CpuPerRequest.of(incident)
          .map(computing -> perRequest(incident, computing))
          .or(
              () ->
                  CpuPerRequest.hiddenInWholeRun(incident)
                      .map(computing -> cores(incident, computing)))
          .ifPresent(findings::add);
      EffectTimes times = incident.effects();
      double unaccounted = times.excessSeconds(Effect.UNACCOUNTED) / incident.window().seconds();
      if (unaccounted > 0) {
        CrowdedCores.of(incident)
            .ifPresent(crowded -> findings.add(queue(incident, crowded, unaccounted)));
      }
      return findings;
    }

    private Finding perRequest(MeasuredIncident incident, CpuPerRequest computing) {
      String during = Durations.format(computing.duringSeconds());
      String before = Durations.format(computing.beforeSeconds());
      FindingBuilder finding =
          Finding.of(id(), "a request uses %s of CPU time (before: %s)".formatted(during, before))
              .value("cpuPerRequestSeconds", computing.duringSeconds())
              .value("cpuPerRequestBeforeSeconds", computing.beforeSeconds())
              .value("requestsPerSecond", computing.rate());
      return computed(incident, computing, "CPU time per request", before, during, finding);
    }

    /**
     * The same if only a whole load test counts requests. The rate of the incident is then unknown,
     * and the number of requests of the test limits the CPU time of each.
     */
    private Finding cores(MeasuredIncident incident, CpuPerRequest computing) {
      String during = Numbers.threeSignificant(computing.cores());
      String before = Numbers.threeSignificant(computing.coresBefore());
      Optional<RequestStats> run = incident.timeline().mainRequestStats();
      long most = run.map(RequestStats::requests).orElseThrow().orElse(0);
      double least = computing.cores() * incident.window().seconds() / most;
      String each =
          "; a request uses at least %s of CPU time, were all %s of the load test in the incident"
              .formatted(Durations.format(least), Numbers.count(most));
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "requests use %s cores (before: %s)%s"
                      .formatted(during, before, most > 0 ? each : ""))
              .value("cores", computing.cores())
              .value("coresBefore", computing.coresBefore())
              .from(run.orElseThrow().source());
      return computed(incident, computing, "cores that requests use", before, during, finding);
    }

    private static Finding computed(
        MeasuredIncident incident,
        CpuPerRequest computing,
        String what,
        String before,
        String during,
        FindingBuilder finding) {
      Timeline timeline = incident.timeline();
      RuntimeWork runtime = RuntimeWork.of(incident);
      if (runtime.keptThreads() > Policy.MAJORITY) {
        String kept = Numbers.threeSignificant(runtime.keptThreads() * runtime.grownCores());
        finding.figure("cores that threads without an end use", Optional.of("0"), kept);
      } else {
        finding.figure(what, Optional.of(before), during);
      }
      finding.from(MachineLoad.source(timeline));
      timeline.mainRequestSeries().ifPresent(series -> finding.from(series.source()));
      if (computing.duringSeconds() >= (1 + Policy.SAMPLES_GOOD_TO) * computing.beforeSeconds()) {
        HotCode.lines(timeline, incident.window()).forEach(finding::sum);
        double own =
            Math.max(0, 1 - runtime.total() - MetaspacePressureCause.shareOfComputing(incident));
        // Where most of what rose is the kernel's time, no sample shows what it is for.
        double kernel = kernelShare(incident);
        if (kernel >= Policy.MAJORITY) {
          finding.sum("kernel time: %s of the growth".formatted(new Ratio(kernel)));
          own = Math.min(own, 1 - kernel);
        }
        finding
            .explains(Hypothesis.CPU_SATURATION, Effect.RUNNING, own)
            .explains(Hypothesis.THREAD_LEAK, Effect.RUNNING, runtime.keptThreads());
      }
      return finding.build();
    }

    /**
     * Share of the growth of the JVM's CPU use that is kernel time, 0 to 1; 0 without a baseline.
     */
    private static double kernelShare(Incident incident) {
      if (incident.baseline().isEmpty()) {
        return 0;
      }
      Timeline timeline = incident.timeline();
      Window now = incident.window();
      Window before = incident.baseline().get();
      double all =
          MachineLoad.jvm(timeline, now).orElse(0) - MachineLoad.jvm(timeline, before).orElse(0);
      double kernel = MachineLoad.kernel(timeline, now) - MachineLoad.kernel(timeline, before);
      return all <= 0 ? 0 : Math.max(0, Math.min(1, kernel / all));
    }

    /**
     * While the CPUs are full, requests that are not explained otherwise wait for CPU. If they are
     * full for only a part of the window, the waiting is at most what a simulation of the measured
     * requests gives. If the requests are unknown, the queue in the rest of the window is at most
     * what the load there implies.
     */
    private Finding queue(Incident incident, CrowdedCores crowded, double unaccounted) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      Optional<SimulatedCores> simulated =
          SimulatedCores.of(incident, window).filter(cores -> cores.isCredible(unaccounted));
      Optional<Window> baseline = incident.baseline();
      double most =
          simulated
              .map(SimulatedCores::waiting)
              .orElseGet(() -> CoreQueue.atMost(timeline, window));
      double before = baseline.map(usual -> usually(incident, usual, simulated)).orElse(0.0);
      double queued = Math.max(0, most - before) / unaccounted;
      // Cores that were full before as well are no reason by themselves why more threads wait.
      boolean alwaysFull =
          baseline.filter(usual -> MachineLoad.isFull(timeline, usual)).isPresent();
      double byFull = simulated.isPresent() || alwaysFull ? 0 : crowded.share();
      double byLoad = Math.min(1, byFull + queued);
      OptionalDouble seen = CoreQueue.seenInDumps(incident);
      double seenAtMost =
          DoubleStream.of(
                  seen.orElse(unaccounted),
                  UnendedThreads.takeTheCores(incident)
                      ? Double.POSITIVE_INFINITY
                      : CoreQueue.mostByShare(timeline, window),
                  CoreQueue.mostInDumps(incident, unaccounted),
                  mostBesideOthers(timeline, window, crowded))
              .min()
              .orElseThrow();
      double share = Math.min(byLoad, seenAtMost / unaccounted);
      // Full CPUs do not prove a queue. Evidence for one is: threads that got a CPU late, CPUs full
      // of the service's own work, dumps, or a simulation that gives as much waiting.
      boolean seenWaiting =
          simulated.isPresent() || seen.isPresent() || CoreQueue.isContended(timeline, window);
      double least =
          seenWaiting
              ? share
              : Math.min(share, CoreQueue.moreAtLeast(timeline, window, baseline) / unaccounted);
      String statement =
          ("the cores were fully used %s of the time, and %s requests on average were"
                  + " delayed by nothing else that is recorded: waiting for CPU can explain %s of"
                  + " that")
              .formatted(
                  new Ratio(crowded.share()), Numbers.threeDigits(unaccounted), new Ratio(share));
      String basis =
          simulated
              .map(SimulatedCores::words)
              .orElse(
                  "by the machine's load second by second (M/M/c) up to "
                      + Numbers.threeDigits(most)
                      + " threads waited for CPU");
      return Finding.of(id(), statement)
          .sum(basis + (baseline.isPresent() ? ", " + Numbers.threeDigits(before) + " before" : ""))
          .value("fullShare", crowded.share())
          .value("unaccountedThreads", unaccounted)
          .value("queueAtMostThreads", most)
          .value("queueSeenInDumpsThreads", seen.orElse(unaccounted))
          .from(MachineLoad.source(timeline))
          .passes(
              Effect.UNACCOUNTED,
              Effect.CPU_QUEUE,
              share,
              least,
              Numbers.threeDigits(unaccounted)
                  + " requests on average are delayed in no recorded wait, the cores are fully used "
                  + new Ratio(crowded.share())
                  + " of the time, and "
                  + simulated.map(SimulatedCores::words).orElse("runnable threads wait for CPU"))
          .build();
    }

    /** Threads that waited for CPU in the baseline, by the same method as in the incident. */
    private static double usually(
        Incident incident, Window baseline, Optional<SimulatedCores> simulated) {
      return simulated
          .flatMap(same -> SimulatedCores.of(incident, baseline))
          .map(SimulatedCores::waiting)
          .orElseGet(() -> CoreQueue.atMost(incident.timeline(), baseline));
    }

    /**
     * Upper bound of the waiting threads if other processes fill the CPUs, but this JVM's threads
     * (including GC threads and threads that reach a safepoint) get a CPU at once. A thread that
     * shares a core with one other thread waits as long as it runs. Infinite without that
     * observation.
     */
    private static double mostBesideOthers(Timeline timeline, Window window, CrowdedCores crowded) {
      boolean atOnce =
          WakeDelay.of(timeline, window).isPresent()
              && !CoreQueue.isContended(timeline, window)
              && !crowded.then().isOwnWork();
      return atOnce
          ? crowded.then().service() * MachineLoad.cores(timeline) * crowded.share()
          : Double.POSITIVE_INFINITY;
    }

    /**
     * Simulation of the CPUs in a window with the measured requests and the recorded pauses.
     *
     * <p>Requests arrive in proportion to the JVM's CPU use in each second, at the measured rate in
     * total. Each needs the CPU time per request, exponentially distributed like work of mixed
     * sizes; CPU use of others makes it take longer. Only waiting for CPU counts: the delay that
     * the pauses cause even with a CPU for every thread belongs to the pauses.
     *
     * @param waiting requests that wait for CPU, on average
     * @param rate arrival rate of requests
     * @param each CPU time per request
     * @param others share of the cores that others use, 0 to 1
     */
    private record SimulatedCores(double waiting, Rate rate, Duration each, Ratio others) {

      /**
       * Empty if the rate or the CPU load is unknown, or if there are too many requests to
       * simulate. Also empty if the CPUs are full on average: the measured rate is then the service
       * rate, and the arrival rate may be higher. Nor does it know of threads by the hundred that
       * take turns at the cores ({@link UnendedThreads#takeTheCores}).
       */
      static Optional<SimulatedCores> of(Incident incident, Window window) {
        Timeline timeline = incident.timeline();
        Optional<CpuUse> use = CpuUse.of(timeline, window);
        Optional<Rate> rate = RequestRate.of(incident, window);
        int cores = MachineLoad.cores(timeline);
        if (use.isEmpty()
            || rate.isEmpty()
            || cores == 0
            || MachineLoad.isFull(timeline, window)
            || UnendedThreads.takeTheCores(incident)) {
          return Optional.empty();
        }
        double users = use.get().jvm() * CoreQueue.users(timeline, window);
        double others = Math.max(0, use.get().machine() - users);
        double perSecond = rate.get().perSecond();
        Duration each = Durations.ofSeconds(users * cores / perSecond);
        Duration taken = Durations.ofSeconds(users * cores / perSecond / (1 - others));
        boolean feasible =
            !each.isZero()
                && perSecond * window.seconds() <= PausesAlone.MOST_REQUESTS
                && RequestModel.canRun(perSecond, cores, taken, window.length());
        return feasible
            ? Optional.of(
                new SimulatedCores(
                    waiting(timeline, window, perSecond, taken),
                    rate.get(),
                    each,
                    new Ratio(others)))
            : Optional.empty();
      }

      private static double waiting(
          Timeline timeline, Window window, double perSecond, Duration taken) {
        ArrivalCourse course =
            ArrivalCourse.of(timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).toArray());
        List<Stall> stalls = PausesAlone.stalls(timeline.pauses(window), window);
        HoldTime computing = new HoldTime.Exponential(taken);
        Function<OptionalInt, RequestModel> on =
            cores ->
                new RequestModel(
                    perSecond, cores, computing, RequestModel.NOTHING, window.length(), stalls);
        RequestModel few = on.apply(OptionalInt.of(MachineLoad.cores(timeline)));
        RequestModel enough = on.apply(OptionalInt.empty());
        return LongStream.range(
                    RequestSimulation.SEED, RequestSimulation.SEED + RequestSimulation.RUNS)
                .mapToDouble(seed -> lost(few, course, seed) - lost(enough, course, seed))
                .average()
                .orElseThrow()
            / window.seconds();
      }

      private static double lost(RequestModel model, ArrivalCourse course, long seed) {
        return Durations.seconds(
            RequestSimulation.run(model, course, seed)
                .excesses()
                .observedAbove(Duration.ZERO)
                .total());
      }

      /**
       * Whether the observed waiting does not contradict the simulation, which must not give many
       * times as much.
       */
      boolean isCredible(double observed) {
        return Policy.SUBSTANTIAL * waiting <= observed;
      }

      /** Inputs and result of the simulation, one clause. */
      String words() {
        return ("%s with %s of CPU each, others using %s of the cores, make %s threads wait"
                + " for CPU (simulated with the recorded pauses)")
            .formatted(rate, Durations.format(each), others, Numbers.threeDigits(waiting));
      }
    }
  }
}
