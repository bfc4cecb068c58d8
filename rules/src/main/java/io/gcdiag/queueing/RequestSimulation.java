package io.gcdiag.queueing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * How long requests take that pass a station of servers while the whole process now and then is
 * stopped.
 *
 * <p>During a stall no request makes progress, and arrivals stay outside: they come to the station
 * at its end, in the order they came. In between, the server that is free first goes to the one who
 * waits longest (the recursion of J. Kiefer and J. Wolfowitz, "On the theory of queues with many
 * servers", Transactions of the AMS 78, 1955). Time is counted in whole nanoseconds, and draws come
 * from a fixed generator, so that a seed gives the same run everywhere.
 */
public final class RequestSimulation {
  /** The same streams of arrivals on every run of the program. */
  public static final long SEED = 20_011;

  /** Enough that a mean does not hang on one stream of arrivals, few enough to be quick. */
  public static final int RUNS = 5;

  /** Sets the streams apart from that of arrivals: two odd multiples of the golden ratio. */
  private static final long SERVICE_STREAM = 0x9E3779B97F4A7C15L;

  private static final long REST_STREAM = 0xDAA66D2C7DDF743FL;

  private RequestSimulation() {}

  /**
   * What the requests of one run met.
   *
   * @param responses how long each took, from arrival to answer
   * @param waits how long each waited for a server, as the application sees it: from the attempt,
   *     which cannot fall into a stall, until it has one, stalls in between included
   * @param excesses by how much each took longer than it needs with nothing in its way
   */
  public record Run(Times responses, Times waits, Times excesses) {}

  /**
   * One run. Arrivals depend on the seed and their rate alone, so that two numbers of servers can
   * be compared under the same load.
   */
  public static Run run(RequestModel model, long seed) {
    return run(model, arrivals(model, seed), seed);
  }

  /** The same with arrivals that come more often at some times than at others. */
  public static Run run(RequestModel model, ArrivalCourse course, long seed) {
    long[] steady = arrivals(model, seed);
    return run(model, course.place(steady, model.horizon().toNanos()), seed);
  }

  /**
   * The same with arrivals of one's own.
   *
   * @param arrivals when requests come, in nanoseconds since the start, ascending
   */
  static Run run(RequestModel model, long[] arrivals, long seed) {
    RandomGenerator services = new Well19937c(seed ^ SERVICE_STREAM);
    RandomGenerator rests = new Well19937c(seed ^ REST_STREAM);
    ProcessClock clock = new ProcessClock(model.stalls());
    Optional<Servers> servers = Servers.of(model);
    long[] responses = new long[arrivals.length];
    long[] waits = new long[arrivals.length];
    long[] excesses = new long[arrivals.length];
    for (int i = 0; i < arrivals.length; i++) {
      long attempt = clock.thaw(arrivals[i]);
      long attemptOnProcess = clock.toProcess(attempt);
      long start = servers.isEmpty() ? attemptOnProcess : servers.get().freeFrom(attemptOnProcess);
      long service = model.service().nextNanos(services);
      long rest = model.rest().nextNanos(rests);
      servers.ifPresent(station -> station.takeUntil(start + service));
      long left = start + service + rest;
      // Stalls from attempt to end in one piece: one at the very moment of the handover counts
      // once.
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

  /** At random, independently (a Poisson process), as the requests of many users come. */
  private static long[] arrivals(RequestModel model, long seed) {
    if (model.arrivalsPerSecond() == 0) {
      return new long[0];
    }
    double gap = QueueingArguments.NANOS_PER_SECOND / model.arrivalsPerSecond();
    long horizon = model.horizon().toNanos();
    double[] draws = ArrivalDraws.first(seed, usual(horizon / gap));
    long[] times = new long[draws.length];
    int count = 0;
    double next = gap * draws[0];
    while (Math.round(next) < horizon) {
      if (count + 1 == draws.length) {
        draws = ArrivalDraws.first(seed, 2 * draws.length);
        times = Arrays.copyOf(times, draws.length);
      }
      times[count++] = Math.round(next);
      next += gap * draws[count];
    }
    return Arrays.copyOf(times, count);
  }

  /** As many arrivals as are hardly ever exceeded: the mean and four standard deviations. */
  private static int usual(double mean) {
    return (int) (mean + 4 * Math.sqrt(mean)) + 1;
  }

  /**
   * The exponential draws of mean 1 that begin the stream of a seed. An analysis simulates many
   * sizes of a pool and of a heap under the same arrivals, and logarithms take most of the time of
   * a run: the first draws of a few seeds are kept, 1.6 MB each at most.
   */
  private static final class ArrivalDraws {

    /** As many as the largest simulations of the diagnosis have requests. */
    private static final int MOST_KEPT = 200_000;

    private static final int MOST_SEEDS = 16;

    private static final Map<Long, ArrivalDraws> KNOWN = new ConcurrentHashMap<>();

    private final RandomGenerator random;
    private volatile double[] drawn = new double[0];

    private ArrivalDraws(long seed) {
      random = new Well19937c(seed);
    }

    /**
     * At least so many draws from the beginning of the stream.
     *
     * @return not to be changed
     */
    static double[] first(long seed, int count) {
      ArrivalDraws known = KNOWN.get(seed);
      if (known == null) {
        known = new ArrivalDraws(seed);
        if (count <= MOST_KEPT && KNOWN.size() < MOST_SEEDS) {
          ArrivalDraws other = KNOWN.putIfAbsent(seed, known);
          known = other == null ? known : other;
        }
      } else if (count > MOST_KEPT) {
        known = new ArrivalDraws(seed);
      }
      return known.first(count);
    }

    private double[] first(int count) {
      double[] known = drawn;
      return known.length >= count ? known : more(count);
    }

    private synchronized double[] more(int count) {
      int from = drawn.length;
      if (from < count) {
        double[] longer = Arrays.copyOf(drawn, count);
        for (int i = from; i < count; i++) {
          longer[i] = Draws.exponential(1, random);
        }
        drawn = longer;
      }
      return drawn;
    }
  }

  /** The servers of a station, by when each that is taken becomes free. */
  private static final class Servers {
    private final int count;
    private final PriorityQueue<Long> freeAt = new PriorityQueue<>();

    private Servers(int count) {
      this.count = count;
    }

    /** Absent where there are enough for all: then no request waits for one. */
    static Optional<Servers> of(RequestModel model) {
      return model.servers().isEmpty()
          ? Optional.empty()
          : Optional.of(new Servers(model.servers().getAsInt()));
    }

    /**
     * When an arrival at a time has a server: then, or when the first becomes free. Times of coming
     * ascend.
     */
    long freeFrom(long now) {
      while (!freeAt.isEmpty() && freeAt.peek() <= now) {
        freeAt.remove();
      }
      return freeAt.size() < count ? now : freeAt.remove();
    }

    /** Takes the server that {@link #freeFrom} found. */
    void takeUntil(long time) {
      freeAt.add(time);
    }
  }

  /**
   * Two clocks: that of the wall, and that of the process, which is stopped during stalls. On the
   * process' clock the queue has no stalls at all, and a stall is one single moment of it.
   *
   * <p>All times are nanoseconds since the start.
   */
  private static final class ProcessClock {
    private final long[] starts;
    private final long[] ends;

    /** When each stall happens on the process' clock, strictly ascending. */
    private final long[] moments;

    /**
     * Nanoseconds stalled before stall number i; one longer than the others, with the total last.
     */
    private final long[] stalledBefore;

    ProcessClock(List<Stall> stalls) {
      List<long[]> merged = merge(stalls);
      int n = merged.size();
      starts = new long[n];
      ends = new long[n];
      moments = new long[n];
      stalledBefore = new long[n + 1];
      for (int i = 0; i < n; i++) {
        starts[i] = merged.get(i)[0];
        ends[i] = merged.get(i)[1];
        moments[i] = starts[i] - stalledBefore[i];
        stalledBefore[i + 1] = stalledBefore[i] + ends[i] - starts[i];
      }
    }

    /** Stalls of several sources may overlap or touch: together they are one. */
    private static List<long[]> merge(List<Stall> stalls) {
      List<Stall> sorted = new ArrayList<>(stalls);
      sorted.sort(Comparator.comparing(Stall::start));
      List<long[]> merged = new ArrayList<>();
      for (Stall stall : sorted) {
        long start = stall.start().toNanos();
        long end = stall.end().toNanos();
        long[] last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
        if (last != null && start <= last[1]) {
          last[1] = Math.max(last[1], end);
        } else if (end > start) {
          merged.add(new long[] {start, end});
        }
      }
      return merged;
    }

    /**
     * The wall time at which something arriving at a wall time can act: itself, or a stall's end.
     */
    long thaw(long wall) {
      int i = lastAtMost(starts, wall);
      return i >= 0 && wall < ends[i] ? ends[i] : wall;
    }

    /** The process time of a wall time that lies in no stall (its end does not). */
    long toProcess(long wall) {
      return wall - stalledBefore[lastAtMost(starts, wall) + 1];
    }

    /**
     * Nanoseconds stalled in between two process times. A stall at the very moment of {@code from}
     * is over by then; one at the very moment of {@code to} comes after it.
     */
    long stalledBetween(long from, long to) {
      if (to <= from || starts.length == 0) {
        return 0;
      }
      return stalledBefore[firstAtLeast(moments, to)]
          - stalledBefore[lastAtMost(moments, from) + 1];
    }

    private static int lastAtMost(long[] sorted, long value) {
      return firstAtLeast(sorted, value + 1) - 1;
    }

    private static int firstAtLeast(long[] sorted, long value) {
      int place = Arrays.binarySearch(sorted, value);
      return place >= 0 ? place : -place - 1;
    }
  }
}
