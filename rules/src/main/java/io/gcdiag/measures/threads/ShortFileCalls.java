package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import java.util.Optional;

/**
 * File calls that are too short for events but together are what requests wait for, for example an
 * fsync for each row. Samples of threads in native calls find calls of any length, in proportion to
 * their time.
 */
public final class ShortFileCalls {

  private ShortFileCalls() {}

  /**
   * Request threads in file calls of any length, on average; all threads if no request thread is
   * known.
   */
  public static double sampled(Timeline timeline, Window window) {
    return SampledTime.ofUsers(timeline.samples(SampledTime.class, window)).stream()
            .filter(one -> one.waitsFor(WaitKind.FILE))
            .mapToDouble(SampledTime::seconds)
            .sum()
        / window.seconds();
  }

  /**
   * Threads in file calls that no event shows, on average; 0 if events show a good part of the
   * time.
   */
  public static double threads(Timeline timeline, Window window) {
    double sampled = sampled(timeline, window);
    if (sampled < Policy.LEAST_THREADS_FELT) {
      return 0;
    }
    double events = WaitSeries.threads(UserWaits.of(timeline, WaitKind.FILE), window);
    return events < Policy.SUBSTANTIAL * sampled ? sampled - events : 0;
  }

  /**
   * The same, if these calls grew by more than the request rate; otherwise 0. Also 0 without a
   * baseline, because nothing shows how much the service normally needs.
   */
  public static double grown(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    Optional<Window> baseline = incident.baseline();
    double during = threads(timeline, incident.window());
    double usual =
        baseline
            .map(before -> sampled(timeline, before) * RequestRate.busier(incident))
            .orElse(during);
    return during > 0 && during - usual >= Policy.SAMPLES_GOOD_TO * during
        ? threads(timeline, window)
        : 0;
  }
}
