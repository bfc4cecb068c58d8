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
 * How far waits go together with pauses of the collector, beyond chance: the attributable fraction
 * of epidemiology (M. L. Levin, 1953), with a wait in the wake of a pause as the exposed case.
 *
 * <p>Waits come in busy spells, stretches in which a thread waits. A spell is in the wake of a
 * pause if it begins during the pause or within {@link #WAKE} of its end. If pauses are so close
 * together that almost every moment is in the wake of one, nothing follows from that, and the
 * fraction goes to zero. It is coincidence in time, not proof: used for locks, and for pools where
 * too little is known to simulate.
 *
 * <p>A spell may also be long by itself and have pauses in it, because the holder that delays the
 * others allocates. What a stop queues is gone after a few times its length ({@link #DRAINED}): of
 * a spell longer than that only so much is the pauses'.
 *
 * <p>Coincidence cannot make more waiting than stops can: each arrival during a stop of length d
 * waits for half of it on average, and for what queued before it, d^2 / 2 x rate / (1 - u) for each
 * stop (a fluid queue with a server that is used for a share u). Of more waiting than that only so
 * much is the pauses'.
 *
 * <p>Takes time with the buckets in which any thread waits and with the pauses.
 */
public final class StallCoincidence {

  /** Threads freed by a pause reach the next queue within this time. */
  private static final long WAKE = Duration.ofMillis(200).toNanos();

  private static final long BUCKET = WaitSeries.BUCKET.toNanos();

  /** Where to part long pauses from short ones: all of them, half of them, then ever fewer. */
  private static final double[] LENGTH_QUANTILES = {0, 0.5, 0.75, 0.9, 0.95, 0.98};

  /**
   * A queue whose server is used for a share u has worked off the pile of a stop after 1 / (1 - u)
   * times its length: five times at four fifths. With more use than that it is the server that is
   * scarce.
   */
  private static final double DRAINED = 5;

  private StallCoincidence() {}

  /**
   * The fraction of the waiting time in the window that goes with pauses, 0 to 1. Only long pauses
   * pile up work, and which are long enough depends on a demand that is not known: the length that
   * separates best is used, out of a few.
   */
  public static double fraction(List<WaitSeries> series, Incident incident) {
    Window window = incident.window();
    Pauses pauses = incident.timeline().pauses(window);
    double waited = WaitSeries.seconds(series, window);
    double together = together(series, pauses, window);
    return together <= 0 ? 0 : Math.min(together, most(series, incident, pauses) / waited);
  }

  /**
   * The most waiting that the pauses can have made, in thread-seconds: no wait is longer than its
   * pause takes to be worked off, and where the rate of requests is known, all of them together
   * lose no more than stops can cost, however often each comes by. There is no such bound where
   * pauses leave a server at four fifths of use no time to work off what they pile up.
   */
  private static double most(List<WaitSeries> series, Incident incident, Pauses pauses) {
    Window window = incident.window();
    long waits = series.stream().mapToLong(one -> one.within(window).count()).sum();
    double stopped = 0;
    double squares = 0;
    for (int i = 0; i < pauses.size(); i++) {
      stopped += pauses.seconds(i);
      squares += pauses.seconds(i) * pauses.seconds(i);
    }
    double byWaits = DRAINED * waits * squares / stopped;
    double spare = 1 / DRAINED - stopped / window.seconds();
    Optional<Rate> requests = RequestRate.of(incident.timeline(), window);
    if (requests.isEmpty() || spare <= 0) {
      return byWaits;
    }
    double perSecond = Math.max(requests.get().perSecond(), waits / window.seconds());
    return Math.min(byWaits, perSecond * squares / 2 / spare);
  }

  /** The fraction that coincides, whether or not the pauses can have made so much waiting. */
  static double together(List<WaitSeries> series, Pauses pauses, Window window) {
    long[] lengths = new long[pauses.size()];
    Arrays.setAll(lengths, pauses::nanos);
    Arrays.sort(lengths);
    WaitingThreads waiting = WaitingThreads.at(series);
    double best = 0;
    for (double quantile : LENGTH_QUANTILES) {
      int from = (int) (quantile * lengths.length);
      if (lengths.length - from >= Policy.RECURRING) {
        Pauses longOnes = pauses.where(i -> pauses.nanos(i) >= lengths[from]);
        best = Math.max(best, fractionWith(waiting, longOnes, window));
      }
    }
    return best;
  }

  private static double fractionWith(WaitingThreads waiting, Pauses pauses, Window window) {
    Wakes wakes = new Wakes(pauses, window);
    double chance = wakes.share();
    if (chance == 1) {
      return 0;
    }
    Spells spells = new Spells(wakes);
    waiting.forEach(window, spells::add);
    double cases = spells.shareInWake();
    return Math.max(0, (cases - chance) / (1 - chance));
  }

  /** What waits there are, in spells, and what of them is in the wake of a pause. */
  private static final class Spells {
    private final Wakes wakes;
    private Spell spell = new Spell();
    private long next;
    private double waited;
    private double waitedInWake;

    Spells(Wakes wakes) {
      this.wakes = wakes;
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
      waitedInWake += spell.inWake();
      spell = new Spell();
    }

    double shareInWake() {
      end();
      return waited == 0 ? 0 : Math.min(1, waitedInWake / waited);
    }
  }

  /** A stretch in which a thread waits, bucket by bucket. */
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

    /** What of its waiting the pauses may have queued. */
    double inWake() {
      double seconds = buckets * Durations.seconds(WaitSeries.BUCKET);
      return afterPause ? waited * Math.min(1, DRAINED * stoppedSeconds / seconds) : 0;
    }
  }

  /** Moves along the pauses with the steps of a window. */
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

    /** The share of the steps that are in a wake, counted by pauses and not one by one. */
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

    /** The length of the pauses that end in that step, or so long before it. */
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
