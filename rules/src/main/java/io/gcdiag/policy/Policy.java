package io.gcdiag.policy;

import java.time.Duration;

/**
 * The thresholds that decide verdicts and what reports show. A share is of the whole that its name
 * or its use states: the lost time, the window, threads, requests. They are orders of magnitude on
 * purpose: no verdict may depend on their last digit.
 */
public final class Policy {

  /** More than this share counts as most of the whole. */
  public static final double MAJORITY = 0.5;

  /**
   * Below this share of the lost time a cause is not a primary suspect, because three quarters
   * would remain for another. A part of this size changes the result if it is left out.
   */
  public static final double SUBSTANTIAL = 0.25;

  /** From this share on a cause contributes and gets a row or a sentence. */
  public static final double NOTABLE = 0.1;

  /** Below this share a part is within the error of sampling and estimation. */
  public static final double NEGLIGIBLE = 0.05;

  /**
   * The share of requests beyond the 99th percentile, for which services usually have a target.
   * What affects fewer requests, or less of the time, does not show in that percentile.
   */
  public static final double TAIL = 0.01;

  /** Mean number of request threads from which an effect gets a line in a table. */
  public static final double LEAST_THREADS_NAMED = 0.01;

  /** Mean number of request threads from which an effect can delay other requests. */
  public static final double LEAST_THREADS_FELT = 0.1;

  /**
   * The fewest threads that form a group, and the mean number of waiting request threads from which
   * there is a queue in dumps. A single waiting thread in a dump may be a coincidence.
   */
  public static final int FEWEST_QUEUED = 2;

  /** Mean number of threads in a queue that is there all the time. A busy machine has less. */
  public static final double LASTING_QUEUE = 1;

  /** The fewest dumps that show a lasting state: a single dump may show an exceptional moment. */
  public static final int FEWEST_DUMPS = 2;

  /**
   * The fewest events that give a rate. The standard error of a count is its square root: for fewer
   * events it is about half of the count, or more.
   */
  public static final int FEWEST_COUNTED = 5;

  /** The fewest samples that give a share: with 50, one half has an interval of 36 to 64 %. */
  public static final int FEWEST_SAMPLES = 50;

  /**
   * The fewest observations that show a course or recur: two may be an accident, and always lie on
   * a line.
   */
  public static final int RECURRING = 3;

  /**
   * Relative error of sampled thread times, whose scale is set by the thread that is sampled most
   * often.
   */
  public static final double SAMPLES_GOOD_TO = 0.25;

  /** The fewest waits whose mean is that good: its relative error is 1 / root(n). */
  public static final int FEWEST_FOR_A_MEAN = (int) (1 / (SAMPLES_GOOD_TO * SAMPLES_GOOD_TO));

  /** The fewest requests that show the {@link #TAIL}: of fewer one alone would be it. */
  public static final int FEWEST_FOR_A_TAIL = (int) (1 / TAIL);

  /**
   * Ratio from which two means differ clearly. Below it, sampling error or another mix of requests
   * may explain the difference.
   */
  public static final double CLEARLY_MORE = 1.5;

  /** A series that covers less of a window than this share says nothing about it. */
  public static final double COVERED = 0.8;

  /**
   * Below this share of time stopped, pauses leave no backlog, so that the queues in dumps and
   * meters are typical.
   */
  public static final double HARDLY_STOPPED = 0.02;

  /**
   * From this share of time stopped, users notice: one request in twenty meets a pause. JDK Mission
   * Control uses the same share, over a minute.
   */
  public static final double FELT_STOPPED = NEGLIGIBLE;

  /**
   * Below this utilisation a pool has free connections most of the time. Above it more than one
   * request in five waits for a pool of ten (Erlang C for ten servers: 22 % at 0.7, 3.6 % at 0.5).
   */
  public static final double CLEAR_ROOM = 0.7;

  /**
   * From this share on a resource counts as full: processors, the time of a single server, a quota.
   * A random arrival at a single server then waits nine times its own work (M/M/1: rho / (1 -
   * rho)).
   */
  public static final double FULL = 0.9;

  /**
   * The shortest time that shows a state: a change that lasts as long is no burst, a window as long
   * can be compared with.
   */
  public static final Duration SUSTAINED = Duration.ofSeconds(10);

  /** A delay that users notice. A P99 below it is not an incident. */
  public static final Duration LEAST_TAIL = Duration.ofMillis(200);

  /**
   * A delay that is felt: an answer up to a tenth of a second later feels immediate (R. B. Miller,
   * "Response time in man-computer conversational transactions", AFIPS 1968).
   */
  public static final Duration FELT_DELAY = Duration.ofMillis(100);

  /** The share of failed requests that a healthy service may have. */
  public static final double TOLERABLE_FAILURES = 0.02;

  /** The most names that a sentence lists. */
  public static final int MOST_NAMED = 3;

  private Policy() {}
}
