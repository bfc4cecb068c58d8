package io.gcdiag.loadtests;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a load test's own results say about how far they can be relied on. */
final class TestValidity {

  /** Fewer requests beyond a percentile than this, and a handful of them decides. */
  private static final double FEWEST_BEYOND = 10;

  /** A first stretch this much slower than the middle one of the rest is a warm-up. */
  private static final double WARM_UP = 1.5;

  /** Latency has to change this much before the rate can show which model it was. */
  private static final double SLOWER = 2;

  /** A generator on a schedule keeps its rate within this. */
  private static final double SAME_RATE = 0.05;

  /** Scrapes do not begin and end with the test: rates that differ by less are the same. */
  private static final double OTHER_RATE = 1.1;

  private static final double WHOLE = 100;
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
    validity.server(test, targets);
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

  /** The file does not say; what happened to the rate when answers took longer does. */
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

  /** What the server's meters say otherwise. The load test's figures count: users are there. */
  private void server(MeasuredTest test, SloTargets targets) {
    test.server().ifPresent(meters -> differences(test, meters, targets));
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
        differences.add("%s of the requests succeeded, not %s".formatted(share(met), share(sent)));
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

  /** Whether one is longer than the other, whatever both bounds leave open. */
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
