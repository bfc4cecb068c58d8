package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * Threads that wait for a new connection to log in, which one that is kept does not do. How many
 * are opened is known only of those that take as long as the events' threshold; samples and dumps
 * show how many threads open one at a time, however long each takes.
 *
 * @param threads on average in the incident
 * @param usual on average in the baseline; 0 without one
 * @param recorded those of the incident that events show
 * @param recordedBefore the same in the baseline
 * @param inDumps whether dumps show them, and no event does
 */
public record OpenedConnections(
    double threads,
    double usual,
    WaitSeries.Totals recorded,
    WaitSeries.Totals recordedBefore,
    boolean inDumps) {

  /**
   * Empty if requests wait for no more of them than in the baseline, or as much longer for each: a
   * service that always opens them has a slow partner then.
   */
  public static Optional<OpenedConnections> of(Incident incident, EffectTimes times) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    boolean dumps = times.fromDumps().contains(Effect.DOWNSTREAM_WAIT);
    OpenedConnections opened =
        new OpenedConnections(
            dumps ? inDumps(incident) : threads(timeline, window),
            dumps ? 0 : incident.baseline().map(usual -> threads(timeline, usual)).orElse(0.0),
            recorded(timeline, window),
            incident
                .baseline()
                .map(usual -> recorded(timeline, usual))
                .orElse(WaitSeries.totals(List.of(), window)),
            dumps);
    return opened.threads - opened.usual >= Policy.LEAST_THREADS_FELT
            && opened.threads >= Policy.CLEARLY_MORE * opened.usual
            && !opened.takeLonger(incident)
        ? Optional.of(opened)
        : Optional.empty();
  }

  /** Share of the time that requests lose in calls, 0 to 1; 0 without a baseline. */
  public static double shareOfCalls(Incident incident, EffectTimes times) {
    double lost = times.excessSeconds(Effect.DOWNSTREAM_WAIT) / incident.window().seconds();
    return lost <= 0 || incident.baseline().isEmpty()
        ? 0
        : of(incident, times)
            .map(opened -> Math.min(1, (opened.threads - opened.usual) / lost))
            .orElse(0.0);
  }

  /** Recorded waits of requests for new connections. */
  public static List<WaitSeries> series(Timeline timeline) {
    return UserWaits.of(timeline, WaitKind.DOWNSTREAM).stream()
        .filter(series -> series.site().isOpening())
        .toList();
  }

  private boolean takeLonger(Incident incident) {
    if (Math.min(recorded.count(), recordedBefore.count()) < Policy.FEWEST_COUNTED) {
      return false;
    }
    double more =
        recorded.count()
            / incident.window().seconds()
            / (recordedBefore.count() / incident.baseline().orElseThrow().seconds());
    double longer =
        recorded.mean().toNanos() / (double) Math.max(1, recordedBefore.mean().toNanos());
    return longer > more;
  }

  private static double threads(Timeline timeline, Window window) {
    return Math.max(
        WaitSeries.threads(series(timeline), window),
        SampledTime.ofUsers(timeline.samples(SampledTime.class, window)).stream()
                .filter(sample -> CallPart.isOpening(sample.name()))
                .mapToDouble(SampledTime::seconds)
                .sum()
            / window.seconds());
  }

  private static double inDumps(Incident incident) {
    return DumpTimes.during(incident).stream()
        .mapToLong(dump -> dump.requestThreads().stream().filter(OpenedConnections::opens).count())
        .average()
        .orElse(0);
  }

  private static boolean opens(ThreadState thread) {
    return thread.is(ThreadActivity.IN_DOWNSTREAM_CALL) && CallPart.isOpening(thread.subject());
  }

  private static WaitSeries.Totals recorded(Timeline timeline, Window window) {
    return WaitSeries.totals(series(timeline), window);
  }
}
