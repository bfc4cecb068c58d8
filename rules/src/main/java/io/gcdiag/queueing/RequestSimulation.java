package io.gcdiag.queueing;

import java.util.PriorityQueue;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * How long requests take that pass a station of servers while the whole process now and then stands
 * still. The line is served as in {@link PoolSimulation}; a seed gives the same run everywhere.
 */
public final class RequestSimulation {
  /** Sets the streams apart from that of arrivals: two odd multiples of the golden ratio. */
  private static final long SERVICE_STREAM = 0x9E3779B97F4A7C15L;

  private static final long REST_STREAM = 0xDAA66D2C7DDF743FL;

  private RequestSimulation() {}

  /**
   * What the requests of one run met.
   *
   * @param responses how long each took, from arrival to answer
   * @param waits how long each waited for a server, as the application sees it
   * @param excesses by how much each took longer than it needs with nothing in its way
   */
  public record Run(Times responses, Times waits, Times excesses) {}

  /** One run. Arrivals depend on the seed and their rate alone. */
  public static Run run(RequestModel model, long seed) {
    long[] arrivals =
        PoolSimulation.arrivals(
            PoolModel.Arrivals.POISSON,
            model.arrivalsPerSecond(),
            model.horizon(),
            new Well19937c(seed));
    RandomGenerator services = new Well19937c(seed ^ SERVICE_STREAM);
    RandomGenerator rests = new Well19937c(seed ^ REST_STREAM);
    ProcessClock clock = new ProcessClock(model.stalls());
    PriorityQueue<Long> freeAt = new PriorityQueue<>();
    int servers = model.servers().orElse(Integer.MAX_VALUE);
    long[] responses = new long[arrivals.length];
    long[] waits = new long[arrivals.length];
    long[] excesses = new long[arrivals.length];
    for (int i = 0; i < arrivals.length; i++) {
      long attempt = clock.thaw(arrivals[i]);
      long attemptOnProcess = clock.toProcess(attempt);
      long start = attemptOnProcess;
      while (!freeAt.isEmpty() && freeAt.peek() <= start) {
        freeAt.remove();
      }
      if (freeAt.size() == servers) {
        start = freeAt.remove();
      }
      long service = model.service().nextNanos(services);
      long rest = model.rest().nextNanos(rests);
      freeAt.add(start + service);
      long left = start + service + rest;
      waits[i] = start - attemptOnProcess + clock.stalledBetween(attemptOnProcess, start);
      excesses[i] =
          attempt
              - arrivals[i]
              + start
              - attemptOnProcess
              + clock.stalledBetween(attemptOnProcess, left);
      responses[i] = excesses[i] + service + rest;
    }
    return new Run(new Times(responses), new Times(waits), new Times(excesses));
  }
}
