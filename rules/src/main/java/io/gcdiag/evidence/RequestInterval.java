package io.gcdiag.evidence;

import java.time.Instant;

/**
 * The requests that began in one interval.
 *
 * @param from start of the interval
 * @param requests requests that began in it and were answered or failed
 * @param failed of these, failed
 * @param latencies how long they took; may hold fewer than {@code requests} where the source does
 *     not say it of all
 */
public record RequestInterval(Instant from, long requests, long failed, Latencies latencies) {

  /** Checks the counts. */
  public RequestInterval {
    if (requests < 0 || failed < 0 || failed > requests) {
      throw new IllegalArgumentException(failed + " of " + requests + " requests failed");
    }
  }

  /** Both intervals as one that begins with this. */
  public RequestInterval plus(RequestInterval later) {
    return new RequestInterval(
        from, requests + later.requests, failed + later.failed, latencies.plus(later.latencies));
  }
}
