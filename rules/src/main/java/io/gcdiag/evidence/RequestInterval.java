package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Latencies;
import java.time.Duration;
import java.time.Instant;

/**
 * The requests that began in one interval.
 *
 * @param from start of the interval
 * @param length how long it is, not negative; intervals between scrapes differ
 * @param requests requests that began in it and were answered or failed
 * @param failed of these, failed
 * @param latencies how long they took; may hold fewer than {@code requests} where the source does
 *     not say it of all
 */
public record RequestInterval(
    Instant from, Duration length, long requests, long failed, Latencies latencies) {

  /** Checks the counts. */
  public RequestInterval {
    if (requests < 0 || failed < 0 || failed > requests) {
      throw new IllegalArgumentException(failed + " of " + requests + " requests failed");
    }
  }

  /** Requests begin all over an interval: on average in its middle. */
  public Instant middle() {
    return from.plus(length.dividedBy(2));
  }

  /** No time, and no request. */
  public static RequestInterval none(Instant from) {
    return new RequestInterval(from, Duration.ZERO, 0, 0, Latencies.none());
  }

  /** Both intervals as one that begins with this, and is as long as both. */
  public RequestInterval plus(RequestInterval later) {
    return new RequestInterval(
        from,
        length.plus(later.length),
        requests + later.requests,
        failed + later.failed,
        latencies.plus(later.latencies));
  }
}
