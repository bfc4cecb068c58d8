package io.gcdiag.evidence;

import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.jvm.AllocationProfile;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.OpenWaits;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Coverage;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Samples;
import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Collects what readers find, in any order, and builds one {@link Timeline} from it. */
public final class TimelineBuilder {

  /** Used as the span if nothing has a timestamp. */
  private static final Window UNDATED =
      new Window(Instant.EPOCH, Instant.EPOCH.plus(Duration.ofSeconds(1)));

  private JvmFacts jvm = JvmFacts.unknown();
  private SortedMap<String, Pauses> pausesByFile = new TreeMap<>();
  private List<HeapSample> heap = new ArrayList<>();
  private List<CpuLoad> cpu = new ArrayList<>();
  private List<GcCpu> gcCpu = new ArrayList<>();
  private List<WaitSeries> waits = new ArrayList<>();
  private AllocationProfile allocation = AllocationProfile.empty();
  private CpuProfile cpuProfile = CpuProfile.empty();
  private List<ThreadSnapshot> dumps = new ArrayList<>();
  private List<ClassHistogram> histograms = new ArrayList<>();
  private final List<SecondReading> secondReadings = new ArrayList<>();
  private List<RequestStats> requestStats = new ArrayList<>();
  private List<RequestSeries> requestSeries = new ArrayList<>();
  private List<MetricSeries> metrics = new ArrayList<>();
  private final Samples samples = new Samples();
  private OperatorFacts operator = OperatorFacts.none();
  private List<InputReport> inputs = new ArrayList<>();
  private boolean built;

  private List<SafepointStop> safepoints = new ArrayList<>();

  private final LogsBesideRecordings logs = new LogsBesideRecordings();
  private final Map<Signal, SignalState> signals = new EnumMap<>(Signal.class);
  private final List<String> notes = new ArrayList<>();

  /** Adds facts about the JVM from a recording or log; known facts are kept. */
  public TimelineBuilder jvm(JvmFacts more) {
    open();
    SortedMap<String, Flag> flags = new TreeMap<>(more.flags());
    // A source that states a flag's origin is preferred: a log prints only some flags, as plain
    // text.
    jvm.flags()
        .forEach((name, flag) -> flags.merge(name, flag, (b, a) -> known(a) || !known(b) ? a : b));
    jvm =
        new JvmFacts(
            jvm.exactVersion().or(more::exactVersion).or(jvm::version).or(more::version),
            jvm.collector().or(more::collector),
            jvm.initialHeap().or(more::initialHeap),
            jvm.maxHeap().or(more::maxHeap),
            fewer(jvm.cpus(), more.cpus()),
            jvm.start().or(more::start),
            flags);
    return this;
  }

  /**
   * A recording outside a container has the machine's number of processors, but the JVM may be
   * limited to fewer.
   */
  private static OptionalInt fewer(OptionalInt one, OptionalInt other) {
    return IntStream.concat(one.stream(), other.stream()).min();
  }

  private static boolean known(Flag flag) {
    return !flag.origin().isEmpty();
  }

  /** What is known of the JVM so far. */
  public JvmFacts jvm() {
    return jvm;
  }

  /** Sets a recording's span; if files overlap, the pauses of recordings are preferred. */
  public TimelineBuilder recording(String file, Window span) {
    open();
    logs.recordings.add(file);
    logs.recordingSpans.add(span);
    return this;
  }

  /** A GC log's span of time. */
  public TimelineBuilder log(Window span) {
    return add(logs.spans, span);
  }

  public TimelineBuilder pauses(String file, List<GcPause> pauses) {
    open();
    pausesByFile.merge(file, Pauses.of(pauses), (a, b) -> Pauses.joined(List.of(a, b)));
    return this;
  }

  /** The pauses that a file has, as far as it was read. */
  public Pauses pauses(String file) {
    return pausesByFile.getOrDefault(file, Pauses.none());
  }

  /** The pauses of each file so far; several may have the same. */
  public Collection<Pauses> pauses() {
    return pausesByFile.values();
  }

  public TimelineBuilder heap(List<HeapSample> samples) {
    open();
    heap.addAll(samples);
    return this;
  }

  /** Adds heap samples of a log; inside a recording's span those of the recording count. */
  public TimelineBuilder heapOfLog(List<HeapSample> samples) {
    return add(logs.heap, samples);
  }

