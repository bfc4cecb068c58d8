package io.gcdiag.evidence.time;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What was recorded, disabled, below a threshold or lost, and how the files' clocks were aligned.
 *
 * @param signals the state of each signal; a missing one was not recorded
 * @param notes limits of the inputs, for people
 */
public record Coverage(Map<Signal, SignalState> signals, List<String> notes) {

  public Coverage {
    Map<Signal, SignalState> copy = new EnumMap<>(Signal.class);
    copy.putAll(signals);
    signals = Collections.unmodifiableMap(copy);
    notes = List.copyOf(notes);
  }

  public SignalState of(Signal signal) {
    return signals.getOrDefault(signal, SignalState.NOT_RECORDED);
  }
}
