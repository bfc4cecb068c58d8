package io.gcdiag.evidence;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * All that the inputs hold, on one clock. Immutable; built once by {@link TimelineBuilder}.
 *
 * <p>Where a recording and a GC log tell of the same pauses, {@link #pauses()} gives each pause
 * once (the recording's, whose clock is that of the waits), and {@link #pausesByFile()} keeps every
 * source's own list for cross-checks.
 */
public final class Timeline {

  private final TimelineBuilder parts;
  private final Window span;
  private final Pauses pauses;
  private final HeapSamples heap;
  private final Map<List<Object>, Derived> derived = new ConcurrentHashMap<>();

  Timeline(TimelineBuilder parts, Window span, Pauses pauses) {
    this.parts = parts;
    this.span = span;
    this.pauses = pauses;
    this.heap = HeapSamples.of(parts.heap);
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
    return parts.dated;
  }

  /**
   * A figure that follows from this timeline alone. Several rules ask for the same ones, and a log
   * may have a million pauses to go through: it is worked out when first asked for, and kept.
   *
   * @param kind what figure
   * @param of of what part, such as the window; with the kind it names the figure
   * @param figure works it out
   */
  public <T> T derived(Class<T> kind, Object of, Supplier<T> figure) {
    return derivedIfAny(kind, of, () -> Optional.of(figure.get())).orElseThrow();
  }

  /** The same for a figure that there may be none of. */
  public <T> Optional<T> derivedIfAny(Class<T> kind, Object of, Supplier<Optional<T>> figure) {
    return derived
        .computeIfAbsent(List.of(kind, of), key -> new Derived())
        .value(figure)
        .map(kind::cast);
  }

  /**
   * A figure, once somebody has asked for it. Who asks meanwhile waits for it: a figure may rest on
   * others, but never two on each other, so nobody waits in a circle.
   */
  private static final class Derived {
    private Optional<?> value;

    synchronized <T> Optional<?> value(Supplier<Optional<T>> figure) {
      if (value == null) {
        value = figure.get();
      }
      return value;
    }
  }

  /** What is known of the JVM. */
  public JvmFacts jvm() {
    return parts.jvm;
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
    return parts.pausesByFile;
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
    return parts.cpu;
  }

  /** CPU loads inside the window. */
  public List<CpuLoad> cpu(Window window) {
    return TimeOrder.within(parts.cpu, CpuLoad::at, window);
  }

  /** CPU time of collections inside the window. */
  public List<GcCpu> gcCpu(Window window) {
    return TimeOrder.within(parts.gcCpu, GcCpu::at, window);
  }

  /** Safepoints by time, collections among them. */
  public List<SafepointStop> safepoints() {
    return parts.safepoints;
  }

  /** Safepoints that begin inside the window. */
  public List<SafepointStop> safepoints(Window window) {
    return TimeOrder.within(parts.safepoints, SafepointStop::start, window);
  }

  /** All waits, by site. */
  public List<WaitSeries> waits() {
    return parts.waits;
  }

  /** Waits of one kind, by site. */
  public List<WaitSeries> waits(WaitKind kind) {
    return parts.waits.stream().filter(series -> series.site().kind() == kind).toList();
  }

  /** Allocation. */
  public AllocationProfile allocation() {
    return parts.allocation;
  }

  /** What code the CPU was used for. */
  public CpuProfile cpuProfile() {
    return parts.cpuProfile;
  }

  /** Thread dumps by time, undated ones last. */
  public List<ThreadSnapshot> dumps() {
    return parts.dumps;
  }

  /** Thread dumps taken inside the window. */
  public List<ThreadSnapshot> dumps(Window window) {
    return parts.dumps.stream()
        .filter(dump -> dump.at().filter(window::contains).isPresent())
        .toList();
  }

  /**
   * Class histograms: by time if each has one, else in the order in which they were given, files of
   * a folder by name.
   */
  public List<ClassHistogram> histograms() {
    return List.copyOf(parts.histograms);
  }

  /** What another program reads in the logs, where that was asked for. */
  public List<SecondReading> secondReadings() {
    return List.copyOf(parts.secondReadings);
  }

  /** What load generators measured. */
  public List<RequestStats> requestStats() {
    return parts.requestStats;
  }

  /** The load generator's result with the most requests. */
  public Optional<RequestStats> mainRequestStats() {
    return parts.requestStats.stream()
        .max(Comparator.comparingLong(stats -> stats.requests().orElse(0)));
  }

  /** Requests over time, by source. */
  public List<RequestSeries> requestSeries() {
    return parts.requestSeries;
  }

  /** The requests over time of which there are most. */
  public Optional<RequestSeries> mainRequestSeries() {
    return parts.requestSeries.stream()
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

  /** All series of metric exports. */
  public List<MetricSeries> metrics() {
    return parts.metrics;
  }

  /** The series of metric exports with one meaning. */
  public List<MetricSeries> metrics(MetricMeaning meaning) {
    return parts.metrics.stream().filter(series -> series.meaning() == meaning).toList();
  }

  /** All samples of one kind, by time. */
  public <T extends Sample> List<T> samples(Class<T> kind) {
    return parts.samples.of(kind);
  }

  /** The samples of one kind inside the window, by time. */
  public <T extends Sample> List<T> samples(Class<T> kind, Window window) {
    return TimeOrder.within(samples(kind), Sample::at, window);
  }

  /** What the operator said. */
  public OperatorFacts operator() {
    return parts.operator;
  }

  /** What was recorded and what was not. */
  public Coverage coverage() {
    return parts.coverage;
  }

  /** The inputs. */
  public List<InputReport> inputs() {
    return parts.inputs;
  }

  /** Where to look an event up whose samples do not say it: in the first recording. */
  public Source recorded(String event) {
    return new Source(
        parts.inputs.stream()
            .filter(input -> input.format().equals(InputReport.RECORDING))
            .map(InputReport::file)
            .findFirst()
            .orElse("recording"),
        event);
  }
}