  public TimelineBuilder cpu(CpuLoad load) {
    return add(cpu, load);
  }

  /** The CPU loads that were added so far. */
  public List<CpuLoad> cpu() {
    return List.copyOf(cpu);
  }

  public TimelineBuilder gcCpu(GcCpu time) {
    return add(gcCpu, time);
  }

  /** Adds CPU times of collections from a log; those of a recording are preferred. */
  public TimelineBuilder gcCpuOfLog(List<GcCpu> times) {
    return add(logs.gcCpu, times);
  }

  public TimelineBuilder safepoint(SafepointStop stop) {
    return add(safepoints, stop);
  }

  /** The safepoints that a recording has, as far as it was read. */
  public List<SafepointStop> safepoints(String file) {
    return safepoints.stream().filter(stop -> stop.source().file().equals(file)).toList();
  }

  /**
   * Adds safepoints of a log. They are preferred to those of recordings, because a log has all of
   * them.
   */
  public TimelineBuilder safepointsOfLog(List<SafepointStop> stops) {
    return add(logs.safepoints, stops);
  }

  /** Adds the waits at one site. */
  public TimelineBuilder waits(WaitSeries series) {
    return add(waits, series);
  }

  /** Adds waits of a log; if a recording has waits of that kind, those are used. */
  public TimelineBuilder waitsOfLog(WaitSeries series) {
    return add(logs.waits, series);
  }

  /** Adds a sample of a log; inside a recording's span the recording's are used. */
  public TimelineBuilder sampleOfLog(Sample sample) {
    return add(logs.samples, sample);
  }

  /** Adds a recording's allocation profile; recordings of one JVM are merged into one profile. */
  public TimelineBuilder allocation(AllocationProfile profile) {
    open();
    allocation = allocation.and(profile);
    return this;
  }

  /** Adds a recording's CPU profile; recordings of one JVM are merged into one profile. */
  public TimelineBuilder cpuProfile(CpuProfile profile) {
    open();
    cpuProfile = cpuProfile.and(profile);
    return this;
  }

  public TimelineBuilder dump(ThreadSnapshot dump) {
    return add(dumps, dump);
  }

  /**
   * Adds a class histogram; those without a timestamp must be added in the order in which they were
   * read.
   */
  public TimelineBuilder histogram(ClassHistogram histogram) {
    return add(histograms, histogram);
  }

  /** Adds what another program reads in a log. */
  public TimelineBuilder secondReading(SecondReading reading) {
    return add(secondReadings, reading);
  }

  public TimelineBuilder requestStats(RequestStats stats) {
    return add(requestStats, stats);
  }

  /** The results of load generators so far. */
  public List<RequestStats> requestStats() {
    return List.copyOf(requestStats);
  }

  public TimelineBuilder requestSeries(RequestSeries series) {
    return add(requestSeries, series);
  }

  /** The requests over time that were added so far. */
  public List<RequestSeries> requestSeries() {
    return List.copyOf(requestSeries);
  }

  /** Adds a series of a metric export. */
  public TimelineBuilder metric(MetricSeries series) {
    return add(metrics, series);
  }

  public TimelineBuilder sample(Sample sample) {
    open();
    samples.add(sample);
    return this;
  }

  /** The samples of one kind that were added so far. */
  public <T extends Sample> List<T> samples(Class<T> kind) {
    return samples.of(kind);
  }

  public TimelineBuilder operator(OperatorFacts facts) {
    open();
    operator = facts;
    return this;
  }

  public TimelineBuilder input(InputReport report) {
    return add(inputs, report);
  }

  /**
   * Sets how much of a signal was recorded; of several statements the better one wins. A source
   * without a threshold has all events: a log has the safepoints that are too short for a
   * recording.
   */
  public TimelineBuilder signal(Signal signal, SignalState state) {
    open();
    signals.merge(signal, state, SignalState::better);
    return this;
  }

  /** Adds a note about limits of the data. */
  public TimelineBuilder note(String note) {
    open();
    if (!notes.contains(note)) {
      notes.add(note);
    }
    return this;
  }

  /** The span of everything with a timestamp so far, if any. */
  public Optional<Window> datedSpan() {
    return Spans.hull(logs.recordingSpans.isEmpty() ? logs.spans : logs.recordingSpans);
  }

