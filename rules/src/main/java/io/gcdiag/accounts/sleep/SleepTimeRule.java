package io.gcdiag.accounts.sleep;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

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
public final class SleepTimeRule implements Rule {

  /** How the names of places end in which the time between two tries is passed. */
  private static final String RETRY = "retry";

  @Override
  public List<Finding> examine(Case incident) {
    Window window = incident.window();
    EffectTimes times = incident.effects();
    if (times.fromDumps().contains(Effect.SLEEP)) {
      return dumped(DumpTimes.during(incident), times).stream().toList();
    }
    double threads = times.during(Effect.SLEEP);
    Optional<WaitSeries> most = most(incident.timeline(), window);
    if (threads < Policy.LEAST_THREADS_FELT || most.isEmpty()) {
      return UserWaits.limiterOfUnknown(incident.timeline(), window)
          .map(limiter -> lead(limiter, window))
          .stream()
          .toList();
    }
    OptionalDouble before = times.before(Effect.SLEEP);
    WaitSeries.Totals totals = most.get().within(window);
    Duration mean =
        totals.count() > 0 ? totals.total().dividedBy(totals.count()) : totals.longest();
    boolean queue = times.excessSeconds(Effect.SLEEP) > 0;
    FindingBuilder finding =
        Finding.of(
                id(),
                "requests sleep: "
                    + Numbers.threeDigits(threads)
                    + " threads on average, most "
                    + (most.get().site().isNamed() ? "in " + most.get().site().name() + " " : "")
                    + "at "
                    + most.get().site().stack()
                    + " ("
                    + Numbers.count(totals.count())
                    + " times, "
                    + Durations.format(mean)
                    + " on average)"
                    + (before.isPresent()
                        ? ", against "
                            + Numbers.threeDigits(before.getAsDouble())
                            + " in the baseline"
                        : queue ? "" : "; without a baseline the normal part is unknown"))
            .figure("request threads asleep, mean", before, threads, Numbers::threeDigits)
            .figure("mean sleep at " + most.get().site().stack(), Durations.format(mean))
            .value("threadsAsleep", threads)
            .value("threadsAsleepBefore", before)
            .value("sleeps", totals.count())
            .from(most.get().source());

    if (most.get().site().name().toLowerCase(Locale.ROOT).endsWith(RETRY)) {
      finding.advises(
          Hypothesis.REQUESTS_SLEEP,
          ("find out why the first attempt fails (status or error, in the log or at the"
                  + " remote service) and fix that; until then let %s wait less than %s, or do"
                  + " not retry at all: requests wait for it")
              .formatted(most.get().site().name(), Durations.format(mean)));
    }
    return List.of(
        queue
            ? finding.explains(Hypothesis.REQUESTS_SLEEP, Effect.SLEEP, 1).build()
            : before.isPresent()
                ? finding.weakens(Hypothesis.REQUESTS_SLEEP).build()
                : finding.supports(Hypothesis.REQUESTS_SLEEP).build());
  }

  private Optional<Finding> dumped(List<ThreadSnapshot> dumps, EffectTimes times) {
    FindingBuilder finding =
        ThreadsAtWork.finding(id(), dumps, ThreadActivity.SLEEPING, "sleep")
            .value("inLimiters", times.inLimiters());
    if (times.excessSeconds(Effect.SLEEP) > 0) {
      return Optional.of(finding.explains(Hypothesis.REQUESTS_SLEEP, Effect.SLEEP, 1).build());
    }
    return ThreadsAtWork.mostly(dumps, ThreadActivity.SLEEPING).isEmpty()
        ? Optional.empty()
        : Optional.of(finding.supports(Hypothesis.REQUESTS_SLEEP).build());
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

  /** The place where most of it is slept. */
  private static Optional<WaitSeries> most(Timeline timeline, Window window) {
    return WaitSeries.longest(UserWaits.of(timeline, WaitKind.SLEEP), window)
        .filter(series -> series.within(window).waitedSeconds() > 0);
  }
}
