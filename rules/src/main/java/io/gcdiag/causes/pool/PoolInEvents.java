package io.gcdiag.causes.pool;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.pool.LongerHolds.Cause;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Splits the waiting for connections into what the pool's size, longer holds and pauses account for
 * (see {@link PoolWaitSplit}), and hands it on; samples show whether the connections are at work.
 */
@Judges(
    value = {Hypothesis.CONNECTION_POOL_UNDERSIZED, Hypothesis.CONNECTION_LEAK},
    needs = Signal.THREAD_PARKS)
record PoolInEvents(String id) implements Rule {

  private static final String BOTH_WOULD_HELP =
      "return the connection before the other work, or acquire it after that, and measure again;"
          + " a pool larger by the same factor works as well if the database can bear it";

  @Override
  public List<Finding> examine(Case incident) {
    return Stream.of(finding(incident), new PoolInSamples(id, incident).finding())
        .flatMap(Optional::stream)
        .toList();
  }

  Optional<Finding> finding(Case incident) {
    Optional<PoolWaitSplit> split = PoolWaitSplit.of(incident);
    if (split.isPresent()) {
      return split.map(ended -> hand(incident, ofAll(incident, ended)));
    }
    // Virtual threads wait without an event; that none was recorded says nothing then.
    return incident.effects().during(Effect.POOL_WAIT) > 0
        ? Optional.empty()
        : Optional.of(noWaits(incident.timeline()));
  }

  /** Waits that never ended have no event, so the completed waits describe only their own part. */
  private PoolWaitSplit ofAll(Case incident, PoolWaitSplit ended) {
    double all = incident.effects().during(Effect.POOL_WAIT) * incident.window().seconds();
    return new PoolInDumps(id, incident).noneWasHandedOn() && all > ended.observedSeconds()
        ? ended.of(ended.observedSeconds() / all)
        : ended;
  }

  /** Virtual threads that wait for a connection are in no event: none is no evidence there. */
  private Finding noWaits(Timeline timeline) {
    FindingBuilder finding =
        Finding.of(
                id, "no connection wait" + timeline.coverage().of(Signal.THREAD_PARKS).shortest())
            .value("waits", 0)
            .from(timeline.recorded("jdk.ThreadPark"));
    return timeline.samples(VirtualThreadUse.class).isEmpty()
        ? finding.weakens(Hypothesis.CONNECTION_POOL_UNDERSIZED).build()
        : finding.leavesOpen(Hypothesis.CONNECTION_POOL_UNDERSIZED).build();
  }

  private static String brief(PoolWaitSplit split, WaitSeries.Totals totals) {
    Ratio bySize = new Ratio(split.bySize());
    String part = bySize.equals(new Ratio(0)) ? "none" : bySize.toString();
    return "its size explains " + part + " of " + Numbers.count(totals.count()) + " waits";
  }

