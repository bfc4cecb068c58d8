package io.gcdiag.diagnosis;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.EffectTimes;
import io.gcdiag.ledger.Observation;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Waiting and stopping over time, in buckets of whole seconds. */
final class LostTime {

  /** More buckets than this are merged: finding the stretch takes time with their square. */
  private static final int MOST_BUCKETS = 1_200;

  private LostTime() {}

  /** Whole seconds: a damaged date can stretch the span over more nanoseconds than a long holds. */
  static Duration bucket(Window span) {
    long seconds = Math.max(1, (long) Math.ceil(span.seconds() / MOST_BUCKETS));
    return Duration.ofSeconds(seconds);
  }

  /**
   * Threads lost on average in each bucket: waiting for pools, locks, files, memory or answers from
   * downstream, or stopped. Calls that get slower are trouble too.
   */
  static double[] over(Timeline timeline, Window span, Duration bucket) {
    List<WaitSeries> waits = new ArrayList<>();
    for (WaitKind kind :
        List.of(
            WaitKind.POOL,
            WaitKind.LOCK,
            WaitKind.FILE,
            WaitKind.DOWNSTREAM,
            WaitKind.ALLOCATION_STALL)) {
      waits.addAll(EffectTimes.userWaits(timeline, kind));
    }
    // The last bucket is left out unless it is whole: part of one would look like calm.
    int count = (int) (span.length().getSeconds() / bucket.getSeconds());
    double[] lost = new double[Math.max(0, count)];
    double seconds = Durations.seconds(bucket);
    for (int i = 0; i < count; i++) {
      Instant from = span.from().plus(bucket.multipliedBy(i));
      Window part = new Window(from, from.plus(bucket));
      for (WaitSeries series : waits) {
        lost[i] += series.within(part).waitedSeconds() / seconds;
      }
    }
    for (GcPause pause : timeline.pauses()) {
      addStop(lost, span, bucket, pause.start(), pause.duration());
    }
    Observation observation = Observation.of(timeline);
    for (SafepointStop stop : timeline.safepoints()) {
      addStop(lost, span, bucket, stop.start(), observation.lost(stop));
    }
    return lost;
  }

  private static void addStop(
      double[] lost, Window span, Duration bucket, Instant start, Duration length) {
    Duration since = Duration.between(span.from(), start);
    if (since.isNegative()) {
      return;
    }
    int first = (int) (since.getSeconds() / bucket.getSeconds());
    for (int i = first; i < lost.length; i++) {
      Instant from = span.from().plus(bucket.multipliedBy(i));
      Duration inside = new Window(from, from.plus(bucket)).overlap(start, length);
      if (inside.isZero()) {
        return;
      }
      lost[i] += Durations.seconds(inside) / Durations.seconds(bucket);
    }
  }
}
