package io.gcdiag.causes.pool;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Time;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.CallGrowth;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * By how much connections are held longer than in the baseline, and by what.
 *
 * <p>In the baseline hardly any thread waits for a connection, so that no hold is known then. What
 * each request of the baseline spent in that way, be it on a connection or not, is the most that
 * its holds can have had of it: what is beyond that is longer for certain.
 *
 * <p>Without a baseline nothing is known to be longer. But if holders spend most of the time in
 * calls to other hosts and asleep, the connections are kept through work that needs none, as long
 * as that has been so: returned meanwhile, half of them and less would do.
 *
 * @param seconds per hold, by cause; none is 0 or less
 * @param heldSeconds for how long a connection is held as far as it is known, on average
 */
record LongerHolds(Map<Cause, Double> seconds, double heldSeconds) {

  /** What makes a hold longer. */
  enum Cause {
    /** Answers take longer, or there are more of them to a hold. */
    ANSWERS(
        Optional.of(Effect.DOWNSTREAM_WAIT),
        "slower or more calls",
        "slower or more calls hold connections longer"),
    LOCKS(
        Optional.of(Effect.LOCK_WAIT),
        "locks that holders wait for",
        "connections are held while waiting for a lock"),
    FILES(
        Optional.of(Effect.FILE_WAIT),
        "file I/O of holders",
        "connections are held during file I/O"),
    COMPUTING(
        Optional.of(Effect.RUNNING), "CPU time of holders", "connections are held while computing"),
    /** The connection is kept through work that it is not needed for. */
    UNRELATED(
        Optional.empty(),
        "work that needs no connection",
        "connections are held during work that needs none");

    private final Optional<Effect> effect;
    private final String title;
    private final String reason;

    Cause(Optional<Effect> effect, String title, String reason) {
      this.effect = effect;
      this.title = title;
      this.reason = reason;
    }

    /** Its name; continues "explained by". */
    String title() {
      return title;
    }

    /** Why a part of the waiting is handed on. */
    String reason() {
      return reason;
    }

    /** The effect that the time belongs to; absent if it is a cause of its own. */
    Optional<Effect> effect() {
      return effect;
    }
  }

  static LongerHolds of(Incident incident, HoldersTime holders) {
    Map<Cause, Double> seconds = new EnumMap<>(Cause.class);
    Comparison comparison = new Comparison(incident, holders);
    seconds.put(Cause.LOCKS, comparison.beyondBaseline(Kind.LOCK, WaitKind.LOCK));
    seconds.put(Cause.FILES, comparison.beyondBaseline(Kind.FILE, WaitKind.FILE));
    seconds.put(Cause.COMPUTING, comparison.computing());
    seconds.put(Cause.ANSWERS, comparison.ownCalls() + comparison.slowerOthers());
    seconds.put(
        Cause.UNRELATED, comparison.newOthers() + comparison.sleeping() + comparison.elsewhere());
    seconds.values().removeIf(part -> part < Policy.NEGLIGIBLE * holders.knownSeconds());
    return new LongerHolds(seconds, holders.knownSeconds());
  }

  /** All of it, in seconds per hold. */
  private double total() {
    return Numbers.sum(seconds);
  }

  /** Share of a hold that would not be there in the baseline, 0 to 1. */
  double share(Cause cause) {
    return seconds.getOrDefault(cause, 0.0) / Math.max(heldSeconds, total());
  }

  Map<Cause, Double> shares() {
    return PoolWaitSplit.each(seconds, longer -> longer / Math.max(heldSeconds, total()));
  }

  /** Whether the holds are longer for certain, and not by chance. */
  boolean clearly() {
    return total() >= (1 - 1 / Policy.CLEARLY_MORE) * Math.max(heldSeconds, total());
  }

  /** The incident's holds against the baseline's requests. */
  private record Comparison(Incident incident, HoldersTime holders) {

    /** What holders of the baseline did not do: no holder has to wait for a lock or a file. */
    double beyondBaseline(Kind kind, WaitKind waits) {
      return Math.max(0, holders.seconds(kind) - baselinePerRequest(waits));
    }

    /** Without a baseline it is not known how long they use to sleep. */
    double sleeping() {
      return baseline().isEmpty() ? 0 : beyondBaseline(Kind.SLEEP, WaitKind.SLEEP);
    }