  private <T> TimelineBuilder add(List<? super T> to, T one) {
    open();
    to.add(one);
    return this;
  }

  private void open() {
    if (built) {
      throw new IllegalStateException("the timeline is made; nothing can be added to it");
    }
  }

  /** Builds the timeline. Adding anything afterwards is an error. */
  public Timeline build() {
    open();
    built = true;
    logs.samples.stream().filter(sample -> logs.notRecorded(sample.at())).forEach(samples::add);
    waits.addAll(logs.waitsOfOtherKinds(List.copyOf(waits)));
    heap = logs.heapBeside(heap);
    gcCpu = logs.gcCpuBeside(gcCpu);
    Pauses pauses = logs.pauses(pausesByFile);
    safepoints.replaceAll(stop -> stop.beside(pauses));
    safepoints = logs.safepointsBefore(safepoints);
    cpu.sort(Comparator.comparing(CpuLoad::at));
    List<HardwareThreads> machine = samples.of(HardwareThreads.class);
    HardwareThreads.confined(machine, samples.of(CpuQuota.class), jvm.cpusGiven())
        .ifPresent(few -> cpu.replaceAll(load -> load.on(few, HardwareThreads.of(machine))));
    dumps.sort(Comparator.comparing(dump -> dump.at().orElse(Instant.MAX)));
    waits.sort(Comparator.comparing(WaitSeries::site));
    waits = new ArrayList<>(logs.withOpen(waits, dumps));
    if (histograms.stream().allMatch(histogram -> histogram.at().isPresent())) {
      histograms.sort(Comparator.comparing(histogram -> histogram.at().orElseThrow()));
    }
    Optional<Window> span =
        datedSpan()
            .or(() -> Spans.ofLoadTests(requestSeries, metrics))
            .or(() -> Spans.ofMetrics(metrics))
            .or(() -> Spans.ofInstants(dumps.stream().flatMap(dump -> dump.at().stream())))
            .or(
                () ->
                    Spans.ofInstants(
                        metrics.stream()
                            .flatMap(series -> series.points().stream())
                            .map(Point::at)));
    return new Timeline(
        span.orElse(UNDATED),
        span.isPresent(),
        jvm,
        new Timeline.Stops(
            pauses,
            pausesByFile,
            gcCpu,
            safepoints,
            safepoints.stream().filter(SafepointStop::isObservation).toList(),
            secondReadings),
        HeapSamples.of(TimeOrder.fixed(heap)),
        cpu,
        waits,
        new Timeline.Profiles(allocation, cpuProfile),
        new Timeline.Snapshots(dumps, histograms),
        new Timeline.Requests(requestStats, requestSeries),
        metrics,
        samples.sorted(),
        operator,
        new Coverage(signals, notes),
        inputs);
  }

  /**
   * Merges logs with recordings of the same JVM, so that nothing counts twice. Inside a recording's
   * span its events are used, because their timestamps are exact. Safepoints are taken from the
   * log, which has all of them, while a recording has only those above its threshold.
   */
  private static final class LogsBesideRecordings {

    /** Log and recording give the start of one pause within this many milliseconds. */
    private static final int SAME_START_MILLIS = 2;

    final List<List<SafepointStop>> safepoints = new ArrayList<>();
    final List<WaitSeries> waits = new ArrayList<>();
    final List<Sample> samples = new ArrayList<>();
    final List<List<HeapSample>> heap = new ArrayList<>();
    final List<List<GcCpu>> gcCpu = new ArrayList<>();
    final List<Window> spans = new ArrayList<>();
    final Set<String> recordings = new HashSet<>();
    final List<Window> recordingSpans = new ArrayList<>();

    /** Waits, with those that had not ended when the last recording ended. */
    List<WaitSeries> withOpen(List<WaitSeries> recorded, List<ThreadSnapshot> dumps) {
      return Spans.hull(recordingSpans)
          .map(span -> OpenWaits.added(recorded, dumps, span))
          .orElse(recorded);
    }

    List<WaitSeries> waitsOfOtherKinds(List<WaitSeries> recorded) {
      return waits.stream()
          .filter(s -> recorded.stream().noneMatch(r -> r.site().kind() == s.site().kind()))
          .toList();
    }

