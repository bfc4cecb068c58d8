package io.gcdiag.measures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadCount;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.requests.BeforeServer;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.KnownHolds;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.OccupiedWorkers.Use;
import io.gcdiag.measures.threads.PinnedCarriers;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.Station.Kind;
import io.gcdiag.measures.threads.Station.Row;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one writes down before looking for a cause: each station that requests pass, with arrivals,
 * time, number and servers before and during the incident. It is counted and not modelled; what a
 * recording throttles, a threshold hides or no sensor sees has no row, or one that says so.
 */
final class StationTable {

  /**
   * What requests wait for and the stations where they are meanwhile, in the order of a request.
   */
  private static final List<Map.Entry<Effect, Kind>> WAITS =
      List.of(
          Map.entry(Effect.POOL_WAIT, Kind.POOL_QUEUE),
          Map.entry(Effect.DOWNSTREAM_WAIT, Kind.CALLS),
          Map.entry(Effect.LOCK_WAIT, Kind.LOCK_QUEUE),
          Map.entry(Effect.LOG_WAIT, Kind.LOG_QUEUE),
          Map.entry(Effect.CLIENT_WAIT, Kind.CLIENTS),
          Map.entry(Effect.FILE_WAIT, Kind.FILES),
          Map.entry(Effect.SLEEP, Kind.SLEEPS),
          Map.entry(Effect.DIRECT_MEMORY_WAIT, Kind.MEMORY),
          Map.entry(Effect.ALLOCATION_STALL, Kind.MEMORY),
          Map.entry(Effect.PINNED, Kind.CARRIERS),
          Map.entry(Effect.OTHER_WAIT, Kind.OTHER));

  /** Stands between the frames of a stack. */
  private static final String CALLED_BY = " < ";

  /** Of these there may be more than the number of servers says. */
  private static final Set<Kind> MORE_THAN_KNOWN = EnumSet.of(Kind.LOCKS, Kind.CARRIERS);

  /** Threads that run on until they look for a safepoint keep the others waiting for the pause. */
  private static final String BEFORE_COLLECTIONS = "before collections";

  /** Which station a row is of, and the state of a request that is there, if it is one. */
  private record Place(Kind kind, String name, Optional<Effect> effect) {

    /** What serves requests. */
    Place(Kind kind, String name) {
      this(kind, name, Optional.empty());
    }

    Place(Kind kind, String name, Effect effect) {
      this(kind, name, Optional.of(effect));
    }
  }

  private final MeasuredIncident incident;
  private final Timeline timeline;
  private final List<Station> stations = new ArrayList<>();

  private StationTable(MeasuredIncident incident) {
    this.incident = incident;
    this.timeline = incident.timeline();
  }

  /**
   * All stations of an incident: by the way of a request through them, of one kind those with most
   * in it first. What has less in it than a table shows is left out.
   */
  static List<Station> of(MeasuredIncident incident) {
    StationTable table = new StationTable(incident);
    table.requests();
    BeforeServer.felt(incident).ifPresent(table::beforeServer);
    table.workers();
    WAITS.forEach(wait -> table.waits(wait.getKey(), wait.getValue()));
    if (CallMeters.areAlone(table.timeline)) {
      table.metered(
          target -> new Place(Kind.CALLS, target, Effect.DOWNSTREAM_WAIT),
          window -> CallMeters.of(table.timeline, window));
    }
    table.metered(
        name -> new Place(Kind.STEPS, name), window -> CallMeters.steps(table.timeline, window));
    table.connections();
    table.locks();
    table.present(Effect.WORKER_WAIT, Kind.WORKER_QUEUE);
    WAITS.forEach(wait -> table.present(wait.getKey(), wait.getValue()));
    table.present(Effect.CPU_QUEUE, Kind.CPU_QUEUE);
    table.present(Effect.THROTTLED, Kind.THROTTLED);
    table.threads();
    table.stops();
    table.cores();
    Comparator<Station> most =
        Comparator.comparingDouble(
            one -> -Math.max(one.during().inIt(), one.before().map(Row::inIt).orElse(0.0)));
    return table.stations.stream()
        .sorted(
            Comparator.comparing(Station::kind).thenComparing(most).thenComparing(Station::name))
        .toList();
  }

