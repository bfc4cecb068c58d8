package io.gcdiag.measures.waits;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.units.Durations;

/**
 * How many threads wait on average, by recorded events: at least the recorded time, and at most
 * that with the waits that are too short for an event.
 *
 * @param threads by the recorded time
 * @param atMost with what the event's threshold can hide
 */
record RecordedWaits(double threads, double atMost) {

  /**
   * Of one effect.
   *
   * @param threads on average by its recorded waits, less what they were stopped
   */
  static RecordedWaits of(Timeline timeline, Window window, Effect effect, double threads) {
    return new RecordedWaits(threads, threads / recordedShare(timeline, window, effect));
  }

  /**
   * Share of the waiting that is in waits long enough to be recorded, 0 to 1, if a wait ends no
   * sooner for having lasted (exponential): then the recorded ones are longer than the threshold T
   * by the mean m of all on average, and the share is (1 + T/m) e^(-T/m).
   */
  private static double recordedShare(Timeline timeline, Window window, Effect effect) {
    double seconds = 0;
    long count = 0;
    for (WaitSeries series : UserWaits.of(timeline, effect)) {
      WaitSeries.Totals totals = series.within(window);
      seconds += totals.waitedSeconds();
      count += totals.count();
    }
    double threshold =
        timeline.coverage().of(signal(effect)).threshold().map(Durations::seconds).orElse(0.0);
    double mean = count > 0 ? seconds / count - threshold : 0;
    double times = mean > 0 ? threshold / mean : 0;
    return (1 + times) * Math.exp(-times);
  }

  /** What records such waits. */
  private static Signal signal(Effect effect) {
    return switch (effect) {
      case LOCK_WAIT -> Signal.MONITOR_WAITS;
      case DOWNSTREAM_WAIT, CLIENT_WAIT -> Signal.SOCKET_READS;
      case FILE_WAIT -> Signal.FILE_IO;
      case SLEEP, DIRECT_MEMORY_WAIT -> Signal.THREAD_SLEEPS;
      default -> Signal.THREAD_PARKS;
    };
  }
}
