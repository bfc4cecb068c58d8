package io.gcdiag.causes.stops;

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
import io.gcdiag.causes.memory.StoppedTimeSplit;
import io.gcdiag.causes.workers.UnendedThreads;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.SafepointTimes;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Threads reach safepoints late, or non-GC safepoints are long. */
public final class SafepointStallCause extends Cause {

  /** The JDK that introduced {@code LoopStripMiningIter}. */
  private static final int STRIPES_SINCE = 10;

  public SafepointStallCause() {
    super(
        Hypothesis.SAFEPOINT_STALL,
        "Long safepoints outside GC",
        "find the loop without a safepoint poll (long counted loops: "
            + "-XX:+UseCountedLoopSafepoints, from JDK 10 on with "
            + "-XX:LoopStripMiningIter=1000), or the tool that requests the named "
            + "operation",
        List.of(new PausesAloneRule(), new SafepointTimeRule(), new StandstillQueueRule()),
        Trait.SEEN_IN_CPU);
  }

  @Override
  public void place(PlaceParts found) {
    StopsByOperation.requested(found.incident())
        .ifPresentOrElse(operation -> requested(found, operation), () -> delayed(found));
  }

  /** Adds the code that requests the operation; if there is none, another process. */
  private static void requested(PlaceParts found, String operation) {
    Optional<Seen> code =
        found.own().mostOfAll(Activity.REQUESTING_STOPS, spot -> spot.subject().equals(operation));
    found.code(code);
    if (code.isEmpty()) {
      found.timeline().samples(OutsideRequest.class, found.window()).stream()
          .filter(request -> request.operation().equals(operation))
          .map(OutsideRequest::source)
          .findFirst()
          .ifPresent(found::outside);
    }
  }

  private static void delayed(PlaceParts found) {
    OwnPlaces own = found.own();
    found.code(
        own.mostOfAll(Activity.DELAYING_STOPS)
            .or(() -> own.mostOfAll(Activity.RUNNING, spot -> !spot.onRequestThread()))
            .or(() -> own.mostOfAll(Activity.RUNNING)));
  }

