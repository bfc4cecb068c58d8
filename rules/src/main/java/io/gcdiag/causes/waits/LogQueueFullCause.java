package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.PlaceText;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.OccupiedWorkers.Use;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
        List.of(new LogQueueRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("for a log queue", "Log queue waits");
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
   * The edits do not enlarge the queue: an appender that is slower than the requests fills a queue
   * of any size.
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

  /**
   * Asks whether requests wait for space in the queue of an asynchronous logger, by a recording or
   * by thread dumps, and what the thread that empties the queue does.
   */
  // A recording or thread dumps suffice.
  @Judges(Hypothesis.LOG_QUEUE_FULL)
  static final class LogQueueRule implements Rule {

    /** Names of the threads that empty the queues, of all loggers that {@code frames.txt} knows. */
    private static final Pattern WRITER =
        Pattern.compile("async-?\\s?(?:appender|logger|handler|file)", Pattern.CASE_INSENSITIVE);

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      List<Finding> waits =
          new WaitFinding(id(), Effect.LOG_WAIT, Hypothesis.LOG_QUEUE_FULL)
              .findings(incident, writer(DumpTimes.during(incident)), Optional.empty());
      return waits.isEmpty() ? fullWriter(incident).stream().toList() : waits;
    }

    /**
     * Log4j 2 waits in parks of a nanosecond, which are in no event. If the thread that empties the
     * queue is never idle any more, the queue is full, and the unaccounted time of requests is
     * waiting for space in it.
     */
    private Optional<Finding> fullWriter(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      if (incident.effects().excessSeconds(Effect.UNACCOUNTED) <= 0) {
        return Optional.empty();
      }
      return incident
          .baseline()
          .flatMap(
              baseline ->
                  writers(timeline, incident.window())
                      .filter(now -> now.busy() >= Policy.FULL * now.workers())
                      .filter(
                          now -> busy(timeline, baseline, now) < Policy.MAJORITY * now.workers())
                      .findFirst()
                      .map(now -> fullWriter(timeline, now, busy(timeline, baseline, now))));
    }

    private Finding fullWriter(Timeline timeline, Use now, double before) {
      double workers = now.workers();
      return Finding.of(
              id(),
              "the thread that empties a log queue, %s, is busy %s of the time (before: %s)"
                  .formatted(
                      now.group(), new Ratio(now.busy() / workers), new Ratio(before / workers)))
          .figure("threads at work that empty a log queue", OptionalDouble.of(before), now.busy())
          .value("writerBusy", now.busy() / workers)
          .value("writerBusyBefore", before / workers)
          .from(timeline.recorded("jdk.ThreadPark"))
          .explains(Hypothesis.LOG_QUEUE_FULL, Effect.UNACCOUNTED, 1)
          .build();
    }

    private static Stream<Use> writers(Timeline timeline, Window window) {
      return OccupiedWorkers.use(timeline, window).stream()
          .filter(group -> WRITER.matcher(group.group()).find());
    }

    private static double busy(Timeline timeline, Window window, Use writer) {
      return writers(timeline, window)
          .filter(group -> group.group().equals(writer.group()))
          .mapToDouble(Use::busy)
          .sum();
    }

    /** What the thread that empties the queue does, in the last dump that has it. */
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
}
