package io.gcdiag.windows;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What is left of the time beside a stretch of it: the baseline to compare an incident with. */
final class BaselineSearch {

  /** Seconds over which an incident builds up before it shows; see {@link #margin}. */
  private static final Duration LEAST_MARGIN = Duration.ofSeconds(3);

  private BaselineSearch() {}

  /** The longer of what lies before and after, before where they are alike; if long enough. */
  static Optional<Window> longest(Window span, Window incident) {
    return beside(span, incident, Policy.SUSTAINED, BaselineSearch::margin);
  }

  /** The longer of what lies before and after, however short; empty if there is none. */
  static Optional<Window> largest(Window span, Window part) {
    return beside(span, part, Duration.ofNanos(1), any -> Duration.ZERO);
  }

  private static Optional<Window> beside(
      Window span, Window part, Duration least, UnaryOperator<Duration> margin) {
    Duration before = Duration.between(span.from(), part.from());
    Duration after = Duration.between(part.to(), span.to());
    if (before.compareTo(least) >= 0 && before.compareTo(after) >= 0) {
      return Optional.of(new Window(span.from(), part.from().minus(margin.apply(before))));
    }
    return after.compareTo(least) >= 0
        ? Optional.of(new Window(part.to().plus(margin.apply(after)), span.to()))
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