  private void requests() {
    timeline
        .requestsOfSpan()
        .ifPresent(
            series ->
                add(
                    new Place(Kind.REQUESTS, isAfterQueue(series) ? "taken up by a thread" : ""),
                    window -> row(series, window),
                    List.of(series.source())));
  }

  /** A meter of the server starts when a thread is free: what waits for one is not in it. */
  private boolean isAfterQueue(RequestSeries series) {
    return series.isScraped(timeline.metrics())
        && incident.workerQueue().stream().anyMatch(one -> one.role() == WorkerQueue.Role.SERVER);
  }

  private void beforeServer(BeforeServer ends) {
    add(
        new Place(Kind.BEFORE_SERVER, ""),
        window ->
            RequestRate.overTime(timeline, window)
                .map(
                    rate ->
                        Row.timed(
                            rate.perSecond(),
                            ends.network()
                                + (window.equals(incident.window()) ? ends.seconds() : 0),
                            window)),
        List.of(ends.client(), ends.own()));
  }

  private static Optional<Row> row(RequestSeries series, Window window) {
    RequestInterval all = series.within(window);
    return series
        .rate(window)
        .flatMap(
            rate ->
                all.latencies()
                    .mean()
                    .map(
                        mean ->
                            Row.counted(
                                rate.perSecond() * window.seconds(),
                                RequestExcess.inSystem(
                                    series, rate.perSecond() * Durations.seconds(mean), window),
                                window)));
  }

  /** Groups that serve requests, and others, or single threads, that are busy for most of it. */
  private void workers() {
    List<Use> during = OccupiedWorkers.use(timeline, incident.window());
    for (Use group : during.stream().filter(this::isWhole).toList()) {
      if (group.serving() && group.workers() >= Policy.FEWEST_QUEUED
          || group.atWork() >= Policy.MAJORITY * group.workers()) {
        add(
            new Place(Kind.WORKERS, group.group()),
            window -> row(group.group(), window),
            group.threads(),
            "",
            List.of(timeline.recorded("jdk.ThreadPark")));
      }
    }
    if (during.stream().noneMatch(Use::serving)) {
      Gauge.busiest(timeline, MetricMeaning.REQUEST_THREADS_BUSY).ifPresent(this::meteredWorkers);
    }
  }

  private void meteredWorkers(Gauge busy) {
    OptionalDouble most =
        Gauge.busiest(timeline, MetricMeaning.REQUEST_THREADS_MAX)
            .map(gauge -> gauge.highest(timeline.span()))
            .orElse(OptionalDouble.empty());
    add(
        new Place(Kind.WORKERS, "request threads"),
        window -> present(busy.mean(window), window),
        most,
        "the scrapes",
        List.of(busy.series().source()));
  }

  private static Optional<Row> present(OptionalDouble threads, Window window) {
    return threads.isPresent()
        ? Optional.of(Row.present(threads.getAsDouble(), window))
        : Optional.empty();
  }

  private Optional<Row> row(String group, Window window) {
    double rounds = rounds(group, window).count();
    return use(group, window)
        .map(
            use ->
                rounds >= Policy.FEWEST_COUNTED
                        && !isFull(group)
                        && windows().allMatch(any -> areRequests(group, any))
                    ? Row.counted(rounds, atWork(use, rounds, window), window)
                    : Row.present(
                        isFull(group) ? use.atWork() : atWork(use, rounds, window), window));
  }

  private Optional<Use> use(String group, Window window) {
    return OccupiedWorkers.use(timeline, window).stream()
        .filter(use -> use.group().equals(group))
        .findFirst();
  }

  private Stream<Window> windows() {
    return Stream.concat(Stream.of(incident.window()), incident.baseline().stream());
  }

  private Latencies rounds(String group, Window window) {
    return timeline.samples(WorkRounds.class, window).stream()
        .filter(round -> round.group().equals(group))
        .map(WorkRounds::lengths)
        .reduce(Latencies.none(), Latencies::plus);
  }

