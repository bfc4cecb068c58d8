package io.gcdiag.evidence;

import io.gcdiag.evidence.heap.AllocationProfile;
import io.gcdiag.evidence.heap.ClassHistogram;
import io.gcdiag.evidence.heap.HeapSamples;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.machine.CpuLoad;
import io.gcdiag.evidence.pauses.GcCpu;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.evidence.pauses.SafepointStop;
import io.gcdiag.evidence.profile.CpuProfile;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.requests.MetricSeries;
import io.gcdiag.evidence.requests.RequestInterval;
import io.gcdiag.evidence.requests.RequestSeries;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Coverage;
import io.gcdiag.evidence.source.InputReport;
import io.gcdiag.evidence.source.SecondReading;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Samples;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that the inputs hold, on one clock. Immutable; built once by {@link TimelineBuilder}.
 *
 * <p>Where a recording and a GC log have the same pauses, {@link #pauses()} gives each pause once
 * (the recording's, whose clock is that of the waits), and {@link #pausesByFile()} keeps every
 * source's own list for cross-checks.
 */
public final class Timeline {

  private final Window span;
  private final boolean dated;
  private final JvmFacts jvm;
  private final Pauses pauses;
  private final SortedMap<String, Pauses> pausesByFile;
  private final HeapSamples heap;
  private final List<CpuLoad> cpu;
  private final List<GcCpu> gcCpu;
  private final List<SafepointStop> safepoints;
  private final List<SafepointStop> observations;
  private final List<WaitSeries> waits;
  private final Map<WaitKind, List<WaitSeries>> waitsByKind;
  private final AllocationProfile allocation;
  private final CpuProfile cpuProfile;
  private final List<ThreadSnapshot> dumps;
  private final List<ClassHistogram> histograms;
  private final List<SecondReading> secondReadings;
  private final List<RequestStats> requestStats;
  private final List<RequestSeries> requestSeries;
  private final List<MetricSeries> metrics;
  private final Samples samples;
  private final OperatorFacts operator;
  private final Coverage coverage;
  private final List<InputReport> inputs;

  /** Copies what the builder has collected, but for long columns, which never change. */
  Timeline(TimelineBuilder parts, Window span, Pauses pauses) {
    this.span = span;
    this.pauses = pauses;
    dated = parts.dated;
    jvm = parts.jvm;
    pausesByFile = Collections.unmodifiableSortedMap(new TreeMap<>(parts.pausesByFile));
    heap = HeapSamples.of(TimeOrder.fixed(parts.heap));
    cpu = TimeOrder.fixed(parts.cpu);
    gcCpu = TimeOrder.fixed(parts.gcCpu);
    safepoints = TimeOrder.fixed(parts.safepoints);
    observations = safepoints.stream().filter(SafepointStop::isObservation).toList();
    waits = List.copyOf(parts.waits);
    waitsByKind =
        waits.stream()
            .collect(Collectors.groupingBy(w -> w.site().kind(), Collectors.toUnmodifiableList()));
    allocation = parts.allocation;
    cpuProfile = parts.cpuProfile;
    dumps = List.copyOf(parts.dumps);
    histograms = List.copyOf(parts.histograms);
    secondReadings = List.copyOf(parts.secondReadings);
    requestStats = List.copyOf(parts.requestStats);
    requestSeries = List.copyOf(parts.requestSeries);
    metrics = List.copyOf(parts.metrics);
    samples = parts.samples.sorted();
    operator = parts.operator;
    coverage = parts.coverage;
    inputs = List.copyOf(parts.inputs);
  }

  /**
   * The time that the inputs cover: the recording's span if there is one, else the GC log's, else
   * that of the load tests, else of the metrics, else of the thread dumps.
   */
  public Window span() {
    return span;
  }

  /** Whether anything in the inputs is dated; if not, {@link #span()} is a placeholder. */
  public boolean dated() {
    return dated;
  }

  /** What is known of the JVM. */
  public JvmFacts jvm() {
    return jvm;
  }

  /** Every pause once, by start. */
  public Pauses pauses() {
    return pauses;
  }

  /** Pauses that start inside the window. */
  public Pauses pauses(Window window) {
    return pauses.within(window);
  }

  /** Each file's own pauses, by start. */
  public Map<String, Pauses> pausesByFile() {
    return pausesByFile;
  }

  /** Heap samples by time. */
  public HeapSamples heap() {
    return heap;
  }

  /** Heap samples inside the window. */
  public HeapSamples heap(Window window) {
    return heap.within(window);
  }

  /** CPU loads by time. */
  public List<CpuLoad> cpu() {
    return cpu;
  }

  /** CPU loads inside the window. */
  public List<CpuLoad> cpu(Window window) {
    return TimeOrder.within(cpu, CpuLoad::at, window);
  }

  /** CPU time of collections inside the window. */
  public List<GcCpu> gcCpu(Window window) {
    return TimeOrder.within(gcCpu, GcCpu::at, window);
  }

  /** Safepoints by time, collections among them. */
  public List<SafepointStop> safepoints() {
    return safepoints;
  }

  /** Safepoints that begin inside the window. */
  public List<SafepointStop> safepoints(Window window) {
    return TimeOrder.within(safepoints, SafepointStop::start, window);
  }

  /** Safepoints for thread dumps and the recorder, by time. */
  public List<SafepointStop> observations() {
    return observations;
  }

  /** All waits, by site. */
  public List<WaitSeries> waits() {
    return waits;
  }

  /** Waits of one kind, by site. */
  public List<WaitSeries> waits(WaitKind kind) {
    return waitsByKind.getOrDefault(kind, List.of());
  }

  /** Allocation. */
  public AllocationProfile allocation() {
    return allocation;
  }

  /** What code the CPU was used for. */
  public CpuProfile cpuProfile() {
    return cpuProfile;
  }

  /** Thread dumps by time, undated ones last. */
  public List<ThreadSnapshot> dumps() {
    return dumps;
  }

  /** Thread dumps taken inside the window. */
  public List<ThreadSnapshot> dumps(Window window) {
    return dumps.stream().filter(dump -> dump.at().filter(window::contains).isPresent()).toList();
  }

  /**
   * Class histograms: by time if each has one, else in the order in which they were given, files of
   * a folder by name.
   */
  public List<ClassHistogram> histograms() {
    return histograms;
  }

  /** What another program reads in the logs, where that was asked for. */
  public List<SecondReading> secondReadings() {
    return secondReadings;
  }

  /** What load generators measured. */
  public List<RequestStats> requestStats() {
    return requestStats;
  }

  /** The load generator's result with the most requests. */
  public Optional<RequestStats> mainRequestStats() {
    return requestStats.stream().max(Comparator.comparingLong(stats -> stats.requests().orElse(0)));
  }

  /** Requests over time, by source. */
  public List<RequestSeries> requestSeries() {
    return requestSeries;
  }

  /** The requests over time of which there are most. */
  public Optional<RequestSeries> mainRequestSeries() {
    return requestSeries.stream()
        .max(
            Comparator.comparingLong(
                series -> series.intervals().stream().mapToLong(RequestInterval::requests).sum()));
  }

  /**
   * The same, if any of them were sent in the time that the inputs cover. A course over time by
   * another clock, or of another run, tells nothing of what was recorded.
   */
  public Optional<RequestSeries> requestsOfSpan() {
    return mainRequestSeries()
        .filter(
            series ->
                series
                    .span()
                    .filter(own -> !own.overlap(span.from(), span.length()).isZero())
                    .isPresent());
  }

  /** The requests over time that are known by endpoint, of several the one with most endpoints. */
  public Optional<RequestSeries> requestsByEndpoint() {
    return requestSeries.stream()
        .filter(series -> !series.endpoints().isEmpty())
        .max(Comparator.comparingInt(series -> series.endpoints().size()));
  }

  /** All series of metric exports. */
  public List<MetricSeries> metrics() {
    return metrics;
  }

  /** The series of metric exports with one meaning. */
  public List<MetricSeries> metrics(MetricMeaning meaning) {
    return metrics.stream().filter(series -> series.meaning() == meaning).toList();
  }

  /** All samples of one kind, by time. */
  public <T extends Sample> List<T> samples(Class<T> kind) {
    return samples.of(kind);
  }

  /** The samples of one kind inside the window, by time. */
  public <T extends Sample> List<T> samples(Class<T> kind, Window window) {
    return TimeOrder.within(samples(kind), Sample::at, window);
  }

  /** What the operator said. */
  public OperatorFacts operator() {
    return operator;
  }

  /** What was recorded and what was not. */
  public Coverage coverage() {
    return coverage;
  }

  /** The inputs. */
  public List<InputReport> inputs() {
    return inputs;
  }

  /** Where to look an event up whose samples do not say it: in the first recording. */
  public Source recorded(String event) {
    return new Source(
        inputs.stream()
            .filter(input -> input.format().equals(InputReport.RECORDING))
            .map(InputReport::file)
            .findFirst()
            .orElse("recording"),
        event);
  }
}
