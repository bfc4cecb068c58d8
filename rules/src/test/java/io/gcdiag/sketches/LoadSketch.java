package io.gcdiag.sketches;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a load test measured of a made-up incident, and what its operator says.
 *
 * @param <B> the builder
 */
public abstract class LoadSketch<B> extends JvmSketch<B> {

  private OperatorFacts operator = OperatorFacts.none();

  public LoadSketch(TimelineBuilder timeline) {
    super(timeline);
  }

  public OperatorFacts operator() {
    return operator;
  }

  /** Requests over time: so many a second in the baseline and in the incident. */
  public B requests(int perSecondBefore, int perSecond) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      intervals.add(
          new RequestInterval(
              IncidentBuilder.at(i),
              Duration.ofSeconds(1),
              i < 60 ? perSecondBefore : perSecond,
              0,
              Latencies.none()));
    }
    timeline()
        .requestSeries(
            new RequestSeries("k6", Duration.ofSeconds(1), intervals, new Source("load.csv", "")));
    return self();
  }

  /** Requests that a meter of the file of {@link MeterSketch} counted, in intervals of a second. */
  public B requests(List<RequestInterval> intervals) {
    Source meter = new Source("metrics.json", "http");
    timeline().requestSeries(new RequestSeries("metrics", Duration.ofSeconds(1), intervals, meter));
    return self();
  }

  /** So many requests of an endpoint every second, and how long each took, before and during. */
  public record Endpoint(
      String name, int before, int during, double secondsBefore, double secondsDuring) {

    public Endpoint(String name, int perSecond, double secondsBefore, double secondsDuring) {
      this(name, perSecond, perSecond, secondsBefore, secondsDuring);
    }

    private EndpointSeries series() {
      List<EndpointSeries.Slot> slots = new ArrayList<>();
      List<RequestInterval> spreads = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        int requests = i < 60 ? before : during;
        double each = i < 60 ? secondsBefore : secondsDuring;
        slots.add(new EndpointSeries.Slot(IncidentBuilder.at(i), requests, requests * each));
        Latencies.Counter counter = new Latencies.Counter();
        counter.addTo(Latencies.Counter.range(Math.round(each * 1e9)), requests);
        spreads.add(
            new RequestInterval(
                IncidentBuilder.at(i), Duration.ofSeconds(1), requests, 0, counter.latencies()));
      }
      return new EndpointSeries(name, slots, spreads);
    }
  }

  /** Requests by endpoint. */
  public B endpoints(Endpoint... endpoints) {
    timeline()
        .requestSeries(
            new RequestSeries(
                "k6",
                Duration.ofSeconds(1),
                List.of(),
                Stream.of(endpoints).map(Endpoint::series).toList(),
                new Source("k6.csv", "")));
    return self();
  }

  /** What a load generator measured. */
  public B loadTest(RequestStats stats) {
    timeline().requestStats(stats);
    return self();
  }

  /** What a load generator measured: rate and median latency, which is the mean. */
  public B loadTest(double perSecond, double medianMillis) {
    timeline()
        .requestStats(
            new RequestStats.Builder("k6", new Source("k6.json", ""))
                .requests(Math.round(perSecond * 120))
                .rate(new Rate(perSecond))
                .mean(IncidentBuilder.millis(medianMillis))
                .longest(IncidentBuilder.millis(medianMillis))
                .percentile(50, IncidentBuilder.millis(medianMillis))
                .build());
    return self();
  }

  /** What a load generator measured that tells no mean: rate and median latency. */
  public B loadTestWithoutMean(double perSecond, double medianMillis) {
    timeline()
        .requestStats(
            new RequestStats.Builder("k6", new Source("k6.json", ""))
                .requests(Math.round(perSecond * 120))
                .rate(new Rate(perSecond))
                .longest(IncidentBuilder.millis(medianMillis))
                .percentile(50, IncidentBuilder.millis(medianMillis))
                .build());
    return self();
  }

  /** What a load generator measured: rate, median and mean latency. */
  public B loadTest(double perSecond, double medianMillis, double meanMillis) {
    timeline()
        .requestStats(
            new RequestStats.Builder("k6", new Source("k6.json", ""))
                .requests(Math.round(perSecond * 120))
                .rate(new Rate(perSecond))
                .mean(IncidentBuilder.millis(meanMillis))
                .percentile(50, IncidentBuilder.millis(medianMillis))
                .build());
    return self();
  }

  /** What a load generator measured: the shortest and the median latency, which is the mean. */
  public B loadTestFrom(double shortestMillis, double medianMillis) {
    timeline()
        .requestStats(
            new RequestStats.Builder("k6", new Source("k6.json", ""))
                .requests(1000)
                .mean(IncidentBuilder.millis(medianMillis))
                .shortest(IncidentBuilder.millis(shortestMillis))
                .percentile(50, IncidentBuilder.millis(medianMillis))
                .build());
    return self();
  }

  /**
   * Requests of every second of the two minutes: so many in the baseline, and how long each took.
   */
  public B requests(int perSecond, double baselineMillis, double incidentMillis) {
    return requests(perSecond, perSecond, baselineMillis, incidentMillis);
  }

  /** The same with another number a second in the second minute. */
  public B requests(int perSecondBefore, int during, double baselineMillis, double incidentMillis) {
    return requests(
        perSecondBefore, during, second -> second < 60 ? baselineMillis : incidentMillis);
  }

  /** The same, with how long each took in each second. */
  public B requests(int perSecondBefore, int during, IntToDoubleFunction millis) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int second = 0; second < 120; second++) {
      int perSecond = second < 60 ? perSecondBefore : during;
      Latencies.Counter counter = new Latencies.Counter();
      for (int i = 0; i < perSecond; i++) {
        counter.add(IncidentBuilder.millis(millis.applyAsDouble(second)));
      }
      intervals.add(
          new RequestInterval(
              IncidentBuilder.at(second),
              Duration.ofSeconds(1),
              perSecond,
              0,
              counter.latencies()));
    }
    timeline()
        .requestSeries(
            new RequestSeries("k6", Duration.ofSeconds(1), intervals, new Source("k6.csv", "")));
    return self();
  }

  /** What a load generator measured: rate, shortest latency, median and 99th percentile. */
  public B loadTest(
      double perSecond, double shortestMillis, double medianMillis, double p99Millis) {
    timeline()
        .requestStats(
            new RequestStats.Builder("k6", new Source("k6.json", ""))
                .requests(Math.round(perSecond * 120))
                .rate(new Rate(perSecond))
                .shortest(IncidentBuilder.millis(shortestMillis))
                .percentile(50, IncidentBuilder.millis(medianMillis))
                .percentile(99, IncidentBuilder.millis(p99Millis))
                .build());
    return self();
  }

  /** Requests per second, as the operator says. */
  public B rate(double perSecond) {
    operator =
        new OperatorFacts(Optional.of(new Rate(perSecond)), operator.poolSize(), operator.hold());
    return self();
  }

  /** Connections of the pool, as the operator says. */
  public B poolSize(int size) {
    operator = new OperatorFacts(operator.rate(), OptionalInt.of(size), operator.hold());
    return self();
  }

  /** How long a connection is held, as the operator says. */
  public B hold(double millis) {
    operator =
        new OperatorFacts(
            operator.rate(), operator.poolSize(), Optional.of(IncidentBuilder.millis(millis)));
    return self();
  }
}
