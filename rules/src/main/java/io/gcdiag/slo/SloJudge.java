package io.gcdiag.slo;

import io.gcdiag.evidence.LatencyBound;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** Holds a load test against its targets. */
public final class SloJudge {

  /**
   * A rate this much below its target still counts as reached: generators start and end their load
   * within a second, and 99.9 of 100 requests a second are not what anybody wants to hear of.
   */
  public static final double RATE_TOLERANCE = 0.01;

  /** A percentile of a slice needs this many requests beyond it. */
  private static final double FEWEST_BEYOND = 5;

  /** In a shorter test the two ends are too much of it to be left out. */
  private static final int FEWEST_TO_TRIM = 10;

  private static final double WHOLE = 100;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String ONE_SUMMARY = "not known: the file is a summary of the whole test";

  private final Timeline timeline;
  private final SloTargets targets;
  private final Optional<RequestSeries> series;
  private final Optional<RequestStats> stats;
  private final List<RequestInterval> slices;
  private final Optional<RequestInterval> all;

  private SloJudge(Timeline timeline, SloTargets targets) {
    this.timeline = timeline;
    this.targets = targets;
    this.series = timeline.mainRequestSeries().filter(s -> s.span().isPresent());
    this.stats = timeline.mainRequestStats();
    this.slices = series.map(Slices::of).orElse(List.of());
    this.all = series.map(s -> s.within(s.span().orElseThrow()));
  }

