package io.gcdiag.accounts.workers;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadCount;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.stats.TrendLine;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks whether the number of threads grows without bound, and who starts them. */
@Judges(value = Hypothesis.THREAD_LEAK, needs = Signal.THREAD_COUNTS)
public final class ThreadGrowthRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<ThreadCount> counts = timeline.samples(ThreadCount.class, window);
    if (counts.size() < TrendLine.FEWEST_POINTS) {
      return List.of();
    }
    List<UnendedThreads> leaks = UnendedThreads.of(incident);
    ThreadCount first = counts.get(0);
    ThreadCount last = counts.get(counts.size() - 1);
    Optional<TrendLine> trend = trend(counts);
    FindingBuilder finding =
        Finding.of(
                id(),
                "%s -> %s threads in the incident%s%s"
                    .formatted(
                        Numbers.count(first.active()),
                        Numbers.count(last.active()),
                        leaks.isEmpty() ? trend.map(ThreadGrowthRule::interval).orElse("") : "",
                        leaks.stream().findFirst().map(ThreadGrowthRule::told).orElse("")))
            .figure(
                "threads", Optional.of(Numbers.count(first.active())), Numbers.count(last.active()))
            .value("first", first.active())
            .value("last", last.active())
            .value("kept", leaks.stream().mapToLong(UnendedThreads::kept).sum())
            .from(last.source());
    leaks.stream().findFirst().ifPresent(leak -> finding.from(leak.source()));
    trend.ifPresent(
        line -> finding.value("slopePerMinute", line.slope() * Durations.SECONDS_PER_MINUTE));
    // Of a number that never changed the slope says nothing more.
    trend
        .filter(line -> line.slopeLow() != 0 || line.slopeHigh() != 0)
        .ifPresent(
            line ->
                finding.sum(
                    "slope %s threads per minute, with 95 %% confidence %s to %s"
                        .formatted(
                            perMinute(line.slope()),
                            perMinute(line.slopeLow()),
                            perMinute(line.slopeHigh()))));
    boolean grows =
        trend.filter(line -> line.slope() > 0 && line.slopeDiffersFromZero()).isPresent();
    if (!leaks.isEmpty()) {
      finding.warns(Hypothesis.THREAD_LEAK);
    } else if (!grows || last.active() - first.active() < UnendedThreads.FEWEST) {
      finding.refutes(Hypothesis.THREAD_LEAK);
    } else {
      // Pools fill up, or nothing says who starts them: growth alone is no leak.
      finding.weakens(Hypothesis.THREAD_LEAK);
    }
    return List.of(finding.build());
  }

  /** Of a step the interval of the slope holds zero. */
  private static String interval(TrendLine line) {
    boolean flat = line.slopeLow() == 0 && line.slopeHigh() == 0;
    return flat || line.slopeDiffersFromZero()
        ? ""
        : ", no significant slope: %s to %s per minute"
            .formatted(perMinute(line.slopeLow()), perMinute(line.slopeHigh()));
  }

  private static String perMinute(double slope) {
    return Numbers.threeDigits(slope * Durations.SECONDS_PER_MINUTE);
  }

  private static String told(UnendedThreads leak) {
    return "; %s started %s threads '%s', of which %s ended"
        .formatted(
            leak.site(),
            Numbers.count(leak.started()),
            leak.group(),
            leak.ended() == 0 ? "none" : Numbers.count(leak.ended()));
  }

  private static Optional<TrendLine> trend(List<ThreadCount> counts) {
    double[] x = new double[counts.size()];
    double[] y = new double[counts.size()];
    for (int i = 0; i < counts.size(); i++) {
      x[i] = Durations.seconds(Duration.between(counts.get(0).at(), counts.get(i).at()));
      y[i] = counts.get(i).active();
    }
    return TrendLine.fit(x, y);
  }
}
