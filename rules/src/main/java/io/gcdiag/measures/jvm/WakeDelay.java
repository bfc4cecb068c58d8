package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Instant;
import java.util.Optional;

/**
 * How long the JVM's threads waited for CPU when their time was up: measured, not modelled by how
 * full the machine is. Under a scheduler that is fair to who slept, a full machine may delay no
 * thread: with 86 % of the CPU used by other processes, timed waits overran by 0.16 ms in one
 * recording and by 8.3 ms in another.
 *
 * @param waits how many timed waits it rests on
 * @param meanSeconds by how much they ended later than requested, on average
 * @param source where they were read
 */
public record WakeDelay(long waits, double meanSeconds, Source source) {

  /**
   * On a machine with a core to spare a timed wait ends 0.05 to 0.5 ms late (timer slack and
   * wake-up). A slice of Linux's scheduler, for which one waits where there is none, is 0.75 ms and
   * more (CFS: {@code sched_min_granularity_ns}; EEVDF: {@code base_slice_ns}).
   */
  private static final double LATE_SECONDS = 0.001;

  /** A stop of all threads before that may have delayed who was to run. */
  private static final long LONGEST_STOP_SECONDS = 10;

  /**
   * Measures a window, without the times when all threads were stopped. Absent if there were too
   * few such waits.
   */
  public static Optional<WakeDelay> of(Timeline timeline, Window window) {
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
    return waits < Policy.FEWEST_FOR_A_MEAN
        ? Optional.empty()
        : Optional.of(new WakeDelay(waits, late / waits, source.orElseThrow()));
  }

  private static boolean isStopped(Timeline timeline, Window ready) {
    Instant before = ready.from().minusSeconds(LONGEST_STOP_SECONDS);
    Window near = new Window(before, ready.to());
    return timeline.pauses(near).endAfter(ready.from())
        || timeline.safepoints(near).stream()
            .anyMatch(
                stop -> stop.start().plus(stop.reaching()).plus(stop.at()).isAfter(ready.from()));
  }

  /** Whether threads waited for CPU that another process had. */
  public boolean isLate() {
    return meanSeconds >= LATE_SECONDS;
  }
}
