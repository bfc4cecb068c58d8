package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Requests sleep: between retries, in a rate limiter, in a polling loop. */
public final class RequestsSleepCause extends Cause {
  public RequestsSleepCause() {
    super(
        Hypothesis.REQUESTS_SLEEP,
        "Requests sleep: retries, limiters, polling",
        "look at the named code: let a limiter reject at once or admit more, fix "
            + "what a retry repeats, and wait for an event instead of polling",
        List.of(new SleepTimeRule()),
        Trait.PART_OF_NORMAL_WORK,
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("sleeping", "Threads sleeping");
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .most(Activity.SLEEPING, Spot::onRequestThread)
            .or(() -> found.own().most(Activity.SLEEPING)));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    return Optional.of(
        isInLimiter(suspect)
            ? "Requests wait in a rate limiter"
            : suspect.isAdvised("sleep-time", hypothesis())
                ? "Requests sleep between retries"
                : "Requests sleep");
  }

  private static boolean isInLimiter(SuspectContext suspect) {
    Window window = suspect.incident().window();
    return WaitSeries.longest(UserWaits.of(suspect.timeline(), WaitKind.SLEEP), window)
        .or(() -> UserWaits.limiterOfUnknown(suspect.timeline(), window))
        .filter(series -> series.site().name().endsWith("RateLimiter"))
        .isPresent();
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        isInLimiter(suspect)
            ? "raise the limit of the rate limiter, or reject at once what exceeds it"
            : "wait for an event in place of a fixed time, or do not retry what fails each time");
  }

  /**
   * Asks how much of their time requests sleep: between retries, in a rate limiter, or while
   * polling. Sleeping in the queue of a pool or a lock counts as waiting for that, and sleeping of
   * other threads delays no request. Thread dumps show it if no event does; a rate limiter then is
   * a queue as well, and only dumps of the baseline show how much other sleep is normal.
   */
  @Judges(
      value = Hypothesis.REQUESTS_SLEEP,
      needs = Signal.THREAD_SLEEPS,
      standIns = Signal.THREAD_DUMPS)
  static final class SleepTimeRule implements Rule {

    /** Endings of the names of places in which a thread sleeps between retries. */
    private static final String RETRY = "retry";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
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
}
