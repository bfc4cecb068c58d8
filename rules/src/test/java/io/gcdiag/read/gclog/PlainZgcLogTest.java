package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.time.Window;
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

/** ZGC at {@code -Xlog:gc}: no pauses, no settings, but cycles with shares of the heap. */
class PlainZgcLogTest {

  @TempDir Path folder;

  @Test
  void theSizeOfTheHeapFollowsFromTheSharesOfIt() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("gc.log"),
            """
            [0.010s][info][gc] Using The Z Garbage Collector
            [1.010s][info][gc] GC(0) Garbage Collection (Allocation Rate) 2000M(24%)->1200M(15%)
            [2.010s][info][gc] Allocation Stall (http-nio-8080-exec-1) 105.123ms
            [3.010s][info][gc] GC(1) Garbage Collection (Allocation Stall) 7672M(94%)->7712M(94%)
            """);
    Timeline timeline =
        Ingest.read(
            List.of(new Ingest.Request(log, Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.off(),
            ReadOptions.STANDARD);
    Window around =
        new Window(timeline.span().from().minusSeconds(1), timeline.span().to().plusSeconds(1));
    HeapSamples heap = timeline.heap(around);
    assertEquals(2, heap.size());
    // 7,712 MiB are 94 %: 7,712 / 0.94 = 8,204 MiB.
    assertEquals(8_204, heap.get(heap.size() - 1).committed().value() / (double) (1 << 20), 1);
  }
}
