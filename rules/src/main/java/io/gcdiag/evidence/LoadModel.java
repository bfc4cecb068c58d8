package io.gcdiag.evidence;

/** What decides when a load generator sends the next request. */
public enum LoadModel {
  /** A schedule: requests are sent whether or not earlier ones were answered, as users do. */
  OPEN,
  /**
   * The answer to the last one: a fixed number of users sends no more while they wait, so that a
   * slow service is asked less and the requests that would have waited are not seen.
   */
  CLOSED
}
