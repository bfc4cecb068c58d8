package io.gcdiag.loadtests;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Holds a load test against its targets. */
public final class SloJudge {

  /**
   * A rate this much below its target still counts as reached: generators start and end their load
   * within a second, and 99.9 of 100 requests a second need no message.
   */
  public static final double RATE_TOLERANCE = 0.01;

  /** A percentile of a slice needs this many requests beyond it. */
  private static final double FEWEST_BEYOND = 5;

  private static final double WHOLE = 100;

  private final Timeline timeline;
  private final SloTargets targets;
  private final MeasuredTest test;

  private SloJudge(Timeline timeline, SloTargets targets) {
    this.timeline = timeline;
    this.targets = targets;
    this.test = MeasuredTest.of(timeline);
  }

  /**
   * Judges a test, without targets by those that its load generator was told.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static SloResult judge(Timeline timeline, SloTargets targets) {
    RequestStats.Targets told =
        timeline.requestStats().stream()
            .map(RequestStats::targets)
            .filter(any -> !any.equals(RequestStats.Targets.NONE))
            .findFirst()
            .orElse(RequestStats.Targets.NONE);
    return new SloJudge(timeline, targets.or(told)).result();
  }

  private SloResult result() {
    List<TargetResult> results = new ArrayList<>();
    targets.latency().forEach((percentile, limit) -> results.add(latency(percentile, limit)));
    targets.rate().ifPresent(rate -> results.add(rate(rate)));
    targets.success().ifPresent(share -> results.add(success(share)));
    targets.length().ifPresent(length -> results.add(length(length)));
    return new SloResult(
        timeline.inputs(),
        Met.all(results.stream().map(TargetResult::met).toList()),
        test.description(),
        results,
        TestValidity.of(test, targets));
  }

  private TargetResult latency(double percentile, Duration limit) {
    String target = name(percentile) + " at most " + Durations.format(limit);
    Optional<LatencyBound> measured = test.percentile(percentile);
    if (measured.isEmpty()) {
      return new TargetResult(
          target,
          Met.CANNOT_TELL,
          test.source().isEmpty()
              ? "no load test: give its result (k6, JMeter, Gatling, wrk, hey or ab)"
              : "the files do not state this percentile",
          "",
          "",
          test.source());
    }
    Met met = within(measured.get(), limit);
    String margin =
        measured
            .get()
            .value()
            .map(value -> margin(Durations.seconds(value), Durations.seconds(limit)))
            .orElse("");
    return new TargetResult(
        target,
        met,
        measured.get().format(),
        margin,
        new Sustained(
                slice -> latencyOf(slice, percentile).map(bound -> within(bound, limit)),
                slice ->
                    Numbers.of(
                        latencyOf(slice, percentile), bound -> Durations.seconds(bound.atLeast())),
                slice -> latencyOf(slice, percentile).orElseThrow().format())
            .over(test.series(), test.slices()),
        test.source());
  }

  static String name(double percentile) {
    return "P" + Numbers.threeDigits(percentile);
  }

  /** A percentile of few requests is the longest of them, and that of one request. */
  private static Optional<LatencyBound> latencyOf(RequestInterval slice, double percentile) {
    double beyond = slice.latencies().count() * (1 - percentile / WHOLE);
    return beyond < FEWEST_BEYOND ? Optional.empty() : slice.latencies().percentile(percentile);
  }

  private static Met within(LatencyBound measured, Duration limit) {
    if (measured.atMost().filter(most -> most.compareTo(limit) <= 0).isPresent()) {
      return Met.MET;
    }
    boolean narrow = measured.value().isPresent();
    boolean longer = narrow || measured.atLeast().compareTo(limit) >= 0;
    return longer ? Met.MISSED : Met.CANNOT_TELL;
  }

