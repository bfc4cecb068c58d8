package io.gcdiag.measures.threads;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Waiting that thread dumps show and recorded events do not.
 *
 * @param bySubject threads on average, by what they wait for; not empty
 * @param range their number with its 95 % interval, given the number of dumps
 * @param independent how many independent samples these are: dumps during the same wait are one
 * @param counted whether the dumps show the average queue. Right after a pause there is a queue for
 *     a moment, and operators take dumps when they see a queue; in these cases the value is an
 *     upper bound
 */
public record DumpedWaits(
    Map<String, Double> bySubject, Estimate range, int dumps, int independent, boolean counted) {

  public DumpedWaits {
    bySubject = Collections.unmodifiableMap(new LinkedHashMap<>(bySubject));
  }

  /**
   * From the threads found waiting.
   *
   * @param bySubject threads on average
   * @param present request threads on average, busy or idle
   * @param dumps number of dumps, 1 or more
   * @param samples how many independent samples these are
   * @param counted whether the dumps show the average queue
   */
  static DumpedWaits of(
      Map<String, Double> bySubject,
      double present,
      int dumps,
      DumpSamples samples,
      Window window,
      boolean counted) {
    double threads = Numbers.sum(bySubject);
    Estimate share = Estimate.ofShare(Math.min(1, threads / present), samples.independent());
    // There is no uncertainty for the time in which the same waits were seen to go on.
    double open = Math.max(0, 1 - Durations.seconds(samples.between()) / window.seconds());
    return new DumpedWaits(
        bySubject,
        new Estimate(
            threads - open * Math.max(0, threads - share.low() * present),
            threads,
            threads + open * Math.max(0, share.high() * present - threads)),
        dumps,
        samples.independent(),
        counted);
  }

  /**
   * The same, limited to the number of threads that another source allows. If the dumps certainly
   * show more than that, they also show other waits, and the lower end becomes 0.
   */
  public DumpedWaits atMost(double most) {
    double part = Math.min(1, most / threads());
    Map<String, Double> less = new TreeMap<>();
    bySubject.forEach((subject, threads) -> less.put(subject, part * threads));
    return new DumpedWaits(
        less,
        range.low() > most ? new Estimate(0, most, most) : range.upTo(most),
        dumps,
        independent,
        counted);
  }

  /** Waiting threads, on average. */
  public double threads() {
    return Numbers.sum(bySubject);
  }
}
