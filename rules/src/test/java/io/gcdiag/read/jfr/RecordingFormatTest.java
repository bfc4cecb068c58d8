package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One real recording of this JVM, in three chunks. What it holds is counted here by a plain loop
 * over the JDK's reader, which is what the {@code jfr} tool does.
 */
class RecordingFormatTest {

  @TempDir static Path folder;

  private static Path file;

  private static Timeline timeline;

  @BeforeAll
  static void recordAndRead() {
    file =
        Recordings.record(
            folder.resolve("recording.jfr"), RecordedWork::settings, () -> RecordedWork.work());
    timeline = Recordings.read(file);
  }

  private static final Window ALWAYS =
      new Window(Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("2200-01-01T00:00:00Z"));

  private static WaitSeries.Totals totals(List<WaitSeries> series) {
    List<WaitSeries.Totals> all = series.stream().map(s -> s.within(ALWAYS)).toList();
    return new WaitSeries.Totals(
        all.stream().mapToLong(WaitSeries.Totals::count).sum(),
        all.stream().map(WaitSeries.Totals::total).reduce(Duration.ZERO, Duration::plus),
        all.stream().map(WaitSeries.Totals::longest).max(Duration::compareTo).orElse(Duration.ZERO),
        all.stream().mapToDouble(WaitSeries.Totals::waitedSeconds).sum());
  }

  private static Duration sum(List<RecordedEvent> events) {
    return events.stream().map(RecordedEvent::getDuration).reduce(Duration.ZERO, Duration::plus);
  }

  /** What {@code work} calls allocates arrays of its own now and then. */
  private static boolean isInWorkItself(RecordedEvent event) {
    return isMine(event)
        && event.getStackTrace().getFrames().stream()
            .filter(frame -> frame.getMethod().getType().getName().startsWith("io.gcdiag."))
            .findFirst()
            .filter(frame -> frame.getMethod().getName().equals("work"))
            .isPresent();
  }

  private static boolean isMine(RecordedEvent event) {
    return event.getStackTrace() != null
        && event.getStackTrace().getFrames().stream()
            .anyMatch(
                frame ->
                    frame.getMethod().getType().getName().equals(RecordedWork.class.getName())
                        && frame.getMethod().getName().equals("work"));
  }

  @Test
  void aSoundFileIsReadWhole() {
    assertEquals(
        List.of(new InputReport("recording.jfr", "jfr", InputReport.Status.OK, "")),
        timeline.inputs());
    assertTrue(Recordings.chunks(file).size() >= 3, "the test needs several chunks");
  }

  @Test
  void parksAreSummedUpByTheStackThatTellsWhatTheyAre() {
    List<RecordedEvent> parks =
        Recordings.events(file, "jdk.ThreadPark").stream().filter(e -> isMine(e)).toList();
    List<WaitSeries> series =
        timeline.waits().stream()
            .filter(s -> s.source().place().equals("jdk.ThreadPark"))
            .filter(s -> s.site().stack().contains("RecordedWork.work"))
            .toList();
    WaitSeries.Totals totals = totals(series);
    // 3 chunks x 4 parks; the latch in contend() is parked for as well where the owner is slow.
    assertTrue(parks.size() >= 12, () -> "parks " + parks.size());
    long counted = parks.stream().filter(e -> top(e).equals("work")).count();
    assertEquals(12, counted);
    assertEquals(counted, totals.count());
    assertEquals(sum(parks.stream().filter(e -> top(e).equals("work")).toList()), totals.total());
    assertEquals(totals.total().toNanos() / 1e9, totals.waitedSeconds(), 1e-6);
  }

  /** The innermost method of the work. */
  private static String top(RecordedEvent event) {
    return event.getStackTrace().getFrames().stream()
        .filter(f -> f.getMethod().getType().getName().equals(RecordedWork.class.getName()))
        .findFirst()
        .map(f -> f.getMethod().getName())
        .orElse("");
  }

