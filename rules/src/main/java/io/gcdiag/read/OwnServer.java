package io.gcdiag.read;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.AcceptedPorts;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.CallersRead;
import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;
import io.gcdiag.evidence.threads.ThreadGroupSample.TimedThreads;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Threads that serve the requests of a load test, of a server that no rule knows: no name and no
 * frame says so, their number does. By Little's law, requests that wait are in progress; where a
 * dump finds as many threads waiting in one method of the service as the load test then has more in
 * progress than when fewest are, they are those requests. What they wait in there, a queue or
 * permits, is a pool if what comes out of it is seen at work in calls; a mailbox for answers is
 * none. Threads whose recorded waits grow by as many as the requests in progress serve them, too.
 * Where its threads write to callers, or read from them, shows in the ports on the other side.
 * Threads on which events of a recording time requests serve them.
 *
 * @param timed names of threads on which requests are timed
 * @param loops methods that do all that is asked for on one connection, by what reads from it
 */
record OwnServer(
    Set<String> writers,
    Set<String> timed,
    Map<String, String> loops,
    Optional<Crowd> crowd,
    boolean pool,
    boolean settled) {

  static final OwnServer NONE =
      new OwnServer(Set.of(), Set.of(), Map.of(), Optional.empty(), false, false);

  /** Waits without a specific cause; threads that wait for new work look the same. */
  private static final Set<ThreadActivity> UNKNOWN =
      EnumSet.of(ThreadActivity.IDLE, ThreadActivity.OTHER, ThreadActivity.SLEEPING);

  /** Threads of one name that wait in one method. */
  private record Place(String threads, String method, ThreadActivity activity)
      implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return Comparator.comparing(Place::threads)
          .thenComparing(Place::method)
          .thenComparing(Place::activity)
          .compare(this, other);
    }
  }

  /**
   * Threads of one place that are as many as the requests in progress.
   *
   * @param place where they wait
   * @param at timestamps of the dumps that show it
   * @param threads their number in these dumps together
   * @param most whether they are most of the requests in progress, in each dump
   */
  private record Crowd(Place place, List<Instant> at, int threads, boolean most) {
    Crowd and(Crowd other) {
      List<Instant> all = new ArrayList<>(at);
      all.addAll(other.at);
      return new Crowd(place, all, threads + other.threads, most && other.most);
    }

    /** Whether dumps alone prove it. Threads that wait in a queue may be waiting for new work. */
    boolean isPlain() {
      return most && place.activity() != ThreadActivity.IDLE;
    }

    boolean sleeps() {
      return place.activity() == ThreadActivity.SLEEPING;
    }

    boolean isInMethod() {
      return !place.method().isEmpty();
    }
  }

  /** The knowledge after reading the files with the present one; empty if it did not change. */
  Optional<OwnServer> next(Timeline timeline) {
    Set<String> found = writers(timeline);
    if (!writers.containsAll(found)) {
      found.addAll(writers);
      return Optional.of(new OwnServer(found, timed, loops, crowd, pool, settled));
    }
    Set<String> threads = isServerKnown(timeline) ? Set.of() : timed(timeline);
    if (!timed.containsAll(threads)) {
      return Optional.of(new OwnServer(writers, threads, loops, crowd, pool, settled));
    }
    Map<String, String> reading = isServerKnown(timeline) ? Map.of() : loops(timeline);
    if (!loops.keySet().containsAll(reading.keySet())) {
      return Optional.of(new OwnServer(writers, timed, reading, crowd, pool, settled));
    }
    if (settled) {
      return Optional.empty();
    }
    if (crowd.isEmpty()) {
      return crowd(timeline)
          .or(() -> Growth.crowd(timeline))
          .map(one -> with(Optional.of(one), one.isInMethod() && !one.sleeps()));
    }
    Crowd known = crowd.get();
    if (known.isInMethod() && !isRecorded(known, timeline)) {
      return withdrawn();
    }
    if (!pool || isHeld(known.place(), timeline)) {
      return Optional.empty();
    }
    boolean waits = known.place().activity() != ThreadActivity.IDLE;
    return Optional.of(
        new OwnServer(writers, timed, loops, crowd.filter(any -> waits), false, true));
  }

  /** The same without the inferred request threads; empty if there are none. */
  Optional<OwnServer> withdrawn() {
    return crowd.map(any -> new OwnServer(writers, timed, loops, Optional.empty(), false, true));
  }

  /** Whether files read with this knowledge give what they gave with the other. */
  boolean readsLike(OwnServer other) {
    return crowd.isEmpty()
        && other.crowd.isEmpty()
        && writers.equals(other.writers)
        && timed.equals(other.timed);
  }

  private OwnServer with(Optional<Crowd> one, boolean inPool) {
    return new OwnServer(writers, timed, loops, one, inPool, false);
  }

  FrameBook in(FrameBook book) {
    Set<String> threads = new TreeSet<>(timed);
    crowd.map(one -> one.place().threads()).filter(one -> !one.isEmpty()).ifPresent(threads::add);
    return book.and(
        threads,
        crowd
            .filter(any -> pool)
            .map(one -> one.place().method())
            .map(method -> Map.of(method, InferredServer.pool(method)))
            .orElse(Map.of()),
        Stream.concat(writers.stream(), loops.keySet().stream()).collect(Collectors.toSet()),
        Set.copyOf(loops.values()));
  }

  /**
   * Methods of no known library that write to as many ports of one host as there are callers. The
   * service accepted these connections, and threads that wait there wait for clients to read. Files
   * are read again for this only if threads wait there for long enough to matter.
   */
  private static Set<String> writers(Timeline timeline) {
    Map<List<String>, List<WaitSeries>> written = new HashMap<>();
    for (WaitSeries series : timeline.waits(WaitKind.DOWNSTREAM)) {
      WaitSite site = series.site();
      if (site.client().equals(CallPart.SOCKET)
          && series.source().place().equals("jdk.SocketWrite")
          && AcceptedPorts.isEphemeral(site.name())) {
        List<String> place = List.of(site.stack(), AcceptedPorts.host(site.name()));
        written.computeIfAbsent(place, any -> new ArrayList<>()).add(series);
      }
    }
    return written.entrySet().stream()
        .filter(
            place ->
                AcceptedPorts.areCallers(
                    place.getValue().stream().map(series -> series.site().name()).toList()))
        .filter(
            place ->
                threads(place.getValue(), List.of(timeline.span())) >= Policy.LEAST_THREADS_FELT)
        .map(place -> place.getKey().get(0))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> timed(Timeline timeline) {
    return timeline.samples(TimedThreads.class).stream()
        .map(TimedThreads::threads)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Where each connection can have a thread of its own. Else connections that are kept open may be
   * what takes the threads, and a read is more than a wait for the next request.
   */
  private static Map<String, String> loops(Timeline timeline) {
    long threads =
        timeline.dumps().stream()
            .mapToLong(
                dump ->
                    dump.threads().stream().filter(thread -> thread.standing().inPool()).count())
            .max()
            .orElse(0);
    return timeline.samples(CallersRead.class).stream()
        .filter(read -> read.callers() <= threads)
        .collect(
            Collectors.toMap(
                CallersRead::reader, CallersRead::loop, (one, other) -> one, TreeMap::new));
  }

  void said(TimelineBuilder timeline) {
    Set.copyOf(loops.values())
        .forEach(
            loop ->
                timeline.note(
                    "request threads are those in %s: it reads from the callers' connections"
                        .formatted(loop)));
    timeline.samples(TimedThreads.class).stream()
        .filter(threads -> timed.contains(threads.threads()))
        .forEach(
            threads ->
                timeline.note(
                    "request threads are %s: on them the requests of %s end"
                        .formatted(threads.threads(), threads.event())));
    crowd.ifPresent(
        known ->
            timeline.sample(
                new InferredServer(
                    known.at().get(0), known.place().threads(), known.place().method())));
  }

  private static Optional<Crowd> crowd(Timeline timeline) {
    Optional<RequestSeries> requests = timeline.requestsOfSpan();
    if (requests.isEmpty() || isServerKnown(timeline)) {
      return Optional.empty();
    }
    double baseline =
        baseline(requests.get()).stream().mapToDouble(OwnServer::inProgress).average().orElse(0);
    Map<Place, Crowd> found = new TreeMap<>();
    int dumps = 0;
    for (ThreadSnapshot dump : timeline.dumps()) {
      double more = dump.at().map(at -> inProgress(requests.get(), at)).orElse(0.0) - baseline;
      if (more >= Policy.FEWEST_COUNTED) {
        dumps++;
        waiting(dump)
            .forEach(
                (place, threads) -> {
                  boolean most = threads >= Policy.MAJORITY * more;
                  if (Policy.MAJORITY * threads <= more && (most || isFull(place, threads, dump))) {
                    Crowd crowd = new Crowd(place, List.of(dump.at().get()), threads, most);
                    found.merge(place, crowd, Crowd::and);
                  }
                });
      }
    }
    int half = dumps / 2;
    return found.values().stream()
        .filter(one -> one.at().size() >= Policy.FEWEST_DUMPS && one.at().size() > half)
        .filter(one -> one.place().activity() != ThreadActivity.OTHER || isRecorded(one, timeline))
        .max(Comparator.comparingInt(Crowd::threads));
  }

  /**
   * Threads of one name whose waits, by the events of a recording, grew by as many as the requests
   * in progress: less than that, and other threads serve them; more, and they wait for something
   * else.
   */
  private static final class Growth {

    private final RequestSeries requests;
    private final List<WorkerTime> waits;

    /** As rules write the name of each group. */
    private final Map<String, String> patterns = new HashMap<>();

    private Growth(RequestSeries requests, Timeline timeline) {
      this.requests = requests;
      this.waits = timeline.samples(WorkerTime.class);
      timeline.samples(GroupTime.class).forEach(time -> patterns.put(time.group(), time.pattern()));
    }

    static Optional<Crowd> crowd(Timeline timeline) {
      return timeline
          .requestsOfSpan()
          .filter(any -> !isServerKnown(timeline))
          .flatMap(requests -> new Growth(requests, timeline).mostWaiting());
    }

    private Optional<Crowd> mostWaiting() {
      List<Window> stretches =
          waits.stream()
              .map(time -> new Window(time.at(), time.at().plus(time.length())))
              .distinct()
              .filter(stretch -> inProgress(stretch) > 0)
              .sorted(Comparator.comparingDouble(this::inProgress))
              .toList();
      int quarter = (int) Math.ceil(Policy.SUBSTANTIAL * stretches.size());
      List<Window> quiet = stretches.subList(0, quarter);
      List<Window> busy = stretches.subList(stretches.size() - quarter, stretches.size());
      double more = mean(busy, this::inProgress) - mean(quiet, this::inProgress);
      if (more < Policy.FEWEST_QUEUED) {
        return Optional.empty();
      }
      Map<String, Double> grown = new TreeMap<>();
      waits.forEach(
          time ->
              grown.computeIfAbsent(
                  time.group(),
                  group ->
                      mean(busy, one -> waiting(group, one))
                          - mean(quiet, one -> waiting(group, one))));
      return grown.entrySet().stream()
          .filter(group -> patterns.containsKey(group.getKey()))
          .filter(group -> group.getValue() >= Policy.MAJORITY * more)
          .filter(group -> Policy.MAJORITY * group.getValue() <= more)
          .max(Map.Entry.comparingByValue())
          .map(
              group ->
                  new Crowd(
                      new Place(patterns.get(group.getKey()), "", ThreadActivity.OTHER),
                      List.of(busy.get(0).from()),
                      (int) Math.round(group.getValue()),
                      true));
    }

    private static double mean(List<Window> stretches, ToDoubleFunction<Window> value) {
      return stretches.stream().mapToDouble(value).average().orElse(0);
    }

    /** Requests in progress, those that began in the stretch. */
    private double inProgress(Window stretch) {
      return requests.intervals().stream()
          .filter(interval -> stretch.contains(interval.from()))
          .mapToDouble(OwnServer::inProgress)
          .average()
          .orElse(0);
    }

    private double waiting(String group, Window stretch) {
      return waits.stream()
              .filter(time -> time.group().equals(group) && stretch.contains(time.at()))
              .flatMap(time -> time.waited().entrySet().stream())
              .filter(waited -> waited.getKey() != WaitKind.IDLE)
              .mapToDouble(Map.Entry::getValue)
              .sum()
          / stretch.seconds();
    }
  }

  private static boolean isServerKnown(Timeline timeline) {
    return timeline.waits().stream().anyMatch(series -> series.site().onRequestThread())
        || timeline.dumps().stream()
            .flatMap(dump -> dump.threads().stream())
            .anyMatch(thread -> thread.requestThread() && thread.activity() != ThreadActivity.IDLE);
  }

  /** Threads in waits without a specific cause, directly in a method of the service. */
  private static Map<Place, Integer> waiting(ThreadSnapshot dump) {
    Map<Place, Integer> places = new TreeMap<>();
    for (ThreadState thread : dump.threads()) {
      String at = thread.standing().at();
      boolean own = thread.standing().own().filter(place -> place.method().equals(at)).isPresent();
      if (own && UNKNOWN.contains(thread.activity())) {
        String name = thread.virtual() ? "" : ThreadNames.group(thread.name());
        places.merge(new Place(name, at, thread.activity()), 1, Integer::sum);
      }
    }
    return places;
  }

  /**
   * Whether all threads of that name wait there, so that further requests wait for one of these.
   */
  private static boolean isFull(Place place, int threads, ThreadSnapshot dump) {
    return !place.threads().isEmpty()
        && threads
            == dump.threads().stream()
                .filter(thread -> ThreadNames.group(thread.name()).equals(place.threads()))
                .count();
  }

  /**
   * Whether these waits increased by that much, if they are recorded: threads that wait for new
   * work do so even while few requests are in progress.
   */
  private static boolean isRecorded(Crowd crowd, Timeline timeline) {
    List<WaitSeries> waits =
        timeline.waits().stream()
            .filter(series -> series.site().stack().equals(crowd.place().method()))
            .filter(series -> series.site().kind() != WaitKind.DOWNSTREAM)
            .toList();
    if (waits.isEmpty()) {
      return crowd.isPlain();
    }
    Optional<RequestSeries> requests = timeline.requestsOfSpan();
    if (requests.isEmpty()) {
      return false;
    }
    List<Window> before =
        baseline(requests.get()).stream()
            .map(baseline -> new Window(baseline.from(), baseline.from().plus(baseline.length())))
            .toList();
    Duration step = requests.get().step();
    List<Window> during =
        crowd.at().stream().map(at -> new Window(at.minus(step), at.plus(step))).toList();
    return threads(waits, during) - threads(waits, before)
        >= Policy.MAJORITY * crowd.threads() / crowd.at().size();
  }

  private static double threads(List<WaitSeries> waits, List<Window> windows) {
    double waited = 0;
    double length = 0;
    for (Window window : windows) {
      length += window.seconds();
      for (WaitSeries series : waits) {
        waited += series.within(window).waitedSeconds();
      }
    }
    return length == 0 ? 0 : waited / length;
  }

  /** Whether something taken from the queue, or a permit, is seen in use. */
  private static boolean isHeld(Place place, Timeline timeline) {
    return timeline.samples(PoolHold.class).stream()
            .anyMatch(hold -> hold.pool().equals(InferredServer.pool(place.method())))
        || timeline.dumps().stream()
            .flatMap(dump -> dump.threads().stream())
            .filter(thread -> thread.activity() == ThreadActivity.IN_DOWNSTREAM_CALL)
            .flatMap(thread -> thread.standing().own().stream())
            .anyMatch(own -> own.method().equals(place.method()));
  }

  /** The quarter of the intervals with the fewest requests in progress, of those with requests. */
  private static List<RequestInterval> baseline(RequestSeries requests) {
    List<RequestInterval> busy =
        requests.intervals().stream()
            .filter(interval -> interval.requests() > 0 && !interval.length().isZero())
            .sorted(Comparator.comparingDouble(OwnServer::inProgress))
            .toList();
    return busy.subList(0, (int) Math.ceil(Policy.SUBSTANTIAL * busy.size()));
  }

  /**
   * Little's law: requests that began in the interval times their mean latency, divided by its
   * length.
   */
  private static double inProgress(RequestInterval interval) {
    return interval.latencies().totalSeconds() / Durations.seconds(interval.length());
  }

  /**
   * Requests that had begun by then and took longer than the time since. Requests of an interval
   * began evenly spread over it.
   */
  private static double inProgress(RequestSeries requests, Instant at) {
    double inProgress = 0;
    for (RequestInterval interval : requests.intervals()) {
      Duration age = Duration.between(interval.from(), at);
      if (!age.isNegative() && !age.isZero()) {
        Duration begun = age.compareTo(interval.length()) < 0 ? age : interval.length();
        Duration since = age.minus(begun);
        inProgress +=
            (secondsBeyond(interval, since) - secondsBeyond(interval, age))
                / Durations.seconds(interval.length());
      }
    }
    return inProgress;
  }

  private static double secondsBeyond(RequestInterval interval, Duration time) {
    Latencies longer = interval.latencies().from(time);
    return longer.totalSeconds() - longer.count() * Durations.seconds(time);
  }
}
