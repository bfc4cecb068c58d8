package io.gcdiag.loadtests;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a load test measured over its whole length: from its requests over time where the files have
 * them, else from its summary. What the server's meters count stands for a load test only where
 * there is none: requests that never reached the service, or whose response never arrived, are in
 * no meter of it.
 *
 * @param series its requests over time
 * @param stats its summary
 * @param slices its stretches; empty without requests over time
 * @param all all its requests
 * @param server requests by the server's meters, beside a load test
 */
record MeasuredTest(
    Optional<RequestSeries> series,
    Optional<RequestStats> stats,
    List<RequestInterval> slices,
    Optional<RequestInterval> all,
    Optional<RequestSeries> server) {

  /** In a shorter test the two ends are too much of it to be left out. */
  private static final int FEWEST_TO_TRIM = 10;

  static MeasuredTest of(Timeline timeline) {
    Optional<RequestSeries> main = timeline.mainRequestSeries().filter(s -> s.span().isPresent());
    boolean tested = timeline.mainRequestStats().isPresent();
    Optional<RequestSeries> series = main.filter(s -> !tested || timeline.isOfClient(s));
    Optional<RequestSeries> server =
        timeline.requestSeries().stream()
            .filter(s -> tested && s.span().isPresent() && !timeline.isOfClient(s))
            .findFirst();
    return new MeasuredTest(
        series,
        timeline.mainRequestStats(),
        series.map(Slices::of).orElse(List.of()),
        series.map(s -> s.within(s.span().orElseThrow())),
        server);
  }

  /** Where the figures were read. */
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
        + (requests().isPresent() ? ", " + Numbers.count(requests().getAsLong()) + " requests" : "")
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

  /** The same of a stretch; nothing has failed where nothing was sent. */
  static double succeeded(RequestInterval requests) {
    return requests.requests() == 0 ? 1 : 1 - (double) requests.failed() / requests.requests();
  }
}
