package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitSample.OverflowTime;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks whether request threads do themselves what an executor was to do for them: by its policy
 * they do when it has neither a thread nor room in its queue. What it was to do at once they then
 * do one after another.
 */
@Judges(Hypothesis.THREAD_POOL_EXHAUSTED)
record CallerRuns(String id) implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> met = dumps.stream().filter(dump -> count(dump) > 0).toList();
    double recorded = recorded(timeline, window);
    double seen = dumps.stream().mapToLong(CallerRuns::count).average().orElse(0);
    double threads = Math.max(recorded, 2 * met.size() >= dumps.size() ? seen : 0);
    if (threads < Policy.FEWEST_QUEUED) {
      return List.of();
    }
    Optional<Double> baseline = incident.baseline().map(w -> recorded(timeline, w));
    FindingBuilder finding =
        Finding.of(id(), sentence(recorded, baseline, dumps.size(), met))
            .value("threadsByEvents", recorded)
            .value("threadsInDumps", seen)
            .from(sources(timeline, window, met));
    double more = (threads - baseline.orElse(0.0)) * window.seconds();
    double unaccounted = incident.effects().excessSeconds(Effect.UNACCOUNTED);
    boolean grown = baseline.filter(before -> recorded >= Policy.CLEARLY_MORE * before).isPresent();
    if (DownstreamCalls.inflation(incident) > 1) {
      // Slower calls fill any executor.
      finding.supports(Hypothesis.THREAD_POOL_EXHAUSTED);
    } else if (unaccounted > 0) {
      double share = Math.max(0, Math.min(1, more / unaccounted));
      finding.explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED, share);
    } else {
      finding.supports(Hypothesis.THREAD_POOL_EXHAUSTED, grown || mostlyInDumps(dumps));
    }
    return List.of(finding.build());
  }

  private static double recorded(Timeline timeline, Window window) {
    return timeline.samples(OverflowTime.class, window).stream()
            .mapToDouble(overflow -> Durations.seconds(overflow.time()))
            .sum()
        / window.seconds();
  }

  private static long count(ThreadSnapshot dump) {
    return ThreadsAtWork.of(dump).stream()
        .filter(thread -> thread.requestThread() && thread.overflow())
        .count();
  }

  /** Whether most of the requests in progress do so, in two dumps and in half of all or more. */
  private static boolean mostlyInDumps(List<ThreadSnapshot> dumps) {
    long mostly =
        dumps.stream()
            .filter(dump -> count(dump) > 0)
            .filter(dump -> count(dump) >= Policy.MAJORITY * ThreadsAtWork.of(dump).size())
            .count();
    return DumpTimes.areOften(mostly, dumps);
  }

  private static String sentence(
      double recorded, Optional<Double> baseline, int dumps, List<ThreadSnapshot> met) {
    String events =
        recorded > 0
            ? Numbers.threeDigits(recorded)
                + " threads on average by events"
                + baseline.map(b -> " (before: " + Numbers.threeDigits(b) + ")").orElse("")
            : "";
    long most = met.stream().mapToLong(CallerRuns::count).max().orElse(0);
    String stacks =
        met.isEmpty()
            ? ""
            : "up to %s threads in %s of %s%s"
                .formatted(
                    Numbers.count(most), met.size(), Numbers.counted(dumps, "dump"), place(met));
    return "an executor has no free thread and no queue space, so request threads run its tasks"
        + " themselves, one after another (CallerRunsPolicy): "
        + events
        + (events.isEmpty() || stacks.isEmpty() ? "" : ", ")
        + stacks;
  }

  private static String place(List<ThreadSnapshot> met) {
    return met.stream()
        .flatMap(dump -> dump.threads().stream())
        .filter(ThreadState::overflow)
        .map(thread -> thread.standing().at())
        .filter(at -> !at.isEmpty())
        .findFirst()
        .map(at -> ", at " + at)
        .orElse("");
  }

  private static List<Source> sources(Timeline timeline, Window window, List<ThreadSnapshot> met) {
    return Stream.concat(
            timeline.samples(OverflowTime.class, window).stream()
                .map(OverflowTime::source)
                .limit(1),
            met.stream().map(ThreadSnapshot::source))
        .toList();
  }
}
