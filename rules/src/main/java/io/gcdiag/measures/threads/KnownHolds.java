package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * For how long threads hold the connections of a pool, and what they do meanwhile.
 *
 * <p>A thread is taken to hold its connection while it is in the code that borrowed it. A method
 * may return it and go on, to another host. The pool's own calls show that: if they are never more
 * than n at a time, nearly always n, and there seem to be far more holders, then the pool has n
 * connections, and each is returned after its calls. Holders that keep them elsewhere would make
 * calls at random, and not always n.
 *
 * @param holds those of one pool
 * @param atLimit the calls on its connections if these show its limit; otherwise none
 */
public record KnownHolds(List<PoolHold> holds, List<WaitSeries> atLimit) {

  /**
   * A holder works between two calls, so 80 % of the connections in calls means that all are busy.
   */
  public static final double ALL = 0.8;

  public KnownHolds {
    holds = List.copyOf(holds);
    atLimit = List.copyOf(atLimit);
  }

  /** The holds of a pool at any time, as the incident shows them. */
  public static KnownHolds of(Incident incident, String pool) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<PoolHold> holds =
        timeline.samples(PoolHold.class).stream().filter(hold -> hold.pool().equals(pool)).toList();
    List<PoolHold> during = in(holds, window);
    double held = during.stream().mapToDouble(PoolHold::heldSeconds).sum();
    double elsewhere = seconds(during, Kind.OTHER_CALL) + seconds(during, Kind.SLEEP);
    if (held <= 0 || elsewhere < Policy.MAJORITY * held || !DownstreamCalls.areAllSeen(timeline)) {
      return new KnownHolds(holds, List.of());
    }
    Set<String> hosts =
        during.stream()
            .flatMap(hold -> hold.timed().keySet().stream())
            .filter(doing -> doing.kind() == Kind.OWN_CALL)
            .map(Doing::what)
            .collect(Collectors.toSet());
    List<WaitSeries> calls =
        UserWaits.of(timeline, WaitKind.DOWNSTREAM).stream()
            .filter(series -> hosts.contains(series.site().name()))
            .toList();
    WaitingThreads calling = WaitingThreads.at(calls);
    double atLimit = calling.peak(window) * window.seconds();
    // Of n calls made at random a step of the series has sqrt(n) more or fewer. Of too many, two
    // standard deviations are less than the difference that is looked for.
    double most = Math.pow(2 * ALL / (1 - ALL), 2) * WaitingThreads.steps(window);
    return atLimit > 0
            && WaitSeries.totals(calls, window).count() <= most
            && calling.seconds(window) >= ALL * atLimit
            && held >= Policy.CLEARLY_MORE * atLimit
        ? new KnownHolds(holds.stream().map(KnownHolds::inOwnCalls).toList(), calls)
        : new KnownHolds(holds, List.of());
  }

  private static double seconds(List<PoolHold> holds, Kind kind) {
    return holds.stream()
        .flatMap(hold -> hold.timed().entrySet().stream())
        .filter(doing -> doing.getKey().kind() == kind)
        .mapToDouble(doing -> doing.getValue().seconds())
        .sum();
  }

  /** The same hold, ended with its last call on the connection. */
  private static PoolHold inOwnCalls(PoolHold hold) {
    return new PoolHold(
        hold.at(),
        hold.pool(),
        hold.holds(),
        seconds(List.of(hold), Kind.OWN_CALL),
        own(hold.timed()),
        own(hold.sampled()),
        hold.source());
  }

  private static <T> Map<Doing, T> own(Map<Doing, T> doings) {
    Map<Doing, T> own = new LinkedHashMap<>(doings);
    own.keySet().removeIf(doing -> doing.kind() != Kind.OWN_CALL);
    return own;
  }

  /** Those that begin in a window. */
  public List<PoolHold> in(Window window) {
    return in(holds, window);
  }

  private static List<PoolHold> in(List<PoolHold> holds, Window window) {
    return holds.stream().filter(hold -> window.contains(hold.at())).toList();
  }
}