  private TargetResult rate(Rate wanted) {
    Optional<Rate> measured = test.rate();
    String target = "at least " + wanted + " (within " + new Ratio(RATE_TOLERANCE) + ")";
    if (measured.isEmpty()) {
      return new TargetResult(
          target, Met.CANNOT_TELL, "the files do not state the rate", "", "", test.source());
    }
    double least = wanted.perSecond() * (1 - RATE_TOLERANCE);
    double seconds =
        Durations.seconds(test.series().map(Slices::length).orElse(Duration.ofSeconds(1)));
    return new TargetResult(
        target,
        measured.get().perSecond() >= least ? Met.MET : Met.MISSED,
        measured.get().toString(),
        new Ratio(measured.get().perSecond() / wanted.perSecond() - 1).signed(),
        new Sustained(
                slice -> Optional.of(slice.requests() / seconds >= least ? Met.MET : Met.MISSED),
                slice -> OptionalDouble.of(-slice.requests()),
                slice -> new Rate(slice.requests() / seconds).toString())
            .over(test.series(), test.seriesWithoutEnds().map(Slices::of).orElse(List.of())),
        test.source());
  }

  private TargetResult success(Ratio wanted) {
    String target = "at least " + wanted + " without failure";
    OptionalDouble measured = test.succeeded();
    if (measured.isEmpty()) {
      return new TargetResult(
          target, Met.CANNOT_TELL, "the files do not state failures", "", "", test.source());
    }
    double share = measured.getAsDouble();
    return new TargetResult(
        target,
        share >= wanted.value() ? Met.MET : Met.MISSED,
        Numbers.decimals(share * WHOLE, 3) + " %",
        new Ratio(share - wanted.value()).signed().replace("%", "points"),
        new Sustained(
                slice ->
                    Optional.of(
                        MeasuredTest.succeeded(slice) >= wanted.value() ? Met.MET : Met.MISSED),
                slice -> OptionalDouble.of(-MeasuredTest.succeeded(slice)),
                slice -> new Ratio(MeasuredTest.succeeded(slice)).toString())
            .over(test.series(), test.slices()),
        test.source());
  }

  private TargetResult length(Duration wanted) {
    String target = "lasts at least " + Durations.format(wanted);
    Optional<Duration> measured = test.length();
    if (measured.isEmpty()) {
      return new TargetResult(
          target, Met.CANNOT_TELL, "the files do not state the length", "", "", test.source());
    }
    // The first and the last second of a test are seldom whole.
    boolean enough = measured.get().plusSeconds(2).compareTo(wanted) >= 0;
    return new TargetResult(
        target,
        enough ? Met.MET : Met.MISSED,
        Durations.format(measured.get()),
        "",
        "",
        test.source());
  }

  private static String margin(double measured, double limit) {
    double room = 1 - measured / limit;
    return new Ratio(Math.abs(room)) + (room >= 0 ? " below the limit" : " above the limit");
  }

  /**
   * Whether a target was met in every stretch of a test and not only on average.
   *
   * @param judge whether a stretch met it; nothing if that stretch cannot tell
   * @param badness how far a stretch is from meeting it; larger is worse
   * @param text what a stretch measured, in words
   */
  private record Sustained(
      Function<RequestInterval, Optional<Met>> judge,
      Function<RequestInterval, OptionalDouble> badness,
      Function<RequestInterval, String> text) {

    /** In how many stretches it was met, and the worst of them, in words. */
    String over(Optional<RequestSeries> series, List<RequestInterval> stretches) {
      if (series.isEmpty()) {
        return "not known: the file is a summary of the whole test";
      }
      String length = Durations.format(Slices.length(series.get()));
      List<Map.Entry<RequestInterval, Met>> judged = new ArrayList<>();
      for (RequestInterval slice : stretches) {
        judge.apply(slice).ifPresent(met -> judged.add(Map.entry(slice, met)));
      }
      if (judged.isEmpty()) {
        return "cannot tell: too few requests in any " + length;
      }
      long met = judged.stream().filter(slice -> slice.getValue() == Met.MET).count();
      RequestInterval worst = judged.get(0).getKey();
      for (Map.Entry<RequestInterval, Met> slice : judged) {
        worst = isWorse(slice.getKey(), worst) ? slice.getKey() : worst;
      }
      return "in %s of %s intervals of %s; worst %s from %s"
          .formatted(
              met, judged.size(), length, text.apply(worst), UtcText.time(worst.from()) + " UTC");
    }

    private boolean isWorse(RequestInterval slice, RequestInterval than) {
      return badness.apply(slice).orElse(-Double.MAX_VALUE)
          > badness.apply(than).orElse(-Double.MAX_VALUE);
    }
  }
}
