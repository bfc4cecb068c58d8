package io.gcdiag.causes.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.causes.memory.GcPauseGrowthRule.MarkingCycles;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cycles as unified logs with {@code gc*} at level info have them. */
class MarkingCyclesTest {

  private static final String COLLECTOR = "[0.010s][info][gc] Using G1";
  private static final String NO_MIXED =
      """
      [1.100s][info][gc] GC(5) Pause Young (Concurrent Start) (G1 Evacuation Pause) 210M->205M(256M) 4.1ms
      [1.101s][info][gc] GC(6) Concurrent Mark Cycle
      [1.201s][info][gc] GC(6) Pause Remark 207M->207M(256M) 2.2ms
      [1.221s][info][gc] GC(6) Pause Cleanup 207M->207M(256M) 0.1ms
      [1.222s][info][gc] GC(6) Concurrent Mark Cycle 121.1ms
      """;
  private static final String MIXED =
      """
      [1.300s][info][gc] GC(7) Pause Young (Prepare Mixed) (G1 Evacuation Pause) 215M->206M(256M) 3.9ms
      [1.400s][info][gc] GC(8) Pause Young (Mixed) (G1 Evacuation Pause) 216M->150M(256M) 9.3ms
      """;
  private static final String FULL =
      """
      [1.450s][info][gc] GC(9) Pause Full (G1 Compaction Pause) 255M->204M(256M) 93.2ms
      """;

  @TempDir Path folder;

  /** The last cycle has not come to its end: its mixed GCs may follow. */
  @Test
  void cyclesThatNoMixedCollectionFollowsAreCounted() throws IOException {
    MarkingCycles cycles = cycles(NO_MIXED, NO_MIXED, NO_MIXED);
    assertEquals(new MarkingCycles(2, 2, 0), cycles);
    assertEquals(
        Optional.of(
            "of 2 marking cycles of G1, 2 led to no mixed GC (old regions held less than"
                + " G1HeapWastePercent of the heap in garbage) and 0 were overtaken by a full GC"),
        cycles.fruitless());
  }

  @Test
  void cyclesWithMixedCollectionsAreAsTheyShouldBe() throws IOException {
    MarkingCycles cycles = cycles(NO_MIXED, MIXED, NO_MIXED, MIXED, NO_MIXED);
    assertEquals(new MarkingCycles(2, 0, 0), cycles);
    assertEquals(Optional.empty(), cycles.fruitless());
  }

  @Test
  void aFullCollectionOvertakesACycleWhateverItHasFreed() throws IOException {
    assertEquals(
        new MarkingCycles(2, 0, 2), cycles(NO_MIXED, MIXED, FULL, FULL, NO_MIXED, FULL, NO_MIXED));
  }

  @Test
  void oneCycleIsNoHabit() throws IOException {
    assertEquals(Optional.empty(), cycles(NO_MIXED, NO_MIXED).fruitless());
  }

  /** Each part one second after the one before. */
  private MarkingCycles cycles(String... parts) throws IOException {
    StringBuilder log = new StringBuilder(COLLECTOR + "\n");
    for (int i = 0; i < parts.length; i++) {
      for (String line : parts[i].lines().toList()) {
        int seconds = Integer.parseInt(line.substring(1, 2)) + i;
        log.append('[').append(seconds).append(line.substring(2)).append('\n');
      }
    }
    Path file = Files.writeString(folder.resolve("gc.log"), log);
    Timeline timeline =
        Ingest.read(
            List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);
    return MarkingCycles.of(timeline, timeline.span());
  }
}