    List<HeapSample> heapBeside(List<HeapSample> recorded) {
      return together(
          recorded,
          heap,
          sample -> recorded.isEmpty() || notRecorded(sample.at()),
          Comparator.comparing(HeapSample::at).thenComparing(HeapSample::moment));
    }

    List<GcCpu> gcCpuBeside(List<GcCpu> recorded) {
      return together(
          recorded,
          gcCpu,
          time -> recorded.isEmpty() || notRecorded(time.at()),
          Comparator.comparing(GcCpu::at));
    }

    List<SafepointStop> safepointsBefore(List<SafepointStop> recorded) {
      boolean logged = safepoints.stream().anyMatch(stops -> !stops.isEmpty());
      return together(
          logged ? List.of() : recorded,
          safepoints,
          any -> true,
          Comparator.comparing(SafepointStop::start));
    }

    Pauses pauses(SortedMap<String, Pauses> byFile) {
      boolean recorded =
          byFile.entrySet().stream()
              .anyMatch(
                  entry -> recordings.contains(entry.getKey()) && !entry.getValue().isEmpty());
      List<Pauses> parts = new ArrayList<>();
      byFile.forEach(
          (file, pauses) ->
              parts.add(
                  recorded && !recordings.contains(file)
                      ? pauses.where(i -> notRecorded(pauses.start(i)))
                      : pauses));
      Pauses joined = Pauses.joined(parts);
      return parts.size() < 2 ? joined : withoutDuplicates(joined);
    }

    private <T> List<T> together(
        List<T> recorded, List<List<T>> logged, Predicate<T> counts, Comparator<T> order) {
      List<List<T>> parts = new ArrayList<>();
      parts.add(recorded);
      for (List<T> part : logged) {
        parts.add(recordingSpans.isEmpty() ? part : TimeOrder.where(part, counts));
      }
      return TimeOrder.merged(parts, order);
    }

    private boolean notRecorded(Instant at) {
      return recordingSpans.stream().noneMatch(span -> span.contains(at));
    }

    private static Pauses withoutDuplicates(Pauses sorted) {
      Deque<GcPause> near = new ArrayDeque<>();
      return sorted.where(
          i -> {
            GcPause pause = sorted.get(i);
            while (!near.isEmpty()
                && near.peek().start().plusMillis(SAME_START_MILLIS).isBefore(pause.start())) {
              near.remove();
            }
            boolean seen = near.stream().anyMatch(earlier -> same(earlier, pause));
            if (!seen) {
              near.add(pause);
            }
            return !seen;
          });
    }

    private static boolean same(GcPause earlier, GcPause pause) {
      return !earlier.source().file().equals(pause.source().file())
          && earlier.gcId().equals(pause.gcId())
          && earlier.kind() == pause.kind();
    }
  }

  /**
   * The time span of inputs that is used if there is neither a recording nor a log. A load test
   * often runs on after the recording ends.
   */
  private static final class Spans {

    /**
     * The span of load tests, until the last response. Requests counted by metrics have the
     * metrics' span.
     */
    static Optional<Window> ofLoadTests(
        List<RequestSeries> requestSeries, List<MetricSeries> metrics) {
      return hull(
          requestSeries.stream()
              .filter(series -> !series.isScraped(metrics))
              .flatMap(series -> series.inProgress().stream())
              .toList());
    }

    static Optional<Window> ofMetrics(List<MetricSeries> metrics) {
      return hull(
          metrics.stream()
              .map(MetricSeries::points)
              .filter(points -> points.size() > 1)
              .map(
                  points ->
                      new Window(
                          points.get(0).at(), points.get(points.size() - 1).at().plusMillis(1)))
              .toList());
    }

    /** Of what has no length, such as thread dumps. */
    static Optional<Window> ofInstants(Stream<Instant> instants) {
      return hull(instants.map(instant -> new Window(instant, instant.plusSeconds(1))).toList());
    }

    static Optional<Window> hull(List<Window> windows) {
      Optional<Instant> from = windows.stream().map(Window::from).min(Comparator.naturalOrder());
      Optional<Instant> to = windows.stream().map(Window::to).max(Comparator.naturalOrder());
      return from.map(start -> new Window(start, to.orElseThrow()));
    }
  }
}
