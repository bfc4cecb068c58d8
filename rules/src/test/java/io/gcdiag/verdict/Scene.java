package io.gcdiag.verdict;

import io.gcdiag.Made;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.AllocationProfile;
import io.gcdiag.evidence.jvm.AllocationSites;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/** An incident put together by hand; all times are seconds after the recording's start. */
public final class Scene {

  public static final String RECORDING = "recording.jfr";
  public static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final TimelineBuilder timeline = new TimelineBuilder();
  private final double seconds;
  private Optional<Timeline> built = Optional.empty();

  private Scene(double seconds) {
    this.seconds = seconds;
    timeline.recording(RECORDING, window(0, seconds));
  }

  /** A recording of so many seconds in which nothing happens; parks and pauses are recorded. */
  public static Scene of(double seconds) {
    return new Scene(seconds).recorded(Signal.GC_PAUSES, Signal.THREAD_PARKS);
  }

  public static Instant at(double seconds) {
    return START.plus(Durations.ofSeconds(seconds));
  }

  public static Window window(double from, double to) {
    return new Window(at(from), at(to));
  }

  /** When the JVM started, seconds after the recording's begin or, if negative, before it. */
  public Scene jvmStarted(double at) {
    JvmFacts none = JvmFacts.unknown();
    timeline.jvm(
        new JvmFacts(
            none.version(),
            none.collector(),
            none.initialHeap(),
            none.maxHeap(),
            none.cpus(),
            Optional.of(at(at)),
            none.flags()));
    return this;
  }

  public Scene recorded(Signal... signals) {
    for (Signal signal : signals) {
      timeline.signal(signal, new SignalState(SignalState.Kind.NOTHING_SEEN, Optional.empty(), ""));
    }
    return this;
  }

  public Scene everythingRecorded() {
    return recorded(Signal.values());
  }

  /** So many request threads wait from one time to the other. */
  public Scene waiting(WaitKind kind, String name, double from, double to, int threads) {
    return waiting(new WaitSite(kind, name, true, "com.example.Service.call"), from, to, threads);
  }

  /** So many threads wait at a site from one time to the other. */
  public Scene waiting(WaitSite site, double from, double to, int threads) {
    WaitSeries.Builder series =
        new WaitSeries.Builder(site, new Source(RECORDING, "jdk.ThreadPark"));
    for (int i = 0; i < threads; i++) {
      series.add(at(from), Durations.ofSeconds(to - from));
    }
    timeline.waits(series.build());
    return this;
  }

  /** So many threads on average, in waits of a second each that begin one after another. */
  public Scene waitingUnevenly(WaitKind kind, String name, int from, int to, double threads) {
    WaitSeries.Builder series =
        new WaitSeries.Builder(
            new WaitSite(kind, name, true, "com.example.Service.call"),
            new Source(RECORDING, "jdk.ThreadPark"));
    for (int second = from; second < to; second++) {
      // 0.9, 1.0 and 1.1 times the mean by turns.
      double share = threads * (0.9 + 0.1 * (second % 3));
      for (double rest = share; rest > 0; rest--) {
        series.add(at(second), Durations.ofSeconds(Math.min(1, rest)));
      }
    }
    timeline.waits(series.build());
    return this;
  }

  public Scene pause(String file, double at, double millis) {
    return pause(young(file, at, millis));
  }

  private static GcPause young(String file, double at, double millis) {
    return new GcPause(
        at(at),
        Durations.ofSeconds(millis / 1e3),
        PauseKind.YOUNG,
        "G1 Evacuation Pause",
        OptionalLong.empty(),
        Optional.empty(),
        false,
        new Source(file, "jdk.GCPhasePause"));
  }

  public Scene pause(GcPause pause) {
    timeline.pauses(pause.source().file(), List.of(pause));
    return this;
  }

  /** One pause each interval, the first half an interval after the beginning. */
  public Scene pauses(double from, double to, double every, double millis) {
    List<GcPause> pauses = new ArrayList<>();
    for (double at = from + every / 2; at < to; at += every) {
      pauses.add(young(RECORDING, at, millis));
    }
    timeline.pauses(RECORDING, pauses);
    return this;
  }

  /** All threads stand still for an operation that is no collection. */
  public Scene stop(double at, double seconds, String operation) {
    timeline.safepoint(
        new SafepointStop(
            at(at),
            Duration.ZERO,
            Durations.ofSeconds(seconds),
            operation,
            false,
            new Source(RECORDING, "jdk.SafepointBegin")));
    return this;
  }

  /** Without what a recording tells. */
  public static Scene ofLog(double seconds) {
    return new Scene(seconds).recorded(Signal.GC_PAUSES);
  }

  public Scene samples(Sample... samples) {
    for (Sample sample : samples) {
      timeline.sample(sample);
    }
    return this;
  }

  public Scene cpu(double from, double to, double jvm, double machine) {
    for (double at = from; at < to; at++) {
      timeline.cpu(new CpuLoad(at(at), jvm, 0, machine));
    }
    return this;
  }

  /** MiB a second on average, at 0.9, 1.0 and 1.1 times that by turns. */
  public Scene allocating(int from, int to, double mebibytes) {
    Series.Builder sampled = new Series.Builder();
    for (int second = from; second < to; second++) {
      sampled.add(at(second), mebibytes * (0.9 + 0.1 * (second % 3)) * (1 << 20));
    }
    timeline.allocation(
        new AllocationProfile(
            new AllocationSites.Builder().build(List.of()),
            sampled.build(),
            OptionalDouble.empty(),
            Optional.of(new Source(RECORDING, "jdk.ObjectAllocationSample"))));
    return this;
  }