  /**
   * Whether a group that serves all requests has as many rounds as there are, where these are
   * counted; else whether the recording alone shows that its rounds are requests.
   */
  private boolean areRequests(String group, Window window) {
    double counted =
        timeline
            .requestsOfSpan()
            .flatMap(series -> series.rate(window))
            .map(rate -> rate.perSecond() * window.seconds())
            .orElse(0.0);
    double ratio = rounds(group, window).count() / counted;
    boolean alone = use(group, window).filter(use -> servesAlone(use, window)).isPresent();
    return alone && counted >= Policy.FEWEST_COUNTED
        ? Math.max(ratio, 1 / ratio) < 1 + Policy.SAMPLES_GOOD_TO
        : ServedRequests.areWhole(timeline, group, window);
  }

  /**
   * By samples, or the CPU load where these miss most; at least the recorded waits of its threads,
   * if hardly another group serves requests, and at most the requests there are.
   */
  private double atWork(Use group, double rounds, Window window) {
    if (!servesAlone(group, window)) {
      return group.atWork();
    }
    double requests =
        timeline
            .requestsOfSpan()
            .flatMap(series -> row(series, window))
            .filter(row -> rounds <= (1 + Policy.NEGLIGIBLE) * row.arrivals().orElse(0))
            .map(Row::inIt)
            .orElse(Double.POSITIVE_INFINITY);
    double seen =
        windows().anyMatch(any -> isMissed(group.group(), any))
            ? Math.max(group.atWork(), computing(group.group(), window))
            : group.atWork();
    return Math.min(group.workers(), Math.max(waiting(window), Math.min(requests, seen)));
  }

  /** Samples find no thread in the JVM's own code, as while it fills in a stack trace. */
  private boolean isMissed(String group, Window window) {
    double computing = computing(group, window);
    double missed = use(group, window).map(use -> computing - use.atWork()).orElse(0.0);
    return missed >= Math.max(Policy.LEAST_THREADS_FELT, Policy.MAJORITY * computing);
  }

  /** Cores that requests use, as far as rounds of the group last so long. */
  private double computing(String group, Window window) {
    double cores =
        CpuUse.of(timeline, window)
            .map(use -> use.jvm() * CoreQueue.users(timeline, window))
            .map(share -> share * MachineLoad.cores(timeline, window))
            .orElse(0.0);
    return Math.min(cores, rounds(group, window).totalSeconds() / window.seconds());
  }

  private boolean servesAlone(Use group, Window window) {
    double others =
        OccupiedWorkers.use(timeline, window).stream()
            .filter(use -> use.serving() && !use.group().equals(group.group()))
            .mapToDouble(Use::busy)
            .sum();
    return group.serving() && others < Policy.NOTABLE * group.busy();
  }

  /** Whether no more of its threads wait than it has; those that never rest are not counted. */
  private boolean isWhole(Use group) {
    Window window = incident.window();
    return !servesAlone(group, window) || waiting(window) <= (1 + Policy.NOTABLE) * group.workers();
  }

  /** Threads in recorded waits of requests. */
  private double waiting(Window window) {
    return WAITS.stream()
        .flatMap(wait -> wait.getKey().waitsFor().stream())
        .filter(kind -> kind != WaitKind.PINNED)
        .mapToDouble(
            kind -> WaitSeries.threads(WaitSeries.ofRequests(timeline.waits(kind)), window))
        .sum();
  }

  private boolean isFull(String group) {
    return OccupiedWorkers.use(timeline, incident.window()).stream()
        .anyMatch(use -> use.group().equals(group) && use.isFull());
  }

  /** Waits by what is waited for; those of threads that no request waits for are separate. */
  private void waits(Effect effect, Kind station) {
    WaitKind kind = effect.waitsFor().orElseThrow();
    Set<WaitSeries> ofUsers = new HashSet<>(UserWaits.recorded(timeline, kind));
    if (kind != WaitKind.DOWNSTREAM || !CallMeters.areAlone(timeline)) {
      waits(kind, name -> new Place(station, name, effect), ofUsers::contains);
    }
    if (kind != WaitKind.OTHER && kind != WaitKind.SLEEP) {
      waits(
          kind,
          name -> new Place(station, name + ", other threads"),
          series -> !ofUsers.contains(series));
    }
  }

