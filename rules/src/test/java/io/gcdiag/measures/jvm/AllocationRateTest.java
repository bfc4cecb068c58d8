package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.sketches.IncidentBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocationRateTest {

  private static final double MEBI = 1 << 20;

  private static Optional<AllocationRate> rate(IncidentBuilder builder) {
    return AllocationRate.of(builder.build().timeline(), IncidentBuilder.TROUBLE);
  }

  @Test
  void withoutSamplesTheHeapsGrowthBetweenCollectionsIsTheRate() {
    // Every 10 s the heap grew from 50 to 150 MiB: 100 MiB / 10 s = 10 MiB/s, whatever a pause
    // takes.
    AllocationRate rate =
        rate(incident().pauses(6, 60, 120, young(0, 2000).heap(150, 50, 256))).orElseThrow();
    assertEquals(10 * MEBI, rate.bytesPerSecond(), 1e-3);
    assertEquals("growth of the heap between GCs", rate.basis());
  }

  @Test
  void samplesComeBeforeTheHeap() {
    AllocationRate rate =
        rate(incident()
                .allocated(60, 120, 12 * MEBI)
                .pauses(6, 60, 120, young(0, 5).heap(150, 50, 256)))
            .orElseThrow();
    assertEquals(12 * MEBI, rate.bytesPerSecond(), 1e-3);
    assertEquals("sampled allocation weights", rate.basis());
  }

  @Test
  void aHeapThatShrankBetweenCollectionsAllocatedNothing() {
    // A concurrent cycle freed more than was allocated: 150 after, 100 before the next.
    AllocationRate rate =
        rate(incident().pauses(6, 60, 120, young(0, 5).heap(100, 150, 256))).orElseThrow();
    assertEquals(0, rate.bytesPerSecond());
  }

  @Test
  void collectionsAtOneInstantMakeNoRate() {
    IncidentBuilder builder = incident();
    for (int i = 0; i < 3; i++) {
      builder.pause(young(70, 0).heap(150, 50, 256));
    }
    assertEquals(Optional.empty(), rate(builder));
  }

  @Test
  void twoCollectionsMakeNoRate() {
    assertEquals(
        Optional.empty(), rate(incident().pauses(2, 60, 120, young(0, 5).heap(150, 50, 256))));
  }
}
