package io.gcdiag.measures;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the baseline in the time outside the incident and its other episodes. */
final class BaselineSearch {

  /** Least time that is left out around an incident while it builds up; see {@link #margin}. */
  private static final Duration LEAST_MARGIN = Duration.ofSeconds(3);

  private BaselineSearch() {}

  /** The longest time without an episode, the first one of equals, if it is long enough. */
  static Optional<Window> longest(Window span, List<Window> episodes) {
    return gap(span, episodes)
        .filter(gap -> gap.length().compareTo(Policy.SUSTAINED) >= 0)
        .map(gap -> gap.to().equals(span.to()) ? gap : new Window(gap.from(), before(gap)))
        .map(gap -> gap.from().equals(span.from()) ? gap : new Window(after(gap), gap.to()));
  }

  /**
   * The longer one of the times before and after a part, however short; empty if there is neither.
   */
  static Optional<Window> largest(Window span, Window part) {
    return gap(span, List.of(part));
  }

  private static Optional<Window> gap(Window span, List<Window> episodes) {
    List<Window> gaps = new ArrayList<>();
    Instant from = span.from();
    for (Window episode : episodes.stream().sorted(Comparator.comparing(Window::from)).toList()) {
      if (from.isBefore(episode.from())) {
        gaps.add(new Window(from, episode.from()));
      }
      from = episode.to();
    }
    if (from.isBefore(span.to())) {
      gaps.add(new Window(from, span.to()));
    }
    return gaps.stream().reduce((one, next) -> next.seconds() > one.seconds() ? next : one);
  }

  private static Instant before(Window gap) {
    return gap.to().minus(margin(gap.length()));
  }

  private static Instant after(Window gap) {
    return gap.from().plus(margin(gap.length()));
  }

  /**
   * Time left out between baseline and incident. An incident begins before waits show it and fades
   * out afterwards, and a baseline with those seconds would make the incident look normal. It is a
   * tenth of the baseline (at least {@link #LEAST_MARGIN}), as far as the baseline stays long
   * enough.
   */
  private static Duration margin(Duration baseline) {
    Duration tenth = baseline.dividedBy(10);
    Duration wanted = tenth.compareTo(LEAST_MARGIN) > 0 ? tenth : LEAST_MARGIN;
    Duration spare = baseline.minus(Policy.SUSTAINED);
    return wanted.compareTo(spare) < 0 ? wanted : spare;
  }
}
