package io.gcdiag.measures.threads;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.stats.SampledShare;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Waiting that thread dumps show and recorded events do not.
 *
 * @param bySubject threads on average, by what is waited for; not empty
 * @param low the lower end of the interval of 95 % of how many they are together, by so many dumps
 * @param high the upper end
 * @param dumps how many dumps it rests on
 * @param independent how many samples these are: those within one wait are one
 * @param counted whether dumps found the queue as it is on average. After a stop one is there for a
 *     moment, and a dump is taken because the queue was seen: then this bounds the waiting from
 *     above
 */
public record DumpedWaits(
    Map<String, Double> bySubject,
    double low,
    double high,
    int dumps,
    int independent,
    boolean counted) {

  /** Copies the map. */
  public DumpedWaits {
    bySubject = Collections.unmodifiableMap(new LinkedHashMap<>(bySubject));
  }

  /**
   * Of threads found there.
   *
   * @param bySubject threads on average
   * @param present threads on average that serve users, at work or not
   * @param dumps how many were taken, 1 or more
   * @param samples what these are worth in the window
   * @param counted whether they met the queue as it is on average
   */
  static DumpedWaits of(
      Map<String, Double> bySubject,
      double present,
      int dumps,
      DumpSamples samples,
      Window window,
      boolean counted) {
    double threads = Numbers.sum(bySubject);
    SampledShare share = SampledShare.of(Math.min(1, threads / present), samples.independent());
    // Of the time in which the same waits were seen to go on nothing is open.
    double open = Math.max(0, 1 - Durations.seconds(samples.between()) / window.seconds());
    return new DumpedWaits(
        bySubject,
        threads - open * Math.max(0, threads - share.low() * present),
        threads + open * Math.max(0, share.high() * present - threads),
        dumps,
        samples.independent(),
        counted);
  }

  /**
   * The same where another source leaves room for so many threads only. Where dumps show certainly
   * more, others stand there as well, and nothing says that any of these is counted by it.
   */
  public DumpedWaits atMost(double most) {
    double part = Math.min(1, most / threads());
    Map<String, Double> less = new TreeMap<>();
    bySubject.forEach((subject, threads) -> less.put(subject, part * threads));
    return new DumpedWaits(
        less, low > most ? 0 : low, Math.min(high, most), dumps, independent, counted);
  }

  /** Threads on average. */
  public double threads() {
    return Numbers.sum(bySubject);
  }
}
