package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Demand on a connection pool: arrival rate, undisturbed hold time, pool size. Each value was given
 * by the operator or is a bound from the files. The bounds overestimate the demand, so that a pool
 * found large enough is large enough.
 */
public final class PoolDemand {

  /**
   * A number that is exact or a bound.
   *
   * @param <T> its type
   * @param bound {@code ""} if exact, else {@code at most} or {@code at least}
   * @param basis how it is known, for people
   * @param source where it was read
   */
  public record Known<T>(T value, String bound, String basis, Source source) {}

  /**
   * The inputs of Little's law, all known.
   *
   * @param rate connections borrowed per second
   * @param hold how long a connection is usually held, without what lengthened it in the incident
   * @param size largest number of connections
   * @param holdOfBaseline whether the hold is one of the baseline alone
   */
  public record Figures(
      Known<Rate> rate, Known<Duration> hold, Known<Integer> size, boolean holdOfBaseline) {

    public static Optional<Figures> of(Incident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      Optional<Known<Duration>> usual =
          incident.baseline().flatMap(baseline -> PoolDemand.hold(incident, baseline));
      Optional<Known<Duration>> now = PoolDemand.hold(incident, window);
      Optional<Known<Duration>> hold = usual.or(() -> now);
      boolean ofBaseline = usual.isPresent() && !usual.equals(now);
      return PoolDemand.rate(incident, window)
          .flatMap(
              rate ->
                  hold.flatMap(
                      held ->
                          PoolDemand.size(timeline, window)
                              .map(size -> new Figures(rate, held, size, ofBaseline))));
    }

    public boolean exact() {
      return rate.bound().isEmpty() && hold.bound().isEmpty() && size.bound().isEmpty();
    }

    /** {@code at most} if the demand may be smaller, else {@code ""}. */
    public String bound() {
      return rate.bound().isEmpty() ? hold.bound() : rate.bound();
    }

    public LittlesLaw law() {
      return new LittlesLaw(rate.value().perSecond(), hold.value());
    }

    /** Utilisation of the pool; above 1 the demand exceeds its size. */
    public double use() {
      return law().utilisationOf(size.value());
    }
  }

  private static final String RECORDED_CALLS = "calls recorded on connections in use";

  private static final String AT_MOST = "at most";
  private static final String BY_METERS = "by the pool's own meters";

  private PoolDemand() {}

  private static Source source(PoolMeters meters, MetricMeaning meaning) {
    return meters.source(meaning).orElseThrow();
  }

  /**
   * Connections borrowed per second: one per request unless the operator gave a rate, which applies
   * to the incident and not to the baseline.
   */
  public static Optional<Known<Rate>> rate(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    return timeline
        .operator()
        .rate()
        .filter(PoolDemand::isSome)
        .filter(any -> incident.baseline().filter(window::equals).isEmpty())
        .map(rate -> new Known<>(rate, "", "given", OperatorFacts.SOURCE))
        .or(() -> PoolMeters.of(timeline).flatMap(meters -> borrows(meters, window)))
        .or(() -> timeline.requestsOfSpan().flatMap(series -> requests(series, window)))
        .or(() -> calls(timeline, window).map(calls -> calls(calls, window)))
        .or(() -> timeline.mainRequestStats().flatMap(stats -> requests(stats, window)));
  }

  private static boolean isSome(Rate rate) {
    return rate.perSecond() > 0;
  }

  private static Optional<Known<Rate>> borrows(PoolMeters meters, Window window) {
    String basis = "connections obtained, " + BY_METERS;
    return meters
        .borrows(window)
        .map(rate -> new Known<>(rate, "", basis, source(meters, MetricMeaning.POOL_ACQUIRED)));
  }

  private static Optional<Known<Rate>> requests(RequestSeries series, Window window) {
    String basis = "request rate, one connection per request";
    return series
        .rate(window)
        .filter(PoolDemand::isSome)
        .map(rate -> new Known<>(rate, "", basis, series.source()));
  }

  /** If the window is a part of the load test, all requests of the test may have been in it. */
  private static Optional<Known<Rate>> requests(RequestStats stats, Window window) {
    Optional<Rate> rate = stats.rate().filter(PoolDemand::isSome);
    if (rate.isEmpty() || stats.requests().isEmpty()) {
      return Optional.empty();
    }
    double most = stats.requests().getAsLong() / window.seconds();
    boolean part = Policy.COVERED * most > rate.get().perSecond();
    return Optional.of(
        new Known<>(
            part ? new Rate(most) : rate.get(),
            part ? AT_MOST : "",
            (part ? "all requests of the load test in the window" : "rate of the whole load test")
                + ", one connection per request",
            stats.source()));
  }

  private static Known<Rate> calls(DownstreamCalls calls, Window window) {
    Rate rate = new Rate(calls.count() / window.seconds());
    return new Known<>(rate, "", RECORDED_CALLS, calls.source());
  }

  /** How long a connection is held when nothing delays its holder. */
  public static Optional<Known<Duration>> hold(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    Source source = timeline.operator().holdSource();
    return timeline
        .operator()
        .hold()
        .filter(PoolDemand::isSome)
        .map(hold -> new Known<>(hold, "", OperatorFacts.basis(source), source))
        .or(() -> PoolMeters.of(timeline).flatMap(meters -> held(meters, window)))
        .or(() -> unmetered(incident, window));
  }

