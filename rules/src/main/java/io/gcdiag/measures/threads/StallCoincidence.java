package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How much waiting coincides with GC pauses, beyond chance: the attributable fraction of
 * epidemiology (M. L. Levin, 1953), where a wait that follows a pause is an exposed case.
 *
 * <p>Waits form spells, stretches in which at least one thread waits. A spell follows a pause if it
 * begins during the pause or within {@link #WAKE} after its end. If almost every moment follows a
 * pause because pauses are so frequent, coincidence proves nothing and the fraction goes to zero.
 * It is used for locks, and for pools if too little is known to simulate them.
 *
 * <p>A spell may be long for another reason and contain pauses only because the thread that holds
 * the lock allocates. The queue of a pause drains within a few times its length ({@link #DRAINED}),
 * sooner where no thread waited in the baseline, so only that much of a longer spell is attributed
 * to the pauses.
 *
 * <p>Pauses can cause only a limited amount of waiting. Each arrival during a pause of length d
 * waits for half of it on average, and then for those that queued before it: d^2 / 2 x rate / (1 -
 * u) for each pause (a fluid queue whose server has utilisation u). Waiting beyond that is not
 * attributed to the pauses.
 *
 * <p>Running time grows with the number of buckets in which any thread waits and with the number of
 * pauses.
 */
public final class StallCoincidence {

  /** Threads that a pause delayed reach the next queue within this time. */
  private static final long WAKE = Duration.ofMillis(200).toNanos();

  private static final long BUCKET = WaitSeries.BUCKET.toNanos();

  /** Quantiles of pause length that are tried as the limit between long and short pauses. */
  private static final double[] LENGTH_QUANTILES = {0, 0.5, 0.75, 0.9, 0.95, 0.98};

  /**
   * A server of utilisation u has drained the queue of a pause after 1 / (1 - u) times its length:
   * five times at 80 %. Above that, the server itself is the bottleneck.
   */
  private static final double DRAINED = 5;

  /**
   * Twice if at most half in use. At more than that, some arrivals of the baseline would have
   * waited as well: every second one in a queue with exponential times (M/M/1).
   */
  private static final double DRAINED_WITHOUT_QUEUE = 1 / (1 - Policy.MAJORITY);

  private StallCoincidence() {}

  /**
   * The fraction of the waiting time in the window that coincides with pauses, 0 to 1. Only long
   * pauses build up queues. How long depends on the demand, which is not known, so the length that
   * separates best is taken from a few quantiles.
   */
  public static double fraction(List<WaitSeries> series, Incident incident) {
    Window window = incident.window();
    Pauses pauses = incident.timeline().pauses(window);
    double waited = WaitSeries.seconds(series, window);
    boolean quiet =
        incident
            .baseline()
            .filter(usual -> WaitSeries.totals(series, usual).count() == 0)
            .isPresent();
    double drained = quiet ? DRAINED_WITHOUT_QUEUE : DRAINED;
    double together = together(series, pauses, window, drained);
    return together <= 0 ? 0 : Math.min(together, most(series, incident, pauses, drained) / waited);
  }

  /**
   * The most waiting that the pauses can have caused, in thread-seconds. No wait lasts longer than
   * the queue of its pause takes to drain. If the request rate is known, all waits together cannot
   * exceed the cost of the pauses. There is no such limit if pauses are so frequent that a server
   * at 80 % utilisation cannot drain the queue between them.
   */
  private static double most(
      List<WaitSeries> series, Incident incident, Pauses pauses, double drained) {
    Window window = incident.window();
    long waits = series.stream().mapToLong(one -> one.within(window).count()).sum();
    double stopped = 0;
    double squares = 0;
    for (int i = 0; i < pauses.size(); i++) {
      stopped += pauses.seconds(i);
      squares += pauses.seconds(i) * pauses.seconds(i);
    }
    double byWaits = drained * waits * squares / stopped;
    double spare = 1 / drained - stopped / window.seconds();
    Optional<Rate> requests = RequestRate.of(incident.timeline(), window);
    if (requests.isEmpty() || spare <= 0) {
      return byWaits;
    }
    double perSecond = Math.max(requests.get().perSecond(), waits / window.seconds());
    return Math.min(byWaits, perSecond * squares / 2 / spare);
  }

  /** The fraction that coincides, without the limit on what the pauses can have caused. */
  static double together(List<WaitSeries> series, Pauses pauses, Window window, double drained) {
    long[] lengths = new long[pauses.size()];
    Arrays.setAll(lengths, pauses::nanos);
    Arrays.sort(lengths);
    WaitingThreads waiting = WaitingThreads.at(series);
    double best = 0;
    for (double quantile : LENGTH_QUANTILES) {
      int from = (int) (quantile * lengths.length);
      if (lengths.length - from >= Policy.RECURRING) {
        Pauses longOnes = pauses.where(i -> pauses.nanos(i) >= lengths[from]);
        best = Math.max(best, fractionWith(waiting, longOnes, window, drained));
      }
    }
    return best;
  }

  private static double fractionWith(
      WaitingThreads waiting, Pauses pauses, Window window, double drained) {
    Wakes wakes = new Wakes(pauses, window);
    double chance = wakes.share();
    if (chance == 1) {
      return 0;
    }
    Spells spells = new Spells(wakes, drained);
    waiting.forEach(window, spells::add);
    double cases = spells.shareInWake();
    return Math.max(0, (cases - chance) / (1 - chance));
  }

  /** All spells of waiting, and the part of their time that follows a pause. */
  private static final class Spells {
    private final Wakes wakes;
    private final double drained;
    private Spell spell = new Spell();
    private long next;
    private double waited;
    private double waitedInWake;

    Spells(Wakes wakes, double drained) {
      this.wakes = wakes;
      this.drained = drained;
    }

    void add(long step, double waiting) {
      if (step != next || waiting < Policy.LASTING_QUEUE / 2) {
        end();
      }
      next = step + 1;
      waited += waiting;
      boolean inWake = wakes.covers(step);
      if (waiting >= Policy.LASTING_QUEUE / 2) {
        spell.add(waiting, inWake, wakes.stoppedSeconds(step, spell.isNew() ? WAKE : 0));
      } else {
        waitedInWake += inWake ? waiting : 0;
      }
    }

    private void end() {
      waitedInWake += spell.inWake(drained);
      spell = new Spell();
    }

    double shareInWake() {
      end();
      return waited == 0 ? 0 : Math.min(1, waitedInWake / waited);
    }
  }

  /** A stretch of consecutive buckets in which at least one thread waits. */
  private static final class Spell {
    private boolean afterPause;
    private int buckets;
    private double waited;
    private double stoppedSeconds;

    boolean isNew() {
      return buckets == 0;
    }

    void add(double waiting, boolean inWake, double stopped) {
      afterPause = isNew() ? inWake : afterPause;
      buckets++;
      waited += waiting;
      stoppedSeconds += stopped;
    }

    /** The part of its waiting that the pauses may have queued. */
    double inWake(double drained) {
      double seconds = buckets * Durations.seconds(WaitSeries.BUCKET);
      return afterPause ? waited * Math.min(1, drained * stoppedSeconds / seconds) : 0;
    }
  }

  /** Walks along the pauses together with the steps of a window. */
  private static final class Wakes {
    private final Pauses pauses;
    private final long origin;
    private final long steps;
    private int next;
    private int ended;

    Wakes(Pauses pauses, Window window) {
      this.pauses = pauses;
      this.origin = Nanos.since1970(window.from());
      this.steps = WaitingThreads.steps(window);
    }

    private long at(long step) {
      return origin + step * BUCKET;
    }

    boolean covers(long step) {
      while (next < pauses.size() && pauses.endNanos(next) + WAKE <= at(step)) {
        next++;
      }
      return next < pauses.size() && pauses.startNanos(next) < at(step + 1);
    }

    /**
     * Share of the steps that follow a pause. It is computed from the pauses, without visiting each
     * step.
     */
    double share() {
      long covered = 0;
      long free = 0;
      for (int i = 0; i < pauses.size(); i++) {
        long first = Math.floorDiv(pauses.startNanos(i) - at(1), BUCKET) + 1;
        long end = Math.floorDiv(pauses.endNanos(i) + WAKE - 1 - origin, BUCKET) + 1;
        covered += Math.max(0, Math.min(end, steps) - Math.max(first, free));
        free = Math.max(free, end);
      }
      return (double) covered / steps;
    }

    /** Total length of the pauses that end in that step or within the given time before it. */
    double stoppedSeconds(long step, long before) {
      long from = at(step) - before;
      while (ended < pauses.size() && pauses.endNanos(ended) < from) {
        ended++;
      }
      double seconds = 0;
      for (int i = ended; i < pauses.size() && pauses.endNanos(i) <= at(step + 1); i++) {
        seconds += pauses.seconds(i);
      }
      return seconds;
    }
  }
}