    /** Without a baseline: all that needs no connection, where that is most of it. */
    double elsewhere() {
      return baseline().isEmpty() && holders.mostlyElsewhere()
          ? holders.seconds(Kind.OTHER_CALL) + holders.seconds(Kind.SLEEP)
          : 0;
    }

    double computing() {
      double now = holders.seconds(Kind.COMPUTING);
      double usual = baselineComputing();
      return baseline().isEmpty() || now < Policy.CLEARLY_MORE * usual ? 0 : now - usual;
    }

    /** Calls on the connection: longer ones, or more of those that are too short for events. */
    double ownCalls() {
      Set<String> remotes = remotes(Kind.OWN_CALL);
      double slower =
          remotes.isEmpty() ? 1 : DownstreamCalls.inflation(incident, remotes::contains);
      double factor = Math.max(slower, CallGrowth.of(incident).map(CallGrowth::factor).orElse(1.0));
      return holders.seconds(Kind.OWN_CALL) * (1 - 1 / factor);
    }

    double slowerOthers() {
      return others().stream()
          .filter(remote -> !DownstreamCalls.areNew(incident, remote))
          .mapToDouble(remote -> seconds(remote) * slowerPart(remote))
          .sum();
    }

    double newOthers() {
      return others().stream()
          .filter(remote -> DownstreamCalls.areNew(incident, remote))
          .mapToDouble(this::seconds)
          .sum();
    }

    private Optional<Window> baseline() {
      return incident.baseline();
    }

    private Set<String> others() {
      return baseline().isEmpty() ? Set.of() : remotes(Kind.OTHER_CALL);
    }

    private Set<String> remotes(Kind kind) {
      return holders.timed().keySet().stream()
          .filter(doing -> doing.kind() == kind)
          .map(Doing::what)
          .collect(Collectors.toSet());
    }

    /** Seconds per hold in calls there; what samples find beyond events is spread evenly. */
    private double seconds(String remote) {
      double all = remotes(Kind.OTHER_CALL).stream().mapToDouble(one -> time(one).seconds()).sum();
      return all <= 0 ? 0 : time(remote).seconds() / all * holders.seconds(Kind.OTHER_CALL);
    }

    private Time time(String remote) {
      return holders.timed().getOrDefault(new Doing(Kind.OTHER_CALL, remote), new Time(0, 0));
    }

    /** Part of such a call's time by which it is longer than in the baseline. */
    private double slowerPart(String remote) {
      Time now = time(remote);
      double mean = now.count() == 0 ? 0 : now.seconds() * holders.holds() / now.count();
      double usual = usualCall(remote);
      return now.count() < Policy.FEWEST_COUNTED || mean < Policy.CLEARLY_MORE * usual
          ? 0
          : 1 - usual / mean;
    }

    /** Calls that no event of the baseline shows took less than the recording's threshold. */
    private double usualCall(String remote) {
      List<WaitSeries> calls = DownstreamCalls.sites(remote, incident.timeline());
      WaitSeries.Totals totals = WaitSeries.totals(calls, baseline().orElseThrow());
      return totals.count() >= Policy.FEWEST_COUNTED
          ? Durations.seconds(totals.total()) / totals.count()
          : Durations.seconds(
              incident.timeline().threshold(Signal.SOCKET_READS).orElse(Duration.ZERO));
    }

    private double baselinePerRequest(WaitKind kind) {
      return baseline()
          .map(window -> WaitSeries.seconds(users(kind), window) / requests(window))
          .orElse(0.0);
    }

    private double baselineComputing() {
      return baseline()
          .map(
              window ->
                  incident.timeline().samples(SampledTime.class, window).stream()
                          .filter(SampledTime::onRequestThread)
                          .filter(sample -> sample.waiting().isEmpty())
                          .mapToDouble(SampledTime::seconds)
                          .sum()
                      / requests(window))
          .orElse(0.0);
    }

    /** Requests in the window; where no file shows, as many a second as there were holds. */
    private double requests(Window window) {
      double perSecond =
          RequestRate.of(incident, window)
              .map(Rate::perSecond)
              .orElse(holders.holds() / incident.window().seconds());
      return Math.max(1, perSecond * window.seconds());
    }

    private List<WaitSeries> users(WaitKind kind) {
      return UserWaits.of(incident.timeline(), kind);
    }
  }
}
