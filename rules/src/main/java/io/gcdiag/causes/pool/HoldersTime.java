package io.gcdiag.causes.pool;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Time;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.KnownHolds;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the threads that held the connections did with them, in the incident: from the stacks and
 * events of the holders themselves. Times are net of the collector's pauses.
 *
 * @param pool the pool that was waited for most
 * @param holds holds that are known
 * @param heldSeconds for how long each was held at least, on average
 * @param timed seconds per hold by events, by what was done
 * @param sampled seconds per hold that samples stand for
 * @param sources where it was read
 */
record HoldersTime(
    String pool,
    long holds,
    double heldSeconds,
    Map<Doing, Time> timed,
    Map<Doing, Double> sampled,
    List<Source> sources) {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The holders' time of the pool that is waited for most; empty if too few holds are known. */
  static Optional<HoldersTime> of(Incident incident) {
    Window window = incident.window();
    return WaitSeries.longest(UserWaits.of(incident.timeline(), WaitKind.POOL), window)
        .flatMap(series -> of(incident, series.site().name()));
  }

  private static Optional<HoldersTime> of(Incident incident, String pool) {
    Timeline timeline = incident.timeline();
    List<PoolHold> holds = KnownHolds.of(incident, pool).in(incident.window());
    long count = holds.stream().mapToLong(PoolHold::holds).sum();
    if (count < Policy.FEWEST_FOR_A_MEAN) {
      return Optional.empty();
    }
    Map<Doing, Time> timed = new LinkedHashMap<>();
    Map<Doing, Double> sampled = new LinkedHashMap<>();
    double held = 0;
    for (PoolHold hold : holds) {
      double running =
          1
              - PauseTotals.of(timeline, new Window(hold.at(), hold.at().plus(SECOND)))
                  .shareStopped();
      held += hold.heldSeconds() * running;
      hold.timed()
          .forEach(
              (doing, time) ->
                  timed.merge(
                      doing, new Time(time.count(), time.seconds() * running / count), Time::plus));
      hold.sampled()
          .forEach((doing, seconds) -> sampled.merge(doing, seconds / count, Double::sum));
    }
    return held <= 0
        ? Optional.empty()
        : Optional.of(
            new HoldersTime(
                pool,
                count,
                held / count,
                timed,
                sampled,
                holds.stream().map(PoolHold::source).distinct().toList()));
  }

  private static double timed(Map<Doing, Time> times, Kind kind) {
    return times.entrySet().stream()
        .filter(one -> one.getKey().kind() == kind)
        .mapToDouble(one -> one.getValue().seconds())
        .sum();
  }

  private static double sampled(Map<Doing, Double> times, Kind kind) {
    return times.entrySet().stream()
        .filter(one -> one.getKey().kind() == kind)
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /**
   * Seconds per hold of that kind. Both see the same time: events what is long, samples what is
   * short as well.
   */
  double seconds(Kind kind) {
    return Math.max(timed(timed, kind), sampled(sampled, kind));
  }

  /** What one call on a connection takes that events record, on average; 0 if none does. */
  double ownCallSeconds() {
    Time calls =
        timed.entrySet().stream()
            .filter(one -> one.getKey().kind() == Kind.OWN_CALL)
            .map(Map.Entry::getValue)
            .reduce(new Time(0, 0), Time::plus);
    return calls.count() == 0 ? 0 : calls.seconds() * holds / calls.count();
  }

  /** Seconds per hold that are known: samples may find more than lies between two events. */
  double knownSeconds() {
    return Math.max(heldSeconds, Stream.of(Kind.values()).mapToDouble(this::seconds).sum());
  }

  /** Share of the time held, 0 to 1. */
  double share(Kind kind) {
    return seconds(kind) / knownSeconds();
  }

  /**
   * Share of the hold time in which holders waited for the scarce resource itself, so the
   * connections are not held idle without reason. 0 if the hold time is not known.
   */
  static double kept(Incident incident) {
    return of(incident)
        .map(
            time ->
                Math.min(
                    1, time.share(Kind.LOCK) + time.share(Kind.FILE) + time.share(Kind.OTHER_POOL)))
        .orElse(0.0);
  }

  /**
   * Whether holders spend most of the time held in work that the connection is not needed for, as
   * far as their own events and samples show. Calls of such a holder do not put it to work.
   */
  static boolean mostlyElsewhere(Incident incident) {
    return of(incident).filter(HoldersTime::mostlyElsewhere).isPresent();
  }

  /** The same of holders whose time is known. */
  boolean mostlyElsewhere() {
    return share(Kind.OTHER_CALL) + share(Kind.SLEEP) >= Policy.MAJORITY;
  }

  /** Whether holders are known to spend most of the time held in calls on the connections. */
  static boolean mostlyAtWork(Incident incident) {
    return of(incident).filter(time -> time.share(Kind.OWN_CALL) >= Policy.MAJORITY).isPresent();
  }

  /** What most of the time of that kind went to, by events or else by samples. */
  Optional<String> name(Kind kind) {
    Comparator<Map.Entry<Doing, Double>> byTime = Map.Entry.comparingByValue();
    Map<Doing, Double> byEvents = new LinkedHashMap<>();
    timed.forEach((doing, time) -> byEvents.put(doing, time.seconds()));
    return List.of(byEvents, sampled).stream()
        .flatMap(
            times ->
                times.entrySet().stream()
                    .filter(one -> one.getKey().kind() == kind && !one.getKey().what().isEmpty())
                    .max(byTime.thenComparing(one -> one.getKey().what()))
                    .stream())
        .findFirst()
        .map(one -> one.getKey().what());
  }
}