  /**
   * G1 polls for safepoints in counted loops by default, other collectors do not. With loop strip
   * mining the polls cost almost nothing.
   */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    boolean bias =
        StopsByOperation.of(suspect.incident()).operations().stream()
            .limit(1)
            .anyMatch(costliest -> VmOperations.revokesBias(costliest.name()));
    if (bias) {
      return List.of(flag(suspect, "-XX:-", "UseBiasedLocking", ""));
    }
    boolean named = suspect.about().stream().anyMatch(f -> f.actions().containsKey(hypothesis()));
    if (named) {
      return List.of();
    }
    JvmFacts jvm = suspect.timeline().jvm();
    Edit polls = flag(suspect, "-XX:+", "UseCountedLoopSafepoints", "");
    Edit stripes = flag(suspect, "-XX:", "LoopStripMiningIter", "1000");
    // JDK 8 and 9 do not know this flag, and a JVM refuses to start with an unknown one.
    boolean without = jvm.oldestRelease().orElse(Integer.MAX_VALUE) < STRIPES_SINCE;
    return without ? List.of(polls) : List.of(polls, stripes);
  }

  private static Edit flag(SuspectContext suspect, String set, String name, String to) {
    Optional<String> now = suspect.timeline().jvm().flag(name).map(Flag::value);
    return Edit.flag(set + name, now, to, suspect.why());
  }

  /**
   * Tests the chain from pauses to latency: compares the 99th percentile that the recorded pauses
   * alone produce with the observed one. If the pauses do not produce the latency, the chain is
   * broken, even if its parts fit.
   */
  // Root causes that hurt by stopping the application in collections.
  @Judges(
      value = {
        Hypothesis.MEMORY_PRESSURE,
        Hypothesis.HEAP_RESIZING,
        Hypothesis.MEMORY_LEAK,
        Hypothesis.FINALIZER_BACKLOG,
        Hypothesis.ALLOCATION_CHURN,
        Hypothesis.HUMONGOUS_ALLOCATION,
        Hypothesis.GC_LOCKER,
        Hypothesis.EXPLICIT_GC,
        Hypothesis.DIRECT_MEMORY,
        Hypothesis.METASPACE_PRESSURE
      },
      needs = Signal.GC_PAUSES)
  static final class PausesAloneRule implements Rule {

    private static final List<Effect> QUEUES =
        List.of(Effect.POOL_WAIT, Effect.WORKER_WAIT, Effect.ALLOCATION_STALL);

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return incident.pausesAlone().map(alone -> finding(incident, alone)).stream().toList();
    }

    private Finding finding(MeasuredIncident incident, PausesAlone alone) {
      boolean all = isAllThatPausesDo(incident);
      FindingBuilder finding =
          Finding.of(id(), statement(alone, all))
              .figure(
                  "P99 from GC pauses alone (simulated)",
                  Optional.of(Durations.format(alone.undisturbed())),
                  range(alone.produced(), alone.producedAtMost()))
              .value("producedMillis", Durations.millis(alone.produced()))
              .value("producedAtMostMillis", Durations.millis(alone.producedAtMost()))
              .value("undisturbedMillis", Durations.millis(alone.undisturbed()))
              .value("touchedShare", alone.touched())
              .from(incident.timeline().pauses(alone.window()).get(0).source());
      alone.observed().ifPresent(seen -> finding.value("observedMillis", Durations.millis(seen)));
      incident.timeline().mainRequestStats().ifPresent(stats -> finding.from(stats.source()));
      if (all) {
        alone.explained().ifPresent(share -> finding.value("explainedShare", share));
        alone.explainedAtMost().ifPresent(share -> finding.value("explainedAtMostShare", share));
      }
      Map<Hypothesis, Double> causes = StoppedTimeSplit.of(incident).byCause();
      for (Hypothesis cause : judges()) {
        double part = causes.getOrDefault(cause, 0.0);
        if (isFelt(alone) && part >= Policy.SUBSTANTIAL) {
          if (alone.explained().orElse(0.0) >= Policy.MAJORITY) {
            finding.supports(cause);
          } else if (all && alone.explainedAtMost().orElse(1.0) < Policy.NOTABLE) {
            finding.weakens(cause);
          }
        }
      }
      return finding.build();
    }

    /**
     * Whether requests hardly queue for threads, connections or memory. The simulation has no such
     * queue: if pauses fill one, its result is a lower bound.
     */
    private static boolean isAllThatPausesDo(MeasuredIncident incident) {
      double queued = QUEUES.stream().mapToDouble(incident.effects()::excessSeconds).sum();
      return queued < Policy.NOTABLE * incident.effects().totalExcessSeconds();
    }

    private static boolean isFelt(PausesAlone alone) {
      return alone
          .observed()
          .filter(seen -> seen.minus(alone.undisturbed()).compareTo(Policy.FELT_DELAY) >= 0)
          .isPresent();
    }

    private static String statement(PausesAlone alone, boolean all) {
      String produced =
          "pauses alone produce a P99 of " + range(alone.produced(), alone.producedAtMost());
      if (!all && alone.observed().isPresent()) {
        return "%s (%s without them), observed %s: the queues for threads and connections behind them are not in it"
            .formatted(
                produced,
                Durations.format(alone.undisturbed()),
                Durations.format(alone.observed().get()));
      }
      if (alone.observed().isEmpty()) {
        return produced + " (" + Durations.format(alone.undisturbed()) + " without them)";
      }
      return produced
          + ", observed "
          + Durations.format(alone.observed().get())
          + alone
              .explainedAtMost()
              .map(
                  share ->
                      ": they explain %s%s of the P99 above the normal %s"
                          .formatted(
                              alone.produced().equals(alone.producedAtMost()) ? "" : "at most ",
                              new Ratio(share).share(),
                              Durations.format(alone.undisturbed())))
              .orElse(": not above the normal latency");
    }

    private static String range(Duration low, Duration high) {
      String first = Durations.format(low);
      String last = Durations.format(high);
      return first.equals(last) ? first : first + " to " + last;
    }
  }

  /**
   * Measures the cost of safepoints other than GC, and asks whether threads stopped late because
   * they had no core.
   */
  @Judges(value = Hypothesis.SAFEPOINT_STALL, needs = Signal.SAFEPOINTS)
  static final class SafepointTimeRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      SafepointTimes times = incident.safepoints(incident.window());
      Optional<SafepointStop> longest = times.longest();
      if (longest.isEmpty()) {
        return List.of();
      }
      double stalls = times.lostSeconds() > 0 ? times.stallSeconds() / times.lostSeconds() : 0;
      boolean felt = times.share() * stalls >= Policy.TAIL;
      StopsByOperation byOperation = StopsByOperation.of(incident);
      Optional<Effect> starved = starvedBy(incident, times, byOperation);
      Duration cost = ObserverCost.of(incident.timeline()).lost(longest.get());
      FindingBuilder finding =
          Finding.of(id(), statement(times, longest.get(), cost, felt && starved.isPresent()))
              .figure(
                  "share of time in safepoints outside GC",
                  incident,
                  window -> new Ratio(incident.safepoints(window).share()).share())
              .figure("longest safepoint outside GC", Durations.format(cost))
              .value("safepoints", times.stops())
              .value("lostSeconds", times.lostSeconds())
              .value("stallSeconds", times.stallSeconds())
              .value("toolSeconds", times.toolSeconds())
              .value("observedSeconds", times.observedSeconds())
              .value("share", times.share())
              .value("longestReachingSeconds", Durations.seconds(longest.get().reaching()))
              .sum(
                  "time to safepoint of the longest: " + Durations.format(longest.get().reaching()))
              .from(longest.get().source());
      if (byOperation.operations().size() > 1) {
        finding.sum("by operation: " + byOperation.words());
      }
      told(finding, times);
      byOperation.operations().stream()
          .findFirst()
          .flatMap(SafepointTimeRule::advice)
          .ifPresent(advice -> finding.advises(Hypothesis.SAFEPOINT_STALL, advice));
      weigh(finding, felt, starved, stalls, added(incident, times));
      return List.of(finding.build());
    }

    /**
     * What keeps the JVM's own threads off the cores: a quota that is always used up, or other
     * processes. For other processes the evidence is stops without an operation, or else a full
     * machine, where a thread without a core reaches its safepoint late. So does one whose turn
     * comes after those of hundreds of others, whatever happens after the last one stopped. A full
     * machine does not explain an operation that is itself long.
     */
    private static Optional<Effect> starvedBy(
        Incident incident, SafepointTimes times, StopsByOperation byOperation) {
      if (Throttling.isFull(incident.timeline(), incident.window())) {
        return Optional.of(Effect.THROTTLED);
      }
      boolean crowded = UnendedThreads.takeTheCores(incident);
      boolean told = times.starved() || times.tellsOfMachine() && !times.isLate() && !crowded;
      boolean starved =
          told
              ? times.starved()
              : (crowded || MachineLoad.isFull(incident))
                  && byOperation.operations().stream()
                      .findFirst()
                      .map(StopsByOperation.Operation::isLongToReach)
                      .orElse(true);
      return starved ? Optional.of(Effect.CPU_QUEUE) : Optional.empty();
    }

    private static void weigh(
        FindingBuilder finding,
        boolean felt,
        Optional<Effect> starved,
        double stalls,
        double added) {
      if (!felt) {
        finding.refutes(Hypothesis.SAFEPOINT_STALL);
      } else if (starved.isPresent()) {
        finding
            .weakens(Hypothesis.SAFEPOINT_STALL)
            .passes(
                Effect.SAFEPOINT,
                starved.get(),
                stalls,
                "threads that wait for CPU reach a safepoint late");
      } else {
        finding
            .explains(Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT, stalls * (1 - added))
            .passes(
                Effect.SAFEPOINT,
                Effect.STOPPED,
                stalls * added,
                "GCs are more frequent than in the baseline: "
                    + new Ratio(added)
                    + " of the long stops would not have happened");
      }
      finding.passes(
          Effect.SAFEPOINT,
          Effect.STOPPED,
          felt ? 1 - stalls : 1,
          "threads have to stop before each GC");
    }

    /**
     * Share of the long stops that would not occur at the baseline's rate of collections; 0 if
     * unknown. At a fixed share of the stops some thread is late, so more stops mean more late
     * ones.
     */
    private static double added(MeasuredIncident incident, SafepointTimes during) {
      Optional<Window> baseline = incident.baseline();
      if (baseline.isEmpty() || during.stallSeconds() <= 0) {
        return 0;
      }
      SafepointTimes before = incident.safepoints(baseline.get());
      if (before.collections() < Policy.FEWEST_COUNTED || during.collections() <= 0) {
        return 0;
      }
      double usual = before.collections() / baseline.get().seconds();
      double now = during.collections() / incident.window().seconds();
      double ofCollections = during.collectionStallSeconds() / during.stallSeconds();
      return ofCollections * Math.max(0, 1 - usual / now);
    }

    /**
     * Advice by the operation of the stops; empty if most of the cost is the time to reach the
     * safepoint.
     */
    private static Optional<String> advice(StopsByOperation.Operation costliest) {
      Optional<String> ofJvm = adviceOn(costliest.name());
      if (ofJvm.isPresent()) {
        return ofJvm;
      }
      if (!costliest.isRequest()) {
        return Optional.empty();
      }
      return Optional.of(
          VmOperations.isOfTool(costliest.name())
              ? "find what requests "
                  + costliest.name()
                  + " in production (a script, an agent, a scheduled job), and run it rarely, or on"
                  + " an instance that serves no requests"
              : "find what requests "
                  + costliest.name()
                  + " from the JVM: all threads stop during it");
    }

    /** Advice for stops that the JVM makes for itself, however long threads take to reach them. */
    private static Optional<String> adviceOn(String operation) {
      if (VmOperations.revokesBias(operation)) {
        return Optional.of(
            "-XX:-UseBiasedLocking, the default from JDK 15 on: "
                + operation
                + " stops all threads for one lock");
      }
      if (VmOperations.deoptimizes(operation)) {
        return Optional.of(
            "find which code is compiled and thrown away again (-Xlog:deoptimization=debug, or"
                + " jdk.Deoptimization in a recording): classes loaded late, new types at a call");
      }
      return VmOperations.emptiesInlineCaches(operation)
          ? Optional.of(
              "take a later update of the JDK (from JDK 23 on there are no such stops): "
                  + operation
                  + " stops all threads each time a buffer for inline caches is full")
          : Optional.empty();
    }

    private static String statement(
        SafepointTimes times, SafepointStop longest, Duration cost, boolean starved) {
      return "%s took %s outside GC pauses (%s of the time), longest %s%s%s"
          .formatted(
              Numbers.counted(times.stops(), "safepoint"),
              Durations.format(times.lostSeconds()),
              new Ratio(times.share()).share(),
              Durations.format(cost),
              longest.operation().isEmpty() ? "" : " (" + longest.operation() + ")",
              starved ? ", because threads waited for CPU" : "");
    }

    private static void told(FindingBuilder finding, SafepointTimes times) {
      if (times.observedSeconds() > 0) {
        finding.sum(
            Durations.format(times.observedSeconds())
                + " in safepoints for thread dumps and the recorder is not counted");
      }
      if (times.toolSeconds() > 0) {
        finding.sum(
            Durations.format(times.toolSeconds())
                + " of it is in safepoints requested by a tool or an agent");
      }
      if (times.tellsOfMachine()) {
        finding.sum(
            "%s safepoints without an operation took %s to reach and %s after that"
                .formatted(
                    Numbers.count(times.emptyStops()),
                    Durations.format(times.emptyReachingSeconds()),
                    Durations.format(times.emptySeconds())));
      }
    }
  }

  /**
   * Cost of the safepoints of an incident other than GC, by their purpose.
   *
   * @param operations those that cost anything, the costliest first
   */
  private record StopsByOperation(List<Operation> operations) {

    /**
     * One kind of stop.
     *
     * @param name HotSpot's name of the operation, empty if the input does not show it
     * @param reachingSeconds time until the last thread had stopped, all together
     * @param atSeconds time lost at them after that: none if they are collections, or not counted
     */
    record Operation(String name, int stops, double reachingSeconds, double atSeconds) {

      double lostSeconds() {
        return reachingSeconds + atSeconds;
      }

      /** Whether most of the time passed until the last thread had stopped. */
      boolean isLongToReach() {
        return reachingSeconds >= atSeconds;
      }

      /** Whether the requested operation took the time. */
      boolean isRequest() {
        return !isLongToReach() && !name.isEmpty();
      }

      private Operation plus(Operation other) {
        return new Operation(
            name,
            stops + other.stops,
            reachingSeconds + other.reachingSeconds,
            atSeconds + other.atSeconds);
      }

      private String words() {
        return (name.isEmpty() ? "no operation named" : name)
            + ' '
            + Durations.format(lostSeconds())
            + " in "
            + Numbers.count(stops);
      }
    }

    /** The most expensive operation; empty if reaching the safepoint cost more, or if unknown. */
    static Optional<String> requested(Incident incident) {
      return of(incident).operations().stream()
          .findFirst()
          .filter(Operation::isRequest)
          .map(Operation::name);
    }

    static StopsByOperation of(Incident incident) {
      ObserverCost observation = ObserverCost.of(incident.timeline());
      Map<String, Operation> sums = new LinkedHashMap<>();
      for (SafepointStop stop : incident.timeline().safepoints(incident.window())) {
        double lost = Durations.seconds(observation.lost(stop));
        double reaching = Math.min(lost, Durations.seconds(stop.reaching()));
        sums.merge(
            stop.operation(),
            new Operation(stop.operation(), 1, reaching, lost - reaching),
            Operation::plus);
      }
      List<Operation> sorted = new ArrayList<>(sums.values());
      sorted.removeIf(operation -> operation.lostSeconds() == 0);
      sorted.sort(Comparator.comparingDouble(Operation::lostSeconds).reversed());
      return new StopsByOperation(List.copyOf(sorted));
    }

    /** {@code HeapDumper 1.8 s in 5, Cleanup 3 ms in 40 and 12 ms in 10 others}. */
    String words() {
      String named =
          operations.stream()
              .limit(Policy.MOST_NAMED)
              .map(Operation::words)
              .collect(Collectors.joining(", "));
      return operations.stream()
          .skip(Policy.MOST_NAMED)
          .reduce(Operation::plus)
          .map(
              rest ->
                  "%s and %s in %s"
                      .formatted(
                          named,
                          Durations.format(rest.lostSeconds()),
                          Numbers.counted(rest.stops(), "other")))
          .orElse(named);
    }
  }
}
