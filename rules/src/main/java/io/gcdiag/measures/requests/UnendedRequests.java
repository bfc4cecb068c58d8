package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.util.Optional;

/**
 * A server writes a request down when it ends. Where hardly any ends any more, they hang, or none
 * come: only thread dumps tell, by the threads inside one.
 *
 * @param before requests that ended per second in the baseline
 * @param during those of the incident
 * @param inside threads inside a request in the dumps of the incident, on average; 0 without dumps
 * @param dumps how many these are
 */
public record UnendedRequests(Rate before, Rate during, double inside, int dumps) {

  /** Empty unless at most a tenth of the rate of the baseline is left. */
  public static Optional<UnendedRequests> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Optional<RequestSeries> ended = timeline.requestsOfSpan().filter(UnendedRequests::isOfServer);
    return ended
        .flatMap(series -> incident.baseline().flatMap(series::rate))
        .map(before -> of(timeline, incident.window(), before, ended.get()))
        .filter(all -> all.during.perSecond() <= Policy.NOTABLE * all.before.perSecond())
        .filter(all -> all.before.perSecond() > 0);
  }

  private static UnendedRequests of(
      Timeline timeline, Window window, Rate before, RequestSeries series) {
    double ended = series.within(window).requests() / window.seconds();
    return new UnendedRequests(
        before,
        new Rate(ended),
        timeline.dumps(window).stream().mapToLong(UnendedRequests::inside).average().orElse(0),
        timeline.dumps(window).size());
  }

  /** Whether a series has only what ended: a load test knows of each request that it sent. */
  public static boolean isOfServer(RequestSeries series) {
    return series.holds() != RequestSeries.Holds.EACH_SENT;
  }

  /** Threads of a dump that serve a request, and not wait for the next one. */
  public static long inside(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(ThreadState::requestThread)
        .filter(thread -> !thread.is(ThreadActivity.IDLE))
        .count();
  }

  /** Whether dumps show that requests hang: several, and clearly more than end in a second. */
  public boolean areSeen() {
    return inside >= Policy.FEWEST_QUEUED && inside >= Policy.CLEARLY_MORE * during.perSecond();
  }

  /** Both figures, in one sentence. */
  public String words() {
    String fell = "requests that ended: %s -> %s".formatted(before, during);
    return areSeen()
        ? "%s, while %s inside one (mean of %s)"
            .formatted(fell, Numbers.threads(inside) + " were", Numbers.counted(dumps, "dump"))
        : fell + " (they hang or stopped coming, which a thread dump tells apart)";
  }
}
