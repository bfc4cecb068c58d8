package io.gcdiag.accounts.workers;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.VirtualThreadUse;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.workers.AsyncWaits;
import io.gcdiag.measures.workers.OccupiedWorkers;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Asks where requests queue that keep no thread waiting: all requests wait by the load test,
 * nothing recorded waits, the event loops rest and the cores are free. What is left is a limit on
 * how many calls are in progress at a time, the pool's or that of the downstream service.
 */
@Judges(
    value = {Hypothesis.CONNECTION_POOL_UNDERSIZED, Hypothesis.SLOW_DOWNSTREAM},
    needs = Signal.THREAD_PARKS)
public final class AsyncQueueRule implements Rule {

  public static final String FIND_IT =
      "check the latency of each downstream service (the client's timers, or the service's): no"
          + " event names the one that an asynchronous client waits for";

  public static final String EXPERIMENT =
      "record the pool's meters with the next load test (r2dbc_pool_pending_connections,"
          + " vertx_pool_queue_pending, reactor_netty_connection_provider_pending_connections or"
          + " similar), or double the pool alone: if the waiting stays, the downstream service is"
          + " slow";

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<RequestStats> requests =
        TestedRequests.of(incident).filter(LoadTestDelays::everybodyWaits);
    Optional<Rate> rate = RequestRate.of(timeline, window);
    EffectTimes times = incident.effects();
    boolean unseen =
        times.excessSeconds(Effect.UNACCOUNTED)
            >= (1 - Policy.SUBSTANTIAL) * times.totalExcessSeconds();
    Optional<AsyncWaits> async =
        AsyncWaits.of(timeline, window).filter(waits -> waits.idle() >= Policy.MAJORITY);
    // That no thread waits is evidence only where waits would have been recorded.
    return timeline.sees(Signal.THREAD_PARKS)
            && requests.isPresent()
            && rate.isPresent()
            && unseen
            && async.isPresent()
            // What virtual threads wait for keeps no thread of the system waiting, be it a lock.
            && timeline.samples(VirtualThreadUse.class).isEmpty()
            && !MachineLoad.isFull(timeline, window)
            && OccupiedWorkers.of(incident).isEmpty()
            && QueueBeforeGroup.singles(incident).isEmpty()
        ? List.of(queue(timeline, requests.get(), rate.get(), async.get()))
        : List.of();
  }

  private Finding queue(Timeline timeline, RequestStats requests, Rate rate, AsyncWaits async) {
    Duration shortest = requests.shortest().orElseThrow();
    Duration median = requests.percentile(50).orElseThrow();
    double underWay = rate.perSecond() * Durations.seconds(shortest);
    boolean alike = allAlike(timeline, requests, median, shortest);
    String stated =
        "half of the requests take "
            + Durations.format(median)
            + " or longer, the shortest "
            + Durations.format(shortest)
            + ", while no thread waits and the event loops are idle "
            + new Ratio(async.idle())
            + " of the time: "
            + (alike
                ? "all wait for about the same time, unlike in a queue, so"
                    + " the service behind an asynchronous client ("
                    + async.clients()
                    + ") takes that long"
                : "they queue where no thread waits, in an asynchronous client ("
                    + async.clients()
                    + ") or at the service behind it");
    FindingBuilder finding =
        Finding.of(id(), stated)
            .sum(
                "requests in progress if each took as long as the shortest: %s x %s = %s"
                    .formatted(rate, Durations.format(shortest), Numbers.decimals(underWay, 1)))
            .value("underWay", underWay)
            .value("shortestSeconds", Durations.seconds(shortest))
            .value("idleShare", async.idle())
            .from(requests.source())
            .from(async.source());
    return alike
        ? finding
            .weakens(Hypothesis.CONNECTION_POOL_UNDERSIZED)
            .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, 1)
            .advises(Hypothesis.SLOW_DOWNSTREAM, FIND_IT)
            .build()
        : finding
            .explainsEither(
                Hypothesis.CONNECTION_POOL_UNDERSIZED,
                Hypothesis.SLOW_DOWNSTREAM,
                Effect.UNACCOUNTED,
                1,
                EXPERIMENT)
            .build();
  }

  /**
   * Whether all that wait do so for about as long. A generator that sends no more while its users
   * wait keeps a queue at one length, so that only one that is known not to have run out counts.
   */
  private static boolean allAlike(
      Timeline timeline, RequestStats requests, Duration median, Duration shortest) {
    // Of several outputs of one run, one may state how it sent and another what it measured.
    List<RequestStats> outputs = timeline.requestStats();
    boolean open =
        outputs.stream().anyMatch(one -> one.model().equals(Optional.of(LoadModel.OPEN)))
            && outputs.stream().allMatch(one -> one.dropped().orElse(0) == 0);
    return open
        && requests
            .percentile(Percentiles.NINE_OF_TEN)
            .filter(
                most ->
                    Durations.seconds(most.minus(median))
                        < Policy.SUBSTANTIAL * Durations.seconds(median.minus(shortest)))
            .isPresent();
  }
}