  @Test
  void monitorEntriesAreLockWaitsNamedByTheMonitorsClass() {
    List<RecordedEvent> entries =
        Recordings.events(file, "jdk.JavaMonitorEnter").stream()
            .filter(
                e -> e.getClass("monitorClass").getName().equals(RecordedWork.Lock.class.getName()))
            .toList();
    List<WaitSeries> series =
        timeline.waits(WaitKind.LOCK).stream()
            .filter(s -> s.site().name().equals(RecordedWork.Lock.class.getName()))
            .toList();
    assertEquals(3, entries.size());
    assertEquals(3, totals(series).count());
    assertEquals(sum(entries), totals(series).total());
  }

  @Test
  void socketReadsAreDownstreamCallsNamedByTheRemoteSide() {
    List<RecordedEvent> reads =
        Recordings.events(file, "jdk.SocketRead").stream()
            .filter(e -> e.getInt("port") == RecordedWork.port)
            .toList();
    List<WaitSeries> series =
        timeline.waits(WaitKind.DOWNSTREAM).stream()
            .filter(s -> s.site().name().endsWith(":" + RecordedWork.port))
            .toList();
    assertFalse(reads.isEmpty());
    assertEquals(reads.size(), totals(series).count());
    assertEquals(sum(reads), totals(series).total());
    assertTrue(totals(series).longest().compareTo(Duration.ofMillis(30)) > 0);
  }

  @Test
  void pausesAreThoseOfThePhaseEventsWithKindCauseAndHeapOfTheirCollection() {
    List<RecordedEvent> phases = Recordings.events(file, "jdk.GCPhasePause");
    assertEquals(phases.size(), timeline.pauses().size());
    assertEquals(
        sum(phases),
        timeline.pauses().stream().map(GcPause::duration).reduce(Duration.ZERO, Duration::plus));
    assertEquals(
        phases.stream().map(RecordedEvent::getStartTime).sorted().toList(),
        timeline.pauses().stream().map(GcPause::start).toList());
    List<GcPause> explicit =
        timeline.pauses().stream().filter(p -> p.type().cause().equals("System.gc()")).toList();
    long asked =
        Recordings.events(file, "jdk.GarbageCollection").stream()
            .filter(e -> e.getString("cause").equals("System.gc()"))
            .count();
    assertTrue(asked >= 3);
    // A Parallel collector answers System.gc() with a young and a full collection.
    assertEquals(
        3, explicit.stream().filter(p -> p.kind() == PauseKind.FULL).count(), () -> "" + explicit);
  }

  @Test
  void theHeapAroundAPauseIsThatOfTheSummariesWithItsNumber() {
    GcPause pause = timeline.pauses().get(timeline.pauses().size() - 1);
    List<RecordedEvent> summaries =
        Recordings.events(file, "jdk.GCHeapSummary").stream()
            .filter(e -> e.getInt("gcId") == pause.gcId().orElseThrow())
            .toList();
    RecordedEvent after =
        summaries.stream().filter(e -> e.getString("when").equals("After GC")).findFirst().get();
    RecordedObject space = after.getValue("heapSpace");
    assertEquals(after.getLong("heapUsed"), pause.heap().orElseThrow().usedAfter().value());
    assertEquals(
        space.getLong("committedSize"), pause.heap().orElseThrow().committedAfter().value());
    assertEquals(Recordings.events(file, "jdk.GCHeapSummary").size(), timeline.heap().size());
  }

  @Test
  void allocationSamplesKeepTheirWeightByClass() {
    long weight =
        Recordings.events(file, "jdk.ObjectAllocationSample").stream()
            .filter(e -> e.getClass("objectClass").getName().equals("[B"))
            .filter(e -> isInWorkItself(e))
            .mapToLong(e -> e.getLong("weight"))
            .sum();
    long read =
        timeline.profiles().allocation().sites().all().stream()
            .filter(site -> site.className().equals("byte[]"))
            .filter(site -> site.path() == AllocationSite.Path.SAMPLED)
            .filter(site -> site.top().contains("RecordedWork.work"))
            .mapToLong(site -> site.bytes().value())
            .sum();
    assertTrue(weight > 0);
    assertEquals(weight, read);
    double sampled =
        Recordings.events(file, "jdk.ObjectAllocationSample").stream()
            .mapToLong(e -> e.getLong("weight"))
            .sum();
    assertEquals(
        sampled, timeline.profiles().allocation().sampledBytesPerSecond().sum(ALWAYS), 0.5);
  }

