package io.gcdiag.causes.waits;

import io.gcdiag.books.Edit;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.threads.UserWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to change where requests wait for room in the queue of an asynchronous logger. A larger
 * queue is not among it: an appender that is slower than the requests fills a queue of any size.
 */
public final class LogEdits {

  /** The system property of Log4j 2; its default is {@code Default}, which blocks. */
  private static final String POLICY = "log4j2.asyncQueueFullPolicy";

  private static final String NO_LOSS =
      "log less here, or make the appender faster, if no line may be dropped";

  private final SuspectContext suspect;

  public LogEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  public List<Edit> drop() {
    return dropping(library())
        .map(
            edit -> {
              List<Edit> edits = new ArrayList<>(List.of(edit));
              edits.addAll(suspect.code(NO_LOSS));
              return edits;
            })
        .orElse(List.of());
  }

  /** The setting of the library that drops lines when the queue is full; empty if it is unknown. */
  private Optional<Edit> dropping(String library) {
    if (library.startsWith("Log4j 2")) {
      String now =
          suspect.timeline().jvm().flag(Flag.PROPERTY + POLICY).map(Flag::value).orElse("Default");
      return Optional.of(
          Edit.flag(Flag.PROPERTY + POLICY, Optional.of(now), "Discard", suspect.why()));
    }
    if (library.startsWith("Logback")) {
      return Optional.of(property("neverBlock", "false", "true"));
    }
    return library.startsWith("Log4j 1")
        ? Optional.of(property("blocking", "true", "false"))
        : Optional.empty();
  }

  private Edit property(String name, String from, String to) {
    return new Edit(
        Edit.Kind.PROPERTY, "AsyncAppender." + name, Optional.of(from), to, suspect.why());
  }

  /** The logger with most of the waiting time, as {@code frames.txt} names it. */
  private String library() {
    Window window = suspect.incident().window();
    return WaitSeries.longest(UserWaits.of(suspect.timeline(), WaitKind.LOG_QUEUE), window)
        .map(most -> most.site().name())
        .orElseGet(
            () ->
                ThreadsAtWork.most(
                    suspect.timeline().dumps(window), ThreadActivity.WAITING_TO_LOG, false));
  }
}
