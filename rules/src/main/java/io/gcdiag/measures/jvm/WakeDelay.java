package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How long the JVM's threads waited for CPU after their timed waits ended. It is measured and not
 * derived from CPU load: a scheduler that favours threads that slept may delay none even on a full
 * machine. With 86 % of the CPU used by other processes, timed waits overran by 0.16 ms in one
 * recording and by 8.3 ms in another.
 *
 * @param waits number of timed waits
 * @param meanSeconds how much later than requested they ended, on average
 * @param source where they were read
 */
public record WakeDelay(long waits, double meanSeconds, Source source) {

  /**
   * With a free core a timed wait ends 0.05 to 0.5 ms late (timer slack and wake-up). Without one,
   * it waits for a slice of Linux's scheduler, which is 0.75 ms or more (CFS: {@code
   * sched_min_granularity_ns}; EEVDF: {@code base_slice_ns}).
   */
  private static final double LATE_SECONDS = 0.001;

  /**
   * Pauses that began up to this many seconds earlier are checked, because they may have delayed
   * the thread.
   */
  private static final long LONGEST_STOP_SECONDS = 10;

  /**
   * For a window, without the times when all threads were stopped. Empty if there were too few such
   * waits.
   */
  public static Optional<WakeDelay> of(Timeline timeline, Window window) {
    return of(timeline, window, Policy.FEWEST_FOR_A_MEAN);
  }

  private static Optional<WakeDelay> of(Timeline timeline, Window window, int fewest) {
    long waits = 0;
    double late = 0;
    Optional<Source> source = Optional.empty();
    for (LateWakes wakes : timeline.samples(LateWakes.class, window)) {
      if (!isStopped(timeline, wakes.ready())) {
        waits += wakes.waits();
        late += Durations.seconds(wakes.late());
        source = source.or(() -> Optional.of(wakes.source()));
      }
    }
    return waits < fewest
        ? Optional.empty()
        : Optional.of(new WakeDelay(waits, late / waits, source.orElseThrow()));
  }

  /**
   * Whether threads waited for CPU while others filled the machine, and did not while it had room:
   * in the seconds with full cores a wait overran by so much more that one in ten was late by a
   * slice. On average over both states they may still seem to be in time.
   */
  public static boolean isLaterWhereFull(Timeline timeline, Window window) {
    List<CpuLoad> loads = timeline.cpu(window);
    Optional<WakeDelay> full =
        of(timeline, loads.stream().filter(load -> load.machineTotal() >= Policy.FULL));
    Optional<WakeDelay> free =
        of(timeline, loads.stream().filter(load -> load.machineTotal() < Policy.CLEAR_ROOM));
    return full.isPresent()
        && free.isPresent()
        && full.get().meanSeconds() - free.get().meanSeconds() >= Policy.NOTABLE * LATE_SECONDS;
  }

  /** Over the seconds before readings of the load, which are means since the reading before. */
  private static Optional<WakeDelay> of(Timeline timeline, Stream<CpuLoad> readings) {
    List<WakeDelay> seconds =
        readings
            .map(load -> new Window(load.at().minusSeconds(1), load.at()))
            .flatMap(second -> of(timeline, second, 1).stream())
            .toList();
    long waits = seconds.stream().mapToLong(WakeDelay::waits).sum();
    double late = seconds.stream().mapToDouble(one -> one.waits() * one.meanSeconds()).sum();
    return waits < Policy.FEWEST_FOR_A_MEAN
        ? Optional.empty()
        : Optional.of(new WakeDelay(waits, late / waits, seconds.get(0).source()));
  }

  private static boolean isStopped(Timeline timeline, Window ready) {
    Instant before = ready.from().minusSeconds(LONGEST_STOP_SECONDS);
    Window near = new Window(before, ready.to());
    return timeline.pauses(near).endAfter(ready.from())
        || timeline.safepoints(near).stream()
            .anyMatch(
                stop -> stop.start().plus(stop.reaching()).plus(stop.at()).isAfter(ready.from()));
  }

  /** Whether threads waited for CPU. */
  public boolean isLate() {
    return meanSeconds >= LATE_SECONDS;
  }
}
