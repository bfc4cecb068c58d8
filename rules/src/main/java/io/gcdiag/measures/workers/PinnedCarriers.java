package io.gcdiag.measures.workers;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.CarrierThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.evidence.waits.WaitingThreads;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.OptionalInt;

/**
 * Carriers of virtual threads that pinned ones keep. A thread that is pinned itself loses nothing
 * by it: it waits for its call either way. Others lose once no carrier is left.
 *
 * @param carriers how many there are; empty if unknown
 * @param meanPinned threads pinned on average
 * @param takenShare share of the window in which pinned threads kept all carriers, 0 to 1
 * @param takenSeconds thread-seconds spent pinned in that time
 */
public record PinnedCarriers(
    OptionalInt carriers, double meanPinned, double takenShare, double takenSeconds) {

  /**
   * With nine tenths of the carriers kept on average over a tenth of a second, the next thread
   * waits nine times as long as it would keep one (M/M/1: rho / (1 - rho)).
   */
  private static final double TAKEN = Policy.FULL;

  private static final double STEP_SECONDS = Durations.seconds(WaitSeries.BUCKET);

  /** Measures a window. */
  public static PinnedCarriers of(Timeline timeline, Window window) {
    OptionalInt carriers = carriers(timeline);
    long steps = Math.max(1, window.length().dividedBy(WaitSeries.BUCKET));
    Window whole =
        new Window(window.from(), window.from().plus(WaitSeries.BUCKET.multipliedBy(steps)));
    Pinned pinned = new Pinned();
    WaitingThreads.at(timeline.waits(WaitKind.PINNED))
        .forEach(
            whole,
            (step, threads) ->
                pinned.add(
                    threads, carriers.isPresent() && threads >= TAKEN * carriers.getAsInt()));
    return new PinnedCarriers(
        carriers, pinned.all / whole.seconds(), (double) pinned.full / steps, pinned.taken);
  }

  /** Pinned threads, summed up over the steps of a window. */
  private static final class Pinned {
    private double all;
    private double taken;
    private long full;

    void add(double threads, boolean keepAll) {
      all += threads * STEP_SECONDS;
      taken += keepAll ? threads * STEP_SECONDS : 0;
      full += keepAll ? 1 : 0;
    }
  }

  /** As set, else one a core: {@code java.lang.VirtualThread.createDefaultScheduler}. */
  static OptionalInt carriers(Timeline timeline) {
    return timeline.samples(CarrierThreads.class).stream()
        .mapToInt(CarrierThreads::parallelism)
        .max()
        .stream()
        .mapToObj(OptionalInt::of)
        .findFirst()
        .orElse(timeline.jvm().cpus());
  }
}