  private void waits(
      WaitKind kind, Function<String, Place> place, Predicate<WaitSeries> condition) {
    SortedMap<String, List<WaitSeries>> byName =
        timeline.waits(kind).stream()
            .filter(condition)
            .collect(
                Collectors.groupingBy(
                    series -> series.site().label().split(CALLED_BY, 2)[0],
                    TreeMap::new,
                    Collectors.toList()));
    String cover =
        timeline
            .threshold(WaitEstimate.signal(kind))
            .filter(threshold -> !threshold.isZero())
            .map(threshold -> "threshold " + Durations.format(threshold))
            .orElse("");
    OptionalInt known = PinnedCarriers.carriers(timeline);
    OptionalDouble carriers =
        known.isPresent() ? OptionalDouble.of(known.getAsInt()) : OptionalDouble.empty();
    byName.forEach(
        (name, series) ->
            add(
                place.apply(name),
                window -> Optional.of(row(series, window)),
                kind == WaitKind.PINNED ? carriers : OptionalDouble.empty(),
                cover,
                series.stream().map(WaitSeries::source).distinct().toList()));
  }

  /** What is waited while the whole JVM is stopped is the stop's time and not the station's. */
  private Row row(List<WaitSeries> series, Window window) {
    WaitSeries.Totals totals = WaitSeries.totals(series, window);
    double stopped =
        StopCost.frozenSeconds(series, timeline.pauses(window))
            + StopCost.frozenBySafepoints(series, timeline.safepoints(window), SafepointStop::lost);
    double inIt = Math.max(0, totals.waitedSeconds() - stopped) / window.seconds();
    // What began before the window and has not ended has no length yet.
    return totals.count() == 0 && inIt > 0
        ? Row.present(inIt, window)
        : Row.counted(totals.count(), inIt, window).longest(totals.longest());
  }

  /** What timers and spans count, by what is called or done. */
  private void metered(Function<String, Place> place, Function<Window, List<CallMeters>> timers) {
    for (CallMeters one : timers.apply(incident.window())) {
      add(
          place.apply(one.target()),
          window ->
              one.sameIn(timers.apply(window))
                  .map(it -> Row.timed(it.perSecond(), it.meanSeconds(), window)),
          List.of(one.source()));
    }
  }

  private void connections() {
    Optional<PoolMeters> meters = PoolMeters.of(timeline);
    Optional<PoolDemand.Known<Integer>> size = PoolDemand.size(timeline, incident.window());
    OptionalDouble servers =
        size.filter(known -> known.bound().isEmpty())
            .map(known -> OptionalDouble.of(known.value()))
            .orElse(OptionalDouble.empty());
    if (meters.isPresent()) {
      PoolMeters pool = meters.get();
      add(
          new Place(Kind.CONNECTIONS, pool.name()),
          window -> row(pool, window),
          servers,
          "",
          pool
              .source(MetricMeaning.POOL_USAGE_SECONDS)
              .or(() -> pool.source(MetricMeaning.POOL_ACTIVE))
              .stream()
              .toList());
      return;
    }
    names(PoolHold.class, PoolHold::pool)
        .forEach(
            pool ->
                held(
                    new Place(Kind.CONNECTIONS, pool),
                    KnownHolds.of(incident, pool)::in,
                    PoolHold::holds,
                    PoolHold::heldSeconds,
                    servers,
                    "holds after a wait, at least"));
  }

  private static Optional<Row> row(PoolMeters pool, Window window) {
    return pool.borrows(window)
        .flatMap(
            rate ->
                pool.hold(window)
                    .map(hold -> Row.timed(rate.perSecond(), Durations.seconds(hold), window)))
        .or(() -> present(pool.inUse(window), window));
  }

