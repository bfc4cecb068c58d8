package io.gcdiag.causes.stops;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.measures.jvm.SafepointTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Measures what safepoints cost beside GC that are done at them, and asks whether threads were long
 * to stop because they had no core.
 */
@Judges(value = Hypothesis.SAFEPOINT_STALL, needs = Signal.SAFEPOINTS)
final class SafepointTimeRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    SafepointTimes times = incident.safepoints(incident.window());
    Optional<SafepointStop> longest = times.longest();
    if (longest.isEmpty()) {
      return List.of();
    }
    double stalls = times.lostSeconds() > 0 ? times.stallSeconds() / times.lostSeconds() : 0;
    boolean felt = times.share() * stalls >= Policy.TAIL;
    StopsByOperation byOperation = StopsByOperation.of(incident);
    boolean starved = isStarved(incident, times, byOperation);
    Duration cost = ObserverCost.of(incident.timeline()).lost(longest.get());
    FindingBuilder finding =
        Finding.of(id(), statement(times, longest.get(), cost, felt && starved))
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
            .sum("time to safepoint of the longest: " + Durations.format(longest.get().reaching()))
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
   * Stops with nothing to do tell it where there are some. Else a full machine does: a thread
   * without a core is long to come to a safepoint. An operation that itself is long is not, however
   * full the machine is.
   */
  private static boolean isStarved(
      Incident incident, SafepointTimes times, StopsByOperation byOperation) {
    if (times.starved() || times.tellsOfMachine() && !times.isLate()) {
      return times.starved();
    }
    boolean longToReach =
        byOperation.operations().stream()
            .findFirst()
            .map(StopsByOperation.Operation::isLongToReach)
            .orElse(true);
    return longToReach && MachineLoad.isFull(incident);
  }

  private static void weigh(
      FindingBuilder finding, boolean felt, boolean starved, double stalls, double added) {
    if (!felt) {
      finding.refutes(Hypothesis.SAFEPOINT_STALL);
    } else if (starved) {
      finding
          .weakens(Hypothesis.SAFEPOINT_STALL)
          .passes(
              Effect.SAFEPOINT,
              Effect.CPU_QUEUE,
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
   * Share of the long stops that there would not have been with collections as often as in the
   * baseline; 0 if nothing shows. At some of its stops a thread is long to come: more stops meet it
   * more often.
   */
  private static double added(Case incident, SafepointTimes during) {
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

  /** What to do about the stops by their operation; empty if what they cost is the way there. */
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

  /** What ends the stops that the JVM makes for itself, however long the way to them is. */
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