  /** Judges a test. */
  public static SloResult judge(Timeline timeline, SloTargets targets) {
    return new SloJudge(timeline, targets).result();
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
        test(),
        results,
        TestValidity.of(series, stats, slices, targets));
  }

  private String source() {
    return series
        .map(RequestSeries::source)
        .or(() -> stats.map(RequestStats::source))
        .map(Source::toString)
        .orElse("");
  }

  private String test() {
    String producer =
        series
            .map(RequestSeries::producer)
            .or(() -> stats.map(RequestStats::producer))
            .orElse("no load test");
    return producer
        + (requests().isPresent() ? ", " + Numbers.count(requests().getAsLong()) + " requests" : "")
        + lengthOfTest().map(length -> " in " + Durations.format(length)).orElse("");
  }

  private OptionalLong requests() {
    return all.map(requests -> OptionalLong.of(requests.requests()))
        .or(() -> stats.map(RequestStats::requests))
        .orElse(OptionalLong.empty());
  }

  private Optional<Duration> lengthOfTest() {
    return series
        .flatMap(RequestSeries::span)
        .map(Window::length)
        .or(
            () ->
                stats
                    .filter(s -> s.requests().isPresent() && s.rate().isPresent())
                    .filter(s -> s.rate().get().perSecond() > 0)
                    .map(
                        s ->
                            Durations.ofSeconds(
                                s.requests().getAsLong() / s.rate().get().perSecond())));
  }

  private TargetResult latency(double percentile, Duration limit) {
    String target = name(percentile) + " at most " + Durations.format(limit);
    Optional<LatencyBound> measured =
        all.flatMap(requests -> requests.latencies().percentile(percentile))
            .or(() -> stats.flatMap(s -> s.percentile(percentile)).map(LatencyBound::exactly));
    if (measured.isEmpty()) {
      return new TargetResult(
          target, Met.CANNOT_TELL, "the files do not state this percentile", "", "", source());
    }
    Met met = within(measured.get(), limit);
    String margin =
        measured
            .get()
            .value()
            .map(
                value -> margin(Durations.seconds(value), Durations.seconds(limit), "of the limit"))
            .orElse("");
    return new TargetResult(
        target,
        met,
        measured.get().format(),
        margin,
        sustained(
            slices,
            slice -> latencyOf(slice, percentile).map(bound -> within(bound, limit)),
            slice ->
                latencyOf(slice, percentile)
                    .map(bound -> OptionalDouble.of(Durations.seconds(bound.atLeast())))
                    .orElse(OptionalDouble.empty()),
            slice -> latencyOf(slice, percentile).orElseThrow().format()),
        source());
  }

  static String name(double percentile) {
    return "P" + Numbers.threeDigits(percentile);
  }

  /** A percentile of few requests is the longest of them, and tells of one request. */
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
    Optional<RequestSeries> inner = series.map(SloJudge::withoutEnds);
    Optional<Rate> measured =
        inner.map(s -> s.rate(s.span().orElseThrow())).or(() -> stats.flatMap(RequestStats::rate));
    String target = "at least " + wanted + " (within " + new Ratio(RATE_TOLERANCE) + ")";
    if (measured.isEmpty()) {
      return new TargetResult(
          target, Met.CANNOT_TELL, "the files do not state the rate", "", "", source());
    }
    double least = wanted.perSecond() * (1 - RATE_TOLERANCE);
    double seconds = Durations.seconds(series.map(Slices::length).orElse(Duration.ofSeconds(1)));
    return new TargetResult(
        target,
        measured.get().perSecond() >= least ? Met.MET : Met.MISSED,
        measured.get().toString(),
        new Ratio(measured.get().perSecond() / wanted.perSecond() - 1).signed(),
        sustained(
            inner.map(Slices::of).orElse(List.of()),
            slice -> Optional.of(slice.requests() / seconds >= least ? Met.MET : Met.MISSED),
            slice -> OptionalDouble.of(-slice.requests()),
            slice -> new Rate(slice.requests() / seconds).toString()),
        source());
  }

  /** A test begins and ends within a second, so that its first and last one are not whole. */
  private static RequestSeries withoutEnds(RequestSeries series) {
    int size = series.intervals().size();
    return size < FEWEST_TO_TRIM
        ? series
        : new RequestSeries(
            series.producer(),
            series.step(),
            series.intervals().subList(1, size - 1),
            series.source());
  }

  private TargetResult success(Ratio wanted) {
    String target = "at least " + wanted + " without failure";
    OptionalDouble measured = succeeded();
    if (measured.isEmpty()) {
      return new TargetResult(
          target, Met.CANNOT_TELL, "the files do not state failures", "", "", source());
    }
    double share = measured.getAsDouble();
    return new TargetResult(
        target,
        share >= wanted.value() ? Met.MET : Met.MISSED,
        Numbers.decimals(share * WHOLE, 3) + " %",
        new Ratio(share - wanted.value()).signed().replace("%", "points"),
        sustained(
            slices,
            slice -> Optional.of(okOf(slice) >= wanted.value() ? Met.MET : Met.MISSED),
            slice -> OptionalDouble.of(-okOf(slice)),
            slice -> new Ratio(okOf(slice)).toString()),
        source());
  }

  private OptionalDouble succeeded() {
    if (all.isPresent() && all.get().requests() > 0) {
      return OptionalDouble.of(okOf(all.get()));
    }
    return stats
        .filter(s -> s.failed().isPresent() && s.requests().orElse(0) > 0)
        .map(s -> OptionalDouble.of(1 - (double) s.failed().getAsLong() / s.requests().getAsLong()))
        .orElse(OptionalDouble.empty());
  }

  private static double okOf(RequestInterval requests) {
    return requests.requests() == 0 ? 1 : 1 - (double) requests.failed() / requests.requests();
  }

  private TargetResult length(Duration wanted) {
    String target = "lasts at least " + Durations.format(wanted);
    Optional<Duration> measured = lengthOfTest();
    if (measured.isEmpty()) {
      return new TargetResult(
          target, Met.CANNOT_TELL, "the files do not state the length", "", "", source());
    }
    // The first and the last second of a test are seldom whole.
    boolean enough = measured.get().plusSeconds(2).compareTo(wanted) >= 0;
    return new TargetResult(
        target, enough ? Met.MET : Met.MISSED, Durations.format(measured.get()), "", "", source());
  }

  private static String margin(double measured, double limit, String of) {
    double room = 1 - measured / limit;
    return new Ratio(Math.abs(room)) + " " + of + (room >= 0 ? " to spare" : " too much");
  }

  private String sustained(
      List<RequestInterval> stretches,
      Function<RequestInterval, Optional<Met>> judge,
      Function<RequestInterval, OptionalDouble> badness,
      Function<RequestInterval, String> text) {
    if (series.isEmpty()) {
      return ONE_SUMMARY;
    }
    List<Map.Entry<RequestInterval, Met>> judged = new ArrayList<>();
    for (RequestInterval slice : stretches) {
      judge.apply(slice).ifPresent(met -> judged.add(Map.entry(slice, met)));
    }
    if (judged.isEmpty()) {
      return "cannot tell: too few requests in any "
          + Durations.format(Slices.length(series.get()));
    }
    long met = judged.stream().filter(slice -> slice.getValue() == Met.MET).count();
    RequestInterval worst = judged.get(0).getKey();
    for (Map.Entry<RequestInterval, Met> slice : judged) {
      boolean worse =
          badness.apply(slice.getKey()).orElse(-Double.MAX_VALUE)
              > badness.apply(worst).orElse(-Double.MAX_VALUE);
      worst = worse ? slice.getKey() : worst;
    }
    return "in "
        + met
        + " of "
        + judged.size()
        + " stretches of "
        + Durations.format(Slices.length(series.get()))
        + "; worst "
        + text.apply(worst)
        + " from "
        + TIME.format(worst.from());
  }
}
