package io.gcdiag.causes.pool;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the cause of waiting for pooled connections. One source measures the waiting (the pool's
 * meters, thread dumps or events) and attributes its time. The other sources, the demand and the
 * pool size give supporting evidence.
 */
final class PoolWaitRule implements CombinedRule {

  @Override
  public List<Rule> sensors() {
    return List.of(
        new Figures(id()),
        new Meters(id()),
        new Dumps(id()),
        new PoolInEvents(id()),
        new CappedCalls(id()));
  }

  @Judges(Hypothesis.CONNECTION_POOL_UNDERSIZED)
  private record Figures(String id) implements Rule {
    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return new PoolByFigures(id, incident).finding().stream().toList();
    }
  }

  @Judges({
    Hypothesis.CONNECTION_POOL_UNDERSIZED,
    Hypothesis.SLOW_DOWNSTREAM,
    Hypothesis.CONNECTION_LEAK
  })
  private record Meters(String id) implements Rule {
    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return new PoolByMeters(id, incident).finding().stream().toList();
    }
  }

  @Judges(
      value = {
        Hypothesis.CONNECTION_LEAK,
        Hypothesis.CONNECTION_POOL_UNDERSIZED,
        Hypothesis.SLOW_DOWNSTREAM
      },
      needs = Signal.THREAD_DUMPS)
  private record Dumps(String id) implements Rule {
    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return new PoolInDumps(id, incident).finding().stream().toList();
    }
  }

  /**
   * Finds a pool by the calls on its connections. Virtual threads that wait for one are in no
   * event, but the calls of the others are: as many are in progress all the time, and never one
   * more. If they take as long as in the baseline, in which there were clearly fewer, what hands
   * out the connections is full.
   */
  @Judges(Hypothesis.CONNECTION_POOL_UNDERSIZED)
  record CappedCalls(String id) implements Rule {

    private static final String POOL_OR_PERMITS =
        "look for a limit of as many in front of these calls: the size of a pool, or the permits of a"
            + " semaphore or bulkhead; a dump by 'jcmd PID Thread.dump_to_file -format=json FILE' names it";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      // Virtual threads that keep their carriers are capped by the number of these.
      if (timeline.samples(VirtualThreadUse.class).isEmpty()
          || !timeline.waits(WaitKind.PINNED).isEmpty()
          || isLatencyKnown(timeline)
              && incident.effects().excessSeconds(Effect.UNACCOUNTED) <= 0) {
        return List.of();
      }
      Map<String, List<WaitSeries>> byHost =
          UserWaits.of(timeline, WaitKind.DOWNSTREAM).stream()
              .collect(
                  Collectors.groupingBy(
                      series -> series.site().name(), TreeMap::new, Collectors.toList()));
      return byHost.entrySet().stream()
          .flatMap(host -> capped(incident, host.getKey(), host.getValue()).stream())
          .toList();
    }

    private static boolean isLatencyKnown(Timeline timeline) {
      return timeline.mainRequestStats().isPresent() || timeline.requestsOfSpan().isPresent();
    }

    private Optional<Finding> capped(
        MeasuredIncident incident, String host, List<WaitSeries> calls) {
      if (incident.baseline().isEmpty()) {
        return Optional.empty();
      }
      double before = WaitSeries.threads(calls, incident.baseline().get());
      double mean = WaitSeries.threads(calls, incident.window());
      double peak = WaitingThreads.at(calls).peak(settled(incident.window()));
      long cap = Math.round(peak);
      // One after the other, as no pool makes them that had more connections before.
      boolean inTurn = cap == 1 && before > cap + Policy.LEAST_THREADS_FELT;
      boolean grown = cap >= Policy.FEWEST_QUEUED && before < Policy.CLEAR_ROOM * cap;
      boolean full = peak <= cap + Policy.LEAST_THREADS_FELT && mean >= Policy.FULL * cap;
      return full && (inTurn || grown) && areAsLong(incident, calls)
          ? Optional.of(finding(incident, host, calls, cap))
          : Optional.empty();
    }

    /** Without its first seconds: the edge of a window is found to a few of them. */
    private static Window settled(Window window) {
      return window.seconds() > 2 * Policy.RECURRING
          ? new Window(window.from().plusSeconds(Policy.RECURRING), window.to())
          : window;
    }

    private static boolean areAsLong(MeasuredIncident incident, List<WaitSeries> calls) {
      WaitSeries.Totals during = WaitSeries.totals(calls, incident.window());
      WaitSeries.Totals before = WaitSeries.totals(calls, incident.baseline().orElseThrow());
      return Math.min(during.count(), before.count()) >= Policy.FEWEST_FOR_A_MEAN
          && during.mean().toNanos() < Policy.CLEARLY_MORE * before.mean().toNanos();
    }

    private Finding finding(
        MeasuredIncident incident, String host, List<WaitSeries> calls, long cap) {
      Window window = incident.window();
      Window baseline = incident.baseline().orElseThrow();
      WaitSeries.Totals during = WaitSeries.totals(calls, window);
      WaitSeries.Totals before = WaitSeries.totals(calls, baseline);
      double now = WaitSeries.threads(calls, window);
      double usual = WaitSeries.threads(calls, baseline);
      boolean inTurn = cap == 1;
      String full =
          inTurn
              ? "they come one by one, before %s at a time on average: a lock is held during the call"
                  .formatted(text(usual))
              : "a pool or limit of %s is full".formatted(cap);
      FindingBuilder finding =
          Finding.of(
              id,
              ("%s of at most %s calls to %s are in progress all the time, each as long as in the"
                      + " baseline (%s, before: %s): %s, and virtual threads that wait for it are in"
                      + " no event")
                  .formatted(
                      text(now),
                      cap,
                      host,
                      Durations.format(during.mean()),
                      Durations.format(before.mean()),
                      full));
      if (inTurn) {
        finding.advises(
            Hypothesis.LOCK_CONTENTION,
            "make the calls to " + host + " outside the lock: now only one is made at a time");
      }
      Hypothesis cause =
          inTurn ? Hypothesis.LOCK_CONTENTION : Hypothesis.CONNECTION_POOL_UNDERSIZED;
      finding
          .brief("%s of at most %s calls to %s in progress".formatted(text(now), cap, host))
          .figure(
              "calls to " + host + " in progress, mean",
              Optional.of(text(usual)),
              text(now) + " of " + cap)
          .sum(
              "%s/s x %s = %s -> %s/s x %s = %s"
                  .formatted(
                      text(before.count() / baseline.seconds()),
                      Durations.format(before.mean()),
                      text(usual),
                      text(during.count() / window.seconds()),
                      Durations.format(during.mean()),
                      text(now)))
          .value("calls", now)
          .value("callsBefore", usual)
          .value("mostCalls", cap)
          .from(calls.get(0).source());
      if (isLatencyKnown(incident.timeline())) {
        return finding.explains(cause, Effect.UNACCOUNTED, 1).build();
      }
      return inTurn
          ? finding.supports(cause).build()
          : finding
              .supports(cause)
              .supports(Hypothesis.LOCK_CONTENTION)
              .advises(cause, POOL_OR_PERMITS)
              .inseparable(cause, Hypothesis.LOCK_CONTENTION, POOL_OR_PERMITS)
              .build();
    }

    private static String text(double number) {
      return Numbers.threeDigits(number);
    }
  }

  /**
   * Judges a queue for connections that only the pool's own meters show: those of reactive drivers,
   * before which no thread waits, and any pool if there is neither a recording nor a dump. What the
   * queue is due to follows from how long connections are held, now and when no thread waits.
   */
  record PoolByMeters(String rule, MeasuredIncident incident) {

    /** If two causes cannot be separated, the more common one comes first. */
    private static final double COMMONER = 0.51;

    static final String EXPERIMENT =
        "measure how long a connection is held when no thread waits (the pool's usage timer), and give it"
            + " as --hold; or double the pool alone";

    private static final String WHO_HOLDS =
        "record what holders do (a recording with settings=profile), or take two thread dumps";

    Optional<Finding> finding() {
      Optional<PoolMeters> meters = PoolMeters.of(incident.timeline());
      return incident.effects().fromMeters()
          ? meters.map(this::judge)
          : meters
              .filter(this::hasRoom)
              .map(this::clear)
              .or(() -> meters.filter(this::isEmptyWheneverRead).map(this::tell));
    }

    /**
     * Whether threads wait and all connections are in use at each of too few scrapes for a mean.
     */
    private boolean isEmptyWheneverRead(PoolMeters pool) {
      List<Double> waiting = read(pool, MetricMeaning.POOL_PENDING);
      List<Double> used = read(pool, MetricMeaning.POOL_ACTIVE);
      return pool.size().isPresent()
          && !waiting.isEmpty()
          && waiting.size() < Policy.RECURRING
          && !used.isEmpty()
          && waiting.stream().allMatch(threads -> threads >= Policy.FEWEST_QUEUED)
          && used.stream().allMatch(connections -> connections >= pool.size().getAsInt());
    }

    private List<Double> read(PoolMeters pool, MetricMeaning meaning) {
      return pool.gauge(meaning).stream()
          .flatMapToDouble(gauge -> Arrays.stream(gauge.values(incident.window())))
          .boxed()
          .toList();
    }

    /** A moment shows that the pool is empty, and not why: three leads. */
    private Finding tell(PoolMeters pool) {
      List<Double> waiting = read(pool, MetricMeaning.POOL_PENDING);
      double most = Collections.max(waiting);
      return Finding.of(
              rule,
              "by the pool's own meters (%s) %s threads wait for a connection while all %s are in use%s"
                  .formatted(
                      pool.name(),
                      Numbers.threeDigits(most),
                      pool.size().getAsInt(),
                      waiting.size() == 1 ? ", at one scrape" : ", at each of two scrapes"))
          .figure("threads waiting for a connection, most", Numbers.threeDigits(most))
          .value("waiting", most)
          .value("poolSize", pool.size().getAsInt())
          .from(pool.source(MetricMeaning.POOL_PENDING).orElseThrow())
          .supports(Hypothesis.CONNECTION_POOL_UNDERSIZED)
          .supports(Hypothesis.CONNECTION_LEAK)
          .supports(Hypothesis.SLOW_DOWNSTREAM)
          .build();
    }

    /**
     * Whether a pool was never near its size and no thread waited for it, at each of several
     * scrapes, and nothing else shows one that did: it is then full at most between two of them.
     */
    private boolean hasRoom(PoolMeters pool) {
      Window window = incident.window();
      return pool.size().isPresent()
          && pool.inUse(window).isPresent()
          && mostInUse(pool, window) <= Policy.CLEAR_ROOM * pool.size().getAsInt()
          && pool.peakPending(window).filter(peak -> peak.value() == 0).isPresent()
          && incident.effects().during(Effect.POOL_WAIT) <= 0
          && incident.timeline().dumps().stream()
              .allMatch(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) == 0);
    }

    private static double mostInUse(PoolMeters pool, Window window) {
      return pool.gauge(MetricMeaning.POOL_ACTIVE).orElseThrow().highest(window).orElseThrow();
    }

    private Finding clear(PoolMeters pool) {
      String inUse =
          Numbers.threeDigits(mostInUse(pool, incident.window())) + " of " + pool.size().getAsInt();
      return Finding.of(
              rule,
              "by the pool's own meters (%s) at most %s connections are in use, and no thread waits for one"
                  .formatted(pool.name(), inUse))
          .brief("at most " + inUse + " connections in use, no thread waits")
          .figure("connections in use, most", inUse)
          .value("mostInUse", mostInUse(pool, incident.window()))
          .value("poolSize", pool.size().getAsInt())
          .from(pool.source(MetricMeaning.POOL_ACTIVE).orElseThrow())
          .refutes(Hypothesis.CONNECTION_POOL_UNDERSIZED)
          .refutes(Hypothesis.CONNECTION_LEAK)
          .build();
    }

    private Finding judge(PoolMeters pool) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      double waiting = incident.effects().during(Effect.POOL_WAIT);
      Optional<Duration> hold = pool.hold(window);
      Optional<Duration> usual = usualHold(pool);
      boolean stops = PauseTotals.of(timeline, window).shareStopped() >= Policy.HARDLY_STOPPED;
      // A scrape waits for the end of a stop itself, and so meets the queue behind it.
      boolean kept = pool.nothingComesBack(window) || !stops && hardlyComeBack(pool);
      FindingBuilder finding =
          Finding.of(rule, sentence(pool, waiting, hold, usual, kept))
              .figure(
                  "threads waiting for a connection, mean",
                  incident.effects().before(Effect.POOL_WAIT),
                  waiting)
              .value("waiting", waiting)
              .from(
                  pool.source(MetricMeaning.POOL_ACQUIRE_SECONDS)
                      .or(() -> pool.source(MetricMeaning.POOL_PENDING))
                      .orElseThrow());
      pool.inUse(window)
          .ifPresent(
              used ->
                  finding.figure(
                      "connections in use, mean",
                      incident.baseline().map(pool::inUse).orElse(OptionalDouble.empty()),
                      used));
      hold.ifPresent(
          held ->
              finding
                  .value("holdSeconds", Durations.seconds(held))
                  .figure(
                      "time a connection is held, mean",
                      usual.map(Durations::format),
                      Durations.format(held)));
      usual.ifPresent(held -> finding.value("usualHoldSeconds", Durations.seconds(held)));
      Optional<Double> use = usual.filter(held -> !kept).flatMap(held -> use(pool, held));
      use.ifPresent(share -> finding.value("utilisationAtUsualHold", share).sum(sum(share)));
      boolean known = use.isPresent();
      boolean briefly = !kept && !known && !stops && isHeldAsBriefly(pool);
      if (briefly) {
        finding.sum(
            "connections in use / requests per second: each is held no longer than the fastest"
                + " request takes");
      }
      if (kept) {
        either(finding, Hypothesis.CONNECTION_LEAK, Hypothesis.SLOW_DOWNSTREAM, WHO_HOLDS);
      } else if (briefly || known && use.get() > Policy.CLEAR_ROOM) {
        finding.explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 1);
      } else if (known && stops) {
        finding.passes(
            Effect.POOL_WAIT,
            Effect.STOPPED,
            1,
            "the pool has free connections; during a stop-the-world pause none is returned");
      } else if (known && longer(hold, usual.get())
          || !known && !stops && isHeldLonger(pool, finding)) {
        either(finding, Hypothesis.SLOW_DOWNSTREAM, Hypothesis.CONNECTION_LEAK, WHO_HOLDS);
      } else if (!known && !stops) {
        either(
            finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Hypothesis.SLOW_DOWNSTREAM, EXPERIMENT);
      }
      return finding.build();
    }

    /** Attributes the waiting to two causes, the more common one first. */
    private static void either(
        FindingBuilder finding, Hypothesis one, Hypothesis other, String experiment) {
      either(finding, one, other, 1, experiment);
    }

    /** The same for a share of it. */
    static void either(
        FindingBuilder finding, Hypothesis one, Hypothesis other, double share, String experiment) {
      finding
          .explains(one, Effect.POOL_WAIT, share * COMMONER)
          .explains(other, Effect.POOL_WAIT, share * (1 - COMMONER))
          .inseparable(one, other, experiment);
    }

    /** Lent out and not returned: by meters alone those may as well be in calls that never end. */
    private boolean hardlyComeBack(PoolMeters pool) {
      Window window = incident.window();
      OptionalDouble inUse = pool.inUse(window);
      OptionalDouble returned = pool.returned(window);
      return returned.isPresent()
          && returned.getAsDouble() < (1 - Policy.MAJORITY) * inUse.orElse(0);
    }

    /**
     * Whether connections are held no longer than the fastest request of all takes, by Little's law
     * from those in use and the requests answered: then no downstream service is slow. Both have to
     * be of one stretch.
     */
    private boolean isHeldAsBriefly(PoolMeters pool) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      boolean ofOneStretch = timeline.requestsOfSpan().isPresent() || incident.baseline().isEmpty();
      OptionalDouble inUse = pool.inUse(window);
      Optional<Rate> rate = RequestRate.of(timeline, window);
      Optional<Duration> fastest = timeline.mainRequestStats().flatMap(RequestStats::shortest);
      return ofOneStretch
          && inUse.isPresent()
          && rate.isPresent()
          && fastest.isPresent()
          && inUse.getAsDouble() / rate.get().perSecond()
              <= (1 + Policy.SAMPLES_GOOD_TO) * Durations.seconds(fastest.get());
    }

    /**
     * Whether each request keeps a connection for clearly longer than in the baseline, by Little's
     * law from those in use and the requests answered, and the pool would have room for as many
     * requests otherwise. Full cores keep holders from returning theirs.
     */
    private boolean isHeldLonger(PoolMeters pool, FindingBuilder finding) {
      OptionalDouble now = perRequest(pool, incident.window());
      OptionalDouble usual =
          incident.baseline().map(any -> perRequest(pool, any)).orElse(OptionalDouble.empty());
      if (now.isEmpty()
          || usual.isEmpty()
          || pool.size().isEmpty()
          || MachineLoad.becameFull(incident)
          || now.getAsDouble() < Policy.CLEARLY_MORE * usual.getAsDouble()) {
        return false;
      }
      double needed =
          pool.inUse(incident.window()).orElse(0) * usual.getAsDouble() / now.getAsDouble();
      boolean longer = needed <= Policy.CLEAR_ROOM * pool.size().getAsInt();
      if (longer) {
        finding.sum(
            "connections in use / requests per second: %s each, %s before; as briefly held, %s of %s would do"
                .formatted(
                    Durations.format(Durations.ofSeconds(now.getAsDouble())),
                    Durations.format(Durations.ofSeconds(usual.getAsDouble())),
                    Numbers.threeDigits(needed),
                    pool.size().getAsInt()));
      }
      return longer;
    }

    private OptionalDouble perRequest(PoolMeters pool, Window window) {
      OptionalDouble inUse = pool.inUse(window);
      Optional<Rate> rate =
          incident.timeline().requestsOfSpan().flatMap(series -> series.rate(window));
      return inUse.isPresent() && inUse.getAsDouble() > 0 && rate.isPresent()
          ? OptionalDouble.of(inUse.getAsDouble() / rate.get().perSecond())
          : OptionalDouble.empty();
    }

    private static boolean longer(Optional<Duration> hold, Duration usual) {
      return Numbers.of(hold, Durations::seconds).orElse(0)
          > (1 + Policy.SAMPLES_GOOD_TO) * Durations.seconds(usual);
    }

    /**
     * The use that the pool would have if connections were held as usual, where most borrowers
     * waited (a mean over baseline and incident shows room that was not there then); empty if rate
     * or size are not known.
     */
    private Optional<Double> use(PoolMeters pool, Duration usual) {
      Timeline timeline = incident.timeline();
      return waited(pool)
          .max(Comparator.comparingDouble(stretch -> wait(pool, stretch)))
          .flatMap(pool::borrows)
          .map(rate -> new LittlesLaw(rate.perSecond(), usual))
          .flatMap(
              law ->
                  PoolDemand.size(timeline, timeline.span())
                      .map(size -> law.utilisationOf(size.value())));
    }

    private static String sum(double use) {
      return "at the peak of the waiting, the demand would use "
          + new Ratio(use)
          + " of the pool with normal hold times";
    }

    /** As the operator says, as in the baseline, or as in the stretch with the least waiting. */
    private Optional<Duration> usualHold(PoolMeters pool) {
      return incident
          .timeline()
          .operator()
          .hold()
          .or(() -> incident.baseline().flatMap(pool::hold))
          .or(() -> withoutQueue(pool));
    }

    private static Optional<Duration> withoutQueue(PoolMeters pool) {
      double worst = waited(pool).mapToDouble(stretch -> wait(pool, stretch)).max().orElse(0);
      return waited(pool)
          .min(Comparator.comparingDouble(stretch -> wait(pool, stretch)))
          .filter(stretch -> wait(pool, stretch) <= Policy.NOTABLE * worst)
          .flatMap(pool::hold);
    }

    private static Stream<Window> waited(PoolMeters pool) {
      return pool.stretches().stream().filter(stretch -> pool.acquire(stretch).isPresent());
    }

    private static double wait(PoolMeters pool, Window stretch) {
      return pool.acquire(stretch).map(Durations::seconds).orElse(0.0);
    }

    private String sentence(
        PoolMeters pool,
        double waiting,
        Optional<Duration> hold,
        Optional<Duration> usual,
        boolean kept) {
      Window window = incident.window();
      StringBuilder text = new StringBuilder("by the pool's own meters (" + pool.name() + ") ");
      text.append(Numbers.threeDigits(waiting)).append(" threads wait for a connection on average");
      pool.peakPending(window)
          .map(Point::value)
          .ifPresent(
              peak -> text.append(", ").append(Numbers.threeDigits(peak)).append(" at the peak"));
      pool.inUse(window)
          .ifPresent(
              used ->
                  text.append(", while ")
                      .append(Numbers.threeDigits(used))
                      .append(pool.size().isPresent() ? " of " + pool.size().getAsInt() : "")
                      .append(" connections are in use"));
      hold.ifPresent(
          held ->
              text.append("; one is held for ")
                  .append(Durations.format(held))
                  .append(usual.map(u -> ", normally for " + Durations.format(u)).orElse("")));
      if (kept) {
        text.append(
            pool.nothingComesBack(window)
                ? "; at times none is returned"
                : "; most of those in use are not returned");
      }
      return text.toString();
    }
  }
}
