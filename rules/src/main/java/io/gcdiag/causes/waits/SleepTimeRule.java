package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Locale;

/**
 * Asks how much of their time requests sleep: between two tries, in a limiter of rates, or until
 * something that is looked for again and again is there. Sleeping in the queue of a pool or a lock
 * counts as waiting for that, and sleeping of other threads delays no request. Thread dumps show it
 * where no event does: a limiter is a queue then as well, and how much other sleep is normal is
 * known by dumps of the baseline alone.
 */
@Judges(
    value = Hypothesis.REQUESTS_SLEEP,
    needs = Signal.THREAD_SLEEPS,
    standIns = Signal.THREAD_DUMPS)
final class SleepTimeRule implements Rule {

  /** How the names of places end in which the time between two tries is passed. */
  private static final String RETRY = "retry";

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<Finding> found =
        new WaitFinding(id(), Effect.SLEEP, Hypothesis.REQUESTS_SLEEP)
            .findings(
                incident,
                "",
                WaitSeries.longest(UserWaits.of(timeline, WaitKind.SLEEP), window)
                    .map(series -> series.site().name())
                    .filter(name -> name.toLowerCase(Locale.ROOT).endsWith(RETRY))
                    .map(SleepTimeRule::tryOnce));
    return found.isEmpty()
        ? UserWaits.limiterOfUnknown(timeline, window)
            .map(limiter -> lead(limiter, window))
            .stream()
            .toList()
        : found;
  }

  private static String tryOnce(String retry) {
    return ("find out why the first attempt fails (status or error, in the log or at the remote"
            + " service) and fix that; until then let %s wait for a shorter time, or do not retry at"
            + " all: requests wait for it")
        .formatted(retry);
  }

  private Finding lead(WaitSeries limiter, Window window) {
    double waiting = limiter.within(window).waitedSeconds() / window.seconds();
    return Finding.of(
            id(),
            ("%s threads on average wait in %s at %s; no thread is known to serve"
                    + " requests, so these may")
                .formatted(
                    Numbers.threeDigits(waiting), limiter.site().name(), limiter.site().stack()))
        .figure("threads in a limiter, mean", Numbers.threeDigits(waiting))
        .value("threadsInLimiter", waiting)
        .from(limiter.source())
        .supports(Hypothesis.REQUESTS_SLEEP)
        .build();
  }
}
