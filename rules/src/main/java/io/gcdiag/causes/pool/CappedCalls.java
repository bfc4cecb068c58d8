package io.gcdiag.causes.pool;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds a pool by the calls on its connections. Virtual threads that wait for one are in no event,
 * but the calls of the others are: as many are in progress all the time, and never one more. If
 * they take as long as in the baseline, in which there were clearly fewer, what hands out the
 * connections is full.
 *
 * @param id the id of the rule
 */
@Judges(Hypothesis.CONNECTION_POOL_UNDERSIZED)
record CappedCalls(String id) implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    // Virtual threads that keep their carriers are capped by the number of these.
    if (timeline.samples(VirtualThreadUse.class).isEmpty()
        || !timeline.waits(WaitKind.PINNED).isEmpty()
        || incident.effects().excessSeconds(Effect.UNACCOUNTED) <= 0) {
      return List.of();
    }
    Map<String, List<WaitSeries>> byHost =
        UserWaits.of(timeline, WaitKind.DOWNSTREAM).stream()
            .collect(
                Collectors.groupingBy(
                    series -> series.site().name(), TreeMap::new, Collectors.toList()));
    return byHost.entrySet().stream()
        .flatMap(host -> capped(incident, host.getKey(), host.getValue()).stream())
        .toList();
  }

  private Optional<Finding> capped(Case incident, String host, List<WaitSeries> calls) {
    Window window = incident.window();
    double mean = WaitSeries.threads(calls, window);
    double peak = WaitingThreads.at(calls).peak(window);
    long cap = Math.round(peak);
    double before =
        incident
            .baseline()
            .map(baseline -> WaitSeries.threads(calls, baseline))
            .orElse(Double.POSITIVE_INFINITY);
    boolean full =
        cap >= Policy.FEWEST_QUEUED
            && peak <= cap + Policy.LEAST_THREADS_FELT
            && mean >= Policy.FULL * cap
            && before < Policy.CLEAR_ROOM * cap;
    return full && areAsLong(incident, calls)
        ? Optional.of(finding(incident, host, calls, cap))
        : Optional.empty();
  }

  private static boolean areAsLong(Case incident, List<WaitSeries> calls) {
    WaitSeries.Totals during = WaitSeries.totals(calls, incident.window());
    WaitSeries.Totals before = WaitSeries.totals(calls, incident.baseline().orElseThrow());
    return Math.min(during.count(), before.count()) >= Policy.FEWEST_FOR_A_MEAN
        && during.mean().toNanos() < Policy.CLEARLY_MORE * before.mean().toNanos();
  }

  private Finding finding(Case incident, String host, List<WaitSeries> calls, long cap) {
    Window window = incident.window();
    Window baseline = incident.baseline().orElseThrow();
    WaitSeries.Totals during = WaitSeries.totals(calls, window);
    WaitSeries.Totals before = WaitSeries.totals(calls, baseline);
    double now = WaitSeries.threads(calls, window);
    double usual = WaitSeries.threads(calls, baseline);
    return Finding.of(
            id,
            ("%s of at most %s calls to %s are in progress all the time, each as long as in the"
                    + " baseline (%s, before: %s): a pool of %s is full, and virtual threads that"
                    + " wait for it are in no event")
                .formatted(
                    Numbers.threeDigits(now),
                    cap,
                    host,
                    Durations.format(during.mean()),
                    Durations.format(before.mean()),
                    cap))
        .brief("%s of at most %s calls to %s in progress".formatted(text(now), cap, host))
        .figure(
            "calls to " + host + " in progress, mean",
            Optional.of(text(usual)),
            text(now) + " of " + cap)
        .sum(
            "%s/s x %s = %s -> %s/s x %s = %s"
                .formatted(
                    text(before.count() / baseline.seconds()),
                    Durations.format(before.mean()),
                    text(usual),
                    text(during.count() / window.seconds()),
                    Durations.format(during.mean()),
                    text(now)))
        .value("calls", now)
        .value("callsBefore", usual)
        .value("mostCalls", cap)
        .from(calls.get(0).source())
        .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED, 1)
        .build();
  }

  private static String text(double number) {
    return Numbers.threeDigits(number);
  }
}
