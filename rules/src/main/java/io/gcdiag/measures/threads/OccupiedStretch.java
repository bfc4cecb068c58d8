package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What the threads of a group did in one stretch of time.
 *
 * @param seconds how much of it lies in the window
 * @param serving whether they serve requests
 * @param workers number of threads, without the server's event loops
 * @param idle how many were parked without work, on average
 * @param polling how many waited for sockets without work, without the event loops
 * @param waiting how many waited, by what for
 * @param running how many executed Java code
 */
record OccupiedStretch(
    double seconds,
    boolean serving,
    double workers,
    double idle,
    double polling,
    Map<WaitKind, Double> waiting,
    double running) {

  /**
   * Largest share of idle parks of a group that counts as fully busy. Workers that are 85 % busy,
   * with exponentially distributed idle times and tasks as long as the shortest recorded park, show
   * 0.3 %.
   */
  private static final double HARDLY_IDLE = 0.002;

  /** One of Jetty's worker threads is always at the selector. */
  private static final double ONE_LOOP = 1;

  static SortedMap<String, List<OccupiedStretch>> byGroup(Timeline timeline, Window window) {
    SortedMap<String, List<OccupiedStretch>> groups = new TreeMap<>();
    Map<String, List<SampledTime>> samples = new TreeMap<>();
    Duration longest = Duration.ZERO;
    for (SampledTime sample : timeline.samples(SampledTime.class)) {
      samples.computeIfAbsent(sample.group(), any -> new ArrayList<>()).add(sample);
      longest = sample.length().compareTo(longest) > 0 ? sample.length() : longest;
    }
    for (WorkerTime time : timeline.samples(WorkerTime.class)) {
      Window stretch = recorded(timeline, time);
      double inside = Durations.seconds(window.overlap(stretch.from(), stretch.length()));
      if (inside >= Policy.MAJORITY * stretch.seconds()) {
        Window around = new Window(stretch.from().minus(longest), stretch.to());
        List<SampledTime> ofGroup = samples.getOrDefault(time.group(), List.of());
        groups
            .computeIfAbsent(time.group(), any -> new ArrayList<>())
            .add(of(time, stretch, inside, TimeOrder.within(ofGroup, SampledTime::at, around)));
      }
    }
    return groups;
  }

  /** The part of a stretch inside the recording: the first and the last one are cut. */
  private static Window recorded(Timeline timeline, WorkerTime time) {
    Instant end = time.at().plus(time.length());
    Window span = timeline.span();
    boolean cutBefore = time.at().isBefore(span.from()) && end.isAfter(span.from());
    boolean cutAfter = end.isAfter(span.to()) && time.at().isBefore(span.to());
    return new Window(cutBefore ? span.from() : time.at(), cutAfter ? span.to() : end);
  }

  private static OccupiedStretch of(
      WorkerTime time, Window stretch, double inside, List<SampledTime> samples) {
    double length = stretch.seconds();
    Map<WaitKind, Double> waiting = new EnumMap<>(WaitKind.class);
    time.waited().forEach((kind, waited) -> waiting.merge(kind, waited / length, Double::sum));
    double idle = waiting.getOrDefault(WaitKind.IDLE, 0.0);
    waiting.remove(WaitKind.IDLE);
    double polling = 0;
    double running = 0;
    for (SampledTime sample : samples) {
      Duration part = stretch.overlap(sample.at(), sample.length());
      double threads = sample.threads() * Durations.seconds(part) / length;
      if (sample.waiting().isEmpty()) {
        running += threads;
      } else if (sample.waiting().get() == WaitKind.IDLE) {
        polling += threads;
      } else {
        waiting.merge(sample.waiting().get(), threads, Double::sum);
      }
    }
    return new OccupiedStretch(
        inside,
        time.onRequestThread(),
        time.workers(),
        idle,
        Math.max(0, polling - time.loops()),
        waiting,
        running);
  }

  /** Whether practically all threads of a group are at work throughout a stretch. */
  static Predicate<OccupiedStretch> full(Timeline timeline, Window window) {
    double least =
        longCalls(timeline, window) ? (1 - Policy.SAMPLES_GOOD_TO) : (1 - Policy.NEGLIGIBLE);
    return stretch -> stretch.isFull(least);
  }

  /**
   * Whether calls are longer than the park threshold, so that the gap between two tasks is
   * recorded.
   */
  private static boolean longCalls(Timeline timeline, Window window) {
    WaitSeries.Totals calls = WaitSeries.totals(timeline.waits(WaitKind.DOWNSTREAM), window);
    Duration park = timeline.threshold(Signal.THREAD_PARKS).orElse(Duration.ZERO);
    return calls.count() > 0 && calls.mean().compareTo(park) >= 0;
  }

  /** Threads at work: running, or waiting in the middle of it. */
  double busy() {
    return running + Numbers.sum(waiting);
  }

  private boolean isFull(double least) {
    double busy = busy();
    boolean single = workers < Policy.FEWEST_QUEUED;
    return workers >= 1
        && idle <= HARDLY_IDLE * workers
        && polling <= (1 - least) * workers + (single ? 0 : ONE_LOOP)
        && busy >= (single ? Policy.MAJORITY : least) * workers;
  }
}
