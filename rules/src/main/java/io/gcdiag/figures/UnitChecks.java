package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether the load test's latencies can be in the unit in which they were read. Only what cannot
 * be, or may well not be, makes a row.
 */
final class UnitChecks {

  /** Units of time are a thousand apart; no service's spread of load makes up this much of it. */
  private static final double ANOTHER_UNIT = 100;

  /** Rates and means of a run are those of its middle: room for its ends. */
  private static final double ROOM = 1.25;

  /** Means of fewer requests are chance. */
  private static final double FEWEST = 20;

  private UnitChecks() {}

  static List<CrossCheck> of(Timeline timeline) {
    List<CrossCheck> checks = new ArrayList<>();
    timeline
        .mainRequestStats()
        .ifPresent(
            stats -> {
              users(stats).ifPresent(checks::add);
              server(stats, timeline).ifPresent(checks::add);
            });
    return checks;
  }

  /** Little's law: rate x latency requests are in progress, and each of them is some user's. */
  private static Optional<CrossCheck> users(RequestStats stats) {
    if (stats.rate().isEmpty() || stats.mean().isEmpty() || stats.users().isEmpty()) {
      return Optional.empty();
    }
    double underWay = stats.rate().get().perSecond() * Durations.seconds(stats.mean().get());
    double users = stats.users().getAsLong();
    if (underWay <= ROOM * users + 1) {
      return Optional.empty();
    }
    return Optional.of(
        new CrossCheck(
            "requests in progress",
            stats.source() + ", rate x mean latency",
            underWay,
            stats.source() + ", users",
            users,
            "%s x %s = %s, and there were %s users"
                .formatted(
                    stats.rate().get(),
                    Durations.format(stats.mean().get()),
                    Numbers.threeDigits(underWay),
                    Numbers.count(Math.round(users))),
            Agreement.NO,
            "not more than there are users: is the latency in another unit?"));
  }

  /** What the service itself measures of a request is part of what its user waits. */
  private static Optional<CrossCheck> server(RequestStats stats, Timeline timeline) {
    Optional<MetricSeries> seconds = first(timeline, MetricMeaning.REQUEST_SECONDS);
    OptionalDouble spent = grown(seconds);
    OptionalDouble answered = grown(first(timeline, MetricMeaning.REQUESTS));
    if (stats.mean().filter(mean -> !mean.isZero()).isEmpty()
        || spent.isEmpty()
        || answered.orElse(0) < FEWEST
        || spent.getAsDouble() <= 0) {
      return Optional.empty();
    }
    double client = Durations.seconds(stats.mean().get());
    double server = spent.getAsDouble() / answered.getAsDouble();
    boolean tooShort = server > ANOTHER_UNIT * client;
    if (!tooShort && client < ANOTHER_UNIT * server) {
      return Optional.empty();
    }
    Duration own = Durations.ofSeconds(server);
    return Optional.of(
        new CrossCheck(
            "mean latency, in seconds",
            stats.source().toString(),
            client,
            seconds.orElseThrow().source().toString(),
            server,
            "%s for the users and %s in the service"
                .formatted(Durations.format(stats.mean().get()), Durations.format(own)),
            tooShort ? Agreement.NO : Agreement.OPEN,
            tooShort
                ? "users should not wait for less than the service takes: is one of them in another unit?"
                : "open: requests queue before the service, or one is in another unit"));
  }

  private static Optional<MetricSeries> first(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics(meaning).stream().filter(s -> s.points().size() > 1).findFirst();
  }

  private static OptionalDouble grown(Optional<MetricSeries> series) {
    if (series.isEmpty()) {
      return OptionalDouble.empty();
    }
    List<Point> points = series.get().points();
    double growth = points.get(points.size() - 1).value() - points.get(0).value();
    return growth > 0 ? OptionalDouble.of(growth) : OptionalDouble.empty();
  }
}
