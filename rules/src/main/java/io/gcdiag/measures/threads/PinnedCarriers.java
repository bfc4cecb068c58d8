package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.CarrierThreads;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.OptionalInt;

/**
 * Carriers that are held by pinned virtual threads. A pinned thread itself loses no time: it waits
 * for its call either way. Other virtual threads lose time once no carrier is left. Carriers
 * without a pinned thread count as busy in proportion to the CPU time that the service uses.
 *
 * @param carriers number of carriers; empty if unknown
 * @param meanPinned pinned threads, on average
 * @param takenShare share of the window in which no carrier was left because of pinned threads, 0
 *     to 1
 * @param takenSeconds thread-seconds spent pinned in that time
 */
public record PinnedCarriers(
    OptionalInt carriers, double meanPinned, double takenShare, double takenSeconds) {

  /**
   * If nine tenths of the carriers are in use over a tenth of a second, the next thread waits for
   * nine times as long as it uses a carrier (M/M/1: rho / (1 - rho)).
   */
  private static final double TAKEN = Policy.FULL;

  private static final double STEP_SECONDS = Durations.seconds(WaitSeries.BUCKET);

  public static PinnedCarriers of(Timeline timeline, Window window) {
    OptionalInt carriers = carriers(timeline);
    long steps = Math.max(1, window.length().dividedBy(WaitSeries.BUCKET));
    Window whole =
        new Window(window.from(), window.from().plus(WaitSeries.BUCKET.multipliedBy(steps)));
    double computing =
        CpuUse.of(timeline, window)
            .map(use -> use.service() * MachineLoad.cores(timeline))
            .orElse(0.0);
    Pinned pinned = new Pinned(carriers.orElse(0), computing);
    WaitingThreads.at(timeline.waits(WaitKind.PINNED))
        .forEach(whole, (step, threads) -> pinned.add(threads));
    return new PinnedCarriers(
        carriers, pinned.all / whole.seconds(), pinned.full / steps, pinned.taken);
  }

  /** Sums over the steps of a window. */
  private static final class Pinned {
    private final int carriers;
    private final double computing;
    private double all;
    private double taken;
    private double full;

    Pinned(int carriers, double computing) {
      this.carriers = carriers;
      this.computing = computing;
    }

    void add(double threads) {
      all += threads * STEP_SECONDS;
      if (carriers > 0 && threads + computing >= TAKEN * carriers) {
        taken += threads * STEP_SECONDS;
        full += threads >= TAKEN * carriers ? 1 : threads / carriers;
      }
    }
  }

  /**
   * The configured number, otherwise one per CPU: {@code
   * java.lang.VirtualThread.createDefaultScheduler}.
   */
  public static OptionalInt carriers(Timeline timeline) {
    OptionalInt told =
        timeline.samples(CarrierThreads.class).stream().mapToInt(CarrierThreads::parallelism).max();
    return told.isPresent() ? told : timeline.jvm().cpus();
  }
}
