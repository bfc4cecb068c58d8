package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.AsyncWaits;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether nothing in the inputs can see what the work waits for, because no thread of the operating
 * system does. Virtual threads: up to JDK 25 the JVM records no parks of theirs, and the dumps of
 * {@code jstack}, {@code jcmd Thread.print} and recordings leave them out. Asynchronous clients:
 * requests wait in the client's queue. Only latency and the clients' own meters show them. Or no
 * thread is known to serve requests, so no wait is known to delay one.
 *
 * @param why one clause
 * @param step what would show it
 * @param statement of a finding, if it is a part of the clause; else empty
 */
public record HiddenWaits(String why, Step step, String statement) {

  public HiddenWaits(String why, Step step) {
    this(why, step, "");
  }

  /** What to collect: in few words, and in a sentence without its point that says how. */
  public record Step(String first, String words, boolean byLatencies) {

    public static final Step NONE = new Step("", "", false);

    /** The file that shows whether requests were delayed, whatever they wait for. */
    public static final Step LATENCIES =
        deciding(
            "how long requests take",
            " (a load test's results, an access log with durations, or scrapes of the service's"
                + " request timer)",
            true);

    public static Step of(String words) {
      return new Step(
          words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1), words, false);
    }

    public static Step deciding(String what, String how, boolean byLatencies) {
      return new Step("collect " + what, "To decide it: " + what + how, byLatencies);
    }

    private Step or(String other) {
      return new Step(first, words + ", or " + other, byLatencies);
    }
  }

  private static final String DUMPS =
      "two dumps with 'jcmd PID Thread.dump_to_file -format=json FILE'";

  private static final String OF_VIRTUAL_THREADS =
      "the work runs on virtual threads, whose parks are ";

  private static final String METERS =
      "the client's or pool's own meters over time (r2dbc_pool_pending_connections,"
          + " vertx_pool_queue_pending, reactor_netty_connection_provider_pending_connections or"
          + " similar)";

  /** A tenth of the recorded waits: less is something in the background. */
  private static final double NOTABLE = 0.1;

  /** What hides the waits where no load test shows them. */
  public static Optional<HiddenWaits> of(Timeline timeline) {
    if (timeline.areRequestsMeasured()) {
      return Optional.empty();
    }
    return onVirtualThreads(timeline)
        ? Optional.of(new HiddenWaits(OF_VIRTUAL_THREADS + "not recorded", Step.LATENCIES))
        : asynchronous(timeline, Step.LATENCIES.or(METERS));
  }

  /**
   * What hides them where no load test shows them and no thread is known to serve requests: that
   * none is seen waiting is no sign then.
   */
  public static Optional<HiddenWaits> ofUnknown(Timeline timeline) {
    boolean known =
        timeline.areRequestsMeasured()
            || timeline.waits().stream().anyMatch(series -> series.site().onRequestThread())
            || timeline.samples(SampledTime.class).stream().anyMatch(SampledTime::onRequestThread)
            || timeline.dumps().stream()
                .flatMap(dump -> dump.threads().stream())
                .anyMatch(ThreadState::requestThread)
            || timeline.metrics().stream()
                .anyMatch(series -> series.meaning() == MetricMeaning.REQUEST_THREADS_BUSY);
    return Optional.of(
            new HiddenWaits(
                "no thread is known to serve requests, so that their waits cannot be separated from others",
                Step.LATENCIES.or("--frames with the code that takes requests")))
        .filter(any -> !known);
  }

  private static boolean onVirtualThreads(Timeline timeline) {
    return timeline.samples(VirtualThreadUse.class).stream()
        .anyMatch(use -> use.share() >= NOTABLE);
  }

  /** What hides the causes of delays that a load test shows. */
  public static Optional<HiddenWaits> behindDelays(Timeline timeline) {
    boolean dumped =
        timeline.dumps().stream()
            .flatMap(dump -> dump.threads().stream())
            .anyMatch(ThreadState::virtual);
    return onVirtualThreads(timeline) && !dumped
        ? Optional.of(
            new HiddenWaits(
                OF_VIRTUAL_THREADS + "neither recorded nor in these dumps",
                Step.of("Take " + DUMPS)))
        : asynchronous(timeline, Step.of("Give " + METERS));
  }

  /** Calls that no thread of the operating system waits for; absent where meters show them. */
  private static Optional<HiddenWaits> asynchronous(Timeline timeline, Step wanted) {
    boolean metered =
        timeline.metrics().stream()
            .anyMatch(series -> series.meaning() == MetricMeaning.POOL_PENDING);
    boolean virtual = !timeline.samples(VirtualThreadUse.class).isEmpty();
    return metered
        ? Optional.empty()
        : AsyncWaits.of(timeline, timeline.span())
            .map(
                async ->
                    new HiddenWaits(
                        "downstream calls go through asynchronous clients, for which no thread waits (%s), and the waits of requests in these%s are not recorded"
                            .formatted(async.clients(), virtual ? " and on virtual threads" : ""),
                        virtual ? wanted.or(DUMPS) : wanted));
  }
}
