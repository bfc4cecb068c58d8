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
import java.util.stream.Stream;

/**
 * File calls that are each too short for events and together are what requests wait for: a record
 * that is forced to disk for each line of a list, say. Samples of threads in native calls meet
 * calls of any length, in proportion to their time.
 */
public final class ShortFileCalls {

  private ShortFileCalls() {}

  /** Request threads in file calls of any length, on average; all where none is known. */
  public static double sampled(Timeline timeline, Window window) {
    return samples(timeline, window).mapToDouble(SampledTime::seconds).sum() / window.seconds();
  }

  /** The samples that met them. */
  private static Stream<SampledTime> samples(Timeline timeline, Window window) {
    return SampledTime.ofUsers(timeline.samples(SampledTime.class, window)).stream()
        .filter(one -> one.waitsFor(WaitKind.FILE));
  }

  /** Those of them that no event shows, on average; 0 where events show a good part. */
  public static double threads(Timeline timeline, Window window) {
    double sampled = sampled(timeline, window);
    if (sampled < Policy.LEAST_THREADS_FELT) {
      return 0;
    }
    double events = WaitSeries.threads(UserWaits.of(timeline, WaitKind.FILE), window);
    return events < Policy.SUBSTANTIAL * sampled ? sampled - events : 0;
  }

  /**
   * The same in a window of an incident in which they became more than the traffic did; else 0.
   * Without a baseline nothing says what the service needs.
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
