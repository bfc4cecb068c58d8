package io.gcdiag.sketches;

import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.AllocationProfile;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.AllocationSites;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.SignalState.Kind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Makes small incidents by hand. Time counts in seconds from the start of a recording of two
 * minutes: the baseline before is 0 to 60, the incident 60 to 120. Nothing is in it but what is
 * added, and no signal counts as recorded unless said so.
 */
public final class IncidentBuilder extends DumpSketch<IncidentBuilder> {

  public static final String RECORDING = "recording.jfr";
  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  public static final Window CALM = new Window(at(0), at(60));
  public static final Window TROUBLE = new Window(at(60), at(120));

  private final List<GcPause> pauses = new ArrayList<>();
  private final Map<WaitSite, WaitSeries.Builder> waits = new TreeMap<>();
  private final List<AllocationSite> sites = new ArrayList<>();
  private final AllocationSites.Builder bytesBySite = new AllocationSites.Builder();
  private final Series.Builder allocated = new Series.Builder();
  private boolean allocationSampled;
  private Optional<Window> baseline = Optional.of(CALM);
  private Windows.ChosenBy chosenBy = Windows.ChosenBy.USER;
  private Optional<MeasuredIncident> built = Optional.empty();

  private IncidentBuilder() {
    super(new TimelineBuilder().recording(RECORDING, new Window(at(0), at(120))));
  }

  @Override
  public IncidentBuilder self() {
    return this;
  }

  public static IncidentBuilder incident() {
    return new IncidentBuilder();
  }

  /** An instant, so many seconds after the start. */
  public static Instant at(double second) {
    return START.plusNanos(Math.round(second * 1e9));
  }

