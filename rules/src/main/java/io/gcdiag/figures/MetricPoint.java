package io.gcdiag.figures;

import java.time.Instant;

/**
 * A value at an instant.
 *
 * @param at when
 * @param value finite
 */
public record MetricPoint(Instant at, double value) {

  /** Checks that it is a number. */
  public MetricPoint {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("not a finite value: " + value);
    }
  }
}
