package io.gcdiag.verdict;

import io.gcdiag.books.LedgerEntry;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.HiddenTime;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.UnaccountedInDumps;
import io.gcdiag.measures.WaitEstimate;
import io.gcdiag.measures.WaitEstimate.Relation;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.ShortFileCalls;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The ledger as measured, before any time is passed on, with a note on how each line was measured.
 */
public record Ledger(MeasuredIncident incident, EffectTimes times) {

  private static final double PER_CENT = 100;
  private static final double MILLIS = 1e3;

  /** Waiting time during a stop of all threads is booked to the stop and not to the wait. */
  private static final String WITHOUT_STOPS = ", less the GC pauses and safepoints in them";

  public static List<LedgerEntry> of(MeasuredIncident incident, EffectTimes times) {
    return new Ledger(incident, times).entries();
  }

  private List<LedgerEntry> entries() {
    double total = times.totalExcessSeconds();
    List<LedgerEntry> entries = new ArrayList<>();
    for (Effect effect : Effect.values()) {
      double excess = times.excessSeconds(effect);
      if (excess > 0 || times.during(effect) > 0) {
        Map<String, Double> during = times.sites(effect, incident.window());
        entries.add(
            new LedgerEntry(
                effect,
                times.before(effect),
                times.during(effect),
                times.inDumps(effect).map(DumpedWaits::range),
                excess,
                total > 0 ? excess / total : 0,
                false,
                note(effect)
                    + (Numbers.sum(during) > (1 + Policy.NEGLIGIBLE) * times.during(effect)
                            && effect != Effect.UNACCOUNTED
                        ? WITHOUT_STOPS
                        : "")
                    + sum(effect),
                effect == Effect.STOPPED ? delayed() : "",
                sites(effect, during)));
      }
    }
    entries.addAll(new LedgerBounds(incident, times).entries());
    return entries;
  }

  /**
   * Time at sites includes pauses, but the effect's time does not, so each site is reduced in
   * proportion.
   */
  private List<LedgerEntry.Site> sites(Effect effect, Map<String, Double> during) {
    Optional<Station> queue =
        incident.stations().stream()
            .filter(one -> one.kind() == Station.Kind.BEFORE_SERVER)
            .findFirst();
    if (effect == Effect.UNACCOUNTED && queue.isPresent()) {
      return List.of(
          new LedgerEntry.Site(
              queue.get().title(),
              Numbers.of(queue.get().before(), Station.Row::inIt),
              queue.get().during().inIt()));
    }
    if (effect == Effect.UNACCOUNTED
        && Numbers.sum(during) > (1 + Policy.NEGLIGIBLE) * times.during(effect)) {
      // Their time is booked under waits for workers' results.
      return List.of();
    }
    Optional<Window> baseline = incident.baseline();
    Map<String, Double> before = baseline.map(w -> times.sites(effect, w)).orElse(Map.of());
    double part = part(OptionalDouble.of(times.during(effect)), during);
    double partBefore = part(times.before(effect), before);
    return during.entrySet().stream()
        .filter(site -> !site.getKey().isEmpty())
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(Policy.MOST_NAMED)
        .map(
            site ->
                new LedgerEntry.Site(
                    site.getKey(),
                    baseline.isPresent() && !times.isBoundBefore(effect)
                        ? OptionalDouble.of(before.getOrDefault(site.getKey(), 0.0) * partBefore)
                        : OptionalDouble.empty(),
                    site.getValue() * part))
        .toList();
  }

  private static double part(OptionalDouble whole, Map<String, Double> sites) {
    double all = Numbers.sum(sites);
    return whole.isPresent() && all > whole.getAsDouble() ? whole.getAsDouble() / all : 1;
  }

