package io.gcdiag.figures;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.measures.LostTime;
import io.gcdiag.measures.RequestDelays;
import io.gcdiag.stats.Correlation;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Whether the load generator's clock runs minutes ahead of the JVM's, or behind. What requests lose
 * and what the JVM loses in waits and stops rise and fall together; if they do so at another time
 * than their stamps say, and not at that time, the clocks differ.
 */
final class ClockSkew {

  /** Further apart, clocks are those of different time zones. */
  private static final Duration MOST = Duration.ofMinutes(15);

  /** A request is booked where it began, and its wait where it waited: less is no skew. */
  private static final Duration LEAST = Duration.ofSeconds(30);

  /** A minute of seconds; what is shorter has too few ups and downs to be laid over another. */
  private static final int FEWEST = 60;

  /** So much closer must the two be at the other time. */
  private static final double CLOSER = 0.3;

  /** A wrong alarm would make engineers look for a fault in clocks that are right. */
  private static final double SIGNIFICANT = 0.01;

  private final RequestSeries requests;
  private final double[] lost;
  private final double[] delays;
  private final Duration bucket;

  /** Buckets from the start of the JVM's record to that of the requests, as their stamps say. */
  private final int offset;

  private ClockSkew(Timeline timeline, RequestSeries requests, Window own) {
    this.requests = requests;
    Window span = timeline.span();
    this.bucket = LostTime.bucket(span);
    this.lost = LostTime.over(timeline, span, bucket);
    this.delays = RequestDelays.delays(requests, own, bucket);
    this.offset =
        (int)
            Math.floorDiv(
                Duration.between(span.from(), own.from()).toSeconds(), bucket.toSeconds());
  }

  /** A disagreement of the two clocks, if there is one. */
  static Optional<CrossCheck> of(Timeline timeline) {
    return timeline
        .requestsOfSpan()
        .flatMap(
            requests ->
                requests
                    .span()
                    .flatMap(own -> new ClockSkew(timeline, requests, own).check(timeline)));
  }

  private Optional<CrossCheck> check(Timeline timeline) {
    int most = buckets(MOST);
    int least = buckets(LEAST);
    int best = 0;
    double closest = -1;
    double here = -1;
    int tried = 0;
    for (int by = -most; by <= most; by++) {
      Optional<Correlation> relation = relation(by);
      if (relation.isPresent()) {
        tried++;
        double r = relation.get().r();
        if (Math.abs(by) < least) {
          here = Math.max(here, r);
        }
        if (r > closest) {
          closest = r;
          best = by;
        }
      }
    }
    boolean clear =
        Math.abs(best) >= least
            && closest - here >= CLOSER
            && relation(best).orElseThrow().pValue() * tried < SIGNIFICANT;
    return clear ? Optional.of(skew(timeline, best, closest, here)) : Optional.empty();
  }

  private int buckets(Duration length) {
    return (int) Math.ceil(Durations.seconds(length) / Durations.seconds(bucket));
  }

  /** How closely the two move together if the requests are moved on by so many buckets. */
  private Optional<Correlation> relation(int by) {
    int first = Math.max(0, offset + by);
    int last = Math.min(lost.length, offset + by + delays.length);
    int enough = Math.max(FEWEST, Math.min(lost.length, delays.length) / 2);
    if (last - first < enough) {
      return Optional.empty();
    }
    int start = first - offset - by;
    return Correlation.pearson(
        Arrays.copyOfRange(lost, first, last),
        Arrays.copyOfRange(delays, start, start + last - first));
  }

  private CrossCheck skew(Timeline timeline, int by, double closest, double here) {
    double seconds = by * Durations.seconds(bucket);
    String jvm =
        timeline.waits().stream()
            .findFirst()
            .map(series -> series.source().file())
            .or(() -> timeline.pausesByFile().keySet().stream().findFirst())
            .orElse("recording");
    return new CrossCheck(
        "clock of the load test against the JVM's, in seconds",
        requests.source().toString(),
        seconds,
        jvm,
        0,
        ("requests are delayed %s%s the JVM waits or stops (r = %s then, %s as the"
                + " files are dated)")
            .formatted(
                Durations.format(Math.abs(seconds)),
                by < 0 ? " after" : " before",
                Numbers.decimals(closest, 2),
                Numbers.decimals(here, 2)),
        Agreement.NO,
        "the clocks differ by less than " + Durations.format(LEAST));
  }
}
