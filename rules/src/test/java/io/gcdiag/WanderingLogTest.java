package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * GC logs of 20 minutes, with a collection of 40 ms for each 100 MiB, of which 60 MiB stay: 40
 * MiB/s, and now and then more for two minutes.
 */
class WanderingLogTest {

  private static final double STEP_SECONDS = 0.05;
  private static final int SECONDS = 1200;

  @TempDir private Path folder;

  /** So many MiB/s more at its height, from that second on. */
  private static double more(double at, double from, double height) {
    double length = 120;
    return at >= from && at < from + length ? height * Math.sin(Math.PI * (at - from) / length) : 0;
  }

  private Diagnosis diagnosis(DoubleUnaryOperator mebiPerSecond) throws IOException {
    StringBuilder log = new StringBuilder("[0.010s][info][gc] Using G1\n");
    double filled = 0;
    int id = 0;
    for (double at = STEP_SECONDS; at < SECONDS; at += STEP_SECONDS) {
      filled += mebiPerSecond.applyAsDouble(at) * STEP_SECONDS;
      if (filled >= 100) {
        log.append(
            String.format(
                Locale.ROOT,
                "[%.3fs][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause)"
                    + " %.0fM->60M(512M) 40.000ms%n",
                at,
                id++,
                60 + filled));
        filled = 0;
      }
    }
    Path file = Files.writeString(folder.resolve("gc.log"), log);
    return Analysis.run(AnalysisRequest.of(file));
  }

  @Test
  void aTimeOfFastAllocationIsAnIncident() throws IOException {
    assertEquals(
        Optional.of(Hypothesis.ALLOCATION_CHURN),
        diagnosis(at -> 40 + more(at, 600, 260)).primarySuspect());
  }

  @Test
  void oneThatOthersComeCloseToIsNone() throws IOException {
    assertEquals(
        Optional.empty(),
        diagnosis(at -> 40 + more(at, 150, 200) + more(at, 600, 260) + more(at, 1000, 180))
            .primarySuspect());
  }
}