  private String note(Effect effect) {
    if (times.fromDumps().contains(effect)) {
      int dumps = DumpTimes.during(incident).size();
      return "threads seen there in "
          + (dumps == 1 ? "one thread dump" : dumps + " thread dumps, on average")
          + (times.relation(effect) == Relation.AGREE
              ? ", and no more than recorded waits and those below the threshold can be; in brackets"
                  + " where both lie"
              : ": events show few of them or none; in brackets the range that so few samples allow")
          + (!times.isBoundBefore(effect)
              ? ""
              : incident.baseline().isPresent()
                  ? "; before: an upper bound, by the requests in progress"
                  : "; counted as lost: the time beyond that of the fastest request");
    }
    if (effect == Effect.POOL_WAIT && times.fromMeters()) {
      return "waiting threads by the pool's own meters: no event and no dump shows them";
    }
    if (effect == Effect.DOWNSTREAM_WAIT && times.areCallsFromMeters()) {
      return CallMeters.mostGrown(incident).map(CallMeters::how).orElse("")
          + ": no event and no dump shows these calls";
    }
    return measured(effect) + hiddenByThreshold(effect) + detail(effect);
  }

  private static String measured(Effect effect) {
    return switch (effect) {
      case WORKER_WAIT -> "requests in progress less those that a thread works on";
      case POOL_WAIT -> "threads parked in the pool's acquire method, waits";
      case LOCK_WAIT -> "threads blocked on a monitor or parked for a lock, waits";
      case LOG_WAIT -> "threads waiting for room in a log queue, waits";
      case DIRECT_MEMORY_WAIT ->
          "threads that allocate a direct buffer and wait for others to be freed, waits";
      case DOWNSTREAM_WAIT -> "socket reads";
      case CLIENT_WAIT ->
          "request threads that wait for their client to read the response or send the request";
      case FILE_WAIT -> "file reads and writes";
      case OTHER_WAIT -> "request threads parked for what is no lock, pool, call or task, waits";
      case SLEEP -> "sleeps of request threads";
      case PINNED -> "blocking calls of pinned virtual threads while they leave no carrier free";
      case RUNNING -> "CPU time per request, at the rate of";
      case CPU_QUEUE ->
          "runnable request threads beyond the number of cores in thread dumps, else by CPU utilisation and the threads in no recorded wait";
      case THROTTLED -> "stops by the CPU quota, times the requests that each delayed";
      case ALLOCATION_STALL -> "allocations that waited for the collector";
      case SAFEPOINT -> "non-GC safepoints, times the requests that each delayed";
      case STOPPED -> "pauses,";
      case UNACCOUNTED -> "request time beyond";
    };
  }

  /** The threshold below which waits have no events. */
  private String hiddenByThreshold(Effect effect) {
    return switch (effect) {
      case POOL_WAIT,
          LOG_WAIT,
          OTHER_WAIT,
          LOCK_WAIT,
          DOWNSTREAM_WAIT,
          FILE_WAIT,
          DIRECT_MEMORY_WAIT ->
          incident
              .timeline()
              .coverage()
              .of(WaitEstimate.signal(effect.waitsFor().orElseThrow()))
              .limit();
      default -> "";
    };
  }

  /** How the figure of the incident comes about, for a reader with a calculator. */
  private String sum(Effect effect) {
    double window = incident.window().seconds();
    double seconds = times.during(effect) * window;
    String mean =
        exactly(
            "%s s / %s s = " + Numbers.threeDigits(times.during(effect)),
            times.during(effect),
            factors -> factors[0] / factors[1],
            seconds,
            window);
    if (effect == Effect.UNACCOUNTED && times.isRunUnrecorded()) {
      return "; if all of it was in the incident, " + mean;
    }
    PauseTotals pauses = PauseTotals.of(incident.timeline(), incident.window());
    double stopped = Durations.seconds(pauses.sum());
    if (effect == Effect.STOPPED && stopped > 0 && seconds > 0) {
      String delayed = delayed();
      return ": %s of %s in all"
              .formatted(
                  Numbers.counted(pauses.count(), "pause"), Numbers.threeDigits(stopped) + " s")
          + (delayed.isEmpty()
              ? exactly(
                  " x %2$s requests on average = ",
                  seconds, factors -> factors[0] * factors[1], stopped, seconds / stopped)
              : "; " + delayed + " = ")
          + mean;
    }
    return largest().filter(effect::equals).isPresent() ? "; in sum " + mean : "";
  }

