package io.gcdiag.windows;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.util.Optional;

/** What is left of the time beside a stretch of it: the baseline to compare an incident with. */
final class BaselineSearch {

  /** Seconds over which an incident builds up before it shows; see {@link #margin}. */
  private static final Duration LEAST_MARGIN = Duration.ofSeconds(3);

  private BaselineSearch() {}

  /** The longer of what lies before and after, before where they are alike; if long enough. */
  static Optional<Window> longest(Window span, Window incident) {
    Duration before = Duration.between(span.from(), incident.from());
    Duration after = Duration.between(incident.to(), span.to());
    if (before.compareTo(Policy.SUSTAINED) >= 0 && before.compareTo(after) >= 0) {
      return Optional.of(new Window(span.from(), incident.from().minus(margin(before))));
    }
    if (after.compareTo(Policy.SUSTAINED) >= 0) {
      return Optional.of(new Window(incident.to().plus(margin(after)), span.to()));
    }
    return Optional.empty();
  }

  /** The longer of what lies before and after, however short; empty if there is none. */
  static Optional<Window> largest(Window span, Window part) {
    Duration before = Duration.between(span.from(), part.from());
    Duration after = Duration.between(part.to(), span.to());
    if (before.compareTo(Duration.ZERO) > 0 && before.compareTo(after) >= 0) {
      return Optional.of(new Window(span.from(), part.from()));
    }
    return after.compareTo(Duration.ZERO) > 0
        ? Optional.of(new Window(part.to(), span.to()))
        : Optional.empty();
  }

  /**
   * An incident begins before it shows in waits, and fades after: a baseline that holds its first
   * seconds makes them look usual. A tenth of the baseline, or what is more than the shortest
   * baseline, is left out.
   */
  private static Duration margin(Duration calm) {
    Duration tenth = calm.dividedBy(10);
    Duration wanted = tenth.compareTo(LEAST_MARGIN) > 0 ? tenth : LEAST_MARGIN;
    Duration spare = calm.minus(Policy.SUSTAINED);
    return wanted.compareTo(spare) < 0 ? wanted : spare;
  }
}
