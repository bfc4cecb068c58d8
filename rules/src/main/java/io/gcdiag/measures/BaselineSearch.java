package io.gcdiag.measures;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the baseline in the time outside the incident and its other episodes. */
final class BaselineSearch {

  /** Latencies are known by the second. */
  private static final Duration STEP = Duration.ofSeconds(1);

  /** Least time that is left out around an incident while it builds up; see {@link #margin}. */
  private static final Duration LEAST_MARGIN = Duration.ofSeconds(3);

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

  /**
   * The part of a baseline before the first of its requests that took as long as half of the
   * incident's do, if at least a tenth of those after it did, and most of the baseline is left:
   * these belong to the incident, although the others were still quick.
   */
  static Window beforeSlow(Timeline timeline, Window baseline, Window incident) {
    Optional<RequestSeries> series = timeline.requestsOfSpan();
    Optional<Duration> slow = series.flatMap(one -> median(one, incident));
    Optional<Duration> usual = series.flatMap(one -> median(one, baseline));
    if (slow.isEmpty()
        || usual.isEmpty()
        || !LoadTestDelays.isManyTimes(
            Durations.seconds(slow.get()), Durations.seconds(usual.get()))
        || !baseline.to().isBefore(incident.from())) {
      return baseline;
    }
    Instant half = baseline.from().plus(baseline.length().dividedBy(2));
    for (Instant from = baseline.from(); from.isBefore(baseline.to()); from = from.plus(STEP)) {
      Window second = new Window(from, from.plus(STEP));
      if (series.get().within(second).latencies().from(slow.get()).count() > 0) {
        Latencies rest = series.get().within(new Window(from, baseline.to())).latencies();
        return from.isAfter(half) && rest.from(slow.get()).count() >= Policy.NOTABLE * rest.count()
            ? new Window(baseline.from(), from)
            : baseline;
      }
    }
    return baseline;
  }

  private static Optional<Duration> median(RequestSeries series, Window window) {
    return series
        .within(window)
        .latencies()
        .percentile(Percentiles.MEDIAN)
        .map(LatencyBound::atLeast);
  }
}
