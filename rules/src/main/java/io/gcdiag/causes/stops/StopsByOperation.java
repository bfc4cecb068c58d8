package io.gcdiag.causes.stops;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What safepoints of an incident cost beside GC done at them, by what they were for.
 *
 * @param operations those that cost anything, the costliest first
 */
record StopsByOperation(List<Operation> operations) {

  /**
   * One kind of stop.
   *
   * @param name HotSpot's name of the operation, empty if the input does not show it
   * @param stops how many
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

  /** The operation that cost most; empty if that is the way to the safepoint, or not known. */
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
