package io.gcdiag.policy;

import java.time.Duration;

/**
 * The values that verdicts and reports are decided by. Each is a share of a whole that stands in
 * the name or at the place of its use: of the lost time, of the window, of threads, of requests.
 * They are orders of magnitude on purpose: no verdict may hang on a digit of them.
 */
public final class Policy {

  /** More than this share is most of the whole: "mostly", "the greater part". */
  public static final double MAJORITY = 0.5;

  /**
   * Below this share of the lost time a cause is no primary suspect: three quarters would be left
   * for another one. A part of this size changes the picture if it is left out.
   */
  public static final double SUBSTANTIAL = 0.25;

  /** From this share on a part is worth a row or a sentence: a contributing cause. */
  public static final double NOTABLE = 0.1;

  /** Below this share a part is within the error of sampling and estimating: ruled out. */
  public static final double NEGLIGIBLE = 0.05;

  /**
   * The share of requests beyond the 99th percentile, the tail that services promise a bound for.
   * What touches fewer requests, or less of the time, does not show in it.
   */
  public static final double TAIL = 0.01;

  /** Request threads on average, from which an effect is worth a line in a table. */
  public static final double LEAST_THREADS_NAMED = 0.01;

  /** Request threads on average, from which an effect can delay others. */
  public static final double LEAST_THREADS_FELT = 0.1;

  /**
   * Request threads on average that are a queue; one that waits in one dump, or for the next moment
   * only, may be met by chance.
   */
  public static final double FEWEST_QUEUED = 2;

  /** One thread is no group. */
  public static final int SMALLEST_GROUP = 2;

  /** One dump may meet a moment that is like no other; what a second one repeats is a state. */
  public static final int FEWEST_DUMPS = 2;

  /**
   * The standard error of a count is its square root: of fewer it is about half of them or more.
   */
  public static final int FEWEST_COUNTED = 5;

  /** Shares of fewer samples are chance: of one half, the interval is 36 to 64 %. */
  public static final int FEWEST_SAMPLES = 50;

  /**
   * The scale of samples is that of the thread that is sampled most often, which is good to a
   * quarter.
   */
  public static final double SAMPLES_GOOD_TO = 0.25;

  /**
   * A mean that is as many times another one differs clearly: two means of samples may lie so far
   * apart by chance, costs of requests by another mix of them.
   */
  public static final double CLEARLY_MORE = 1.5;

  /** A series that covers less of a window than this share says nothing about it. */
  public static final double COVERED = 0.8;

  /**
   * While less of the time than this share is stopped, pauses leave no backlog: queues that dumps
   * and meters show are as they are on average.
   */
  public static final double HARDLY_STOPPED = 0.02;

  /**
   * From this share of the time on, stopping is felt: JDK Mission Control, too, calls it notable
   * over a minute. One request in twenty then meets a pause.
   */
  public static final double FELT_STOPPED = 0.05;

  /**
   * Below this utilisation there is room most of the time. A pool of ten makes more than one
   * borrower in five wait above it (Erlang C for ten servers: 22 % at 0.7, 3.6 % at 0.5).
   */
  public static final double CLEAR_ROOM = 0.7;

  /**
   * From this share on a resource counts as full: processors, the time of a single server, a quota.
   * A random arrival at a single server then waits nine times its own work (M/M/1: rho / (1 -
   * rho)).
   */
  public static final double FULL = 0.9;

  /** A delay that users notice; a tail below it is no incident. */
  public static final Duration LEAST_TAIL = Duration.ofMillis(200);

  /** The share of failing requests that is usual for a service in order. */
  public static final double TOLERABLE_FAILURES = 0.02;

  /** More names than this are no help in a sentence. */
  public static final int MOST_NAMED = 3;

  private Policy() {}
}