  /**
   * {@code 2,540 requests (27.4 % of 332/s x 27.9 s) x 94.9 ms}; empty without a rate, or if they
   * are few. A rate of the whole load test is said to be, since stations have their own.
   */
  private String delayed() {
    Window window = incident.window();
    double share = StopCost.shareDelayed(incident, window).orElse(0);
    double perSecond = RequestRate.of(incident, window).map(Rate::perSecond).orElse(0.0);
    double requests = Math.rint(share * perSecond * window.seconds());
    if (requests < Policy.FEWEST_COUNTED) {
      return "";
    }
    double seconds = times.during(Effect.STOPPED) * window.seconds();
    boolean brief = seconds < requests;
    return Numbers.threeDigits(requests)
        + exactly(
            " requests (%s %% of "
                + (RequestRate.isKnownOverTime(incident.timeline()) ? "" : "the whole test's ")
                + "%s/s x %s s)",
            requests,
            factors -> Math.rint(factors[0] / PER_CENT * factors[1] * factors[2]),
            PER_CENT * share,
            perSecond,
            window.seconds())
        + exactly(
            " x %s " + (brief ? "ms" : "s"),
            seconds,
            factors -> factors[0] * requests / (brief ? MILLIS : 1),
            (brief ? MILLIS : 1) * seconds / requests);
  }

  private static String exactly(
      String format, double figure, ToDoubleFunction<double[]> made, double... factors) {
    return Numbers.exactly(format, figure, made, factors).orElse("");
  }

  /** The effect with most of the lost time. */
  private Optional<Effect> largest() {
    return Arrays.stream(Effect.values())
        .filter(effect -> times.excessSeconds(effect) > 0)
        .max(Comparator.comparingDouble(times::excessSeconds));
  }

  /** Further details, depending on the files. */
  private String detail(Effect effect) {
    boolean compared = incident.baseline().isPresent();
    return switch (effect) {
      case FILE_WAIT ->
          ShortFileCalls.grown(incident, incident.window()) >= Policy.LEAST_THREADS_NAMED
              ? ", and samples of threads in shorter ones"
              : "";
      case DOWNSTREAM_WAIT ->
          (ConnectWaits.of(incident.timeline()).threads(incident.window())
                      >= Policy.LEAST_THREADS_NAMED
                  ? ", and samples of threads in connect"
                  : "")
              + (!compared
                  ? "; not counted as lost: there is no baseline"
                  : more(effect) ? "; not counted as lost: more calls, none of them slower" : "");
      case SLEEP ->
          compared
              ? ""
              : times.excessSeconds(effect) > 0
                  ? "; counted as lost: waits in a limiter"
                  : "; not counted as lost: there is no baseline";
      case RUNNING ->
          CpuPerRequest.of(incident).isPresent()
              ? " the incident"
              : " the whole load test, bounded by the lost time";
      case UNACCOUNTED ->
          (RequestExcess.overTime(incident).isPresent()
                  ? " that of the baseline"
                  : " what requests need, by the whole load test's figures")
              + ", less all the above"
              + counted();
      case STOPPED ->
          RequestRate.of(incident, incident.window()).isPresent()
              ? " times the requests that each delayed"
              : " at least times the requests that the workers' rounds show: the request rate is unknown";
      default -> "";
    };
  }

  /** Without a baseline the time includes what requests normally need, which no column shows. */
  private String counted() {
    double lost = times.excessSeconds(Effect.UNACCOUNTED) / incident.window().seconds();
    boolean part = lost * (1 + Policy.NEGLIGIBLE) < times.during(Effect.UNACCOUNTED);
    return times.before(Effect.UNACCOUNTED).isEmpty() && part
        ? (Numbers.isNothing(lost)
            ? "; none of it counts as lost"
            : "; of it " + Numbers.threeDigits(lost) + " counts as lost, the rest is normal")
        : "";
  }