  @Test
  void threadDumpsInsideTheRecordingAreDatedByTheirEvent() {
    List<Instant> recorded =
        Recordings.events(file, "jdk.ThreadDump").stream()
            .map(RecordedEvent::getStartTime)
            .toList();
    assertFalse(recorded.isEmpty());
    assertFalse(timeline.dumps().isEmpty());
    assertTrue(
        timeline.dumps().stream().allMatch(dump -> recorded.contains(dump.at().orElseThrow())));
    assertTrue(
        timeline.dumps().get(0).threads().stream()
            .map(thread -> thread.name())
            .collect(Collectors.toSet())
            .contains(Thread.currentThread().getName()));
  }

  @Test
  void theJvmIsThisOne() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    String maxHeap = jvm.getVMOption("MaxHeapSize").getValue();
    String version =
        Runtime.version().version().stream().map(String::valueOf).collect(Collectors.joining("."));
    assertEquals(Optional.of(version), timeline.jvm().version());
    assertEquals(maxHeap, timeline.jvm().flag("MaxHeapSize").orElseThrow().value());
    assertEquals(Long.parseLong(maxHeap), timeline.jvm().maxHeap().orElseThrow().value());
    assertTrue(timeline.jvm().collector().isPresent());
    Instant start = Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
    Duration apart = Duration.between(start, timeline.jvm().start().orElseThrow()).abs();
    assertTrue(apart.compareTo(Duration.ofSeconds(1)) < 0, () -> "started " + apart + " apart");
  }

  @Test
  void whatWasSwitchedOffIsNotRecordedAndTheReasonIsSaid() {
    SignalState state = timeline.coverage().of(Signal.OUTSIDE_TLAB);
    assertEquals(SignalState.Kind.NOT_RECORDED, state.kind());
    assertEquals(
        "jdk.ObjectAllocationOutsideTLAB was switched off in this recording", state.note());
  }

  @Test
  void withoutItsSettingsARecordingTellsNothingOfWhatItDoesNotHold() {
    // Converted recordings leave the settings out: nothing is seen, and it is not known why.
    Timeline silent = Recordings.read(Recordings.ofParks(folder.resolve("silent.jfr"), 1));
    assertEquals(SignalState.NOT_RECORDED, silent.coverage().of(Signal.MONITOR_WAITS));
    assertEquals(SignalState.Kind.SEEN, silent.coverage().of(Signal.THREAD_PARKS).kind());
  }

  @Test
  void whatWasRecordedAndNeverHappenedIsNothingSeenNotMissing() {
    SignalState state = timeline.coverage().of(Signal.FILE_IO);
    assertEquals(SignalState.Kind.NOTHING_SEEN, state.kind());
    assertEquals(Optional.of(Duration.ofDays(1)), state.threshold());
  }

  @Test
  void thresholdsInForceAreKnown() {
    assertEquals(
        Optional.of(Duration.ofMillis(10)),
        timeline.coverage().of(Signal.THREAD_PARKS).threshold());
    assertEquals(SignalState.Kind.SEEN, timeline.coverage().of(Signal.THREAD_PARKS).kind());
    assertEquals(Optional.empty(), timeline.coverage().of(Signal.SOCKET_READS).threshold());
  }

  @Test
  void theSpanReachesFromTheFirstToTheLastEvent() {
    Instant firstPark = Recordings.events(file, "jdk.ThreadPark").get(0).getEndTime();
    assertTrue(timeline.span().contains(firstPark));
    // 3 x (4 parks of 30 ms + 50 ms for the lock + 40 ms for the call) = 630 ms at least.
    assertTrue(timeline.span().seconds() >= 0.63, () -> "" + timeline.span());
    assertTrue(timeline.span().seconds() < 60, () -> "" + timeline.span());
  }
}
