package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.HeapFigures;
import io.gcdiag.measures.jvm.LiveSetTrend;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.SafepointTimes;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.units.Rate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * An incident with the figures that several rules, the ledger or the report need. Each is computed
 * once, when it is first asked for: rules run in parallel, and few incidents need every figure. A
 * figure depends only on those above it; the constructor is the only place that defines this.
 */
public final class MeasuredIncident implements Incident {

  private final Timeline timeline;
  private final Windows windows;
  private final Lazy<Optional<RequestExcess>> requests;
  private final Lazy<Optional<RequestExcess>> run;
  private final Lazy<Optional<WorkerQueue>> workerQueue;
  private final Lazy<EffectTimes> effects;
  private final Lazy<Optional<HiddenTime>> hidden;
  private final Lazy<Optional<UnaccountedInDumps>> unaccountedInDumps;
  private final Windowed<Optional<AllocationRate>> allocation;
  private final Windowed<HeapFigures> heap;
  private final Lazy<Optional<LiveSetTrend>> liveSetTrend;
  private final Windowed<CollectorTimes> collectorTimes;
  private final Windowed<SafepointTimes> safepoints;
  private final Lazy<Optional<PausesAlone>> pausesAlone;
  private final Lazy<List<Station>> stations;

  public MeasuredIncident(Timeline timeline, Windows windows) {
    this.timeline = timeline;
    this.windows = windows;
    requests = new Lazy<>(() -> RequestExcess.of(this));
    run = new Lazy<>(() -> RequestExcess.ofRun(this));
    workerQueue = new Lazy<>(() -> WorkerQueue.of(this, requests().or(this::run)));
    effects = new Lazy<>(() -> EffectTimes.of(this, requests(), run(), workerQueue()));
    hidden = new Lazy<>(() -> HiddenTime.of(this, requests(), effects()));
    unaccountedInDumps =
        new Lazy<>(() -> UnaccountedInDumps.of(this, requests(), hidden(), effects()));
    allocation = new Windowed<>(windows, window -> AllocationRate.of(timeline, window));
    heap = new Windowed<>(windows, window -> new HeapFigures(timeline, window));
    liveSetTrend = new Lazy<>(() -> LiveSetTrend.of(this, heap()));
    collectorTimes = new Windowed<>(windows, window -> CollectorTimes.of(timeline, window));
    safepoints = new Windowed<>(windows, window -> SafepointTimes.of(timeline, window));
    pausesAlone = new Lazy<>(() -> PausesAlone.of(this));
    stations = new Lazy<>(() -> StationTable.of(this));
  }

  @Override
  public Timeline timeline() {
    return timeline;
  }

  @Override
  public Windows windows() {
    return windows;
  }

  /** By how much requests took longer; absent if no latency is known. */
  public Optional<RequestExcess> requests() {
    return requests.get();
  }

  /**
   * Lost time of a whole run that contains baseline and incident; empty if the latencies of the
   * incident itself are known.
   */
  public Optional<RequestExcess> run() {
    return run.get();
  }

  /** Work that waits for a free thread. */
  public Optional<WorkerQueue> workerQueue() {
    return workerQueue.get();
  }

  /** Where the time of requests went. */
  public EffectTimes effects() {
    return effects.get();
  }

  /** Lost time that the recording may hide; empty if a load test measures it. */
  public Optional<HiddenTime> hidden() {
    return hidden.get();
  }

  /**
   * Upper bound of the share of the lost time that is in no recorded state, 0 to 1; 0 if a load
   * test measures it.
   */
  public double hiddenShare() {
    double hiddenSeconds =
        hidden().map(HiddenTime::more).orElse(0.0) * windows.incident().seconds();
    double total = effects().totalExcessSeconds();
    return total > 0 ? hiddenSeconds / (hiddenSeconds + total) : 0;
  }

  /**
   * Request threads whose activity in dumps explains nothing, if the effects are based on dumps.
   */
  public Optional<UnaccountedInDumps> unaccountedInDumps() {
    return unaccountedInDumps.get();
  }

  /** How fast the application allocates in a window. */
  public Optional<AllocationRate> allocation(Window window) {
    return allocation.of(window);
  }

  /** Allocation rate of the incident over that of the baseline; 1 if either is unknown. */
  public double allocationGrowth() {
    Optional<AllocationRate> during = allocation(window());
    return baseline()
        .flatMap(this::allocation)
        .filter(before -> during.isPresent() && before.bytesPerSecond() > 0)
        .map(before -> during.get().bytesPerSecond() / before.bytesPerSecond())
        .orElse(1.0);
  }

  /** Bytes allocated per request in a window; empty if the request rate is unknown. */
  public OptionalDouble allocatedPerRequest(Window window) {
    Optional<AllocationRate> allocated = allocation(window);
    Optional<Rate> requests = RequestRate.of(this, window);
    return allocated.isPresent() && requests.isPresent()
        ? OptionalDouble.of(allocated.get().bytesPerSecond() / requests.get().perSecond())
        : OptionalDouble.empty();
  }

  public HeapFigures heap() {
    return heap(windows.incident());
  }

  public HeapFigures heap(Window window) {
    return heap.of(window);
  }

  /** Trend of the live set; empty if there is too little data. */
  public Optional<LiveSetTrend> liveSetTrend() {
    return liveSetTrend.get();
  }

  /** The CPU times of the pauses of a window. */
  public CollectorTimes collectorTimes(Window window) {
    return collectorTimes.of(window);
  }

  /** Time that the application was stopped at safepoints in a window. */
  public SafepointTimes safepoints(Window window) {
    return safepoints.of(window);
  }

  /** Latency that the pauses alone would cause; empty without a request rate or latencies. */
  public Optional<PausesAlone> pausesAlone() {
    return pausesAlone.get();
  }

  /** Each place where requests spend time, in both windows ({@link StationTable}). */
  public List<Station> stations() {
    return stations.get();
  }

  /**
   * A figure of the incident window and of the baseline, each computed once; for other windows it
   * is computed every time.
   */
  private static final class Windowed<T> {

    private final Function<Window, T> figure;
    private final Map<Window, Lazy<T>> kept = new HashMap<>();

    Windowed(Windows windows, Function<Window, T> figure) {
      this.figure = figure;
      keep(windows.incident());
      windows.baseline().ifPresent(this::keep);
    }

    private void keep(Window window) {
      kept.put(window, new Lazy<>(() -> figure.apply(window)));
    }

    T of(Window window) {
      Lazy<T> known = kept.get(window);
      return known == null ? figure.apply(window) : known.get();
    }
  }
}
