package io.gcdiag.evidence;

import io.gcdiag.evidence.jvm.AllocationProfile;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Coverage;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Samples;
import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Halving;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that the inputs contain, on one clock. Immutable; built once by {@link
 * TimelineBuilder}.
 *
 * <p>If a recording and a GC log have the same pauses, {@link #pauses()} has each pause once (from
 * the recording, because waits use the same clock), and {@link Stops#pausesByFile()} keeps the list
 * of every file for cross-checks.
 *
 * @param span the time that the inputs cover: the recording's span if there is one, else the GC
 *     log's, else that of the load tests, else of the metrics, else of the thread dumps
 * @param dated whether anything in the inputs has a timestamp; if not, {@link #span()} is a
 *     placeholder
 * @param jvm facts about the JVM
 * @param stops what stopped the application
 * @param cpu CPU loads by time
 * @param waits all waits, by site and so by kind
 * @param profiles what code allocates and uses the CPU
 * @param snapshots the state of threads and heap at instants
 * @param requests what was measured of requests
 * @param metrics all series of metric exports
 * @param samples samples of all other kinds
 * @param operator facts given by the operator
 * @param coverage what was recorded and what was not
 */
public record Timeline(
    Window span,
    boolean dated,
    JvmFacts jvm,
    Stops stops,
    HeapSamples heap,
    List<CpuLoad> cpu,
    List<WaitSeries> waits,
    Profiles profiles,
    Snapshots snapshots,
    Requests requests,
    List<MetricSeries> metrics,
    Samples samples,
    OperatorFacts operator,
    Coverage coverage,
    List<InputReport> inputs) {

  public Timeline {
    cpu = TimeOrder.fixed(cpu);
    waits = List.copyOf(waits);
    metrics = List.copyOf(metrics);
    inputs = List.copyOf(inputs);
  }

  /**
   * What stopped the application.
   *
   * @param pauses every pause once, by start
   * @param pausesByFile each file's own pauses, by start
   * @param gcCpu CPU time of collections by time
   * @param safepoints safepoints by time, including collections
   * @param observations safepoints for thread dumps and the recorder, by time
   * @param secondReadings what another program reads in the logs, if that was requested
   */
  public record Stops(
      Pauses pauses,
      SortedMap<String, Pauses> pausesByFile,
      List<GcCpu> gcCpu,
      List<SafepointStop> safepoints,
      List<SafepointStop> observations,
      List<SecondReading> secondReadings) {

    public Stops {
      pausesByFile = Collections.unmodifiableSortedMap(new TreeMap<>(pausesByFile));
      gcCpu = TimeOrder.fixed(gcCpu);
      safepoints = TimeOrder.fixed(safepoints);
      observations = List.copyOf(observations);
      secondReadings = List.copyOf(secondReadings);
    }
  }

  /** What code allocates, and what code uses the CPU. */
  public record Profiles(AllocationProfile allocation, CpuProfile cpu) {}

  /**
   * The state at instants.
   *
   * @param dumps thread dumps by time, those without a timestamp last
   * @param histograms class histograms: by time if each has a timestamp, else in the order in which
   *     they were given, files of a folder by name
   */
  public record Snapshots(List<ThreadSnapshot> dumps, List<ClassHistogram> histograms) {

    public Snapshots {
      dumps = List.copyOf(dumps);
      histograms = List.copyOf(histograms);
    }
  }

  /**
   * What was measured of requests.
   *
   * @param stats what load generators measured of a whole test
   * @param series requests over time, by source
   */
  public record Requests(List<RequestStats> stats, List<RequestSeries> series) {

    public Requests {
      stats = List.copyOf(stats);
      series = List.copyOf(series);
    }
  }

  /** Every pause once, by start. */
  public Pauses pauses() {
    return stops.pauses();
  }

  /** Safepoints by time, including collections. */
  public List<SafepointStop> safepoints() {
    return stops.safepoints();
  }

  /** Thread dumps by time, those without a timestamp last. */
  public List<ThreadSnapshot> dumps() {
    return snapshots.dumps();
  }

  /** Pauses that start inside the window. */
  public Pauses pauses(Window window) {
    return pauses().within(window);
  }

  public HeapSamples heap(Window window) {
    return heap.within(window);
  }

  public List<CpuLoad> cpu(Window window) {
    return TimeOrder.within(cpu, CpuLoad::at, window);
  }

  /** CPU time of collections inside the window. */
  public List<GcCpu> gcCpu(Window window) {
    return TimeOrder.within(stops.gcCpu(), GcCpu::at, window);
  }

  /** Safepoints that begin inside the window. */
  public List<SafepointStop> safepoints(Window window) {
    return TimeOrder.within(safepoints(), SafepointStop::start, window);
  }

  /** Waits of one kind, by site. */
  public List<WaitSeries> waits(WaitKind kind) {
    return waits.subList(waitsBefore(kind.ordinal()), waitsBefore(kind.ordinal() + 1));
  }

  private int waitsBefore(int kind) {
    return Halving.place(waits.size(), i -> waits.get((int) i).site().kind().ordinal() >= kind);
  }

  /** Thread dumps taken inside the window. */
  public List<ThreadSnapshot> dumps(Window window) {
    return dumps().stream().filter(dump -> dump.at().filter(window::contains).isPresent()).toList();
  }

  /** Whether a load test or metrics measured requests. */
  public boolean areRequestsMeasured() {
    return !requests.stats().isEmpty() || !requests.series().isEmpty();
  }

  /** The load generator result with the most requests. */
  public Optional<RequestStats> mainRequestStats() {
    Optional<RequestSeries> ofServer = mainRequestSeries().filter(any -> !areTested());
    return requests.stats().stream()
        .filter(
            stats ->
                ofServer
                    .filter(one -> !one.source().file().equals(stats.source().file()))
                    .isEmpty())
        .max(Comparator.comparingLong(stats -> stats.requests().orElse(0)));
  }

  /**
   * The series with the most requests. Series of load generators are preferred to the server's
   * metrics, which miss requests that never reached the server; series with percentiles are
   * preferred to those with means only. Of two files with as many requests that of a proxy, where
   * they take longer, is nearer to the users.
   */
  public Optional<RequestSeries> mainRequestSeries() {
    Optional<RequestSeries> most =
        requests.series().stream()
            .max(
                Comparator.comparing(this::isOfClient)
                    .thenComparing(series -> !series.hasMeansAlone())
                    .thenComparingLong(Timeline::count));
    return most.flatMap(
        one ->
            requests.series().stream()
                .filter(other -> areTwoEnds(other, one))
                .max(Comparator.comparingDouble(Timeline::meanSeconds))
                .or(() -> most));
  }

  /**
   * Whether two series of servers may have the same requests, which take clearly longer in the
   * first: they are as many, and most of them of the same time.
   */
  public boolean areTwoEnds(RequestSeries longer, RequestSeries shorter) {
    return longer != shorter
        && longer.holds() == RequestSeries.Holds.EACH_ANSWERED
        && shorter.holds() == RequestSeries.Holds.EACH_ANSWERED
        && Math.min(count(longer), count(shorter))
            >= Policy.FULL * Math.max(count(longer), count(shorter))
        && longer
            .span()
            .flatMap(own -> shorter.span().map(other -> own.overlap(other.from(), other.length())))
            .filter(
                both ->
                    Durations.seconds(both)
                        >= Policy.COVERED * longer.span().orElseThrow().seconds())
            .isPresent()
        && meanSeconds(longer) >= Policy.CLEARLY_MORE * meanSeconds(shorter);
  }

  /** Whether a load test measured requests, and not servers alone. */
  public boolean areTested() {
    return requests.stats().stream()
        .anyMatch(
            stats ->
                requests.series().stream()
                    .filter(series -> series.holds() == RequestSeries.Holds.EACH_ANSWERED)
                    .noneMatch(series -> series.source().file().equals(stats.source().file())));
  }

  private static long count(RequestSeries series) {
    return series.intervals().stream().mapToLong(RequestInterval::requests).sum();
  }

  private static double meanSeconds(RequestSeries series) {
    return series.intervals().stream().mapToDouble(one -> one.latencies().totalSeconds()).sum()
        / count(series);
  }

  /** Whether the series was measured by a load generator, where the requests were sent. */
  public boolean isOfClient(RequestSeries series) {
    return requests.stats().stream()
        .anyMatch(stats -> stats.source().file().equals(series.source().file()));
  }

  /**
   * The same, if any of the requests were sent in the time that the inputs cover. A series with
   * another clock, or of another run, shows nothing of what was recorded.
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

  /**
   * The requests over time by endpoint; if there are several such series, the one with most
   * endpoints.
   */
  public Optional<RequestSeries> requestsByEndpoint() {
    return requests.series().stream()
        .filter(series -> !series.endpoints().isEmpty())
        .max(Comparator.comparingInt(series -> series.endpoints().size()));
  }

  /** Whether all that is dated is of one instant, which gets a second. */
  public boolean isMoment() {
    return span.length().toSeconds() <= 1;
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

  /** Whether a signal was recorded, so that its absence means that nothing happened. */
  public boolean sees(Signal signal) {
    return coverage.of(signal).recorded();
  }

  /** The threshold below which a signal is not recorded; empty if there is none. */
  public Optional<Duration> threshold(Signal signal) {
    return coverage.of(signal).threshold();
  }

  /** A source for an event whose samples have none: the first recording. */
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
