package io.gcdiag.stats;

import java.util.Arrays;

/** The known values of a series with gaps, and where in the series each stands. */
record KnownValues(double[] values, int[] indices, int seriesLength) {

  static KnownValues of(double[] series) {
    double[] values = new double[series.length];
    int[] indices = new int[series.length];
    int count = 0;
    for (int i = 0; i < series.length; i++) {
      if (!Double.isNaN(series[i])) {
        values[count] = Checks.finite(series[i], "series");
        indices[count++] = i;
      }
    }
    return new KnownValues(
        Arrays.copyOf(values, count), Arrays.copyOf(indices, count), series.length);
  }

  /** Other values at the same places. */
  KnownValues with(double[] otherValues) {
    return new KnownValues(otherValues, indices, seriesLength);
  }

  /** Means of the known values in bins of the given size; a bin without any stays unknown. */
  KnownValues binned(int size) {
    int bins = (seriesLength + size - 1) / size;
    double[] sums = new double[bins];
    int[] counts = new int[bins];
    for (int i = 0; i < values.length; i++) {
      sums[indices[i] / size] += values[i];
      counts[indices[i] / size]++;
    }
    double[] means = new double[bins];
    for (int bin = 0; bin < bins; bin++) {
      means[bin] = counts[bin] == 0 ? Double.NaN : sums[bin] / counts[bin];
    }
    return of(means);
  }

  int count() {
    return values.length;
  }

  /** Index in the series of the known value number {@code position}. */
  int index(int position) {
    return indices[position];
  }

  /** Position of the first known value at or after an index of the series; the count if none. */
  int firstAtOrAfter(int index) {
    int found = Arrays.binarySearch(indices, index);
    return found >= 0 ? found : -found - 1;
  }
}