  /** The time of calls says nothing of a connection that is held until another one is returned. */
  private static Optional<Known<Duration>> unmetered(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    return ConnectionsInUse.areMostlyNested(timeline)
        ? Optional.empty()
        : holdByCalls(incident, window)
            .or(
                () ->
                    timeline
                        .mainRequestStats()
                        .filter(any -> !isByCalls(incident))
                        .flatMap(stats -> lasting(incident, stats)));
  }

  /**
   * Whether the incident's rate leaves out calls too short for events: no demand is at most that.
   */
  private static boolean isByCalls(Incident incident) {
    return rate(incident, incident.window())
        .filter(rate -> rate.basis().equals(RECORDED_CALLS))
        .isPresent();
  }

  private static Optional<Known<Duration>> held(PoolMeters meters, Window window) {
    String basis = "time held / connections returned, " + BY_METERS;
    return meters
        .hold(window)
        .filter(PoolDemand::isSome)
        .map(
            hold -> new Known<>(hold, "", basis, source(meters, MetricMeaning.POOL_USAGE_SECONDS)));
  }

  /**
   * A mean of the whole run is one of both states, and no bound for the incident's; the greater of
   * the two is.
   */
  private static Optional<Known<Duration>> lasting(Incident incident, RequestStats stats) {
    Optional<Duration> whole = stats.mean();
    Optional<Duration> during =
        incident
            .timeline()
            .requestsOfSpan()
            .flatMap(series -> series.within(incident.window()).latencies().mean())
            .filter(mean -> whole.filter(all -> all.compareTo(mean) > 0).isEmpty());
    String basis =
        (during.isPresent() ? "mean latency in the incident" : "mean latency of the load test")
            + ": a request holds its connection no longer than it lasts";
    return during
        .or(() -> whole)
        .filter(PoolDemand::isSome)
        .map(mean -> new Known<>(mean, AT_MOST, basis, stats.source()));
  }

  /**
   * By Little's law: connections in use on average, divided by connections borrowed per second. The
   * mean of single calls would be too short, because a request may make several calls on one
   * connection.
   */
  private static Optional<Known<Duration>> holdByCalls(Incident incident, Window window) {
    Optional<Known<Rate>> rate = rate(incident, window);
    return calls(incident.timeline(), window)
        .filter(calls -> rate.isPresent())
        .map(
            calls ->
                new Known<>(
                    Durations.ofSeconds(
                        calls.count()
                            * calls.meanSeconds()
                            / window.seconds()
                            / rate.get().value().perSecond()),
                    "",
                    "time of the calls recorded on connections, less pauses, per connection use",
                    calls.source()))
        .filter(hold -> isSome(hold.value()));
  }

  /**
   * A hold time of zero is not usable: subtracting pauses may leave nothing of the calls, and a
   * load test in whole milliseconds may round to zero.
   */
  private static boolean isSome(Duration hold) {
    return !hold.isZero() && !hold.isNegative();
  }

  /** Largest number of connections of the pool. */
  public static Optional<Known<Integer>> size(Timeline timeline, Window window) {
    if (timeline.operator().poolSize().isPresent()) {
      Source source = timeline.operator().poolSizeSource();
      return Optional.of(
          new Known<>(
              timeline.operator().poolSize().getAsInt(), "", OperatorFacts.basis(source), source));
    }
    Optional<PoolMeters> meters = PoolMeters.of(timeline);
    if (meters.isPresent() && meters.get().size().isPresent()) {
      return Optional.of(
          new Known<>(
              meters.get().size().getAsInt(),
              "",
              BY_METERS,
              source(meters.get(), MetricMeaning.POOL_MAX)));
    }
    Optional<ThreadSnapshot> busiest =
        timeline.dumps().stream()
            .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) > 0)
            .max(Comparator.comparingLong(ConnectionsInUse::count));
    if (busiest.isPresent() && ConnectionsInUse.count(busiest.get()) > 0) {
      int seen = (int) ConnectionsInUse.count(busiest.get());
      return Optional.of(
          new Known<>(
              seen,
              "at least",
              "request threads seen to hold a connection at one instant while others waited",
              busiest.get().source()));
    }
    return peakOfCalls(timeline, window);
  }

  /** One call at a time may be made on a connection of no pool. */
  private static Optional<Known<Integer>> peakOfCalls(Timeline timeline, Window window) {
    List<WaitSeries> series =
        UserWaits.of(timeline, WaitKind.DOWNSTREAM).stream()
            .filter(calls -> !DownstreamCalls.isForResult(calls))
            .toList();
    double peak = series.stream().mapToDouble(s -> s.peakWaiting(window)).max().orElse(0);
    int seen = (int) Math.round(peak);
    return seen < Policy.FEWEST_QUEUED
        ? Optional.empty()
        : Optional.of(
            new Known<>(
                seen, "at least", "most calls in flight at one time", series.get(0).source()));
  }

  /** Calls, if the recording's threshold hides hardly any. */
  private static Optional<DownstreamCalls> calls(Timeline timeline, Window window) {
    return DownstreamCalls.areAllSeen(timeline)
        ? DownstreamCalls.of(timeline, window)
            .filter(calls -> calls.count() >= Policy.FEWEST_COUNTED)
            .filter(calls -> !DownstreamCalls.isForResult(calls.busiest()))
        : Optional.empty();
  }
}
