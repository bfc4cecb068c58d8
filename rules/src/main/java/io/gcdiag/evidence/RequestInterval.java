package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Latencies;
import java.time.Duration;
import java.time.Instant;

/**
 * The requests that began in one interval.
 *
 * @param from start of the interval
 * @param length its length, not negative; intervals between scrapes differ
 * @param requests requests that began in it and were answered or failed
 * @param failed how many of these failed
 * @param latencies their latencies; may be fewer than {@code requests} if the source does not have
 *     all
 */
public record RequestInterval(
    Instant from, Duration length, long requests, long failed, Latencies latencies) {

  public RequestInterval {
    if (requests < 0 || failed < 0 || failed > requests) {
      throw new IllegalArgumentException(failed + " of " + requests + " requests failed");
    }
  }

  /** Requests begin all over an interval: on average in its middle. */
  public Instant middle() {
    return from.plusNanos(length.toNanos() / 2);
  }

  RequestInterval shifted(Duration by) {
    return new RequestInterval(from.plus(by), length, requests, failed, latencies);
  }

  public static RequestInterval none(Instant from) {
    return new RequestInterval(from, Duration.ZERO, 0, 0, Latencies.none());
  }

  /** Both intervals merged: it begins with this one, and its length is the sum of both. */
  public RequestInterval plus(RequestInterval later) {
    return new RequestInterval(
        from,
        length.plus(later.length),
        requests + later.requests,
        failed + later.failed,
        latencies.plus(later.latencies));
  }
}
