package io.gcdiag.read.gclog.lines;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The phases inside pauses: all of them up to a bound, beyond which only the longer ones. */
final class KeptPhases {

  /** Some 15 MB. A log with details has one or two for a pause that is not short. */
  private static final int MOST = 50_000;

  /** The bound of the readers, from which on it is raised. */
  private static final Duration LEAST = Duration.ofMillis(1);

  private final List<LoggedPhase> phases = new ArrayList<>();
  private final int most;
  private Duration least = LEAST;

  KeptPhases() {
    this(MOST);
  }

  KeptPhases(int most) {
    this.most = most;
  }

  void add(LoggedPhase phase) {
    if (phase.duration().compareTo(least) >= 0) {
      phases.add(phase);
    }
    while (phases.size() > most) {
      least = least.multipliedBy(2);
      phases.removeIf(each -> each.duration().compareTo(least) < 0);
    }
  }

  List<LoggedPhase> phases() {
    return phases;
  }

  /** What is left out, in a sentence, if anything is. */
  Optional<String> leftOut() {
    return least.equals(LEAST)
        ? Optional.empty()
        : Optional.of(
            "of the phases inside its pauses those shorter than "
                + Durations.format(least)
                + " are not analysed, as there are too many");
  }
}
