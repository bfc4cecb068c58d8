package io.gcdiag.accounts.files;

import io.gcdiag.accounts.workers.PlaceText;
import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Asks whether requests wait for room in the queue of an asynchronous logger, by the waits of a
 * recording or by thread dumps, and what the thread that empties the queue is at.
 */
public final class LogQueueRule implements Rule {

  /** Names of the threads that empty the queues, of all loggers that {@code frames.txt} knows. */
  private static final Pattern WRITER =
      Pattern.compile("async-?\\s?(?:appender|logger|handler|file)", Pattern.CASE_INSENSITIVE);

  /** Waits of a recording or dumps, whichever there are. */
  @Override
  public Set<Signal> needs() {
    return Set.of();
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.LOG_QUEUE_FULL);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    EffectTimes times = EffectTimes.of(incident);
    double threads = times.during(Effect.LOG_WAIT);
    if (threads < Policy.LEAST_THREADS_FELT) {
      return List.of();
    }
    FindingBuilder finding =
        (times.fromDumps().contains(Effect.LOG_WAIT) ? dumped(incident) : recorded(incident))
            .value("threadsWaiting", threads);
    OptionalDouble before = times.before(Effect.LOG_WAIT);
    before.ifPresent(usual -> finding.value("threadsWaitingBefore", usual));
    return List.of(
        times.excessSeconds(Effect.LOG_WAIT) > 0
            ? finding.explains(Hypothesis.LOG_QUEUE_FULL, Effect.LOG_WAIT, 1).build()
            : finding.weakens(Hypothesis.LOG_QUEUE_FULL).build());
  }

  private FindingBuilder recorded(Incident incident) {
    Window window = incident.windows().incident();
    List<WaitSeries> queues = UserWaits.of(incident.timeline(), WaitKind.LOG_QUEUE);
    double waited = queues.stream().mapToDouble(one -> one.within(window).waitedSeconds()).sum();
    WaitSeries most =
        queues.stream()
            .max(Comparator.comparingDouble(one -> one.within(window).waitedSeconds()))
            .orElseThrow();
    return Finding.of(
            id(),
            "request threads waited "
                + Durations.format(Durations.ofSeconds(waited))
                + " for room in a log queue ("
                + most.site().name()
                + "), most at "
                + most.site().stack()
                + " ("
                + Numbers.count(most.within(window).count())
                + (most.within(window).count() == 1 ? " wait)" : " waits)")
                + writer(DumpTimes.during(incident)))
        .from(most.source());
  }

  private FindingBuilder dumped(Incident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    ThreadSnapshot worst =
        dumps.stream().max(Comparator.comparingLong(LogQueueRule::waiting)).orElseThrow();
    long met = dumps.stream().filter(dump -> waiting(dump) > 0).count();
    return Finding.of(
            id(),
            waiting(worst)
                + " of "
                + ThreadsAtWork.of(worst).size()
                + " threads at work wait for room in a log queue ("
                + ThreadsAtWork.most(dumps, ThreadActivity.WAITING_TO_LOG, false)
                + "), in "
                + met
                + " of "
                + (dumps.size() == 1 ? "1 dump" : dumps.size() + " dumps")
                + writer(dumps))
        .value("waiting", waiting(worst))
        .value("atWork", ThreadsAtWork.of(worst).size())
        .from(dumps.stream().map(ThreadSnapshot::source).toList());
  }

  private static long waiting(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.WAITING_TO_LOG);
  }

  /** What the thread is at that should make room, by the last dump that has one. */
  private static String writer(List<ThreadSnapshot> dumps) {
    Optional<ThreadState> last =
        dumps.stream()
            .flatMap(dump -> dump.threads().stream())
            .filter(thread -> !thread.requestThread() && WRITER.matcher(thread.name()).find())
            .reduce((one, later) -> later);
    return last.map(
            thread -> "; the thread that empties it, " + thread.name() + ", is " + at(thread))
        .orElse("");
  }

  private static String at(ThreadState thread) {
    return thread.activity() == ThreadActivity.IDLE ? "idle" : PlaceText.of(thread);
  }
}
