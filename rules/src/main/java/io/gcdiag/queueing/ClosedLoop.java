package io.gcdiag.queueing;

import java.time.Duration;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * A fixed number of callers that each wait for their answer before they call again, as the users of
 * a closed load test do. A slow service is asked less: the queue is never longer than the callers
 * are many, and with a server for each of them no request waits.
 */
public final class ClosedLoop {

  /** All callers begin at once, which they never do again: what that brings about is left out. */
  private static final double SETTLING = 0.1;

  private ClosedLoop() {}

  /**
   * The time between an answer and the caller's next call, by the interactive response time law:
   * callers = rate x (response + think).
   *
   * @param callers above 0
   * @param ratePerSecond calls answered a second by all of them, above 0
   * @param response mean time to an answer
   * @return at least 0
   */
  public static Duration think(int callers, double ratePerSecond, Duration response) {
    double round = QueueingArguments.poolSize(callers, "callers") / ratePerSecond;
    return Duration.ofNanos(Math.max(0, Math.round(1e9 * round) - response.toNanos()));
  }

  /**
   * How long calls wait for a server, first come, first served.
   *
   * @param callers above 0
   * @param think between an answer and the caller's next call, 0 or more
   * @param servers above 0
   * @param hold how long a call holds its server
   * @param calls how many are simulated, above 0
   */
  public static Times waits(
      int callers, Duration think, int servers, HoldTime hold, int calls, long seed) {
    QueueingArguments.notNegative(think, "think");
    RandomGenerator random = new Well19937c(seed);
    PriorityQueue<Long> coming = new PriorityQueue<>();
    PriorityQueue<Long> free = new PriorityQueue<>();
    for (int i = 0; i < callers; i++) {
      coming.add(0L);
    }
    for (int i = 0; i < servers; i++) {
      free.add(0L);
    }
    long[] waits = new long[calls];
    for (int i = 0; i < calls; i++) {
      long came = coming.remove();
      long begins = Math.max(came, free.remove());
      long ends = begins + hold.nextNanos(random);
      waits[i] = begins - came;
      free.add(ends);
      coming.add(ends + think.toNanos());
    }
    return new Times(Arrays.copyOfRange(waits, (int) (SETTLING * calls), calls));
  }
}
