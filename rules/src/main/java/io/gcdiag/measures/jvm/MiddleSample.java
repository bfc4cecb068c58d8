package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.HeapSamples;
import java.util.Arrays;
import java.util.Optional;

/**
 * The sample after a collection with the median free share of the heap.
 *
 * <p>All are put into bins, and only those of the middle bin are sorted: of a gigabyte of log an
 * array of all values would be a sixth of the memory that is enough for the rest.
 *
 * @param index where it is among the samples
 * @param free its free share of the committed heap, 0 to 1
 * @param of how many samples it stands in the middle of
 */
record MiddleSample(int index, double free, int of) {

  private static final int BINS = 1 << 16;

  /** Absent where no such sample has a heap of known size. */
  static Optional<MiddleSample> of(HeapSamples samples) {
    int[] perBin = new int[BINS];
    int all = 0;
    for (int i = 0; i < samples.size(); i++) {
      if (counts(samples, i)) {
        perBin[bin(free(samples, i))]++;
        all++;
      }
    }
    if (all == 0) {
      return Optional.empty();
    }
    int place = all / 2;
    int bin = 0;
    while (place >= perBin[bin]) {
      place -= perBin[bin];
      bin++;
    }
    double[] sorted = sorted(samples, bin, perBin[bin]);
    return Optional.of(new MiddleSample(index(samples, sorted, place), sorted[place], all));
  }

  private static double[] sorted(HeapSamples samples, int bin, int size) {
    double[] within = new double[size];
    int next = 0;
    for (int i = 0; i < samples.size(); i++) {
      if (counts(samples, i) && bin(free(samples, i)) == bin) {
        within[next++] = free(samples, i);
      }
    }
    Arrays.sort(within);
    return within;
  }

  /**
   * Of samples with an equal value, that which stands at the place if they are in order of time.
   */
  private static int index(HeapSamples samples, double[] sorted, int place) {
    int before = 0;
    while (sorted[before] < sorted[place]) {
      before++;
    }
    for (int i = 0; i < samples.size(); i++) {
      if (counts(samples, i)
          && Double.compare(free(samples, i), sorted[place]) == 0
          && before++ == place) {
        return i;
      }
    }
    throw new IllegalStateException("the samples of a timeline do not change");
  }

  private static int bin(double free) {
    return (int) Math.min(BINS - 1, free * BINS);
  }

  private static boolean counts(HeapSamples samples, int index) {
    return samples.moment(index) == Moment.AFTER_COLLECTION && samples.committed(index) > 0;
  }

  private static double free(HeapSamples samples, int index) {
    return HeapHeadroom.free(samples.used(index), samples.committed(index));
  }
}
