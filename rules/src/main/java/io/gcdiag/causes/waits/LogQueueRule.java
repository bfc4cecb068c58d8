package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceText;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Asks whether requests wait for room in the queue of an asynchronous logger, by the waits of a
 * recording or by thread dumps, and what the thread that empties the queue is at.
 */
// Waits of a recording or dumps, whichever there are.
@Judges(Hypothesis.LOG_QUEUE_FULL)
final class LogQueueRule implements Rule {

  /** Names of the threads that empty the queues, of all loggers that {@code frames.txt} knows. */
  private static final Pattern WRITER =
      Pattern.compile("async-?\\s?(?:appender|logger|handler|file)", Pattern.CASE_INSENSITIVE);

  @Override
  public List<Finding> examine(Case incident) {
    return new WaitFinding(id(), Effect.LOG_WAIT, Hypothesis.LOG_QUEUE_FULL)
        .findings(incident, writer(DumpTimes.during(incident)), Optional.empty());
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
    return thread.is(ThreadActivity.IDLE) ? "idle" : PlaceText.of(thread);
  }
}
