package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Groups of worker threads that are at work all the time, by a recording.
 *
 * <p>A worker without work parks, and a park is an event if it is longer than the threshold.
 * Shorter gaps between two tasks show only in samples, which then find the worker at work less
 * often. A group counts as occupied if both agree: hardly any idle parks, and practically all
 * threads at work by samples and other parks. Threads that wait in a selector, such as a server's
 * event loops, are not workers.
 *
 * @param group the threads' name with its digits replaced by N
 * @param serving whether they serve requests
 * @param workers number of worker threads
 * @param occupied how many of them are at work on average
 * @param seconds time of the window in which no worker was free
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

  /** How much of the window, and how many seconds, a group must be full to count as occupied. */
  private enum Part {
    /**
     * Most of the window: short lulls and the time in which the queue builds up do not matter. Less
     * may be a burst.
     */
    MOST_OF_IT(Policy.MAJORITY, 15),
    /** Two stretches: enough if a load test shows more requests in progress than threads. */
    ANY_OF_IT(0, 10),
    /** Four or more stretches in a row, which is too long for a burst. */
    IN_A_ROW(0, 20);

    private final double leastShare;
    private final double leastSeconds;

    Part(double leastShare, double leastSeconds) {
      this.leastShare = leastShare;
      this.leastSeconds = leastSeconds;
    }

    List<OccupiedStretch> of(List<OccupiedStretch> all, Predicate<OccupiedStretch> full) {
      List<OccupiedStretch> found =
          this == IN_A_ROW ? longestRow(all, full) : all.stream().filter(full).toList();
      boolean enough =
          found.stream().mapToDouble(OccupiedStretch::seconds).sum() >= leastSeconds
              && found.size() >= leastShare * all.size();
      return enough ? found : List.of();
    }

    private static List<OccupiedStretch> longestRow(
        List<OccupiedStretch> all, Predicate<OccupiedStretch> full) {
      List<OccupiedStretch> longest = List.of();
      int from = 0;
      for (int i = 0; i <= all.size(); i++) {
        if (i == all.size() || !full.test(all.get(i))) {
          longest = i - from > longest.size() ? all.subList(from, i) : longest;
          from = i + 1;
        }
      }
      return longest;
    }
  }

  public OccupiedWorkers {
    waiting = Collections.unmodifiableMap(new LinkedHashMap<>(waiting));
  }

  /** Share of the workers' time that they wait for this kind, 0 to 1. */
  public double share(WaitKind kind) {
    return waiting.getOrDefault(kind, 0.0);
  }

  /**
   * Whether the workers are kept busy by their own work: not by waiting for locks or connections,
   * and not by full CPUs.
   */
  public boolean isByWork(boolean full) {
    return share(WaitKind.LOCK) + share(WaitKind.POOL) < Policy.MAJORITY
        && share(WaitKind.DOWNSTREAM) + running >= Policy.MAJORITY
        && !(full && running >= Policy.MAJORITY);
  }

  /**
   * How many threads of a group there are in a window and how many of them were seen at work, on
   * average. Of a thread that is neither seen at work nor parked without any nothing is known.
   *
   * @param group the threads' name with its digits replaced by N
   * @param serving whether they serve requests
   * @param workers threads, without those that do nothing but wait for sockets
   * @param busy those that executed Java code or waited in the middle of a piece of work
   * @param asleep those of them that slept, as a thread that has its own rounds does between them
   */
  public record Use(String group, boolean serving, double workers, double busy, double asleep) {

    private static Use of(String group, List<OccupiedStretch> stretches) {
      double seconds = stretches.stream().mapToDouble(OccupiedStretch::seconds).sum();
      double workers = 0;
      double busy = 0;
      double seen = 0;
      double asleep = 0;
      for (OccupiedStretch one : stretches) {
        double part = one.seconds() / seconds;
        asleep += part * one.waiting().getOrDefault(WaitKind.SLEEP, 0.0);
        workers += part * one.workers();
        busy += part * Math.min(one.workers(), one.busy());
        seen += part * one.busy();
      }
      if (seen > Policy.CLEARLY_MORE * workers) {
        // Some of them wait for sockets at times: their number is not known, only how many work.
        workers = seen;
        busy = seen;
      }
      return new Use(group, stretches.get(0).serving(), workers, busy, Math.min(busy, asleep));
    }

    /** How many threads there are; empty where no more of them were seen than those at work. */
    public OptionalDouble threads() {
      boolean counted = busy < workers || workers == Math.rint(workers);
      return counted
          ? OptionalDouble.of(Math.max(Math.rint(workers), Math.ceil(busy)))
          : OptionalDouble.empty();
    }

    /** How many are at work, for requests or for what their own rounds are. */
    public double atWork() {
      return serving ? busy : busy - asleep;
    }

    /** Whether there is hardly ever a free one. */
    public boolean isFull() {
      return busy >= Policy.CLEAR_ROOM * workers;
    }
  }

  /**
   * Whether requests take about as long as in the baseline for the threads that serve them, from
   * the end of one rest to the next. False if the rests are not recorded or no thread is free.
   */
  public static boolean areRoundsAsLong(Incident incident) {
    double now = meanRound(incident.timeline(), incident.window());
    double usual =
        incident.baseline().map(before -> meanRound(incident.timeline(), before)).orElse(0.0);
    return now > 0 && now <= (1 + Policy.SAMPLES_GOOD_TO) * usual;
  }

  /**
   * How long a request takes these threads, in seconds, without groups that are full; 0 if unknown.
   */
  public static double meanRound(Timeline timeline, Window window) {
    Map<String, Double> busy =
        use(timeline, window).stream()
            .filter(group -> group.serving() && !group.isFull())
            .collect(Collectors.toMap(Use::group, Use::busy));
    long rounds =
        timeline.samples(WorkRounds.class, window).stream()
            .filter(round -> busy.containsKey(round.group()))
            .mapToLong(round -> round.lengths().count())
            .sum();
    return rounds < Policy.FEWEST_COUNTED ? 0 : Numbers.sum(busy) * window.seconds() / rounds;
  }

  /** That of all groups that a recording shows in a window, by name. */
  public static List<Use> use(Timeline timeline, Window window) {
    return OccupiedStretch.byGroup(timeline, window).entrySet().stream()
        .map(group -> Use.of(group.getKey(), group.getValue()))
        .toList();
  }

  /** Whether the threads of a group had time without work in the baseline. */
  public static boolean restedBefore(Incident incident, OccupiedWorkers group) {
    return incident
        .baseline()
        .filter(
            baseline ->
                BackgroundWorkers.rested(incident.timeline(), baseline, group.group())
                    >= Policy.NOTABLE)
        .isPresent();
  }

  /**
   * Whether each request keeps the threads of a group for longer, by Little's law: at the rate of
   * the incident, with their time for one in the baseline, some of them would be free. False if
   * their rests or the rate are not known.
   */
  public static boolean areKeptLonger(Incident incident, String group) {
    Timeline timeline = incident.timeline();
    double room = Policy.CLEAR_ROOM / RequestRate.busier(incident);
    return RequestRate.isKnownOverTime(timeline)
        && incident
            .baseline()
            .filter(before -> 1 - BackgroundWorkers.rested(timeline, before, group) < room)
            .stream()
            .flatMap(before -> use(timeline, before).stream())
            .anyMatch(one -> one.group().equals(group) && one.busy() < room * one.workers());
  }

  /** Occupied groups of the incident, without single threads, by name. */
  public static List<OccupiedWorkers> of(Incident incident) {
    return of(incident, Part.MOST_OF_IT).stream()
        .filter(group -> group.workers() >= Policy.FEWEST_QUEUED)
        .toList();
  }

  /**
   * Single threads that are at work all the time: either all work of some kind passes through one,
   * or it polls.
   */
  public static List<OccupiedWorkers> alone(Incident incident) {
    return of(incident, Part.MOST_OF_IT).stream()
        .filter(group -> group.workers() < Policy.FEWEST_QUEUED)
        .toList();
  }

  /**
   * Groups that serve requests and are fully busy for a part of the incident, by name. This is
   * evidence only together with a load test: requests beyond the number of threads queue in that
   * part.
   */
  static List<OccupiedWorkers> partly(Incident incident) {
    return of(incident, Part.ANY_OF_IT).stream()
        .filter(group -> group.serving() && group.workers() >= Policy.FEWEST_QUEUED)
        .toList();
  }

  /**
   * Groups that serve no requests and are fully busy for a stretch of the incident, by name. Only
   * without a baseline: then the incident is the whole recording, and the queue may have begun in
   * the middle of it.
   */
  public static List<OccupiedWorkers> inARow(Incident incident) {
    return incident.baseline().isPresent()
        ? List.of()
        : of(incident, Part.IN_A_ROW).stream()
            .filter(group -> !group.serving() && group.workers() >= Policy.FEWEST_QUEUED)
            .toList();
  }

  private static List<OccupiedWorkers> of(Incident incident, Part part) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Predicate<OccupiedStretch> full = OccupiedStretch.full(timeline, window);
    return OccupiedStretch.byGroup(timeline, window).entrySet().stream()
        .flatMap(group -> of(group.getKey(), part.of(group.getValue(), full)).stream())
        .toList();
  }

  private static Optional<OccupiedWorkers> of(String name, List<OccupiedStretch> stretches) {
    if (stretches.isEmpty()) {
      return Optional.empty();
    }
    Map<WaitKind, Double> waiting = new EnumMap<>(WaitKind.class);
    double workers =
        stretches.stream().mapToDouble(OccupiedStretch::workers).average().orElseThrow();
    for (OccupiedStretch one : stretches) {
      one.waiting().forEach((kind, n) -> waiting.merge(kind, n / stretches.size(), Double::sum));
    }
    waiting.remove(WaitKind.IDLE);
    double running = stretches.stream().mapToDouble(OccupiedStretch::running).average().orElse(0);
    double busy = running + Numbers.sum(waiting);
    waiting.replaceAll((kind, threads) -> threads / busy);
    double seconds = stretches.stream().mapToDouble(OccupiedStretch::seconds).sum();
    return Optional.of(
        new OccupiedWorkers(
            name,
            stretches.get(0).serving(),
            (int) Math.round(workers),
            busy,
            Math.round(seconds),
            waiting,
            running / busy));
  }

  /**
   * The end of the recorded time, if request threads worked before it and none begins anything in
   * it. A wait that does not end is in no event, so that threads which hang look like idle ones.
   * Where calls of requests go on, as on virtual threads, other threads have taken over.
   */
  public static Optional<Window> silence(Timeline timeline) {
    if (timeline.mainRequestStats().isPresent() || timeline.requestsOfSpan().isPresent()) {
      return Optional.empty();
    }
    Set<String> serving =
        use(timeline, timeline.span()).stream()
            .filter(Use::serving)
            .map(Use::group)
            .collect(Collectors.toSet());
    List<WorkRounds> rounds =
        timeline.samples(WorkRounds.class).stream()
            .filter(round -> serving.contains(round.group()) && round.lengths().count() > 0)
            .toList();
    return rounds.size() < Policy.SUSTAINED.toSeconds()
        ? Optional.empty()
        : rounds.stream()
            .map(round -> round.at().plus(round.length()))
            .max(Comparator.naturalOrder())
            .filter(last -> last.plus(Policy.SUSTAINED).isBefore(timeline.span().to()))
            .map(last -> new Window(last, timeline.span().to()))
            .filter(
                rest ->
                    calls(timeline, rest)
                        <= Policy.NOTABLE
                            * calls(timeline, new Window(timeline.span().from(), rest.from())));
  }

  private static double calls(Timeline timeline, Window window) {
    return WaitSeries.totals(UserWaits.of(timeline, WaitKind.DOWNSTREAM), window).count()
        / window.seconds();
  }
}
