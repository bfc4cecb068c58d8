package io.gcdiag.causes.waits;

import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Calls to a broker or queue whose answers a thread of this same JVM gives: it is seen by what it
 * calls for each of them.
 */
final class AnsweredHere {

  static final String MORE_THREADS =
      "answer these messages on more threads (several consumers, or an executor behind the one):"
          + " the thread that does it now has no time left";

  /** Names of a package that tell one library from another: {@code org.apache.zookeeper}. */
  private static final int LIBRARY = 3;

  /**
   * The value of a finding about calls that wait for a file of this JVM: how often it is written.
   */
  static final String FROM_DISK = "writesBehindCalls";

  private AnsweredHere() {}

  /**
   * Books calls that are answered in this JVM once a file has been written: an embedded broker,
   * database or coordinator forces its log to disk before it answers. Threads of the same library
   * that serve no requests write for clearly longer than in the baseline, and each write takes most
   * of the time of a call.
   *
   * @param lost share of the time in calls that is lost, 0 to 1
   * @return whether it is so
   */
  static boolean fromDisk(
      Case incident, DownstreamCalls during, FindingBuilder finding, double lost) {
    Window window = incident.window();
    String library = library(during.busiest());
    List<WaitSeries> files =
        incident.timeline().waits(WaitKind.FILE).stream()
            .filter(series -> !series.site().onRequestThread())
            .filter(series -> !library.isEmpty() && library(series).equals(library))
            .toList();
    WaitSeries.Totals writes = WaitSeries.totals(files, window);
    double usual =
        incident.baseline().map(before -> WaitSeries.threads(files, before)).orElse(Double.NaN);
    boolean longer =
        WaitSeries.threads(files, window) >= Policy.CLEARLY_MORE * usual
            && writes.count() >= Policy.FEWEST_FOR_A_MEAN
            && Durations.seconds(writes.mean()) >= Policy.MAJORITY * during.meanSeconds();
    if (longer) {
      WaitSeries longest = WaitSeries.longest(files, window).orElseThrow();
      finding
          .figure(
              "writes of " + longest.site().name() + " by " + library + " in this JVM, mean",
              Durations.format(writes.mean()))
          .value(FROM_DISK, writes.count())
          .from(longest.source())
          .brief(Hypothesis.SLOW_DISK, "calls wait for " + longest.site().name())
          .explains(Hypothesis.SLOW_DISK, Effect.DOWNSTREAM_WAIT, lost)
          .advises(
              Hypothesis.SLOW_DISK,
              longest.site().name()
                  + " is forced to disk before a call is answered: keep other writers off its disk,"
                  + " or give it a disk of its own");
    }
    return longer;
  }

  /** The first names of the package that waits: {@code org.apache.zookeeper}. */
  private static String library(WaitSeries series) {
    String[] names = series.site().stack().split("\\.");
    return names.length > LIBRARY ? String.join(".", Arrays.copyOf(names, LIBRARY)) : "";
  }

  /**
   * That one thread, which serves no requests, answers the busiest calls and has no room left: in
   * both windows it makes one call for each of them, of unchanged length, now one after the other.
   * Then the calls wait for it.
   */
  static Optional<String> byOneThread(Case incident, DownstreamCalls during) {
    Optional<DownstreamCalls> before = DownstreamTimeRule.before(incident, during);
    Optional<Window> baseline = incident.baseline();
    if (before.isEmpty()
        || baseline.isEmpty()
        || !DownstreamTimeRule.areClearlyLonger(incident, during)) {
      return Optional.empty();
    }
    DownstreamCalls now = DownstreamTimeRule.now(incident, during);
    return incident.timeline().waits(WaitKind.DOWNSTREAM).stream()
        .filter(series -> series.oneThread() && !series.site().onRequestThread())
        .filter(
            series -> {
              WaitSeries.Totals its = series.within(incident.window());
              WaitSeries.Totals usual = series.within(baseline.get());
              return usual.count() >= Policy.FEWEST_FOR_A_MEAN
                  && areAsMany(its.count(), now.count())
                  && areAsMany(usual.count(), before.get().count())
                  && its.mean().toNanos() < Policy.CLEARLY_MORE * usual.mean().toNanos()
                  && Durations.seconds(usual.mean()) <= before.get().meanSeconds()
                  && its.waitedSeconds() >= Policy.CLEAR_ROOM * incident.window().seconds();
            })
        .findFirst()
        .map(series -> words(incident, series, during));
  }

  private static boolean areAsMany(long one, long other) {
    return Math.abs(one - other) < Policy.NOTABLE * Math.max(one, other);
  }

  private static String words(Case incident, WaitSeries series, DownstreamCalls during) {
    Window usual = incident.baseline().orElseThrow();
    WaitSeries.Totals before = series.within(usual);
    WaitSeries.Totals now = series.within(incident.window());
    return "one thread of this JVM answers %s: for each it makes a call to %s, %s -> %s of %s (before: %s), which take %s of its time"
        .formatted(
            during.busiest().site().label(),
            series.site().label(),
            new Rate(before.count() / usual.seconds()),
            new Rate(now.count() / incident.window().seconds()),
            Durations.format(now.mean()),
            Durations.format(before.mean()),
            new Ratio(now.waitedSeconds() / incident.window().seconds()));
  }
}
