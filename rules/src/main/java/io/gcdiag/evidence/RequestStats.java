package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a load generator or client measured over a whole run. Values that the file does not have are
 * empty.
 *
 * @param producer the tool, such as {@code k6}
 * @param requests requests that were answered or failed
 * @param failed how many of these failed
 * @param rate requests per second over the run
 * @param percentiles latency by percentile, 0 to 100 exclusive; only those that the file has
 * @param dropped requests that the generator should have sent and could not; known for open models
 *     only
 * @param users largest number of virtual users, threads or connections that sent requests at one
 *     time
 * @param model when requests were sent
 * @param targets what the test was to reach, by the options of the tool; empty without them
 * @param source where this was read
 */
public record RequestStats(
    String producer,
    OptionalLong requests,
    OptionalLong failed,
    Optional<Rate> rate,
    Optional<Duration> mean,
    Optional<Duration> longest,
    Optional<Duration> shortest,
    SortedMap<Double, Duration> percentiles,
    OptionalLong dropped,
    OptionalLong users,
    Optional<LoadModel> model,
    Targets targets,
    Source source) {

  public RequestStats {
    percentiles = Collections.unmodifiableSortedMap(new TreeMap<>(percentiles));
  }

  /**
   * What a test was to reach.
   *
   * @param latency the longest latency in order, by percentile
   * @param rate requests per second
   * @param success share of the requests that must not fail
   */
  public record Targets(
      SortedMap<Double, Duration> latency, Optional<Rate> rate, Optional<Ratio> success) {

    public static final Targets NONE =
        new Targets(new TreeMap<>(), Optional.empty(), Optional.empty());

    public Targets {
      latency = Collections.unmodifiableSortedMap(new TreeMap<>(latency));
    }
  }

  /**
   * The most frequent status of the requests that failed.
   *
   * @param at when the first request was sent
   * @param status such as 503
   * @param share of the failed requests that have it
   */
  public record FailedStatus(Instant at, int status, Ratio share) implements Sample {}

  /** The latency at a percentile, if the file has it. */
  public Optional<Duration> percentile(double percentile) {
    return Optional.ofNullable(percentiles.get(percentile));
  }

  public static final class Builder {

    private static final double WHOLE = 100;

    private final String producer;
    private final Source source;
    private final SortedMap<Double, Duration> percentiles = new TreeMap<>();
    private OptionalLong requests = OptionalLong.empty();
    private OptionalLong failed = OptionalLong.empty();
    private Optional<Rate> rate = Optional.empty();
    private Optional<Duration> mean = Optional.empty();
    private Optional<Duration> longest = Optional.empty();
    private Optional<Duration> shortest = Optional.empty();
    private OptionalLong dropped = OptionalLong.empty();
    private OptionalLong users = OptionalLong.empty();
    private Optional<LoadModel> model = Optional.empty();
    private Targets targets = Targets.NONE;

    public Builder(String producer, Source source) {
      this.producer = producer;
      this.source = source;
    }

    /** Requests that were answered or failed. */
    public Builder requests(long count) {
      requests = OptionalLong.of(count);
      return this;
    }

    public Builder failed(long count) {
      failed = OptionalLong.of(count);
      return this;
    }

    public Builder rate(Rate perSecond) {
      rate = Optional.of(perSecond);
      return this;
    }

    public Builder mean(Duration latency) {
      mean = Optional.of(latency);
      return this;
    }

    public Builder longest(Duration latency) {
      longest = Optional.of(latency);
      return this;
    }

    public Builder shortest(Duration latency) {
      shortest = Optional.of(latency);
      return this;
    }

    /** A latency percentile; 0 and 100 are not percentiles and are ignored. */
    public Builder percentile(double percentile, Duration latency) {
      if (percentile > 0 && percentile < WHOLE) {
        percentiles.put(percentile, latency);
      }
      return this;
    }

    /** Requests that should have been sent and were not. */
    public Builder dropped(long count) {
      dropped = OptionalLong.of(count);
      return this;
    }

    public Builder users(long count) {
      users = OptionalLong.of(count);
      return this;
    }

    public Builder model(LoadModel load) {
      model = Optional.of(load);
      return this;
    }

    public Builder targets(Targets told) {
      targets = told;
      return this;
    }

    public RequestStats build() {
      return new RequestStats(
          producer,
          requests,
          failed,
          rate,
          mean,
          longest,
          shortest,
          percentiles,
          dropped,
          users,
          model,
          targets,
          source);
    }
  }
}
