package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.threads.UserWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests wait for room in the queue of an asynchronous logger. */
public final class LogQueueFullCause extends Cause {

  /** The system property of Log4j 2; its default is {@code Default}, which blocks. */
  private static final String POLICY = "log4j2.asyncQueueFullPolicy";

  private static final String NO_LOSS =
      "log less here, or make the appender faster, if no line may be dropped";

  public LogQueueFullCause() {
    super(
        Hypothesis.LOG_QUEUE_FULL,
        "Log queue full: requests wait to log",
        "log less (levels, duplicate appenders) or write faster; let the appender "
            + "drop events when its queue is full (Logback: neverBlock=true; Log4j 2: "
            + "-Dlog4j2.asyncQueueFullPolicy=Discard)",
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new LogQueueRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .inDumps(thread -> thread.is(ThreadActivity.WAITING_TO_LOG))
            .or(() -> found.own().most(Activity.WAITING, Spot::onRequestThread)));
  }

  /**
   * A larger queue is not among it: an appender that is slower than the requests fills a queue of
   * any size.
   */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return dropping(suspect, library(suspect))
        .map(
            edit -> {
              List<Edit> edits = new ArrayList<>(List.of(edit));
              edits.addAll(suspect.code(NO_LOSS));
              return edits;
            })
        .orElse(List.of());
  }

  /** The setting of the library that drops lines when the queue is full; empty if it is unknown. */
  private static Optional<Edit> dropping(SuspectContext suspect, String library) {
    if (library.startsWith("Log4j 2")) {
      String now =
          suspect.timeline().jvm().flag(Flag.PROPERTY + POLICY).map(Flag::value).orElse("Default");
      return Optional.of(
          Edit.flag(Flag.PROPERTY + POLICY, Optional.of(now), "Discard", suspect.why()));
    }
    if (library.startsWith("Logback")) {
      return Optional.of(property(suspect, "neverBlock", "false", "true"));
    }
    return library.startsWith("Log4j 1")
        ? Optional.of(property(suspect, "blocking", "true", "false"))
        : Optional.empty();
  }

  private static Edit property(SuspectContext suspect, String name, String from, String to) {
    return new Edit(
        Edit.Kind.PROPERTY, "AsyncAppender." + name, Optional.of(from), to, suspect.why());
  }

  /** The logger with most of the waiting time, as {@code frames.txt} names it. */
  private static String library(SuspectContext suspect) {
    Window window = suspect.incident().window();
    return WaitSeries.longest(UserWaits.of(suspect.timeline(), WaitKind.LOG_QUEUE), window)
        .map(most -> most.site().name())
        .orElseGet(
            () ->
                ThreadsAtWork.most(
                    suspect.timeline().dumps(window), ThreadActivity.WAITING_TO_LOG, false));
  }

  @Override
  public Map<String, String> chartLines() {
    return Map.of("for a log queue", "Log queue waits");
  }
}
