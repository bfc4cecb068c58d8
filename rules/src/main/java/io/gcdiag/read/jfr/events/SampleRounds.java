package io.gcdiag.read.jfr.events;

import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.units.Numbers;

/**
 * How many of the threads Datadog's profiler looked at in each of its rounds: some threads picked
 * at random, 16 by default ({@code wallClock.cpp} of java-profiler).
 */
final class SampleRounds {

  static final String EVENT = "datadog.WallClockSamplingEpoch";

  private long rounds;
  private long threads;
  private long sampled;

  void accept(Event event) {
    rounds++;
    threads += Math.max(0, event.numberOr("samplePoolSize", 0));
    sampled += Math.max(0, event.numberOr("numSuccessfulSamples", 0));
  }

  /** What to bear in mind of sums over samples; empty if every thread was looked at. */
  String note() {
    if (sampled == 0 || threads <= sampled) {
      return "";
    }
    return "; it samples %s of %s threads at a time: true sums are up to %s times as large"
        .formatted(
            Numbers.threeDigits(sampled / (double) rounds),
            Numbers.threeDigits(threads / (double) rounds),
            Numbers.threeDigits(threads / (double) sampled));
  }
}