  public static Duration millis(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  /** The windows are found, not given by the user. */
  public IncidentBuilder found() {
    chosenBy = Windows.ChosenBy.CHANGE_POINT;
    return this;
  }

  public IncidentBuilder withoutBaseline() {
    baseline = Optional.empty();
    return this;
  }

  /** Adds a pause, and the heap samples around it if it knows the heap. */
  public IncidentBuilder pause(PauseSketch sketch) {
    pauses.add(sketch.pause());
    sketch.heap().ifPresent(heap -> samples(sketch, heap));
    return this;
  }

  /** Adds the same pause so many times, evenly spread from one second to the other. */
  public IncidentBuilder pauses(int count, double from, double to, PauseSketch sketch) {
    for (int i = 0; i < count; i++) {
      pause(sketch.at(from + i * (to - from) / count));
    }
    return this;
  }

  /** Heap in use and committed after a collection, in bytes. */
  public IncidentBuilder heapAfterCollection(double second, Bytes used, Bytes committed) {
    return sample(second, Moment.AFTER_COLLECTION, used, committed);
  }

  private void samples(PauseSketch sketch, HeapChange heap) {
    sample(sketch.second(), Moment.BEFORE_COLLECTION, heap.usedBefore(), heap.committedAfter());
    sample(
        sketch.second() + sketch.millis() / 1e3,
        Moment.AFTER_COLLECTION,
        heap.usedAfter(),
        heap.committedAfter());
  }

  private IncidentBuilder sample(double second, Moment moment, Bytes used, Bytes committed) {
    Source source = new Source(RECORDING, "jdk.GCHeapSummary");
    timeline().heap(List.of(new HeapSample(at(second), moment, used, committed, source)));
    return this;
  }

  /** CPU load of the JVM (user time) and of the whole machine, 0 to 1. */
  public IncidentBuilder cpu(double second, double jvm, double machine) {
    timeline().cpu(new CpuLoad(at(second), jvm, 0, machine));
    return this;
  }

  public IncidentBuilder profile(CpuProfile profile) {
    timeline().cpuProfile(profile);
    return this;
  }

  /** CPU time of a collection's pause against its elapsed time. */
  public IncidentBuilder collectorCpu(double second, double cpuMillis, double realMillis) {
    return collectorCpu(second, cpuMillis, 0, realMillis);
  }

  /** The same, with what the operating system used of it. */
  public IncidentBuilder collectorCpu(
      double second, double userMillis, double systemMillis, double realMillis) {
    timeline()
        .gcCpu(
            new GcCpu(
                at(second),
                millis(userMillis),
                millis(systemMillis),
                millis(realMillis),
                RECORDING));
    return this;
  }

  /** A wait of a request thread. */
  public IncidentBuilder waited(WaitKind kind, String name, double second, double millis) {
    return waited(new WaitSite(kind, name, true, "Shop.order"), second, millis);
  }

  public IncidentBuilder waited(WaitSite site, double second, double millis) {
    Source source = new Source(RECORDING, event(site));
    waits
        .computeIfAbsent(site, key -> new WaitSeries.Builder(key, source))
        .add(at(second), millis(millis));
    return this;
  }

  /** The same wait so many times, evenly spread from one second to the other. */
  public IncidentBuilder waits(
      int count, double from, double to, WaitKind kind, String name, double millis) {
    for (int i = 0; i < count; i++) {
      waited(kind, name, from + i * (to - from) / count, millis);
    }
    return this;
  }

  /** Waits of one thread that serves no requests, evenly spread. */
  public IncidentBuilder waitsOfOneThread(
      int count, double from, double to, WaitKind kind, String name, double millis) {
    WaitSite site = new WaitSite(kind, name, false, "Shop.answer");
    WaitSeries.Builder series =
        waits.computeIfAbsent(
            site, key -> new WaitSeries.Builder(key, new Source(RECORDING, event(site))));
    for (int i = 0; i < count; i++) {
      series.add(at(from + i * (to - from) / count), millis(millis), 7);
    }
    return this;
  }

  private static String event(WaitSite site) {
    return switch (site.kind()) {
      case DOWNSTREAM -> "jdk.SocketRead";
      case CLIENT -> "jdk.SocketWrite";
      case LOCK -> "jdk.JavaMonitorEnter";
      case FILE -> site.stack().endsWith("force") ? "jdk.FileForce" : "jdk.FileWrite";
      case SLEEP, DIRECT_MEMORY -> "jdk.ThreadSleep";
      case PINNED -> "jdk.VirtualThreadPinned";
      case ALLOCATION_STALL -> "jdk.ZAllocationStall";
      case POOL, LOG_QUEUE, OTHER, IDLE -> "jdk.ThreadPark";
    };
  }

  public IncidentBuilder histogram(ClassHistogram histogram) {
    timeline().histogram(histogram);
    return this;
  }

  /** Sampled allocation at a steady rate from one whole second to the other. */
  public IncidentBuilder allocated(int from, int to, double bytesPerSecond) {
    for (int second = from; second < to; second++) {
      allocated.add(at(second), bytesPerSecond);
    }
    allocationSampled = true;
    return this;
  }

  public IncidentBuilder allocationSite(AllocationSite site) {
    return allocationSite(site, 60);
  }

  /** A site that allocated all of its bytes in one second. */
  public IncidentBuilder allocationSite(AllocationSite site, int second) {
    bytesBySite.add(
        sites.size(), at(second).getEpochSecond() * 1_000_000_000L, site.bytes().value());
    sites.add(site);
    return this;
  }

  /** Twenty request threads of which nothing is hidden, over two minutes. */
  public IncidentBuilder resting() {
    for (Sample sample : RestingThreads.of(START, 120)) {
      sample(sample);
    }
    return this;
  }

  /** A sample of any kind. */
  public IncidentBuilder sample(Sample sample) {
    timeline().sample(sample);
    return this;
  }

  /** A series of the service's own meters. */
  public IncidentBuilder metered(MetricSeries series) {
    timeline().metric(series);
    return this;
  }

  /** A safepoint: milliseconds to reach it and at it. */
  public IncidentBuilder safepoint(
      double second, double reaching, double at, String operation, boolean collection) {
    timeline()
        .safepointsOfLog(
            List.of(
                new SafepointStop(
                    at(second),
                    millis(reaching),
                    millis(at),
                    operation,
                    collection,
                    new Source("gc.log", "1"))));
    return this;
  }

  /** The signal was recorded, without a threshold. */
  public IncidentBuilder recorded(Signal signal) {
    timeline().signal(signal, new SignalState(Kind.SEEN, Optional.empty(), ""));
    return this;
  }

  /** Every signal was recorded, without a threshold. */
  public IncidentBuilder everythingRecorded() {
    for (Signal signal : Signal.values()) {
      recorded(signal);
    }
    return this;
  }

  /** The signal was recorded, from so many milliseconds on. */
  public IncidentBuilder recorded(Signal signal, double thresholdMillis) {
    timeline().signal(signal, new SignalState(Kind.SEEN, Optional.of(millis(thresholdMillis)), ""));
    return this;
  }

  /** The incident; what is added afterwards is refused. */
  public MeasuredIncident build() {
    if (built.isEmpty()) {
      built = Optional.of(made());
    }
    return built.get();
  }

  private MeasuredIncident made() {
    timeline().pauses(RECORDING, pauses).operator(operator());
    waits.values().forEach(series -> timeline().waits(series.build()));
    if (allocationSampled || !sites.isEmpty()) {
      Source source = new Source(RECORDING, "jdk.ObjectAllocationSample");
      timeline()
          .allocation(
              new AllocationProfile(
                  bytesBySite.build(sites),
                  allocated.build(),
                  OptionalDouble.empty(),
                  Optional.of(source)));
    }
    Windows windows = new Windows(TROUBLE, baseline, chosenBy, true, "set by the test");
    return new MeasuredIncident(timeline().build(), windows);
  }
}
