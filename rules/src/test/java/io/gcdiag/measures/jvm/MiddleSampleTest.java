package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.measures.jvm.HeapRoom.MiddleSample;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MiddleSampleTest {

  private static HeapSamples left(long committed, List<Long> used) {
    IncidentBuilder builder = incident();
    for (int i = 0; i < used.size(); i++) {
      builder.heapAfterCollection(60 + i / 10.0, Bytes.of(used.get(i)), Bytes.of(committed));
    }
    return builder.build().timeline().heap(IncidentBuilder.TROUBLE);
  }

  @Test
  void itIsTheMiddleOfAllHoweverCloseTheyAre() {
    // Of ten billion bytes: the least steps are far below a bin's width, larger ones beyond it.
    Random random = new Random(4_711);
    for (int size : new int[] {1, 2, 3, 100, 255}) {
      List<Long> used =
          IntStream.range(0, size)
              .mapToObj(i -> 5_000_000_000L + random.nextInt(i % 2 == 0 ? 1_000 : 1_000_000_000))
              .toList();
      MiddleSample middle = MiddleSample.of(left(10_000_000_000L, used)).orElseThrow();
      // What is free rises as what is used falls.
      List<Long> byFree = used.stream().sorted((a, b) -> Long.compare(b, a)).toList();
      assertEquals(size, middle.of());
      assertEquals(byFree.get(size / 2), used.get(middle.index()));
      assertEquals(1 - byFree.get(size / 2) / 1e10, middle.free(), 1e-12);
    }
  }

  @Test
  void ofEqualsItIsTheOneInTheMiddleOfTime() {
    MiddleSample middle =
        MiddleSample.of(left(100, List.of(40L, 40L, 40L, 10L, 90L))).orElseThrow();
    assertEquals(1, middle.index());
  }

  @Test
  void aFullHeapAndAnEmptyOneAreInTheFirstAndTheLastBin() {
    MiddleSample middle = MiddleSample.of(left(100, List.of(0L, 0L, 100L))).orElseThrow();
    assertEquals(1, middle.free());
  }
}