  /** A load test whose shortest request took so long. */
  public Scene shortest(double millis) {
    timeline.requestStats(
        new RequestStats.Builder("k6", new Source("load.json", ""))
            .requests(2_400)
            .shortest(Durations.ofSeconds(millis / 1e3))
            .build());
    return this;
  }

  /** A load test of which so many requests failed and the slowest took so long. */
  public Scene requests(long requests, long failed, double slowestMillis) {
    timeline.requestStats(
        new RequestStats.Builder("k6", new Source("load.json", ""))
            .requests(requests)
            .failed(failed)
            .longest(Durations.ofSeconds(slowestMillis / 1e3))
            .build());
    return this;
  }

  /** Two minutes of a load test at so many requests a second. */
  public Scene load(double rate, double meanMillis, double medianMillis, double p99Millis) {
    timeline.requestStats(stats(rate, meanMillis, medianMillis, p99Millis).build());
    return this;
  }

  /** The same, with the shortest of all requests. */
  public Scene load(
      double rate, double meanMillis, double medianMillis, double p99Millis, double shortest) {
    timeline.requestStats(
        stats(rate, meanMillis, medianMillis, p99Millis)
            .shortest(Durations.ofSeconds(shortest / 1e3))
            .build());
    return this;
  }

  private static RequestStats.Builder stats(
      double rate, double meanMillis, double medianMillis, double p99Millis) {
    return new RequestStats.Builder("k6", new Source("load.json", ""))
        .requests(Math.round(rate * 120))
        .failed(0)
        .rate(new Rate(rate))
        .mean(Durations.ofSeconds(meanMillis / 1e3))
        .longest(Durations.ofSeconds(p99Millis / 1e3))
        .percentile(50, Durations.ofSeconds(medianMillis / 1e3))
        .percentile(99, Durations.ofSeconds(p99Millis / 1e3));
  }

  /** A dump in which so many request threads wait for a connection. */
  public Scene dump(double at, int waiting) {
    return dump(at, waiting, 0);
  }

  /** The same, and so many virtual threads that wait for one. */
  public Scene dump(double at, int waiting, int virtual) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < waiting + virtual; i++) {
      threads.add(
          new ThreadState(
              "http-" + i,
              "TIMED_WAITING",
              ThreadActivity.WAITING_FOR_POOL,
              "HikariCP",
              true,
              true,
              Made.position(0, "", ThreadPosition.UNKNOWN_CPU),
              i >= waiting,
              false));
    }
    timeline.dump(
        new ThreadSnapshot(
            Optional.of(at(at)),
            threads,
            Deadlocks.NONE,
            List.of(),
            Optional.empty(),
            new Source("threads-1.txt", "")));
    return this;
  }

  /** What became of a file. */
  Scene input(String file, String format, InputReport.Status status) {
    return input(new InputReport(file, format, status, "what was lost"));
  }

  Scene input(InputReport report) {
    timeline.input(report);
    return this;
  }

  /** A scrape every so many seconds, the first after as long; the gauge of waiting threads. */
  public Scene pending(double every, double... threads) {
    List<MetricSeries.Point> points = new ArrayList<>();
    for (double waiting : threads) {
      points.add(new MetricSeries.Point(at((points.size() + 1) * every), waiting));
    }
    timeline.metric(
        new MetricSeries(
            "hikaricp_connections_pending",
            new TreeMap<>(Map.of("pool", "main")),
            MetricMeaning.POOL_PENDING,
            false,
            points,
            new Source("metrics.json", "hikaricp_connections_pending")));
    return this;
  }

  /** Requests each second from the first second on, each second's as counted in a histogram. */
  public Scene latencies(Latencies... seconds) {
    return latenciesFrom(0, seconds);
  }

  /** The same from a later second on. */
  public Scene latenciesFrom(int begin, Latencies... seconds) {
    timeline.requestSeries(series(begin, seconds));
    return this;
  }

  /** Of a load test, which has each request when it was sent. */
  public Scene sent(Latencies... seconds) {
    timeline.requestSeries(series(0, seconds).completed());
    return this;
  }

  private RequestSeries series(int begin, Latencies... seconds) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (Latencies second : seconds) {
      intervals.add(
          new RequestInterval(
              at(begin + intervals.size()), Duration.ofSeconds(1), second.count(), 0, second));
    }
    return new RequestSeries(
        "prometheus", Duration.ofSeconds(1), intervals, new Source("metrics.json", ""));
  }

  /** What is added afterwards is refused. */
  public Timeline timeline() {
    if (built.isEmpty()) {
      built = Optional.of(timeline.build());
    }
    return built.get();
  }

  /** Everything is the incident, and there is no baseline. */
  public MeasuredIncident incident() {
    return new MeasuredIncident(
        timeline(), new Windows(window(0, seconds), Optional.empty(), ChosenBy.USER, true, ""));
  }

  /** The incident begins at that second; what is before is the baseline. */
  public MeasuredIncident incidentFrom(double second) {
    return new MeasuredIncident(
        timeline(),
        new Windows(
            window(second, seconds), Optional.of(window(0, second)), ChosenBy.USER, true, ""));
  }
}
