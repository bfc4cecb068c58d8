package io.gcdiag.measures;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.ShortFileCalls;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Waiting and stopping over time, in buckets of whole seconds. */
public final class LostTime {

  /** More buckets than this are merged: finding the stretch takes time with their square. */
  private static final int MOST_BUCKETS = 1_200;

  /** The longest span that is looked at second by second. */
  static final Duration FINEST = Duration.ofSeconds(MOST_BUCKETS);

  private LostTime() {}

  /** Whole seconds: a damaged date can stretch the span over more nanoseconds than a long holds. */
  public static Duration bucket(Window span) {
    long seconds = Math.max(1, (long) Math.ceil(span.seconds() / MOST_BUCKETS));
    return Duration.ofSeconds(seconds);
  }

  /**
   * Threads lost on average in each bucket: waiting for pools, locks, files, memory or answers from
   * downstream or a latch, sleeping while they serve a request, pinned to a carrier, or stopped.
   * Slower calls are lost time too, and so are waits between retries and connections that cannot be
   * opened.
   */
  public static double[] over(Timeline timeline, Window span, Duration bucket) {
    double[] lost = waiting(timeline, span, bucket);
    double[] stopped = stopped(timeline, span, bucket);
    Arrays.setAll(lost, i -> lost[i] + stopped[i]);
    return lost;
  }

  /** The same without stop-the-world pauses, in which no thread runs. */
  static double[] waiting(Timeline timeline, Window span, Duration bucket) {
    List<WaitSeries> waits =
        EnumSet.complementOf(EnumSet.of(WaitKind.IDLE)).stream()
            .flatMap(kind -> UserWaits.of(timeline, kind).stream())
            .toList();
    WaitingThreads waiting = WaitingThreads.at(waits);
    // The last bucket is left out unless it is whole: part of one would look like a baseline.
    int count = (int) (span.length().getSeconds() / bucket.getSeconds());
    double[] lost = new double[Math.max(0, count)];
    double seconds = Durations.seconds(bucket);
    ConnectWaits connecting = ConnectWaits.of(timeline);
    for (int i = 0; i < count; i++) {
      Window part = span.part(bucket, i);
      lost[i] += waiting.seconds(part) / seconds;
      lost[i] += connecting.threads(part) + ShortFileCalls.threads(timeline, part);
    }
    if (!timeline.sees(Signal.THREAD_PARKS)) {
      // No event shows a wait for a connection: the gauge of the pool does.
      PoolMeters.of(timeline)
          .map(pool -> pool.pending(span, bucket, lost.length))
          .ifPresent(pending -> Arrays.setAll(lost, i -> lost[i] + pending[i]));
    }
    return lost;
  }

  /** Share of each bucket in which the application was stopped, but for observing the incident. */
  static double[] stopped(Timeline timeline, Window span, Duration bucket) {
    double[] lost =
        new double[Math.max(0, (int) (span.length().getSeconds() / bucket.getSeconds()))];
    long origin = Nanos.since1970(span.from());
    long longest = longestMet(timeline).map(Nanos::of).orElse(Long.MAX_VALUE);
    Pauses pauses = timeline.pauses();
    for (int i = 0; i < pauses.size(); i++) {
      if (pauses.nanos(i) <= longest) {
        addStop(lost, Nanos.of(bucket), pauses.startNanos(i) - origin, pauses.nanos(i));
      }
    }
    ObserverCost observation = ObserverCost.of(timeline);
    for (SafepointStop stop : timeline.safepoints()) {
      long stopped = Nanos.of(observation.lost(stop));
      if (stopped <= longest) {
        addStop(lost, Nanos.of(bucket), Nanos.since1970(stop.start()) - origin, stopped);
      }
    }
    return lost;
  }

  /**
   * The longest stop that a request can have waited for: one in progress when it begins takes at
   * least as long, and clearly longer than the slowest request is no error of clocks. A request
   * that failed may have been given up in any stop.
   *
   * @return absent if not each load test says how long its slowest request took and that none
   *     failed
   */
  static Optional<Duration> longestMet(Timeline timeline) {
    List<RequestStats> tests = timeline.requests().stats();
    boolean bounded =
        tests.stream().allMatch(test -> test.longest().isPresent() && test.failed().orElse(1) == 0);
    return tests.stream()
        .flatMap(test -> test.longest().stream())
        .filter(longest -> bounded)
        .max(Comparator.naturalOrder())
        .map(longest -> Durations.ofSeconds(Policy.CLEARLY_MORE * Durations.seconds(longest)));
  }

  /** The longest stop of a span if it was longer than any request can have waited. */
  static Optional<Duration> metByNoRequest(Timeline timeline, Window span) {
    Stream<Duration> pauses = Stream.of(timeline.pauses(span).longest());
    Stream<Duration> stops =
        timeline.safepoints().stream()
            .filter(stop -> span.contains(stop.start()))
            .map(SafepointStop::lost);
    return longestMet(timeline)
        .flatMap(
            met ->
                Stream.concat(pauses, stops)
                    .filter(stop -> stop.compareTo(met) > 0)
                    .max(Comparator.naturalOrder()));
  }

  /** Spreads a stop, which begins so many nanoseconds after the first bucket, over the buckets. */
  private static void addStop(double[] lost, long bucket, long start, long length) {
    if (start < 0) {
      return;
    }
    long end = Nanos.plus(start, length);
    for (int i = (int) Math.min(lost.length, start / bucket); i < lost.length; i++) {
      long from = i * bucket;
      long inside = Math.min(end, from + bucket) - Math.max(start, from);
      if (inside <= 0) {
        return;
      }
      lost[i] += Nanos.seconds(inside) / Nanos.seconds(bucket);
    }
  }
}
