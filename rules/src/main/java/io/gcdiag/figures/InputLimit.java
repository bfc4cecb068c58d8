package io.gcdiag.figures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.units.Durations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Something that the inputs of an incident cannot show, and how to record it next time.
 *
 * @param text one sentence
 * @param lacks the signal that was not recorded, if it is about one
 */
public record InputLimit(String text, Optional<Signal> lacks) {

  private static final Set<Signal> OF_POOLS = Set.of(Signal.POOL_SIZE, Signal.HOLD_TIME);

  private InputLimit(String text) {
    this(text, Optional.empty());
  }

  private static String metered(Timeline timeline, String note) {
    return CollectorMeters.of(timeline).isPresent()
        ? "their number and sum are, by the service's meters"
        : note;
  }

  /** The calls on connections tell it as well as a pool's meter does. */
  private static boolean isHoldKnown(Incident incident) {
    return PoolDemand.hold(incident, incident.window())
        .filter(hold -> hold.bound().isEmpty())
        .isPresent();
  }

  /** Whether a thread waited for a connection: without a pool its size is of no use. */
  private static boolean hasPool(Timeline timeline) {
    return !timeline.waits(WaitKind.POOL).isEmpty()
        || timeline.dumps().stream()
            .anyMatch(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) > 0);
  }

  public static List<InputLimit> of(Incident incident) {
    Timeline timeline = incident.timeline();
    List<InputLimit> limits = new ArrayList<>();
    timeline.coverage().notes().forEach(note -> limits.add(new InputLimit(note)));
    Map<String, String> thresholds = new LinkedHashMap<>();
    for (Signal signal : Signal.values()) {
      SignalState state = timeline.coverage().of(signal);
      if (signal == Signal.HOLD_TIME && isHoldKnown(incident)
          || OF_POOLS.contains(signal) && !hasPool(timeline)) {
        continue;
      }
      if (!state.recorded()) {
        String note = signal == Signal.GC_PAUSES ? metered(timeline, state.note()) : state.note();
        String why = note.isEmpty() ? "" : " (" + note + ")";
        limits.add(
            new InputLimit(
                signal.description() + ": not in these inputs" + why + "; " + signal.howToRecord(),
                Optional.of(signal)));
      } else if (state.threshold().isPresent()) {
        String which =
            "only those of "
                + Durations.format(state.threshold().get())
                + " or longer were recorded"
                + (state.note().isEmpty() ? "" : ", " + state.note());
        thresholds.merge(which, signal.description(), (one, other) -> one + ", " + other);
      }
    }
    thresholds.forEach((which, signals) -> limits.add(new InputLimit(signals + ": " + which)));
    if (incident.baseline().isEmpty()) {
      limits.add(
          new InputLimit(
              "no baseline: time that is always lost cannot be separated from the time that requests"
                  + " need; give --baseline, or record from before the incident"));
    }
    return limits;
  }
}
