package io.gcdiag.causes.workers;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Calls to one remote host of which so many are in progress in each second of an incident, and
 * never more: a client's limit. Calls beyond it wait in the client, where no thread stands.
 *
 * @param remote the host
 * @param limit the calls that run at a time
 * @param before calls in progress in the baseline, on average
 * @param during the same in the incident
 */
record CappedCalls(WaitSite remote, long limit, Calls before, Calls during) {

  /**
   * Calls of a window.
   *
   * @param inProgress on average
   * @param perSecond calls that end in a second
   * @param seconds mean duration
   */
  record Calls(double inProgress, double perSecond, double seconds) {

    private static Calls of(List<WaitSeries> calls, Window window) {
      WaitSeries.Totals totals = WaitSeries.totals(calls, window);
      double inProgress = WaitSeries.threads(calls, window);
      double perSecond = totals.count() / window.seconds();
      return new Calls(inProgress, perSecond, inProgress / perSecond);
    }
  }

  /**
   * The limit on the calls that requests spent most of their time in before. Empty if they were as
   * many then, or if a group of as many threads makes them: these are the limit.
   */
  static Optional<CappedCalls> of(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    double usual =
        incident
            .requests()
            .filter(RequestExcess::compared)
            .map(RequestExcess::inSystemBefore)
            .orElse(0.0);
    if (usual <= 0 || incident.baseline().isEmpty() || !DownstreamCalls.areAllSeen(timeline)) {
      return Optional.empty();
    }
    return UserWaits.of(timeline, WaitKind.DOWNSTREAM).stream()
        .map(series -> series.site().name())
        .distinct()
        .map(remote -> DownstreamCalls.sites(remote, timeline))
        .flatMap(calls -> of(calls, incident).stream())
        .filter(calls -> calls.before().inProgress() >= Policy.MAJORITY * usual)
        .filter(
            calls ->
                incident.stations().stream()
                    .filter(station -> station.kind() == Station.Kind.WORKERS)
                    .noneMatch(group -> group.servers().equals(OptionalDouble.of(calls.limit()))))
        .findFirst();
  }

  private static Optional<CappedCalls> of(List<WaitSeries> calls, MeasuredIncident incident) {
    Window window = incident.window();
    double[] seconds =
        IntStream.range(0, (int) window.seconds())
            .mapToObj(window.from()::plusSeconds)
            .map(from -> new Window(from, from.plusSeconds(1)))
            .mapToDouble(second -> WaitSeries.threads(calls, second))
            .toArray();
    double most = DoubleStream.of(seconds).max().orElse(0);
    long limit = Math.round(most);
    long full =
        DoubleStream.of(seconds).filter(now -> now >= (1 - Policy.NEGLIGIBLE) * limit).count();
    Calls before = Calls.of(calls, incident.baseline().orElseThrow());
    // A single caller has one call in progress as well.
    return limit >= Policy.FEWEST_QUEUED
            && most <= (1 + Policy.NEGLIGIBLE) * limit
            && full >= (1 - Policy.NOTABLE) * seconds.length
            && before.perSecond() > 0
            && before.inProgress() < (1 - Policy.SUBSTANTIAL) * limit
        ? Optional.of(new CappedCalls(calls.get(0).site(), limit, before, Calls.of(calls, window)))
        : Optional.empty();
  }

  /** Whether each call takes longer, so that the limit would do if they took as long as before. */
  boolean areLonger() {
    return during.seconds() >= Policy.CLEARLY_MORE * before.seconds();
  }
}
