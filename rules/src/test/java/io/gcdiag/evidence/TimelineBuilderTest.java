package io.gcdiag.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TimelineBuilderTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final Window RECORDED = new Window(at(60), at(120));
  private static final Window LOGGED = new Window(at(0), at(180));

  private static Instant at(double second) {
    return START.plusNanos(Math.round(second * 1e9));
  }

  private static GcPause pause(String file, double second, long gcId) {
    return new GcPause(
        at(second),
        Duration.ofMillis(5),
        PauseKind.YOUNG,
        "G1 Evacuation Pause",
        OptionalLong.of(gcId),
        Optional.empty(),
        false,
        Source.line(file, gcId));
  }

  private static HeapSample sample(String file, double second) {
    return new HeapSample(
        at(second),
        HeapSample.Moment.AFTER_COLLECTION,
        Bytes.ofMebi(100),
        Bytes.ofMebi(256),
        new Source(file, ""));
  }

  private static List<String> told(Timeline timeline) {
    return timeline.pauses().stream()
        .map(pause -> pause.source().file() + " " + pause.gcId().getAsLong())
        .toList();
  }

  @Test
  void aPauseInRecordingAndLogIsToldOnceByTheRecording() {
    Timeline timeline =
        new TimelineBuilder()
            .recording("a.jfr", RECORDED)
            .log(LOGGED)
            .pauses("gc.log", List.of(pause("gc.log", 30, 1), pause("gc.log", 90.003, 2)))
            .pauses("a.jfr", List.of(pause("a.jfr", 90, 2)))
            .pauses("gc.log", List.of(pause("gc.log", 150, 3)))
            .build();
    // The log alone covers the time before and after the recording.
    assertEquals(List.of("gc.log 1", "a.jfr 2", "gc.log 3"), told(timeline));
    assertEquals(3, timeline.stops().pausesByFile().get("gc.log").size());
    assertEquals(1, timeline.stops().pausesByFile().get("a.jfr").size());
  }

  @Test
  void theLogTellsIfTheRecordingHasNoPauses() {
    Timeline timeline =
        new TimelineBuilder()
            .recording("a.jfr", RECORDED)
            .pauses("gc.log", List.of(pause("gc.log", 90, 2)))
            .build();
    assertEquals(List.of("gc.log 2"), told(timeline));
  }

  @Test
  void aPauseInTwoOverlappingLogsIsToldOnce() {
    Timeline timeline =
        new TimelineBuilder()
            .log(LOGGED)
            .pauses("gc.log", List.of(pause("gc.log", 90.001, 2), pause("gc.log", 91, 3)))
            .pauses("gc.log.0", List.of(pause("gc.log.0", 90, 2)))
            .build();
    assertEquals(List.of("gc.log.0 2", "gc.log 3"), told(timeline));
  }

  @Test
  void twoPausesOfOneFileAreTwoHoweverClose() {
    Timeline timeline =
        new TimelineBuilder()
            .pauses("gc.log", List.of(pause("gc.log", 90, 2), pause("gc.log", 90.001, 2)))
            .build();
    assertEquals(2, timeline.pauses().size());
  }

  @Test
  void heapSamplesOfTheLogFillWhatTheRecordingLeavesOpen() {
    Timeline timeline =
        new TimelineBuilder()
            .recording("a.jfr", RECORDED)
            .heap(List.of(sample("a.jfr", 90)))
            .heapOfLog(new ArrayList<>(List.of(sample("gc.log", 90), sample("gc.log", 30))))
            .build();
    assertEquals(
        List.of("gc.log", "a.jfr"),
        timeline.heap().stream().map(sample -> sample.source().file()).toList());
  }

  @Test
  void whatIsKnownOfTheJvmIsKeptAndGapsAreFilled() {
    Flag first = new Flag("MinHeapFreeRatio", "40", "Default", new Source("a.jfr", ""));
    Flag second = new Flag("MinHeapFreeRatio", "70", "", new Source("gc.log", ""));
    Flag other = new Flag("UseG1GC", "true", "", new Source("gc.log", ""));
    Timeline timeline =
        new TimelineBuilder()
            .jvm(facts(Optional.of("17.0.15"), OptionalInt.empty(), first))
            .jvm(facts(Optional.of("21"), OptionalInt.of(2), second))
            .jvm(facts(Optional.empty(), OptionalInt.of(8), other))
            .build();
    assertEquals(Optional.of("17.0.15"), timeline.jvm().version());
    assertEquals(OptionalInt.of(2), timeline.jvm().cpus());
    assertEquals(Optional.of(first), timeline.jvm().flag("MinHeapFreeRatio"));
    assertEquals(Optional.of(other), timeline.jvm().flag("UseG1GC"));
  }

  @Test
  void theFewestProcessorsThatAnySourceStatesAreThoseItMayUse() {
    Flag flag = new Flag("UseG1GC", "true", "Default", new Source("a.jfr", ""));
    JvmFacts recorded = facts(Optional.empty(), OptionalInt.of(2), flag);
    JvmFacts logged = facts(Optional.empty(), OptionalInt.of(1), flag);
    assertEquals(
        OptionalInt.of(1), new TimelineBuilder().jvm(recorded).jvm(logged).build().jvm().cpus());
    assertEquals(
        OptionalInt.of(1), new TimelineBuilder().jvm(logged).jvm(recorded).build().jvm().cpus());
  }

  @Test
  void aNumberOfProcessorsThatWasSetConfinesTheJvmToNone() {
    Source source = new Source("a.jfr", "");
    Flag set = new Flag("ActiveProcessorCount", "1", "Command line", source);
    Flag unset = new Flag("ActiveProcessorCount", "-1", "Default", source);
    // The JVM uses 0.8 of two CPUs: of one of them 80 %.
    assertEquals(0.4, jvmShare(facts(Optional.empty(), OptionalInt.of(1), set)), 1e-9);
    assertEquals(0.8, jvmShare(facts(Optional.empty(), OptionalInt.of(1), unset)), 1e-9);
  }

  private static double jvmShare(JvmFacts facts) {
    return new TimelineBuilder()
        .jvm(facts)
        .sample(new HardwareThreads(at(0), 2))
        .cpu(new CpuLoad(at(1), 0.4, 0, 0.4))
        .build()
        .cpu()
        .get(0)
        .jvm();
  }

  private static JvmFacts facts(Optional<String> version, OptionalInt cpus, Flag flag) {
    return new JvmFacts(
        version,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        cpus,
        Optional.empty(),
        new TreeMap<>(Map.of(flag.name(), flag)));
  }

  @Test
  void theRecordingsSpanCountsBeforeTheLogs() {
    assertEquals(
        RECORDED, new TimelineBuilder().log(LOGGED).recording("a.jfr", RECORDED).build().span());
    assertEquals(LOGGED, new TimelineBuilder().log(LOGGED).build().span());
  }

  @Test
  void twoRecordingsSpanFromTheFirstToTheLast() {
    Timeline timeline =
        new TimelineBuilder()
            .recording("a.jfr", new Window(at(0), at(10)))
            .recording("b.jfr", new Window(at(50), at(60)))
            .build();
    assertEquals(new Window(at(0), at(60)), timeline.span());
  }

  @Test
  void dumpsAloneDateTheTimeline() {
    Timeline timeline =
        new TimelineBuilder()
            .dump(dump(Optional.of(at(10))))
            .dump(dump(Optional.of(at(5))))
            .build();
    assertTrue(timeline.dated());
    assertEquals(new Window(at(5), at(11)), timeline.span());
  }

  @Test
  void undatedDumpsComeLastAndDateNothing() {
    Timeline dated =
        new TimelineBuilder().dump(dump(Optional.empty())).dump(dump(Optional.of(at(5)))).build();
    assertEquals(Optional.of(at(5)), dated.dumps().get(0).at());
    assertFalse(new TimelineBuilder().dump(dump(Optional.empty())).build().dated());
  }

  private static ThreadSnapshot dump(Optional<Instant> at) {
    return new ThreadSnapshot(
        at, List.of(), Deadlocks.NONE, List.of(), Optional.empty(), new Source("threads.txt", "1"));
  }

  private static RequestSeries load(double from, int seconds) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      intervals.add(
          new RequestInterval(at(from + i), Duration.ofSeconds(1), 10, 0, Latencies.none()));
    }
    return new RequestSeries(
        "k6", Duration.ofSeconds(1), intervals, new Source("k6.csv", "http_req_duration"));
  }

  private static MetricSeries metric(MetricMeaning meaning, double... seconds) {
    List<MetricSeries.Point> points = new ArrayList<>();
    for (double second : seconds) {
      points.add(new MetricSeries.Point(at(second), 1));
    }
    return new MetricSeries(
        "some_metric", new TreeMap<>(), meaning, false, points, new Source("range.json", ""));
  }

  @Test
  void aLoadTestLongerThanTheRecordingDoesNotWidenTheSpan() {
    Timeline timeline =
        new TimelineBuilder()
            .recording("a.jfr", RECORDED)
            .requestSeries(load(0, 600))
            .metric(metric(MetricMeaning.POOL_PENDING, 0, 3600))
            .build();
    assertEquals(RECORDED, timeline.span());
    assertEquals(
        LOGGED, new TimelineBuilder().log(LOGGED).requestSeries(load(0, 600)).build().span());
  }

  @Test
  void withoutRecordingAndLogTheLoadTestIsTheSpan() {
    Timeline timeline =
        new TimelineBuilder()
            .metric(metric(MetricMeaning.POOL_PENDING, 0, 3600))
            .requestSeries(load(20, 60))
            .requestSeries(load(10, 5))
            .build();
    // 60 intervals from second 20 on end at 80.
    assertEquals(new Window(at(10), at(80)), timeline.span());
    assertTrue(timeline.dated());
    assertEquals(2, timeline.requests().series().size());
    assertEquals(60, timeline.mainRequestSeries().orElseThrow().intervals().size());
  }

  @Test
  void metricsAloneAreTheSpan() {
    Timeline timeline =
        new TimelineBuilder()
            .metric(metric(MetricMeaning.POOL_PENDING, 45, 15))
            .metric(metric(MetricMeaning.OTHER, 100))
            .build();
    assertEquals(upToAndWith(45), timeline.span());
    assertEquals(2, timeline.metrics().size());
    assertEquals(at(15), timeline.metrics(MetricMeaning.POOL_PENDING).get(0).points().get(0).at());
    assertTrue(timeline.metrics(MetricMeaning.CACHE_HITS).isEmpty());
  }

  @Test
  void requestsThatMetricsCountDoNotNarrowTheSpanOfThese() {
    RequestSeries counted =
        new RequestSeries(
            "metrics",
            Duration.ofSeconds(1),
            load(20, 5).intervals(),
            new Source("range.json", ""));
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(counted)
            .metric(metric(MetricMeaning.POOL_PENDING, 15, 45))
            .build();
    assertEquals(upToAndWith(45), timeline.span());
  }

  /** From the 15th second on; a window ends before its last instant, and the last scrape counts. */
  private static Window upToAndWith(int second) {
    return new Window(at(15), at(second).plusMillis(1));
  }

  @Test
  void seriesWithoutPointsDateNothing() {
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(load(0, 0))
            .metric(metric(MetricMeaning.HEAP_USED))
            .build();
    assertFalse(timeline.dated());
  }

  @Test
  void anEventIsToBeLookedUpInTheFirstRecording() {
    Timeline timeline =
        new TimelineBuilder()
            .input(new InputReport("gc.log", "gc-log", InputReport.Status.OK, ""))
            .input(new InputReport("early.jfr", "jfr", InputReport.Status.OK, ""))
            .input(new InputReport("late.jfr", "jfr", InputReport.Status.OK, ""))
            .build();
    assertEquals(new Source("early.jfr", "jdk.CPULoad"), timeline.recorded("jdk.CPULoad"));
  }
}
