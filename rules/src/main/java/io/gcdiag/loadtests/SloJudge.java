package io.gcdiag.loadtests;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.loadtests.SloResult.Met;
import io.gcdiag.loadtests.SloResult.TargetResult;
import io.gcdiag.loadtests.SloResult.TestDoubt;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Judges a load test by its targets. */
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
   * Judges a test, without targets by those that its load generator has as options.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static SloResult judge(Timeline timeline, SloTargets targets) {
    RequestStats.Targets told =
        timeline.requests().stats().stream()
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

  /** With few requests, a percentile is the longest one, a single request. */
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
    // The first and the last second of a test are rarely complete.
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

    /** The number of stretches that met it, and the worst one, in words. */
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

  /** What the results of a load test say about their own reliability. */
  private static final class TestValidity {

    /** With fewer requests beyond a percentile, a handful of them decides it. */
    private static final double FEWEST_BEYOND = 10;

    /** A first stretch this much slower than the middle one of the rest is a warm-up. */
    private static final double WARM_UP = 1.5;

    /** Only if latency changes by this factor does the rate show the load model. */
    private static final double SLOWER = 2;

    /** An open-loop generator keeps its rate within this tolerance. */
    private static final double SAME_RATE = 0.05;

    /** Scrapes do not start and end with the test, so smaller differences of rates do not count. */
    private static final double OTHER_RATE = 1.1;

    private static final double TAIL = 95;

    private final Optional<RequestSeries> series;
    private final Optional<RequestStats> stats;
    private final List<RequestInterval> slices;
    private final List<TestDoubt> doubts = new ArrayList<>();

    private TestValidity(MeasuredTest test) {
      this.series = test.series();
      this.stats = test.stats();
      this.slices = test.slices();
    }

    static List<TestDoubt> of(MeasuredTest test, SloTargets targets) {
      TestValidity validity = new TestValidity(test);
      validity.model();
      validity.dropped();
      validity.warmUp();
      targets.latency().keySet().forEach(validity::enough);
      test.server().ifPresent(meters -> validity.differences(test, meters, targets));
      return validity.doubts;
    }

    private void add(String topic, boolean weakens, String text) {
      doubts.add(new TestDoubt(topic, weakens, text));
    }

    private void model() {
      Optional<LoadModel> stated = stats.flatMap(RequestStats::model);
      if (stated.equals(Optional.of(LoadModel.OPEN))) {
        add("load model", false, "open: requests were sent on a schedule");
      } else if (stated.equals(Optional.of(LoadModel.CLOSED))) {
        add(
            "load model",
            true,
            "closed: every user waits for a response before the next request, so that while the"
                + " service is slow fewer requests are sent, and those that would have waited are"
                + " not measured (coordinated omission); use a fixed arrival rate");
      } else {
        seenModel();
      }
    }

    /**
     * If the file does not state the load model, the change of the rate with longer responses shows
     * it.
     */
    private void seenModel() {
      Optional<RequestInterval> slow = slices.stream().max(byMean());
      Optional<RequestInterval> fast = slices.stream().min(byMean());
      if (slow.isEmpty() || mean(slow.get()) < SLOWER * mean(fast.get())) {
        add(
            "load model",
            true,
            "not known: the files do not say whether requests were sent on a schedule or after the"
                + " last response; with the latter, slow times are under-represented (coordinated"
                + " omission)");
        return;
      }
      double kept = (double) slow.get().requests() / fast.get().requests();
      String seen =
          ("while responses took %s times as long, the request rate was %s of the usual" + " one")
              .formatted(Numbers.threeDigits(mean(slow.get()) / mean(fast.get())), new Ratio(kept));
      if (kept >= 1 - SAME_RATE) {
        add("load model", false, "open, judging by the request rate: " + seen);
      } else {
        add(
            "load model",
            true,
            "closed, or the generator could not keep up: "
                + seen
                + "; the requests that were not sent are not measured (coordinated omission)");
      }
    }

    private static Comparator<RequestInterval> byMean() {
      return Comparator.comparingDouble(TestValidity::mean);
    }

    private static double mean(RequestInterval slice) {
      long count = slice.latencies().count();
      return count == 0 ? 0 : slice.latencies().totalSeconds() / count;
    }

    private void dropped() {
      stats
          .filter(s -> s.dropped().orElse(0) > 0)
          .ifPresent(
              s ->
                  add(
                      "generator",
                      true,
                      Numbers.count(s.dropped().getAsLong())
                          + " requests were due and not sent, because the generator had no free"
                          + " user: give it more, or take the latency as a lower bound"));
    }

    private void warmUp() {
      List<Duration> tails =
          slices.stream()
              .flatMap(slice -> slice.latencies().percentile(TAIL).stream())
              .map(LatencyBound::atLeast)
              .toList();
      if (tails.size() < slices.size() || tails.size() < 4) {
        return;
      }
      List<Duration> rest = tails.subList(1, tails.size()).stream().sorted().toList();
      double usual = Durations.seconds(rest.get(rest.size() / 2));
      double first = Durations.seconds(tails.get(0));
      if (first > WARM_UP * usual) {
        add(
            "warm-up",
            true,
            "included in the figures: the P95 of the first %s is %s, later typically %s"
                .formatted(
                    Durations.format(Slices.length(series.orElseThrow())),
                    Durations.format(tails.get(0)),
                    Durations.format(usual)));
      } else {
        add("warm-up", false, "the first interval is not slower than the others");
      }
    }

    private void differences(MeasuredTest test, RequestSeries meters, SloTargets targets) {
      Window span = test.series().flatMap(RequestSeries::span).orElse(meters.span().orElseThrow());
      RequestInterval served = meters.within(span);
      List<String> differences = new ArrayList<>();
      if (served.requests() > 0 && test.succeeded().isPresent()) {
        double sent = test.succeeded().getAsDouble();
        double met = MeasuredTest.succeeded(served);
        boolean judged =
            targets.success().filter(s -> sent >= s.value() != met >= s.value()).isPresent();
        if (judged || Math.abs(sent - met) > Policy.TOLERABLE_FAILURES) {
          differences.add(
              "%s of the requests succeeded, not %s".formatted(share(met), share(sent)));
        }
      }
      Optional<Rate> rate = meters.rate(span);
      if (rate.isPresent() && test.rate().isPresent()) {
        double ratio = rate.get().perSecond() / test.rate().get().perSecond();
        if (Math.max(ratio, 1 / ratio) > OTHER_RATE) {
          differences.add("%s, not %s".formatted(rate.get(), test.rate().get()));
        }
      }
      for (double percentile : targets.latency().keySet()) {
        Optional<LatencyBound> sent = test.percentile(percentile);
        Optional<LatencyBound> met = served.latencies().percentile(percentile);
        if (sent.isPresent() && met.isPresent() && isOther(sent.get(), met.get())) {
          differences.add(
              "%s %s, not %s"
                  .formatted(SloJudge.name(percentile), met.get().format(), sent.get().format()));
        }
      }
      if (!differences.isEmpty()) {
        add(
            "server's meters",
            false,
            "%s: %s. The figures of the load test count: requests that never reached the service, and time on the way, are in no meter of it"
                .formatted(meters.source(), String.join("; ", differences)));
      }
    }

    /** Whether one is longer than the other for any values within both bounds. */
    private static boolean isOther(LatencyBound one, LatencyBound other) {
      return isLonger(one, other) || isLonger(other, one);
    }

    private static boolean isLonger(LatencyBound one, LatencyBound other) {
      return other
          .atMost()
          .filter(
              most ->
                  Durations.seconds(one.atLeast()) > Policy.CLEARLY_MORE * Durations.seconds(most))
          .isPresent();
    }

    private static String share(double succeeded) {
      return Numbers.decimals(succeeded * WHOLE, 3) + " %";
    }

    private void enough(double percentile) {
      long count =
          series
              .flatMap(s -> s.span().map(s::within))
              .map(requests -> requests.latencies().count())
              .or(() -> stats.map(s -> s.requests().orElse(0)))
              .orElse(0L);
      double beyond = count * (1 - percentile / WHOLE);
      if (count > 0 && percentile > Percentiles.MEDIAN && beyond < FEWEST_BEYOND) {
        add(
            "length",
            true,
            "too short for %s: of %s requests %s lie beyond it; send at least %s"
                .formatted(
                    SloJudge.name(percentile),
                    Numbers.count(count),
                    Numbers.threeDigits(beyond),
                    Numbers.count((long) Math.ceil(FEWEST_BEYOND / (1 - percentile / WHOLE)))));
      }
    }
  }

  /**
   * What a load test measured over its whole length: from its requests over time where the files
   * have them, else from its summary. What the server's meters count stands for a load test only
   * where there is none: requests that never reached the service, or whose response never arrived,
   * are in no meter of it.
   *
   * @param slices its stretches; empty without requests over time
   * @param server requests by the server's meters, beside a load test
   */
  private record MeasuredTest(
      Optional<RequestSeries> series,
      Optional<RequestStats> stats,
      List<RequestInterval> slices,
      Optional<RequestInterval> all,
      Optional<RequestSeries> server) {

    /** In a shorter test the two ends are too large a part to be left out. */
    private static final int FEWEST_TO_TRIM = 10;

    static MeasuredTest of(Timeline timeline) {
      Optional<RequestSeries> main = timeline.mainRequestSeries().filter(s -> s.span().isPresent());
      boolean tested = timeline.mainRequestStats().isPresent();
      Optional<RequestSeries> series = main.filter(s -> !tested || timeline.isOfClient(s));
      Optional<RequestSeries> server =
          timeline.requests().series().stream()
              .filter(s -> tested && s.span().isPresent() && !timeline.isOfClient(s))
              .findFirst();
      return new MeasuredTest(
          series,
          timeline.mainRequestStats(),
          series.map(Slices::of).orElse(List.of()),
          series.map(s -> s.within(s.span().orElseThrow())),
          server);
    }

    String source() {
      return series
          .map(RequestSeries::source)
          .or(() -> stats.map(RequestStats::source))
          .map(Source::toString)
          .orElse("");
    }

    /** Generator, number of requests and length, in words. */
    String description() {
      String producer =
          series
              .map(RequestSeries::producer)
              .or(() -> stats.map(RequestStats::producer))
              .orElse("no load test");
      return producer
          + (requests().isPresent()
              ? ", " + Numbers.count(requests().getAsLong()) + " requests"
              : "")
          + length().map(length -> " in " + Durations.format(length)).orElse("");
    }

    OptionalLong requests() {
      return all.map(requests -> OptionalLong.of(requests.requests()))
          .or(() -> stats.map(RequestStats::requests))
          .orElse(OptionalLong.empty());
    }

    Optional<Duration> length() {
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

    Optional<LatencyBound> percentile(double percentile) {
      return all.flatMap(requests -> requests.latencies().percentile(percentile))
          .or(() -> stats.flatMap(s -> s.percentile(percentile)).map(LatencyBound::exactly));
    }

    Optional<Rate> rate() {
      return seriesWithoutEnds()
          .flatMap(s -> s.rate(s.span().orElseThrow()))
          .or(() -> stats.flatMap(RequestStats::rate));
    }

    /** A test begins and ends within a second, so that its first and last one are not whole. */
    Optional<RequestSeries> seriesWithoutEnds() {
      return series.map(
          whole -> {
            int size = whole.intervals().size();
            return size < FEWEST_TO_TRIM
                ? whole
                : new RequestSeries(
                    whole.producer(),
                    whole.step(),
                    whole.intervals().subList(1, size - 1),
                    whole.endpoints(),
                    whole.source());
          });
    }

    /** Share of the requests without failure, 0 to 1. */
    OptionalDouble succeeded() {
      if (all.isPresent() && all.get().requests() > 0) {
        return OptionalDouble.of(succeeded(all.get()));
      }
      return Numbers.of(
          stats.filter(s -> s.failed().isPresent() && s.requests().orElse(0) > 0),
          s -> 1 - (double) s.failed().getAsLong() / s.requests().getAsLong());
    }

    /** The same for a stretch; 1 if no requests were sent. */
    static double succeeded(RequestInterval requests) {
      return requests.requests() == 0 ? 1 : 1 - (double) requests.failed() / requests.requests();
    }
  }

  /** A test cut into stretches of equal length, each long enough to have percentiles of its own. */
  private static final class Slices {

    /** A length that users notice; ten seconds at 100 requests a second have 1,000 of them. */
    private static final Duration USUAL = Duration.ofSeconds(10);

    /** With fewer stretches "all along" has no meaning. */
    private static final int FEWEST = 3;

    /**
     * Complete slices only, because the load ends in the last seconds of a test. Slices without
     * measurements are left out: months may lie between two parts of metrics.
     */
    static List<RequestInterval> of(RequestSeries series) {
      List<RequestInterval> slices = new ArrayList<>();
      if (series.span().isEmpty()) {
        return slices;
      }
      Window span = series.span().get();
      Duration length = length(series);
      Instant end = span.from();
      for (RequestInterval interval : series.intervals()) {
        if (!interval.from().isBefore(end)) {
          long before = Duration.between(end, interval.from()).dividedBy(length);
          Instant from = end.plus(length.multipliedBy(before));
          end = from.plus(length);
          if (!end.isAfter(span.to())) {
            slices.add(series.within(new Window(from, end)));
          }
        }
      }
      return slices.size() < FEWEST ? List.of() : slices;
    }

    static Duration length(RequestSeries series) {
      return series.step().compareTo(USUAL) > 0 ? series.step() : USUAL;
    }
  }

  /**
   * The targets of a load test.
   *
   * @param latency the longest latency that is in order, by percentile (above 0, below 100)
   * @param rate requests per second that have to be served
   * @param success share of requests that must not fail, 0 to 1
   * @param length how long the test has to last
   */
  public record SloTargets(
      SortedMap<Double, Duration> latency,
      Optional<Rate> rate,
      Optional<Ratio> success,
      Optional<Duration> length) {

    public SloTargets {
      latency = Collections.unmodifiableSortedMap(new TreeMap<>(latency));
      if (success.filter(share -> share.value() < 0 || share.value() > 1).isPresent()) {
        throw new IllegalArgumentException("a share of requests lies between 0 % and 100 %");
      }
    }

    /** These targets; if there are none, those in the load generator's options. */
    SloTargets or(RequestStats.Targets told) {
      boolean none = latency.isEmpty() && rate.isEmpty() && success.isEmpty() && length.isEmpty();
      if (none && told.equals(RequestStats.Targets.NONE)) {
        throw new IllegalArgumentException(
            "no target; give at least one of --p95, --p99, --rate, --success, or a file of k6"
                + " with thresholds");
      }
      return none ? new SloTargets(told.latency(), told.rate(), told.success(), length) : this;
    }
  }
}