  private void locks() {
    names(LockHold.class, LockHold::lock)
        .forEach(
            lock ->
                held(
                    new Place(Kind.LOCKS, UserWaits.lockLabel(incident, lock)),
                    window ->
                        timeline.samples(LockHold.class, window).stream()
                            .filter(hold -> hold.lock().equals(lock))
                            .toList(),
                    LockHold::holds,
                    LockHold::heldSeconds,
                    OptionalDouble.of(1),
                    "holds while others wait"));
  }

  private <T extends Sample> Set<String> names(Class<T> holds, Function<T, String> name) {
    return timeline.samples(holds).stream()
        .map(name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private <T> void held(
      Place place,
      Function<Window, List<T>> holds,
      ToDoubleFunction<T> count,
      ToDoubleFunction<T> seconds,
      OptionalDouble servers,
      String cover) {
    add(
        place,
        window -> {
          List<T> inside = holds.apply(window);
          return Optional.of(
              Row.counted(
                  inside.stream().mapToDouble(count).sum(),
                  inside.stream().mapToDouble(seconds).sum() / window.seconds(),
                  window));
        },
        servers,
        cover,
        List.of(timeline.recorded("jdk.ThreadPark")));
  }

  /**
   * What the ledger has by dumps, samples, meters or a queue before all threads of a group: how
   * many wait, and neither how often nor for how long.
   */
  private void present(Effect effect, Kind kind) {
    EffectTimes effects = incident.effects();
    Optional<DumpedWaits> dumped = effects.inDumps(effect);
    asInLedger(effect, dumped.isEmpty());
    List<Station> counted = ofEffect(effect);
    Window window = incident.window();
    boolean comparable = effects.before(effect).isPresent() && !effects.isBoundBefore(effect);
    Optional<Window> baseline = incident.baseline().filter(before -> comparable);
    boolean named = dumped.isEmpty() && (effect == Effect.PINNED || !counted.isEmpty());
    Map<String, Double> sites =
        dumped
            .map(DumpedWaits::bySubject)
            .orElseGet(() -> named ? Map.of() : effects.sites(effect, window));
    double part = part(sites, effects.during(effect));
    if (named || Numbers.sum(sites) < Policy.MAJORITY * effects.during(effect)) {
      beyond(effect, kind, counted);
      return;
    }
    // Of two rows of one thing the ledger's counts.
    stations.removeIf(one -> one.kind() == kind && sites.containsKey(one.name()));
    Map<String, Double> before = baseline.map(one -> effects.sites(effect, one)).orElse(Map.of());
    double partBefore = part(before, effects.before(effect).orElse(0));
    sites.forEach(
        (subject, threads) ->
            add(
                new Place(kind, subject, effect),
                one ->
                    one.equals(window)
                        ? Optional.of(Row.present(part * threads, window))
                        : baseline.map(
                            usual ->
                                Row.present(partBefore * before.getOrDefault(subject, 0.0), usual)),
                sources(effect)));
  }

  private List<Station> ofEffect(Effect effect) {
    return stations.stream().filter(one -> one.effect().equals(Optional.of(effect))).toList();
  }

  /**
   * Rows and ledger have one figure: how much of the waits fell into stops is estimated over all
   * places together, and each has its part of it. Where the ledger counts something else, or none
   * of it, a row is no state of a request.
   */
  private void asInLedger(Effect effect, boolean byEvents) {
    EffectTimes effects = incident.effects();
    List<Station> counted = ofEffect(effect);
    double part = part(inIt(counted, one -> Optional.of(one.during())), effects.during(effect));
    double partBefore =
        effects.before(effect).isEmpty() || effects.isBoundBefore(effect)
            ? 1
            : part(inIt(counted, Station::before), effects.before(effect).getAsDouble());
    boolean booked = byEvents && effect != Effect.PINNED && part > 0;
    stations.replaceAll(
        one ->
            !counted.contains(one) ? one : booked ? one.scaled(partBefore, part) : one.unbooked());
  }

  private static Map<String, Double> inIt(
      List<Station> rows, Function<Station, Optional<Row>> window) {
    Map<String, Double> threads = new TreeMap<>();
    rows.forEach(
        one ->
            threads.merge(one.name(), window.apply(one).map(Row::inIt).orElse(0.0), Double::sum));
    return threads;
  }

  /** How much of the threads at all places the ledger has, at most all. */
  private static double part(Map<String, Double> places, double ledger) {
    double all = Numbers.sum(places);
    return all > ledger ? ledger / all : 1;
  }

  /** What samples, meters or a queue show beyond the events that name a place. */
  private void beyond(Effect effect, Kind kind, List<Station> counted) {
    EffectTimes effects = incident.effects();
    double now = counted.stream().mapToDouble(one -> one.during().inIt()).sum();
    double usual =
        counted.stream().flatMap(one -> one.before().stream()).mapToDouble(Row::inIt).sum();
    String name =
        switch (effect) {
          case WORKER_WAIT -> incident.workerQueue().map(WorkerQueue::group).orElse("");
          case PINNED -> "while none is free";
          default -> "";
        };
    add(
        new Place(kind, name, effect),
        window ->
            window.equals(incident.window())
                ? Optional.of(Row.present(Math.max(0, effects.during(effect) - now), window))
                : (effects.isBoundBefore(effect) ? OptionalDouble.empty() : effects.before(effect))
                    .stream()
                        .mapToObj(before -> Row.present(Math.max(0, before - usual), window))
                        .findFirst(),
        sources(effect));
  }

  private List<Source> sources(Effect effect) {
    if (incident.effects().fromDumps().contains(effect)) {
      return timeline.dumps(incident.window()).stream().map(dump -> dump.source()).toList();
    }
    return switch (effect) {
      case WORKER_WAIT -> incident.workerQueue().map(WorkerQueue::sources).orElse(List.of());
      case POOL_WAIT ->
          PoolMeters.of(timeline).flatMap(pool -> pool.source(MetricMeaning.POOL_PENDING)).stream()
              .toList();
      case CPU_QUEUE -> List.of(MachineLoad.source(timeline));
      case THROTTLED ->
          timeline.samples(ThrottleCount.class).stream()
              .map(ThrottleCount::source)
              .distinct()
              .toList();
      case PINNED -> List.of(timeline.recorded("jdk.VirtualThreadPinned"));
      default -> List.of(timeline.recorded("jdk.NativeMethodSample"));
    };
  }

  private void threads() {
    List<ThreadCount> counted = timeline.samples(ThreadCount.class);
    add(
        new Place(Kind.THREADS, ""),
        window ->
            present(
                timeline.samples(ThreadCount.class, window).stream()
                    .mapToLong(ThreadCount::active)
                    .average(),
                window),
        counted.stream().limit(1).map(ThreadCount::source).toList());
  }

  /** Collections by their cause, and other stops by the JVM's operation. */
  private void stops() {
    Set<String> causes =
        timeline.pauses().types().stream()
            .map(PauseType::cause)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String cause : causes) {
      Pauses ofCause = timeline.pauses().ofType(type -> type.cause().equals(cause));
      add(
          new Place(
              Kind.STOPS, cause.isEmpty() ? "collector" : "collector, " + cause, Effect.STOPPED),
          window -> {
            Pauses inside = ofCause.within(window);
            return Optional.of(
                Row.counted(
                        inside.size(), Durations.seconds(inside.sum()) / window.seconds(), window)
                    .longest(inside.longest()));
          },
          ofCause.isEmpty() ? List.of() : List.of(new Source(ofCause.file(0), "")));
    }
    CollectorMeters.of(timeline)
        .ifPresent(
            meters ->
                add(
                    new Place(Kind.STOPS, "collector", Effect.STOPPED),
                    window -> meters.totals(window).map(totals -> row(totals, window)),
                    List.of(meters.source())));
    Map<String, List<SafepointStop>> byOperation =
        timeline.safepoints().stream()
            .filter(stop -> !stop.collection() || !stop.lost().isZero())
            .collect(
                Collectors.groupingBy(
                    stop -> stop.collection() ? BEFORE_COLLECTIONS : stop.operation(),
                    TreeMap::new,
                    Collectors.toList()));
    byOperation.forEach(
        (operation, stops) ->
            add(
                new Place(
                    Kind.STOPS, operation.isEmpty() ? "safepoints" : operation, Effect.SAFEPOINT),
                window -> Optional.of(row(stops, window)),
                List.of(new Source(stops.get(0).source().file(), ""))));
  }

  /** By the scrapes in and around a window, as of its length. */
  private static Row row(PauseTotals stopped, Window window) {
    double share = window.seconds() / stopped.seconds();
    return Row.counted(stopped.count() * share, stopped.shareStopped(), window)
        .longest(stopped.longest());
  }

  private static Row row(Iterable<SafepointStop> stops, Window window) {
    int count = 0;
    double seconds = 0;
    Duration longest = Duration.ZERO;
    for (SafepointStop stop : stops) {
      if (window.contains(stop.start())) {
        count++;
        seconds += Durations.seconds(stop.lost());
        longest = stop.lost().compareTo(longest) > 0 ? stop.lost() : longest;
      }
    }
    return Row.counted(count, seconds / window.seconds(), window).longest(longest);
  }

  private void cores() {
    int cores = MachineLoad.cores(timeline, incident.window());
    BiFunction<Window, Double, Row> used = (window, inUse) -> Row.present(inUse, window);
    cores(
        new Place(Kind.CORES, "this service's code", Effect.RUNNING),
        CpuUse::service,
        cores,
        this::ofRequests);
    Optional<CpuUse> during = CpuUse.of(timeline, incident.window());
    String collector = during.map(CpuUse::collectorName).orElse("collector");
    cores(new Place(Kind.CORES, collector), CpuUse::collector, cores, used);
    cores(new Place(Kind.CORES, "compiler"), CpuUse::compiler, cores, used);
    boolean least = during.filter(CpuUse::isBounded).isPresent();
    String others = "other processes" + (least ? ", at least" : "");
    cores(new Place(Kind.CORES, others), CpuUse::others, cores, used);
  }

  private void cores(
      Place who, ToDoubleFunction<CpuUse> share, int cores, BiFunction<Window, Double, Row> row) {
    if (timeline.cpu().isEmpty()) {
      return;
    }
    add(
        who,
        window ->
            CpuUse.of(timeline, window)
                .map(
                    use ->
                        row.apply(
                            window,
                            share.applyAsDouble(use)
                                * Math.max(1, MachineLoad.cores(timeline, window)))),
        cores > 0 ? OptionalDouble.of(cores) : OptionalDouble.empty(),
        "",
        List.of(MachineLoad.source(timeline)));
  }

  /** Cores in use, for so many requests a second where these are counted over time. */
  private Row ofRequests(Window window, double cores) {
    return RequestRate.overTime(timeline, window)
        .map(rate -> Row.counted(rate.perSecond() * window.seconds(), cores, window))
        .orElseGet(() -> Row.present(cores, window));
  }

  /** Leaves out stations that are nearly empty in both windows, except noticeable stops. */
  private void add(Place place, Function<Window, Optional<Row>> rows, List<Source> sources) {
    add(place, rows, OptionalDouble.empty(), "", sources);
  }

  private void add(
      Place place,
      Function<Window, Optional<Row>> rows,
      OptionalDouble servers,
      String cover,
      List<Source> sources) {
    Optional<Row> during = rows.apply(incident.window());
    Optional<Row> before = incident.baseline().flatMap(rows);
    boolean any =
        Stream.concat(during.stream(), before.stream())
            .anyMatch(
                row ->
                    row.inIt() >= Policy.LEAST_THREADS_NAMED
                        || place.kind() == Kind.STOPS
                            && row.longest()
                                .filter(one -> one.compareTo(Policy.FELT_DELAY) >= 0)
                                .isPresent());
    if (during.isPresent() && any) {
      // More locks held at a time than one are several of one class, and a scheduler adds carriers.
      boolean more =
          MORE_THAN_KNOWN.contains(place.kind())
              && during.get().inIt() > (1 + Policy.NEGLIGIBLE) * servers.orElse(1);
      stations.add(
          new Station(
              place.kind(),
              place.name(),
              place.effect(),
              before,
              during.get(),
              more ? OptionalDouble.empty() : servers,
              cover,
              sources));
    }
  }
}
