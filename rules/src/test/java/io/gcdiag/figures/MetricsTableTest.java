package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gcdiag.units.ResourceText;
import org.junit.jupiter.api.Test;

class MetricsTableTest {

  @Test
  void aMetricHasWordsAndAUnit() {
    ResourceText.table(Metrics.class, "metrics.txt")
        .forEach(
            (key, row) -> {
              assertEquals(2, row.size(), key);
              row.forEach(cell -> assertFalse(cell.isBlank(), key));
              Metric.Unit.valueOf(row.get(1));
            });
  }
}
