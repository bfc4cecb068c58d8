package io.gcdiag.accounts.stops;

import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * How far waits go together with pauses of the collector, beyond chance: the attributable fraction
 * of epidemiology (M. L. Levin, 1953), with a wait in the wake of a pause as the exposed case.
 *
 * <p>Waits come in busy spells, stretches in which somebody waits. A spell is in the wake of a
 * pause if it begins during the pause or within {@link #WAKE} of its end. If pauses are so close
 * together that almost every moment is in the wake of one, nothing follows from that, and the
 * fraction goes to zero. It is coincidence in time, not proof: used for locks, and for pools where
 * too little is known to simulate.
 *
 * <p>A spell may also be long by itself and have pauses in it, because whoever keeps the others
 * waiting allocates. What a stop piles up is gone after a few times its length ({@link #DRAINED}):
 * of a spell longer than that only so much is the pauses'.
 */
public final class StallCoincidence {

  /** Threads freed by a pause reach the next queue within this time. */
  private static final Duration WAKE = Duration.ofMillis(200);

  /** Less than half a thread waiting on average is the end of a busy spell. */
  private static final double BUSY = 0.5;

  /** Where to part long pauses from short ones: all of them, half of them, then ever fewer. */
  private static final double[] LENGTH_QUANTILES = {0, 0.5, 0.75, 0.9, 0.95, 0.98};

  /** Fewer pauses than this coincide with anything by chance. */
  private static final int FEWEST_PAUSES = 3;

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
  public static double fraction(List<WaitSeries> series, List<GcPause> pauses, Window window) {
    List<GcPause> byLength =
        pauses.stream().sorted(Comparator.comparing(GcPause::duration)).toList();
    double best = 0;
    for (double quantile : LENGTH_QUANTILES) {
      int from = (int) (quantile * byLength.size());
      if (byLength.size() - from >= FEWEST_PAUSES) {
        Duration shortest = byLength.get(from).duration();
        List<GcPause> longOnes =
            pauses.stream().filter(pause -> pause.duration().compareTo(shortest) >= 0).toList();
        best = Math.max(best, fractionWith(series, longOnes, window));
      }
    }
    return best;
  }

  private static double fractionWith(List<WaitSeries> series, List<GcPause> pauses, Window window) {
    double waited = 0;
    double waitedInWake = 0;
    long moments = 0;
    long momentsInWake = 0;
    Spell spell = new Spell();
    Wakes wakes = new Wakes(pauses);
    for (Instant at = window.from(); at.isBefore(window.to()); at = at.plus(WaitSeries.BUCKET)) {
      Instant moment = at;
      double waiting = series.stream().mapToDouble(s -> s.waitingAt(moment)).sum();
      boolean inWake = wakes.covers(at);
      moments++;
      momentsInWake += inWake ? 1 : 0;
      waited += waiting;
      if (waiting >= BUSY) {
        spell.add(waiting, inWake, wakes.stoppedSeconds(at, spell.isNew() ? WAKE : Duration.ZERO));
      } else {
        waitedInWake += spell.inWake();
        spell = new Spell();
        waitedInWake += inWake ? waiting : 0;
      }
    }
    waitedInWake += spell.inWake();
    if (waited == 0 || momentsInWake == moments) {
      return 0;
    }
    double cases = Math.min(1, waitedInWake / waited);
    double chance = (double) momentsInWake / moments;
    return Math.max(0, (cases - chance) / (1 - chance));
  }

  /** A stretch in which somebody waits, bucket by bucket. */
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

    /** What of its waiting the pauses may have piled up. */
    double inWake() {
      double seconds = buckets * Durations.seconds(WaitSeries.BUCKET);
      return afterPause ? waited * Math.min(1, DRAINED * stoppedSeconds / seconds) : 0;
    }
  }

  /** Moves along the pauses with time. */
  private static final class Wakes {
    private final List<GcPause> pauses;
    private int next;
    private int ended;

    Wakes(List<GcPause> pauses) {
      this.pauses = pauses;
    }

    boolean covers(Instant bucketStart) {
      while (next < pauses.size() && !pauses.get(next).end().plus(WAKE).isAfter(bucketStart)) {
        next++;
      }
      return next < pauses.size()
          && pauses.get(next).start().isBefore(bucketStart.plus(WaitSeries.BUCKET));
    }

    /** The length of the pauses that end in that bucket, or so long before it. */
    double stoppedSeconds(Instant bucketStart, Duration before) {
      Instant from = bucketStart.minus(before);
      while (ended < pauses.size() && pauses.get(ended).end().isBefore(from)) {
        ended++;
      }
      double seconds = 0;
      Instant to = bucketStart.plus(WaitSeries.BUCKET);
      for (int i = ended; i < pauses.size() && !pauses.get(i).end().isAfter(to); i++) {
        seconds += Durations.seconds(pauses.get(i).duration());
      }
      return seconds;
    }
  }
}
