package io.gcdiag.measures.workers;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.CarrierThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.cores.MachineLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
  private static final double TAKEN = MachineLoad.FULL;

  /** Measures a window. */
  public static PinnedCarriers of(Timeline timeline, Window window) {
    List<WaitSeries> pinned = timeline.waits(WaitKind.PINNED);
    OptionalInt carriers = carriers(timeline);
    double step = WaitSeries.BUCKET.toNanos() / 1e9;
    long steps = Math.max(1, window.length().dividedBy(WaitSeries.BUCKET));
    double all = 0;
    double taken = 0;
    long full = 0;
    for (long i = 0; i < steps && !pinned.isEmpty(); i++) {
      Instant at = window.from().plus(WaitSeries.BUCKET.multipliedBy(i));
      double threads = pinned.stream().mapToDouble(series -> series.waitingAt(at)).sum();
      all += threads * step;
      if (carriers.isPresent() && threads >= TAKEN * carriers.getAsInt()) {
        full++;
        taken += threads * step;
      }
    }
    Duration measured = WaitSeries.BUCKET.multipliedBy(steps);
    return new PinnedCarriers(
        carriers, all / (measured.toNanos() / 1e9), full / (double) steps, taken);
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
