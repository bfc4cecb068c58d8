package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoppedTimeSplitTest {

  private static final double MEBI = 1 << 20;

  /** (256 - 202) / 256 = 21.1 % free: short of room. */
  private static PauseSketch tight(double millis) {
    return young(0, millis).heap(256, 202, 256);
  }

  /** (256 - 50) / 256 = 80.5 % free. */
  private static PauseSketch roomy(double millis) {
    return young(0, millis).heap(150, 50, 256);
  }

  private static StoppedTimeSplit split(IncidentBuilder builder) {
    return StoppedTimeSplit.of(builder.build());
  }

  @Test
  void aHeapShortOfRoomIsToBlameForLongerPauses() {
    // As much allocated as before, 20 x 5 ms to 20 x 15 ms.
    StoppedTimeSplit split =
        split(incident().pauses(20, 0, 60, tight(5)).pauses(20, 60, 120, tight(15)));
    assertTrue(split.room().isShort());
    assertEquals(1, split.share(Hypothesis.MEMORY_PRESSURE), 1e-9);
    assertEquals(1, split.byCause().size());
  }

  @Test
  void aHeapWithRoomAndPausesThatDidNotLengthenIsChurn() {
    // 10 x 5 ms to 50 x 5 ms: +200 ms a minute, all by the number of collections.
    StoppedTimeSplit split =
        split(incident().pauses(10, 0, 60, roomy(5)).pauses(50, 60, 120, roomy(5)));
    assertFalse(split.room().isShort());
    assertEquals(1, split.share(Hypothesis.ALLOCATION_CHURN), 1e-9);
    assertEquals(0.2, split.churnPerMinuteSeconds(), 1e-9);
  }

  @Test
  void longerPausesOfAHeapWithRoomStayUnexplained() {
    // As many pauses, three times as long: neither churn nor pressure.
    StoppedTimeSplit split =
        split(incident().pauses(20, 0, 60, roomy(5)).pauses(20, 60, 120, roomy(15)));
    assertEquals(Map.of(), split.byCause());
  }

  /** 50 x 20 ms of which 15 ms are weak processing: as many without them would be 250 ms. */
  @Test
  void whatAHeapWithRoomSpendsInPhasesIsNotThatOfAllocation() {
    IncidentBuilder incident =
        incident().pauses(10, 0, 60, roomy(5)).pauses(50, 60, 120, roomy(20));
    for (int i = 0; i < 50; i++) {
      incident.sample(
          new PausePhase(
              at(60 + i), millis(20), PausePart.WEAK, millis(15), new Source("gc.log", "")));
    }
    // 1000 - 50 ms more, 750 ms of them weak processing: at most the other 200 ms are churn.
    assertEquals(200 / 950.0, split(incident).share(Hypothesis.ALLOCATION_CHURN), 1e-9);
  }

  private static IncidentBuilder busier(PauseSketch during) {
    return incident()
        .pauses(10, 0, 60, roomy(5))
        .pauses(50, 60, 120, during)
        .allocated(0, 60, 20 * MEBI)
        .allocated(60, 120, 100 * MEBI);
  }

  /**
   * 10 x 5 ms to 50 x 20 ms at five times the allocation: 100/s x 20 ms = 2 requests in progress,
   * which have allocated 100 MiB/s / 100/s = 1 MiB each.
   */
  private static IncidentBuilder keeping(int mebisEach) {
    return busier(roomy(20))
        .requests(100, 10, 20)
        .sample(
            new YoungCollections(
                at(119),
                50,
                Bytes.ofMebi(50 * 100),
                Bytes.ofMebi(50L * mebisEach),
                Bytes.ofMebi(0),
                Bytes.of(1),
                new Source("gc.log", "")));
  }

  @Test
  void copyingWhatNoRequestInProgressCanHaveIsNoCostOfAllocation() {
    // Up to 4 MiB a collection half of it may be of the requests: 50 x 20 - 50 ms more, all churn.
    assertEquals(1, split(keeping(2)).share(Hypothesis.ALLOCATION_CHURN), 1e-9);
    // So may 5 MiB: the request whose allocation begins the collection is there beside the two.
    assertEquals(1, split(keeping(5)).share(Hypothesis.ALLOCATION_CHURN), 1e-9);
    // 40 MiB: fifty collections of the baseline's length, 50 x 5 - 50 ms.
    assertEquals(200 / 950.0, split(keeping(40)).share(Hypothesis.ALLOCATION_CHURN), 1e-9);
  }

  /**
   * The same by a recording alone, and a collector of which only the heap after collections is
   * known: 100 rounds a second of 20 ms, and so much more in use after every second collection.
   */
  private static IncidentBuilder leaving(int mebisMore) {
    IncidentBuilder builder = busier(young(0, 20)).recorded(Signal.THREAD_PARKS, 20);
    Latencies.Counter lengths = new Latencies.Counter();
    Latencies.Counter rests = new Latencies.Counter();
    for (int i = 0; i < 100; i++) {
      lengths.add(Duration.ofMillis(20));
      rests.add(Duration.ofMillis(100));
    }
    Duration second = Duration.ofSeconds(1);
    Map<WaitKind, Double> waited = Map.of(WaitKind.IDLE, 6.0, WaitKind.OTHER, 2.0);
    for (int i = 0; i < 60; i++) {
      builder
          .heapAfterCollection(60 + i, Bytes.ofMebi(50 + mebisMore * (i % 2)), Bytes.ofMebi(256))
          .sample(
              new WorkRounds(at(60 + i), second, "http-N", lengths.latencies(), rests.latencies()))
          .sample(new WorkerTime(at(60 + i), second, "http-N", true, 8, 0, waited));
    }
    return builder;
  }

  @Test
  void soOfARecordingAloneByTheRoundsOfWorkers() {
    // (1 + 2) x 1 MiB of requests; 4 / 2 or 40 / 2 MiB kept by a collection on average.
    assertEquals(1, split(leaving(4)).share(Hypothesis.ALLOCATION_CHURN), 1e-9);
    assertEquals(200 / 950.0, split(leaving(40)).share(Hypothesis.ALLOCATION_CHURN), 1e-9);
  }

  @Test
  void moreAllocationTakesItsPartBeforeTheShortageDoes() {
    // 100 ms to 400 ms: +300 ms. Twice the allocation would have cost 100 ms more: a third.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, tight(5))
                .pauses(20, 60, 120, tight(20))
                .allocated(0, 60, 50 * MEBI)
                .allocated(60, 120, 100 * MEBI));
    assertEquals(1 / 3.0, split.share(Hypothesis.ALLOCATION_CHURN), 1e-9);
    assertEquals(2 / 3.0, split.share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }

  @Test
  void moreAllocationCostsNoMoreThanTheCollectionsThatItBrings() {
    // One of 20 ms to 10 x 2 ms + 10 full ones of 60 ms: +600 ms. Ten times the allocation would
    // have cost 9 x 20 = 180 ms more, and all that are not full take 20 ms now.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(1, 30, 31, tight(20))
                .pauses(10, 60, 120, tight(2))
                .pauses(10, 61, 121, full(0, 60).heap(256, 230, 256))
                .allocated(0, 60, 10 * MEBI)
                .allocated(60, 120, 100 * MEBI));
    assertEquals(1 / 30.0, split.share(Hypothesis.ALLOCATION_CHURN), 1e-9);
    assertEquals(29 / 30.0, split.share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }

  @Test
  void fullCollectionsOfAFullHeapComeForWantOfRoomHoweverMuchIsAllocated() {
    // 20 x 40 = 800 ms to 40 x 45 = 1800 ms, twice the allocation; all of them full.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, full(0, 40).heap(256, 230, 256))
                .pauses(40, 60, 120, full(0, 45).heap(256, 230, 256))
                .allocated(0, 60, 10 * MEBI)
                .allocated(60, 120, 20 * MEBI));
    assertEquals(Map.of(Hypothesis.MEMORY_PRESSURE, 1.0), split.byCause());
  }

  @Test
  void fullCollectionsOfAHeapWithRoomComeAsOftenAsMoreIsAllocated() {
    // 20 x 5 = 100 ms to that and 16 full ones of 250 ms: +4 s. At an eighth of the allocation
    // there would be 2 of them: 3.5 s less.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, roomy(5))
                .pauses(20, 60, 120, roomy(5))
                .pauses(16, 61, 119, full(0, 250).heap(250, 50, 256))
                .allocated(0, 60, 20 * MEBI)
                .allocated(60, 120, 160 * MEBI));
    assertEquals(3.5 / 4, split.share(Hypothesis.ALLOCATION_CHURN), 1e-9);
  }

  @Test
  void forcedCollectionsAreTakenOutFirst() {
    // Before 20 x 5 = 100 ms. During 20 x 10 + 2 x 100 = 400 ms: +300 ms, of which 200 were asked
    // for and the other 100 go to the shortage.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, tight(5))
                .pauses(20, 60, 120, tight(10))
                .pauses(2, 61, 121, full(0, 100).heap(256, 202, 256).cause("Diagnostic Command"))
                .allocated(0, 60, 50 * MEBI)
                .allocated(60, 120, 50 * MEBI));
    assertEquals(2 / 3.0, split.share(Hypothesis.EXPLICIT_GC), 1e-9);
    assertEquals(1 / 3.0, split.share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }

  @Test
  void aResizeOwnsOnlyWhatItTookLonger() {
    // Before 20 x 5 = 100 ms. During 19 x 10 + 60 = 250 ms: +150 ms; the resize took 60 - 10 = 50
    // ms longer than others of its kind: a third. The shortage has the rest.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, tight(5))
                .pauses(19, 60, 117, tight(10))
                .pause(young(118, 60).heap(256, 202, 300)));
    assertEquals(1, split.resizing().resizes().size());
    assertEquals(1 / 3.0, split.share(Hypothesis.HEAP_RESIZING), 1e-9);
    assertEquals(2 / 3.0, split.share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }

  @Test
  void theShortageIsTheLeaksIfTheLiveSetKeepsGrowing() {
    StoppedTimeSplit split = split(leaking());
    assertEquals(1, split.share(Hypothesis.MEMORY_LEAK), 1e-9);
    assertEquals(0, split.share(Hypothesis.MEMORY_PRESSURE));
  }

  /**
   * A finalizer that stands in one place in both dumps keeps what grows; one that works does not.
   */
  @Test
  void theShortageIsTheFinalizersIfTheseDoNotKeepUp() {
    StoppedTimeSplit stuck = split(leaking().dump(95, finalizer(5)).dump(105, finalizer(5)));
    assertEquals(1, stuck.share(Hypothesis.FINALIZER_BACKLOG), 1e-9);
    assertEquals(0, stuck.share(Hypothesis.MEMORY_LEAK));
    StoppedTimeSplit moving = split(leaking().dump(95, finalizer(5)).dump(105, finalizer(6)));
    assertEquals(1, moving.share(Hypothesis.MEMORY_LEAK), 1e-9);
  }

  /**
   * Full at 240 MiB of 256, which grows no more: behind a finalizer that waits, if 40 MiB were left
   * before; what left 100 MiB before may need as much.
   */
  @Test
  void aHeapThatFilledBehindAFinalizerIsNoneTooSmall() {
    StoppedTimeSplit stuck = split(filledFrom(40).dump(95, finalizer(5)).dump(105, finalizer(5)));
    assertEquals(Map.of(Hypothesis.FINALIZER_BACKLOG, 1.0), stuck.byCause());
    StoppedTimeSplit moving = split(filledFrom(40).dump(95, finalizer(5)).dump(105, finalizer(6)));
    assertEquals(Map.of(Hypothesis.MEMORY_PRESSURE, 1.0), moving.byCause());
    StoppedTimeSplit more = split(filledFrom(100).dump(95, finalizer(5)).dump(105, finalizer(5)));
    assertEquals(Map.of(Hypothesis.MEMORY_PRESSURE, 1.0), more.byCause());
  }

  private static IncidentBuilder filledFrom(int mebi) {
    return incident()
        .maxHeap(256)
        .pauses(20, 0, 60, young(0, 5).heap(150, mebi, 256))
        .pauses(30, 61, 121, full(0, 100).heap(241, 240, 256));
  }

  /** Full collections leave 1 MiB/s more, 30 MiB in half a minute, of a ceiling of 256 MiB. */
  private static IncidentBuilder leaking() {
    IncidentBuilder builder = incident().maxHeap(256).pauses(20, 0, 60, tight(5));
    for (int second = 90; second < 120; second += 5) {
      builder.pause(full(second, 100).heap(256, 210 + (second - 90), 256));
    }
    return builder;
  }

  private static List<ThreadState> finalizer(long stack) {
    return List.of(
        thread(
            "Finalizer",
            "RUNNABLE",
            ThreadActivity.IN_DOWNSTREAM_CALL,
            "",
            false,
            Made.position(stack, "com.acme.Cursor.close", ThreadPosition.UNKNOWN_CPU)));
  }

  @Test
  void fullCollectionsMeanAShortageEvenIfTheHeapIsNotKnown() {
    StoppedTimeSplit split =
        split(incident().pauses(20, 0, 60, young(0, 5)).pauses(3, 60, 120, full(0, 500)));
    assertTrue(split.room().isShort());
    assertEquals(1, split.share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }

  @Test
  void aFullCollectionThatLeavesRoomIsNoShortage() {
    assertFalse(split(incident().pause(full(70, 500).heap(250, 50, 256))).room().isShort());
  }

  @Test
  void littleThatLivesIsNoShortageHoweverFullTheHeapIs() {
    // Young collections leave 202 of 256 MiB; full ones show that 50 MiB live. Allocation is three
    // times what it was, and pauses are not longer than that many times: all churn.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, roomy(5))
                .pauses(60, 60, 120, tight(10))
                .pauses(3, 61, 121, full(0, 15).heap(256, 50, 256))
                .allocated(0, 60, 50 * MEBI)
                .allocated(60, 120, 150 * MEBI));
    assertFalse(split.room().isShort());
    assertEquals(1, split.share(Hypothesis.ALLOCATION_CHURN), 0.05);
    assertEquals(0, split.share(Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void fullCollectionsThatALargeObjectCameToAreItsOwn() {
    // Each full collection of 100 ms begins where the young one for the large object ended.
    IncidentBuilder builder =
        incident()
            .pauses(20, 0, 60, tight(5))
            .pauses(20, 60, 120, tight(5))
            .allocated(0, 120, 50 * MEBI);
    for (int second = 61; second < 66; second++) {
      builder.pause(young(second, 5).heap(256, 250, 256).cause("G1 Humongous Allocation"));
      builder.pause(full(second + 0.005, 100).heap(250, 202, 256));
    }
    // +5 x 5 + 5 x 100 = 525 ms; the young ones were no longer than others.
    StoppedTimeSplit split = split(builder);
    assertEquals(500 / 525.0, split.share(Hypothesis.HUMONGOUS_ALLOCATION), 1e-6);
    assertEquals(25 / 525.0, split.share(Hypothesis.MEMORY_PRESSURE), 1e-6);
  }

  @Test
  void garbageThatOnlyFullCollectionsReachIsThatOfLargeObjects() {
    // A young collection for a large object clears 10 of 250 MiB, then an ordinary one of 5 ms none
    // of 250; the full one clears 150: nothing but large objects had filled the heap.
    IncidentBuilder builder =
        incident()
            .pauses(20, 0, 60, roomy(5))
            .pauses(20, 70, 120, roomy(5))
            .allocated(0, 120, 50 * MEBI);
    for (int second = 61; second < 66; second++) {
      builder.pause(young(second + 0.1, 5).heap(250, 240, 256).cause("G1 Humongous Allocation"));
      builder.pause(young(second + 0.2, 5).heap(250, 250, 256));
      builder.pause(full(second + 0.3, 100).heap(250, 100, 256));
    }
    // +5 x (5 + 5 + 100) = 550 ms.
    assertEquals(500 / 550.0, split(builder).share(Hypothesis.HUMONGOUS_ALLOCATION), 1e-6);
  }

  @Test
  void garbageThatYoungCollectionsClearIsOrdinary() {
    IncidentBuilder builder =
        incident()
            .pauses(20, 0, 60, roomy(5))
            .pauses(20, 70, 120, roomy(5))
            .allocated(0, 120, 50 * MEBI);
    for (int second = 61; second < 66; second++) {
      builder.pause(young(second + 0.1, 5).heap(250, 240, 256).cause("G1 Humongous Allocation"));
      builder.pause(young(second + 0.2, 5).heap(250, 200, 256));
      builder.pause(full(second + 0.3, 100).heap(250, 100, 256));
    }
    assertEquals(0, split(builder).share(Hypothesis.HUMONGOUS_ALLOCATION), 1e-6);
  }

  @Test
  void aHeapThatRanOutThoughLittleLivesWasShortForMoments() {
    // Full collections leave 50 of 256 MiB. 20 pauses of 10 ms leave 202 MiB: with 40 % free of the
    // heap there would be 202 x 0.4 / 0.6 = 134.7 MiB and not 54, and 1 - 54 / 134.7 = 59.9 % fewer
    // of them. One is a full collection: the heap ran out. The growth is 20 x 10 + 4 x 15 - 20 x 5.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, tight(5))
                .pauses(19, 60, 119, tight(10))
                .pause(full(119, 10).heap(256, 202, 256))
                .pauses(4, 61, 117, full(0, 15).heap(256, 50, 256))
                .allocated(0, 60, 50 * MEBI)
                .allocated(60, 120, 100 * MEBI));
    assertFalse(split.room().isShort());
    assertEquals(
        200 * (1 - 54 / (202 * 0.4 / 0.6)) / 160, split.share(Hypothesis.MEMORY_PRESSURE), 1e-3);
    assertEquals(
        1,
        split.share(Hypothesis.MEMORY_PRESSURE) + split.share(Hypothesis.ALLOCATION_CHURN),
        1e-9);
  }

  @Test
  void aHeapThatKeepsGrowingUnderAHighCeilingIsNotShort() {
    // Every pause leaves 30 % free of a size that has just grown; of 2 GiB more than 60 %.
    IncidentBuilder builder = incident().maxHeap(2048);
    for (int i = 0; i < 20; i++) {
      builder.pause(young(60 + 3 * i, 50).heap(250 + 20 * i, 210 + 20 * i, 300 + 28 * i));
    }
    StoppedTimeSplit split = split(builder);
    assertFalse(split.room().isShort());
    assertEquals(0, split.share(Hypothesis.MEMORY_PRESSURE));
    assertTrue(split.share(Hypothesis.HEAP_RESIZING) > 0);
  }

  @Test
  void aFullCollectionBelowTheCeilingIsTheGrowthsIfWhatItLeftFits() {
    // 200 MiB live: 22 % free of 256, 80 % of a ceiling of 1 GiB. No young pauses: 400 ms, all of
    // it full GCs at which the heap grew.
    StoppedTimeSplit split =
        split(
            incident()
                .maxHeap(1024)
                .pause(full(50, 100).heap(200, 100, 200))
                .pause(full(70, 100).heap(256, 200, 256))
                .pause(full(90, 300).heap(300, 240, 320)));
    assertEquals(1, split.share(Hypothesis.HEAP_RESIZING), 1e-9);
  }

  @Test
  void growthUnderACeilingThatIsTooLowIsPressure() {
    // 200 MiB live are 22 % free of 256 and 33 % of 300 MiB: as full as before.
    StoppedTimeSplit split =
        split(
            incident()
                .maxHeap(300)
                .pause(full(50, 100).heap(200, 100, 200))
                .pause(full(70, 100).heap(256, 200, 256))
                .pause(full(90, 300).heap(300, 240, 299)));
    assertEquals(0, split.share(Hypothesis.HEAP_RESIZING), 1e-9);
    assertEquals(1, split.share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }

  @Test
  void withTheHeapUnknownNobodyIsBlamed() {
    StoppedTimeSplit split =
        split(incident().pauses(20, 0, 60, young(0, 5)).pauses(40, 60, 120, young(0, 15)));
    assertEquals(Map.of(), split.byCause());
  }

  @Test
  void withoutGrowthThereIsNothingToSplit() {
    StoppedTimeSplit split =
        split(incident().pauses(20, 0, 60, tight(5)).pauses(20, 60, 120, tight(5)));
    assertEquals(Map.of(), split.byCause());
  }

  @Test
  void sharesNeverAddUpToMoreThanTheGrowth() {
    // Forced collections alone would be 200 ms, the growth is 150 ms.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(20, 0, 60, tight(5))
                .pauses(10, 60, 120, tight(5))
                .pauses(2, 61, 121, full(0, 100).kind(PauseKind.FULL).cause("Diagnostic Command")));
    assertEquals(1, split.share(Hypothesis.EXPLICIT_GC), 1e-9);
    assertEquals(1, split.byCause().values().stream().mapToDouble(d -> d).sum(), 1e-9);
  }

  @Test
  void callsOfUnknownCallersAreHalfOfEachCause() {
    // Two of 100 ms, of which 50 ms were there before: what is left is shared evenly.
    StoppedTimeSplit split =
        split(
            incident()
                .pauses(10, 0, 60, young(0, 5))
                .pauses(2, 61, 121, full(0, 100).cause("System.gc()")));
    assertEquals(0.5, split.share(Hypothesis.EXPLICIT_GC), 1e-9);
    assertEquals(0.5, split.share(Hypothesis.DIRECT_MEMORY), 1e-9);
  }
}
