package io.gcdiag.figures;

import java.time.Instant;

/**
 * A value at an instant.
 *
 * @param at when
 * @param value finite
 */
public record MetricPoint(Instant at, double value) {

  public MetricPoint {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("not a finite value: " + value);
    }
  }
}
