package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

class CrowdedCoresTest {

  @Test
  void aSecondInWhichTheServiceDidLittleCountsLittle() {
    // 12 s of 80 % own work and 15 % of others, 6 s of 8 % and 92 %, the rest idle:
    // (12 x 0.8 x 0.15 + 6 x 0.08 x 0.92) / (12 x 0.8 + 6 x 0.08) = 1.8816 / 10.08 = 18.7 %.
    IncidentBuilder builder = incident().withoutBaseline().cpus(2);
    for (int second = 60; second < 120; second++) {
      if (second < 72) {
        builder.cpu(second, 0.8, 0.95);
      } else if (second < 78) {
        builder.cpu(second, 0.08, 1);
      } else {
        builder.cpu(second, 0.08, 0.2);
      }
    }
    CrowdedCores crowded = CrowdedCores.of(builder.build()).orElseThrow();
    assertEquals(18 / 60.0, crowded.share(), 1e-9);
    assertEquals(1.8816 / 10.08, crowded.then().others(), 1e-9);
  }
}
