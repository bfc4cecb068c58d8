package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.jvm.JvmSample.ClassLoads;
import io.gcdiag.evidence.jvm.MemorySample.MetaspaceUse;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Expected figures are those of {@code jfr summary} and {@code jfr print}. */
@Tag("slow")
class MemoryEventsTest {

  private static final Window ALWAYS =
      new Window(Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("2200-01-01T00:00:00Z"));

  private static Timeline read(String incident) {
    return Recordings.read(Path.of("../fixtures/incidents", incident, "recording.jfr.gz"));
  }

  private static double waited(Timeline timeline, String name) {
    return timeline.waits(WaitKind.ALLOCATION_STALL).stream()
        .filter(series -> series.site().name().equals(name))
        .mapToDouble(series -> series.within(ALWAYS).waitedSeconds())
        .sum();
  }

  @Test
  void everyStallOfZgcIsAWait() {
    Timeline timeline = read("depot-heap-zgc");
    List<WaitSeries> stalls = timeline.waits(WaitKind.ALLOCATION_STALL);
    assertEquals(1735, stalls.stream().mapToLong(WaitSeries::count).sum());
    assertEquals(300, waited(timeline, AllocationStalls.COLLECTOR), 1);
    assertTrue(stalls.stream().anyMatch(series -> series.site().onRequestThread()));
  }

  @Test
  void aCriticalSectionHoldsUpAsManyThreadsAsItSays() {
    Timeline timeline = read("depot-compress");
    // Ten events: stallCount 5, 42, ... 241 in all.
    assertEquals(
        241, timeline.waits(WaitKind.ALLOCATION_STALL).stream().mapToLong(WaitSeries::count).sum());
    assertEquals(
        "depot.archive.Archive.compress",
        timeline.waits(WaitKind.ALLOCATION_STALL).get(0).site().stack());
  }

  @Test
  void whoCalledSystemGcIsKept() {
    List<ExplicitCollection> calls =
        read("depot-scheduled-collect").samples(ExplicitCollection.class, ALWAYS);
    assertEquals("depot.Housekeeping.replaceBuffers", calls.get(0).caller());
    assertEquals(253_940_480, calls.get(0).duration().toNanos());
  }

  @Test
  void metaspaceAndClassesAreReadAfterCollections() {
    Timeline timeline = read("depot-scripts");
    // 40 jdk.MetaspaceSummary, half of them before a collection.
    List<MetaspaceUse> uses = timeline.samples(MetaspaceUse.class, ALWAYS);
    assertEquals(20, uses.size());
    assertTrue(uses.get(19).threshold().compareTo(Bytes.ofMebi(24)) > 0);
    List<ClassLoads> loads = timeline.samples(ClassLoads.class, ALWAYS);
    assertEquals(10_939, loads.get(loads.size() - 1).loaded());
  }

  @Test
  void objectsThatAreStillHeldAreSummedUpByClass() {
    List<OldObjects> held = read("depot-sessions-kept").samples(OldObjects.class, ALWAYS);
    assertEquals(255, held.stream().mapToLong(OldObjects::count).sum());
    assertTrue(held.stream().anyMatch(objects -> objects.className().equals("byte[]")));
  }
}