  private Finding hand(Case incident, PoolWaitSplit split) {
    Window window = incident.window();
    WaitSeries busiest =
        WaitSeries.longest(UserWaits.of(incident.timeline(), WaitKind.POOL), window).orElseThrow();
    WaitSeries.Totals totals = busiest.within(window);
    EffectTimes times = incident.effects();
    String waits =
        "%s waits for a connection (%s), %s on average, %s at the peak"
            .formatted(
                Numbers.count(totals.count()),
                busiest.site().name(),
                Durations.format(totals.mean()),
                Numbers.threads(busiest.peakWaiting(window)));
    FindingBuilder finding =
        Finding.of(id, waits + "; " + account(split))
            .brief(brief(split, totals))
            .figure(
                "threads waiting for a connection, mean",
                times.before(Effect.POOL_WAIT),
                times.during(Effect.POOL_WAIT))
            .figure(
                "mean wait for a connection",
                incident
                    .baseline()
                    .map(busiest::within)
                    .filter(before -> before.count() > 0)
                    .map(before -> Durations.format(before.mean())),
                Durations.format(totals.mean()))
            .value("waits", totals.count())
            .value("waitedSeconds", totals.waitedSeconds())
            .value("peakWaiting", busiest.peakWaiting(window))
            .value("shareBySize", split.bySize())
            .value("shareByStalls", split.byStalls())
            .value("shareByDownstream", split.by(Cause.ANSWERS))
            .from(busiest.source());
    if (split.bySize() >= Policy.NEGLIGIBLE) {
      finding.figure("waiting explained by the pool's size", new Ratio(split.bySize()).toString());
    }
    if (split.simulated() && split.isReproduced()) {
      finding
          .value("simulatedSeconds", split.simulatedSeconds())
          .sum(
              "waiting observed "
                  + Durations.format(split.observedSeconds())
                  + ", simulated with the recorded pauses "
                  + Durations.format(split.simulatedSeconds()))
          .sum(
              "of this the pool's size alone, without pauses: "
                  + new Ratio(split.bySize()).share());
    }
    finding
        .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, split.bySize())
        .passes(Effect.POOL_WAIT, Effect.STOPPED, split.byStalls(), stalls(split));
    Optional<HoldersTime> holders = HoldersTime.of(incident);
    holders.ifPresent(time -> finding.sum(HoldersText.of(time)).from(time.sources()));
    for (Cause cause : Cause.values()) {
      hand(incident, finding, cause, split.by(cause), holders);
    }
    if (split.simulated() && MachineLoad.becameFull(incident)) {
      finding.passes(
          Effect.POOL_WAIT,
          Effect.CPU_QUEUE,
          split.rest(),
          new Ratio(split.rest())
              + " of the waiting is not explained by the simulated pool; the cores were full, so"
              + " holders waited for CPU before they returned their connection");
    }
    boolean elsewhere = Numbers.sum(split.byLongerHolds()) > Policy.MAJORITY;
    if (split.by(Cause.UNRELATED) > 0 && incident.baseline().isEmpty()) {
      finding.inseparable(
          Hypothesis.CONNECTION_LEAK, Hypothesis.CONNECTION_POOL_UNDERSIZED, BOTH_WOULD_HELP);
    } else if (split.bySize() < Policy.NEGLIGIBLE && (split.simulated() || elsewhere)) {
      finding.refutes(Hypothesis.CONNECTION_POOL_UNDERSIZED);
    }
    return finding.build();
  }

  /** Hands on what one thing that lengthened the holds accounts for. */
  private static void hand(
      Case incident,
      FindingBuilder finding,
      Cause cause,
      double share,
      Optional<HoldersTime> holders) {
    if (share <= 0) {
      return;
    }
    String how = HoldersText.longer(cause, share, holders);
    boolean forCores = cause == Cause.COMPUTING && MachineLoad.isFull(incident);
    Optional<Effect> effect = forCores ? Optional.of(Effect.CPU_QUEUE) : cause.effect();
    if (effect.isPresent()) {
      finding.passes(Effect.POOL_WAIT, effect.get(), share, how);
    } else {
      finding
          .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, share)
          .advises(Hypothesis.CONNECTION_LEAK, HoldersText.giveBackBefore(holders));
    }
  }

  /** Who the waiting is handed to, largest part first. */
  private static String account(PoolWaitSplit split) {
    Stream<Part> longer =
        Stream.of(Cause.values()).map(cause -> new Part(split.by(cause), cause.title()));
    String parts =
        Stream.concat(
                Stream.of(
                    new Part(split.bySize(), "the pool's size"),
                    new Part(split.byStalls(), "pauses (" + split.basis().title() + ")")),
                longer)
            .filter(part -> part.share() >= Policy.TAIL)
            .sorted(Comparator.comparingDouble(Part::share).reversed())
            .map(part -> new Ratio(part.share()) + " by " + part.to())
            .collect(Collectors.joining(", "));
    String size = split.bySize() < Policy.TAIL ? ", none of it by the pool's size" : "";
    return parts.isEmpty()
        ? "not explained by the pool's size, longer holds or pauses"
        : "explained " + parts + size;
  }

  private record Part(double share, String to) {}

  private static String stalls(PoolWaitSplit split) {
    return "during a stop-the-world pause no connection is returned and requests queue: "
        + split.basis().pauses()
        + " "
        + new Ratio(split.byStalls())
        + " of the waiting";
  }
}
