package io.gcdiag.measures.waits;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.Optional;

/**
 * How many threads wait on average for one thing, by recorded events and thread dumps together.
 * Each gives an interval of the same number: events from the recorded time to what their threshold
 * can hide, dumps that of a sample ({@link DumpedWaits}).
 *
 * <ul>
 *   <li>What events record is within the dumps' interval, or beyond: it is the more exact one.
 *   <li>The dumps' interval begins above, within what the threshold can hide: the number lies where
 *       both do.
 *   <li>The intervals have nothing in common. If events show most of those waiting at the moments
 *       of the dumps, and a tenth or more on average, dumps were taken when more waited than on
 *       average, and the events count. Else the dumps show what no event does: waits that have not
 *       ended, of virtual threads. Where events show some of it all the same, the two contradict
 *       each other.
 * </ul>
 *
 * @param threads on average
 * @param dumps what dumps show, where that counts or bounds the waiting; absent where events count
 * @param relation what dumps say by themselves beside what events do
 */
public record WaitEstimate(double threads, Optional<DumpedWaits> dumps, Relation relation) {

  /** How what two sources say by themselves compares. */
  public enum Relation {
    /** One of them says nothing, or so little that it agrees with anything. */
    ALONE,
    /** Their intervals overlap. */
    AGREE,
    /** They have nothing in common. */
    CONTRADICT
  }

  /** By events alone. */
  private WaitEstimate(double threads, Relation relation) {
    this(threads, Optional.empty(), relation);
  }

  /**
   * Combines both.
   *
   * @param recorded threads waiting on average by recorded events
   * @param byDumps whether dumps may count in that window
   */
  public static WaitEstimate of(
      Incident incident, Window window, Effect effect, double recorded, boolean byDumps) {
    Optional<DumpedWaits> seen =
        byDumps ? DumpTimes.seen(incident, window, effect, recorded) : Optional.empty();
    return seen.map(waits -> of(incident, window, effect, recorded, waits))
        .orElseGet(() -> new WaitEstimate(recorded, Relation.ALONE));
  }

  private static WaitEstimate of(
      Incident incident, Window window, Effect effect, double recorded, DumpedWaits dumps) {
    if (recorded >= dumps.low()) {
      // What has hardly a lower end agrees with anything.
      boolean telling = dumps.low() >= Policy.NOTABLE * recorded && dumps.high() >= recorded;
      return new WaitEstimate(
          recorded, telling && dumps.counted() ? Relation.AGREE : Relation.ALONE);
    }
    // Events that show a queue at all tell more of one that comes and goes than a few moments do.
    if (!dumps.counted()) {
      return recorded > 0
          ? new WaitEstimate(recorded, Relation.ALONE)
          : new WaitEstimate(recorded, Optional.of(dumps), Relation.ALONE);
    }
    boolean sameOrder = recorded >= Policy.NOTABLE * dumps.threads();
    // A recording may be limited in how many calls it takes: their length counts, not their number.
    if (effect == Effect.DOWNSTREAM_WAIT && sameOrder) {
      return new WaitEstimate(recorded, Relation.ALONE);
    }
    double atMost = recorded / recordedShare(incident.timeline(), window, effect);
    if (atMost >= dumps.low()) {
      DumpedWaits both = dumps.atMost(atMost);
      return new WaitEstimate(both.threads(), Optional.of(both), Relation.AGREE);
    }
    if (sameOrder && DumpTimes.areRecordedAtOnce(incident, window, effect)) {
      return new WaitEstimate(recorded, Relation.ALONE);
    }
    boolean recordedAtAll = recorded >= Policy.LEAST_THREADS_FELT;
    return new WaitEstimate(
        dumps.threads(), Optional.of(dumps), recordedAtAll ? Relation.CONTRADICT : Relation.ALONE);
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
