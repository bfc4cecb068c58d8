package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Whether the slowest requests are those delayed by a thread dump that was taken to observe the
 * incident.
 */
final class ObserverTail {

  /** The queue of a pause takes up to as long as the pause to drain. */
  private static final double CLEARED = 2;

  private ObserverTail() {}

  /**
   * Whether pauses for observing the incident explain a 99th percentile: at least one request in a
   * hundred arrived during them, and they were about as long.
   */
  static boolean accountsFor(Incident incident, Duration tail) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<Duration> looks = ObserverCost.of(timeline).leftOut(timeline, window);
    double seconds = looks.stream().mapToDouble(Durations::seconds).sum();
    double longest =
        looks.stream().max(Comparator.naturalOrder()).map(Durations::seconds).orElse(0.0);
    return seconds >= Policy.TAIL * window.seconds()
        && Durations.seconds(tail) <= CLEARED * longest;
  }
}