  /** Whether the effect grew although none of the growth counts as lost time. */
  private boolean more(Effect effect) {
    return times.excessSeconds(effect) <= 0
        && times.during(effect) > times.before(effect).orElse(Double.MAX_VALUE);
  }

  /**
   * Lines of the ledger that are upper bounds for time missing in the others; they count in no sum.
   */
  private record LedgerBounds(MeasuredIncident incident, EffectTimes times) {

    List<LedgerEntry> entries() {
      double total = times.totalExcessSeconds();
      List<LedgerEntry> entries = new ArrayList<>();
      times.afterStops().forEach((effect, waits) -> entries.add(afterStops(effect, waits, total)));
      incident
          .hidden()
          .map(hidden -> hidden(hidden, total))
          .or(() -> incident.unaccountedInDumps().map(rest -> rest(rest, total)))
          .ifPresent(entries::add);
      return entries;
    }

    /** The line for time in no recorded state. */
    private LedgerEntry hidden(HiddenTime hidden, double total) {
      Optional<Double> before = hidden.before().map(baseline -> baseline.threads());
      return bound(
          Effect.UNACCOUNTED,
          Numbers.of(before, value -> value),
          hidden.during().threads(),
          share(hidden.more(), total),
          new HiddenTimeText(incident, hidden).note(total),
          List.of());
    }

    /** The line for waits in dumps that were taken after pauses. */
    private LedgerEntry afterStops(Effect effect, DumpedWaits waits, double total) {
      double stopped = PauseTotals.of(incident.timeline(), incident.window()).shareStopped();
      return bound(
          effect,
          OptionalDouble.empty(),
          waits.range().high(),
          share(waits.range().high(), total),
          ("an upper bound: %s wait there, and so few samples allow at most this many;"
                  + " pauses take %s of the time and leave short queues behind: none of it is"
                  + " counted%s")
              .formatted(
                  threads(waits.threads(), waits.dumps()),
                  new Ratio(stopped),
                  part(waits.range().high(), total)),
          waits.bySubject().entrySet().stream()
              .sorted(
                  Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                      .thenComparing(Map.Entry.comparingByKey()))
              .map(
                  site ->
                      new LedgerEntry.Site(site.getKey(), OptionalDouble.empty(), site.getValue()))
              .toList());
    }

    /** The line for running threads in thread dumps that are in no counted wait. */
    private LedgerEntry rest(UnaccountedInDumps rest, double total) {
      return bound(
          Effect.UNACCOUNTED,
          OptionalDouble.empty(),
          rest.atMost(),
          share(rest.atMost(), total),
          ("an upper bound: %s of %s request threads are at work and in no wait that is"
                  + " counted, and so few samples allow at most this many: they compute, or wait"
                  + " for calls, CPU or something else; dumps do not show how much of it is"
                  + " normal%s")
              .formatted(
                  threads(rest.threads(), rest.dumps()),
                  Numbers.threeDigits(rest.present()),
                  part(rest.atMost(), total)),
          List.of());
    }

    private static String threads(double threads, int dumps) {
      return dumps == 1
          ? "in one thread dump " + Numbers.threeDigits(threads)
          : "in " + dumps + " thread dumps " + Numbers.threeDigits(threads) + " on average";
    }

    /** Share of all lost time, in words; empty without lost time. */
    private String part(double threads, double total) {
      return total <= 0 || Math.round(1_000 * share(threads, total)) == 0
          ? ""
          : "; at most " + new Ratio(share(threads, total)) + " of the lost time can lie here";
    }

    /** Share of all lost time; 0 without lost time. */
    private double share(double threads, double total) {
      double seconds = threads * incident.window().seconds();
      return total <= 0 ? 0 : seconds / (seconds + total);
    }

    private static LedgerEntry bound(
        Effect effect,
        OptionalDouble before,
        double during,
        double share,
        String note,
        List<LedgerEntry.Site> sites) {
      return new LedgerEntry(
          effect, before, during, Optional.empty(), 0, share, true, note, "", sites);
    }
  }
}
