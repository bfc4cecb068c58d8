package io.gcdiag.ledger;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.SampledTime;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.TimeOrder;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.evidence.WorkerTime;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Groups of worker threads that a recording shows at work throughout.
 *
 * <p>A worker without work parks, and a park is an event if it is long enough. Between two pieces
 * of work it may be free for less: then samples find it at work for less of the time. A group
 * counts as occupied if both agree: no idle parks to speak of, and by samples and other parks as
 * good as all threads at work. Threads that wait in a selector, such as a server's own loops, are
 * none of the workers.
 *
 * @param group the threads' name with its digits replaced by N
 * @param serving whether they serve requests
 * @param workers how many they are
 * @param occupied how many of them are at work on average
 * @param seconds for how much of the window nobody was free
 * @param waiting share of the workers' time by what they wait for, 0 to 1
 * @param running share of the workers' time in which they execute Java code, 0 to 1
 */
public record OccupiedWorkers(
    String group,
    boolean serving,
    int workers,
    double occupied,
    long seconds,
    Map<WaitKind, Double> waiting,
    double running) {

  /** One thread is no group. */
  private static final int SMALLEST_GROUP = 2;

  /**
   * Idle parks may have this share of the workers' time. At 85 % of their time at work, free for
   * times that are exponentially distributed, and with pieces of work as long as the shortest park
   * that is recorded, they have 0.3 %.
   */
  private static final double HARDLY_IDLE = 0.002;

  /**
   * What samples and parks account for. The samples' scale is an estimate by the thread that is met
   * most often, and errs low by up to a quarter where chance favours one.
   */
  private static final double NEARLY_ALL = 0.75;

  /** The same where pieces of work are shorter than what parks show: then only samples tell. */
  private static final double ALL = 0.95;

  /**
   * The same of a single thread. Of its time nothing is estimated, and what is neither an idle park
   * nor a recorded wait is calls that are shorter than what is recorded.
   */
  private static final double MOSTLY = 0.5;

  /** Jetty's threads take turns at the selector. */
  private static final double ONE_LOOP = 1;

  /** A stretch at a time; a lull between two does not undo what was. */
  private static final double MOST_STRETCHES = 0.8;

  /** A stretch at the window's border belongs to where more of it lies. */
  private static final double MOSTLY_INSIDE = 0.5;

  /** A shorter time than this may be a burst. */
  private static final double SHORTEST_SECONDS = 15;

  /**
   * Two stretches, where a load test says that meanwhile more requests came than it has threads.
   */
  private static final double SHORTEST_UNDER_LOAD = 10;

  /** However small their share of the stretches is. */
  private static final double ANY = 0;

  /** In place of a share of the stretches: the most of them that follow each other. */
  private static final double IN_A_ROW = -1;

  /** Four stretches and more that follow each other are no burst. */
  private static final double LONG_SECONDS = 20;

  /** Copies the map. */
  public OccupiedWorkers {
    waiting = Map.copyOf(waiting);
  }

  /** Share of the workers' time that they wait for that. */
  public double share(WaitKind kind) {
    return waiting.getOrDefault(kind, 0.0);
  }

  /** All such groups of an incident, by name. */
  public static List<OccupiedWorkers> of(Incident incident) {
    return of(incident, MOST_STRETCHES, SHORTEST_SECONDS).stream()
        .filter(group -> group.workers() >= SMALLEST_GROUP)
        .toList();
  }

  /**
   * Threads that have no other of their kind and are at work throughout: one that all work of some
   * kind goes through, or one that polls for itself.
   */
  public static List<OccupiedWorkers> alone(Incident incident) {
    return of(incident, MOST_STRETCHES, SHORTEST_SECONDS).stream()
        .filter(group -> group.workers() < SMALLEST_GROUP)
        .toList();
  }

  /**
   * Groups that serve requests and are at work throughout for a part of an incident, by name. It is
   * evidence beside that of a load test: requests beyond the threads queue in that part.
   */
  static List<OccupiedWorkers> partly(Incident incident) {
    return of(incident, ANY, SHORTEST_UNDER_LOAD).stream()
        .filter(group -> group.serving() && group.workers() >= SMALLEST_GROUP)
        .toList();
  }

  /**
   * Other groups than those that serve requests, at work throughout for a stretch of an incident
   * that begins somewhere in it, by name: where no calm is known, the incident is all that was
   * recorded, and the queue may have begun in its middle.
   */
  public static List<OccupiedWorkers> inARow(Incident incident) {
    return incident.windows().baseline().isPresent()
        ? List.of()
        : of(incident, IN_A_ROW, LONG_SECONDS).stream()
            .filter(group -> !group.serving() && group.workers() >= SMALLEST_GROUP)
            .toList();
  }

  private static List<OccupiedWorkers> of(Incident incident, double most, double shortest) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    Map<String, List<Stretch>> groups = new TreeMap<>();
    Map<String, List<SampledTime>> samples = new TreeMap<>();
    Duration longest = Duration.ZERO;
    for (SampledTime sample : timeline.samples(SampledTime.class)) {
      samples.computeIfAbsent(sample.group(), any -> new ArrayList<>()).add(sample);
      longest = sample.length().compareTo(longest) > 0 ? sample.length() : longest;
    }
    for (WorkerTime time : timeline.samples(WorkerTime.class)) {
      Window stretch = recorded(timeline, time);
      double inside = Durations.seconds(window.overlap(stretch.from(), stretch.length()));
      if (inside >= MOSTLY_INSIDE * stretch.seconds()) {
        Window around = new Window(stretch.from().minus(longest), stretch.to());
        List<SampledTime> ofGroup = samples.getOrDefault(time.group(), List.of());
        groups
            .computeIfAbsent(time.group(), any -> new ArrayList<>())
            .add(
                Stretch.of(
                    time, stretch, inside, TimeOrder.within(ofGroup, SampledTime::at, around)));
      }
    }
    double least = longCalls(timeline, window) ? NEARLY_ALL : ALL;
    List<OccupiedWorkers> occupied = new ArrayList<>();
    groups.forEach(
        (name, stretches) -> {
          List<Stretch> full =
              most == IN_A_ROW
                  ? longestRow(stretches, least)
                  : stretches.stream().filter(one -> one.isFull(least)).toList();
          double seconds = full.stream().mapToDouble(Stretch::seconds).sum();
          if (seconds >= shortest && full.size() >= most * stretches.size()) {
            occupied.add(of(name, full, Math.round(seconds)));
          }
        });
    return occupied;
  }

  private static List<Stretch> longestRow(List<Stretch> stretches, double least) {
    List<Stretch> longest = List.of();
    int from = 0;
    for (int i = 0; i <= stretches.size(); i++) {
      if (i == stretches.size() || !stretches.get(i).isFull(least)) {
        longest = i - from > longest.size() ? stretches.subList(from, i) : longest;
        from = i + 1;
      }
    }
    return longest;
  }

  /** The part of a stretch that the recording covers: its first and last are cut. */
  private static Window recorded(Timeline timeline, WorkerTime time) {
    Instant end = time.at().plus(time.length());
    Window span = timeline.span();
    boolean cutBefore = time.at().isBefore(span.from()) && end.isAfter(span.from());
    boolean cutAfter = end.isAfter(span.to()) && time.at().isBefore(span.to());
    return new Window(cutBefore ? span.from() : time.at(), cutAfter ? span.to() : end);
  }

  /** Whether pieces of work are long enough for a pause between two to be seen. */
  private static boolean longCalls(Timeline timeline, Window window) {
    double park =
        timeline.coverage().of(Signal.THREAD_PARKS).threshold().map(Durations::seconds).orElse(0.0);
    long count = 0;
    double seconds = 0;
    for (WaitSeries series : timeline.waits(WaitKind.DOWNSTREAM)) {
      WaitSeries.Totals totals = series.within(window);
      count += totals.count();
      seconds += Durations.seconds(totals.total());
    }
    return count > 0 && seconds / count >= park;
  }

  private static OccupiedWorkers of(String name, List<Stretch> stretches, long seconds) {
    Map<WaitKind, Double> waiting = new EnumMap<>(WaitKind.class);
    double workers = stretches.stream().mapToDouble(Stretch::workers).average().orElseThrow();
    for (Stretch one : stretches) {
      one.waiting().forEach((kind, n) -> waiting.merge(kind, n / stretches.size(), Double::sum));
    }
    waiting.remove(WaitKind.IDLE);
    double running = stretches.stream().mapToDouble(Stretch::running).average().orElse(0);
    double busy = running + waiting.values().stream().mapToDouble(Double::doubleValue).sum();
    waiting.replaceAll((kind, threads) -> threads / busy);
    return new OccupiedWorkers(
        name,
        stretches.get(0).serving(),
        (int) Math.round(workers),
        busy,
        seconds,
        waiting,
        running / busy);
  }

  /**
   * One stretch of time of a group.
   *
   * @param seconds how much of it lies in the window
   * @param workers threads that are none of the server's loops
   * @param idle how many parked without work on average
   * @param polling how many waited for sockets without work, beside the loops
   * @param waiting how many waited, by what for
   * @param running how many executed Java code
   */
  private record Stretch(
      double seconds,
      boolean serving,
      double workers,
      double idle,
      double polling,
      Map<WaitKind, Double> waiting,
      double running) {

    static Stretch of(WorkerTime time, Window stretch, double inside, List<SampledTime> samples) {
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
      return new Stretch(
          inside,
          time.onRequestThread(),
          time.workers(),
          idle,
          Math.max(0, polling - time.loops()),
          waiting,
          running);
    }

    boolean isFull(double least) {
      double busy = running + waiting.values().stream().mapToDouble(Double::doubleValue).sum();
      boolean single = workers < SMALLEST_GROUP;
      return workers >= 1
          && idle <= HARDLY_IDLE * workers
          && polling <= (1 - least) * workers + (single ? 0 : ONE_LOOP)
          && busy >= (single ? MOSTLY : least) * workers;
    }
  }
}
