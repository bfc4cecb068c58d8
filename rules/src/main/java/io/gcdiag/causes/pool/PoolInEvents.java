package io.gcdiag.causes.pool;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.pool.LongerHolds.Cause;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.CounterReadings;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UntimedWaits;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Splits the waiting for connections into what the pool's size, longer holds and pauses account for
 * (see {@link PoolWaitSplit}), and hands it on; samples show whether the connections are at work.
 */
@Judges(
    value = {
      Hypothesis.CONNECTION_POOL_UNDERSIZED,
      Hypothesis.CONNECTION_LEAK,
      Hypothesis.SLOW_DOWNSTREAM
    },
    needs = Signal.THREAD_PARKS)
record PoolInEvents(String id) implements Rule {

  private static final String BOTH_WOULD_HELP =
      "return the connection before the other work, or acquire it after that, and measure again;"
          + " a pool larger by the same factor works as well if the database can bear it";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    return Stream.of(finding(incident), new PoolInSamples(id, incident).finding())
        .flatMap(Optional::stream)
        .toList();
  }

  Optional<Finding> finding(MeasuredIncident incident) {
    Optional<PoolWaitSplit> split = PoolWaitSplit.of(incident);
    if (split.isPresent()) {
      return split.map(ended -> hand(incident, ofAll(incident, ended)));
    }
    // Virtual threads wait without an event; that none was recorded says nothing then.
    return incident.effects().during(Effect.POOL_WAIT) > 0
        ? Optional.empty()
        : Optional.of(noWaits(incident));
  }

  /** Waits that never ended have no event, so the completed waits describe only their own part. */
  private PoolWaitSplit ofAll(MeasuredIncident incident, PoolWaitSplit ended) {
    double all = incident.effects().during(Effect.POOL_WAIT) * incident.window().seconds();
    return new PoolInDumps(id, incident).noneWasHandedOn() && all > ended.observedSeconds()
        ? ended.of(ended.observedSeconds() / all)
        : ended;
  }

  /**
   * Virtual threads that wait for a connection are in no event, and no thread waits for that of a
   * reactive chain: none is no evidence there.
   */
  private Finding noWaits(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    FindingBuilder finding =
        Finding.of(
                id, "no connection wait" + timeline.coverage().of(Signal.THREAD_PARKS).shortest())
            .value("waits", 0)
            .from(timeline.recorded("jdk.ThreadPark"));
    return timeline.samples(VirtualThreadUse.class).isEmpty()
            && !DownstreamCalls.areForResults(timeline, incident.window())
        ? finding.weakens(Hypothesis.CONNECTION_POOL_UNDERSIZED).build()
        : finding.leavesOpen(Hypothesis.CONNECTION_POOL_UNDERSIZED).build();
  }

  /** What it means for the pool comes first, so that a line holds it. */
  private static String ofSize(PoolWaitSplit split, WaitSeries.Totals totals) {
    Ratio bySize = new Ratio(split.bySize());
    String part = bySize.equals(new Ratio(0)) ? "none" : bySize.toString();
    return part + " of " + Numbers.counted(totals.count(), "wait") + " due to its size";
  }

  private Finding hand(MeasuredIncident incident, PoolWaitSplit split) {
    Window window = incident.window();
    WaitSeries busiest =
        WaitSeries.longest(UserWaits.of(incident.timeline(), WaitKind.POOL), window).orElseThrow();
    WaitSeries.Totals totals = busiest.within(window);
    EffectTimes times = incident.effects();
    String waits =
        "%s waits for a connection (%s), %s on average, %s at the peak"
            .formatted(
                Numbers.count(totals.count()),
                busiest.site().name(),
                Durations.format(totals.mean()),
                Numbers.threads(busiest.peakWaiting(window)));
    // The ledger has the time in pauses under these; the recorded lengths have it too.
    boolean apart =
        times.during(Effect.POOL_WAIT) * window.seconds()
            < (1 - Policy.NEGLIGIBLE) * totals.waitedSeconds();
    FindingBuilder finding =
        Finding.of(id, waits + "; " + account(split))
            .brief(Numbers.counted(totals.count(), "wait") + " for a connection")
            .brief(Hypothesis.CONNECTION_POOL_UNDERSIZED, ofSize(split, totals))
            .figure(
                "threads waiting for a connection, mean" + (apart ? ", outside pauses" : ""),
                times.before(Effect.POOL_WAIT),
                times.during(Effect.POOL_WAIT))
            .figure(
                "mean wait for a connection" + (apart ? ", pauses included" : ""),
                incident
                    .baseline()
                    .map(busiest::within)
                    .filter(before -> before.count() > 0)
                    .map(before -> Durations.format(before.mean())),
                Durations.format(totals.mean()))
            .value("waits", totals.count())
            .value("waitedSeconds", totals.waitedSeconds())
            .value("peakWaiting", busiest.peakWaiting(window))
            .value("shareBySize", split.bySize())
            .value("shareByStalls", split.byStalls())
            .value("shareByDownstream", split.by(Cause.ANSWERS))
            .from(busiest.source());
    if (split.bySize() >= Policy.NEGLIGIBLE) {
      finding.figure("waiting explained by the pool's size", new Ratio(split.bySize()).toString());
    }
    if (split.simulated() && split.isReproduced()) {
      finding
          .value("simulatedSeconds", split.simulatedSeconds())
          .sum(
              "waiting observed "
                  + Durations.format(split.observedSeconds())
                  + ", simulated with the recorded pauses "
                  + Durations.format(split.simulatedSeconds()))
          .sum(
              "of this the pool's size alone, without pauses: "
                  + new Ratio(split.bySize()).share());
    }
    Optional<String> calls = unknownCalls(incident, split);
    if (calls.isPresent()) {
      finding.brief(Hypothesis.SLOW_DOWNSTREAM, calls.get());
      PoolWaitRule.PoolByMeters.either(
          finding,
          Hypothesis.CONNECTION_POOL_UNDERSIZED,
          Hypothesis.SLOW_DOWNSTREAM,
          split.bySize(),
          PoolWaitRule.PoolByMeters.EXPERIMENT);
    } else {
      finding.explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, split.bySize());
    }
    finding.passes(Effect.POOL_WAIT, Effect.STOPPED, split.byStalls(), stalls(split));
    Optional<HoldersTime> holders = HoldersTime.of(incident);
    holders.ifPresent(time -> finding.sum(HoldersText.of(time)).from(time.sources()));
    for (Cause cause : Cause.values()) {
      hand(incident, finding, cause, split.by(cause), holders);
    }
    if (split.simulated() && MachineLoad.becameFull(incident)) {
      finding.passes(
          Effect.POOL_WAIT,
          Effect.CPU_QUEUE,
          split.rest(),
          new Ratio(split.rest())
              + " of the waiting is not explained by the simulated pool; the cores were full, so"
              + " holders waited for CPU before they returned their connection");
    }
    boolean elsewhere = Numbers.sum(split.byLongerHolds()) > Policy.MAJORITY;
    if (split.by(Cause.UNRELATED) > 0 && incident.baseline().isEmpty()) {
      finding.inseparable(
          Hypothesis.CONNECTION_LEAK, Hypothesis.CONNECTION_POOL_UNDERSIZED, BOTH_WOULD_HELP);
    } else if (split.bySize() < Policy.NEGLIGIBLE && (split.simulated() || elsewhere)) {
      finding.refutes(Hypothesis.CONNECTION_POOL_UNDERSIZED);
    }
    return finding.build();
  }

  /**
   * What calls may have to do with a full pool, where nothing shows how long they are by rights:
   * they take long enough to be felt and there is no baseline, or no event shows them.
   */
  private static Optional<String> unknownCalls(MeasuredIncident incident, PoolWaitSplit split) {
    Timeline timeline = incident.timeline();
    boolean usualKnown =
        split.basis() == PoolWaitSplit.Basis.FIGURES
            || timeline.operator().hold().isPresent()
            || PoolMeters.of(timeline).flatMap(pool -> pool.usualHold(incident)).isPresent();
    if (split.bySize() <= Policy.MAJORITY || usualKnown) {
      return Optional.empty();
    }
    if (!timeline.sees(Signal.SOCKET_READS)) {
      return Optional.of("no event shows how long calls on its connections take");
    }
    return incident.baseline().isPresent()
        ? Optional.empty()
        : DownstreamCalls.of(timeline, incident.window())
            .map(calls -> Durations.ofSeconds(calls.meanSeconds()))
            .filter(mean -> mean.compareTo(Policy.FELT_DELAY) >= 0)
            .map(
                mean ->
                    "calls take %s on average, and nothing shows whether they always do"
                        .formatted(Durations.format(mean)));
  }

  /** Hands on what one thing that lengthened the holds accounts for. */
  private static void hand(
      MeasuredIncident incident,
      FindingBuilder finding,
      Cause cause,
      double share,
      Optional<HoldersTime> holders) {
    if (share <= 0) {
      return;
    }
    String how = HoldersText.longer(cause, share, holders);
    boolean forCores = cause == Cause.COMPUTING && MachineLoad.isFull(incident);
    Optional<Effect> effect = forCores ? Optional.of(Effect.CPU_QUEUE) : cause.effect();
    if (effect.isPresent()) {
      finding.passes(Effect.POOL_WAIT, effect.get(), share, how);
    } else {
      finding
          .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, share)
          .advises(Hypothesis.CONNECTION_LEAK, HoldersText.giveBackBefore(holders));
    }
  }

  /** Who the waiting is handed to, largest part first. */
  private static String account(PoolWaitSplit split) {
    Stream<Part> longer =
        Stream.of(Cause.values()).map(cause -> new Part(split.by(cause), cause.title()));
    String parts =
        Stream.concat(
                Stream.of(
                    new Part(split.bySize(), "the pool's size"),
                    new Part(split.byStalls(), "pauses (" + split.basis().title() + ")")),
                longer)
            .filter(part -> part.share() >= Policy.TAIL)
            .sorted(Comparator.comparingDouble(Part::share).reversed())
            .map(part -> new Ratio(part.share()) + " by " + part.to())
            .collect(Collectors.joining(", "));
    String size = split.bySize() < Policy.TAIL ? ", none of it by the pool's size" : "";
    return parts.isEmpty()
        ? "not explained by the pool's size, longer holds or pauses"
        : "explained " + parts + size;
  }

  private record Part(double share, String to) {}

  private static String stalls(PoolWaitSplit split) {
    return "during a stop-the-world pause no connection is returned and requests queue: "
        + split.basis().pauses()
        + " "
        + new Ratio(split.byStalls())
        + " of the waiting";
  }

  /**
   * What samples of a recording show of the connections that threads wait for: whether they are at
   * work, held idle or not returned.
   *
   * @param rule the id of the rule
   */
  record PoolInSamples(String rule, Incident incident) {

    Optional<Finding> finding() {
      return UnusedConnections.of(incident)
          .map(this::unused)
          .or(
              () ->
                  SampledPool.of(incident)
                      .filter(
                          pool ->
                              pool.idle()
                                  || pool.atWork() && !HoldersTime.mostlyElsewhere(incident))
                      .map(this::compared));
    }

    private Finding compared(SampledPool pool) {
      String against =
          pool.usual().isPresent()
              ? ", against " + Numbers.threeDigits(pool.usual().getAsDouble()) + " before"
              : HoldersTime.mostlyAtWork(incident)
                  ? ", and holders spend most of the hold time in such calls"
                  : ", dumps show as many, and no other thread can hold one";
      FindingBuilder finding =
          begin(
              waited(pool.seconds()),
              "in calls",
              pool.usual(),
              pool.whileWaiting(),
              against,
              pool.idle());
      return pool.idle() ? kept(finding) : finding.refutes(Hypothesis.CONNECTION_LEAK).build();
    }

    private Finding unused(UnusedConnections unused) {
      String when =
          unused.dump().isPresent()
              ? "in the "
                  + Numbers.count(unused.seconds())
                  + " seconds before a dump with threads waiting for a connection"
              : waited(unused.seconds());
      FindingBuilder finding =
          begin(when, "running or in calls", OptionalDouble.empty(), unused.atWork(), "", true);
      unused.dump().ifPresent(finding::from);
      return kept(finding);
    }

    private static String waited(int seconds) {
      return "while threads waited for a connection (" + Numbers.count(seconds) + " seconds)";
    }

    private FindingBuilder begin(
        String when,
        String doing,
        OptionalDouble usual,
        double atWork,
        String against,
        boolean idle) {
      String number = Numbers.threeDigits(atWork);
      return Finding.of(
              rule,
              "%s, %s %s (by samples)%s: the connections are %s"
                  .formatted(
                      when,
                      number.equals("0")
                          ? "no request thread was"
                          : number + " request threads were",
                      doing,
                      against,
                      idle ? "held but idle" : "at work"))
          .figure("request threads " + doing + " while others wait for a connection", usual, atWork)
          .value("callsWhileWaiting", atWork)
          .value("callsUsual", usual)
          .from(incident.timeline().recorded("jdk.NativeMethodSample"));
    }

    private Finding kept(FindingBuilder finding) {
      return finding
          .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 1 - HoldersTime.kept(incident))
          .build();
    }

    /**
     * Whether a recording shows threads waiting for connections while no thread at all is at work.
     * Even a pool of one connection has it at work whenever a thread waits for it, so that nothing
     * needs to be known of the time before.
     *
     * <p>The seconds are those in which borrowers waited by events, and those before a dump in
     * which they wait: a wait that had not ended when the recording did is no event.
     *
     * @param atWork threads that the sampler found at something else than waiting without work, on
     *     average: request threads that compute or are in a native call, and any thread in a call
     * @param dump the dump that shows the borrowers, where no event does
     */
    private record UnusedConnections(double atWork, int seconds, Optional<Source> dump) {

      private static final Duration SECOND = Duration.ofSeconds(1);

      /** A connection that is busy for at most a third of the time is held idle for most of it. */
      private static final double HARDLY_EVER = 1.0 / 3;

      static Optional<UnusedConnections> of(Incident incident) {
        Timeline timeline = incident.timeline();
        Window window = incident.window();
        // No sample shows what virtual threads do with a connection.
        if (!timeline.samples(VirtualThreadUse.class).isEmpty()) {
          return Optional.empty();
        }
        // Where others queue for the lock of the one that asks, one thread waits for all of them.
        double queued = areAllTaken(timeline, window) ? Policy.FULL : Policy.RECURRING;
        TreeMap<Instant, Double> waited =
            SampledPool.bySlice(
                timeline, window, queue -> queue >= queued, UnusedConnections::isAtWork);
        return waited.size() >= MachineLoad.SUSTAINED
            ? of(timeline, waited, Optional.empty())
            : idleDump(timeline, window)
                .flatMap(dump -> of(timeline, before(timeline, dump), Optional.of(dump.source())));
      }

      /**
       * Whether no connection was free at any scrape of a window, and threads that wait for
       * something else, or for another thread that asks for one, cannot hold most of them.
       */
      private static boolean areAllTaken(Timeline timeline, Window window) {
        return PoolMeters.of(timeline)
            .filter(pool -> pool.isTaken(window))
            .filter(pool -> elsewhere(timeline, window) < HARDLY_EVER * pool.size().getAsInt())
            .isPresent();
      }

      private static double elsewhere(Timeline timeline, Window window) {
        return Stream.of(WaitKind.values())
            .filter(kind -> kind != WaitKind.POOL && kind != WaitKind.IDLE)
            .mapToDouble(kind -> WaitSeries.threads(UserWaits.of(timeline, kind), window))
            .sum();
      }

      private static Optional<UnusedConnections> of(
          Timeline timeline, TreeMap<Instant, Double> waited, Optional<Source> dump) {
        if (waited.size() < MachineLoad.SUSTAINED) {
          return Optional.empty();
        }
        Window all = new Window(waited.firstKey(), waited.lastKey().plus(SECOND));
        // Calls that park, as those of asynchronous clients do, are met by no sample of native
        // calls.
        boolean allSeen =
            dump.isPresent()
                || areAllTaken(timeline, all)
                || UntimedWaits.of(timeline, all)
                    .map(others -> others.threads() < HARDLY_EVER)
                    .orElseGet(() -> noneWasGiven(timeline, all));
        double mean = waited.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
        return SampledPool.isDisturbed(timeline, all) || !allSeen || mean >= HARDLY_EVER
            ? Optional.empty()
            : Optional.of(new UnusedConnections(mean, waited.size(), dump));
      }

      /**
       * Whether every wait lasts as long as the longest and as many exceptions are thrown, so that
       * it is a time limit that ends them and no connection; and no holder is in a wait of its own.
       */
      private static boolean noneWasGiven(Timeline timeline, Window window) {
        WaitSeries.Totals waits = WaitSeries.totals(UserWaits.of(timeline, WaitKind.POOL), window);
        OptionalDouble thrown =
            CounterReadings.perSecond(
                timeline.samples(ExceptionCount.class, window), ExceptionCount::total);
        return waits.count() >= Policy.FEWEST_FOR_A_MEAN
            && thrown.orElse(0) * window.seconds() >= Policy.COVERED * waits.count()
            && waits.mean().toNanos() >= Policy.FULL * waits.longest().toNanos()
            && elsewhere(timeline, window) < HARDLY_EVER;
      }

      /** The whole seconds before a dump. */
      private static TreeMap<Instant, Double> before(Timeline timeline, ThreadSnapshot dump) {
        return dump.at()
            .map(at -> at.truncatedTo(ChronoUnit.SECONDS))
            .map(at -> new Window(at.minus(SECOND.multipliedBy(MachineLoad.SUSTAINED)), at))
            .map(
                seconds ->
                    SampledPool.bySlice(
                        timeline, seconds, any -> true, UnusedConnections::isAtWork))
            .orElseGet(TreeMap::new);
      }

      private static boolean isAtWork(SampledTime sample) {
        return sample.onRequestThread()
            ? sample.waiting().filter(kind -> kind == WaitKind.IDLE).isEmpty()
            : sample.waitsFor(WaitKind.DOWNSTREAM);
      }

      /** A dump in which borrowers wait, and no request thread does anything else. */
      private static Optional<ThreadSnapshot> idleDump(Timeline timeline, Window window) {
        List<ThreadSnapshot> dumps =
            timeline.dumps(window).stream()
                .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) >= Policy.RECURRING)
                .toList();
        return dumps.isEmpty() || !dumps.stream().allMatch(UnusedConnections::noThreadWorks)
            ? Optional.empty()
            : Optional.of(dumps.get(dumps.size() - 1));
      }

      private static boolean noThreadWorks(ThreadSnapshot dump) {
        return dump.requestThreads().stream()
            .map(ThreadState::activity)
            .allMatch(at -> at == ThreadActivity.WAITING_FOR_POOL || at == ThreadActivity.IDLE);
      }
    }
  }
}
