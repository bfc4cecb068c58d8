package io.gcdiag.evidence;

/** When a load generator sends the next request. */
public enum LoadModel {
  /** On a schedule, whether or not earlier requests were answered, like independent users. */
  OPEN,
  /**
   * After the previous response: a fixed number of users sends nothing while they wait. A slow
   * service then gets fewer requests, and those that would have waited are not measured.
   */
  CLOSED
}
