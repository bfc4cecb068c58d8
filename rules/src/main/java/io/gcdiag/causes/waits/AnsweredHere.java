package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls to a broker or queue whose answers a thread of this same JVM gives: it is seen by what it
 * calls for each of them.
 */
final class AnsweredHere {

  static final String MORE_THREADS =
      "answer these messages on more threads (several consumers, or an executor behind the one):"
          + " the thread that does it now has no time left";

  /** The beginning of a package that tells one library from another. */
  private static final Pattern LIBRARY = Pattern.compile("(?:\\w+\\.){3}");

  /**
   * The value of a finding about calls that wait for a file of this JVM: how often it is written.
   */
  static final String FROM_DISK = "writesBehindCalls";

  private AnsweredHere() {}

  /**
   * The writes of an embedded broker, database or coordinator, which forces its log to disk before
   * it answers: threads of the called library that serve no requests write for clearly longer than
   * in the baseline, and each write takes most of the time of a call. What the service itself
   * writes beside its calls says nothing of who answers them.
   */
  static Optional<WaitSeries> forced(Incident incident, DownstreamCalls during) {
    Window window = incident.window();
    List<WaitSeries> files = writes(incident, during);
    WaitSeries.Totals writes = WaitSeries.totals(files, window);
    return incident
        .baseline()
        .filter(
            usual ->
                WaitSeries.threads(files, window)
                    >= Policy.CLEARLY_MORE * WaitSeries.threads(files, usual))
        .filter(any -> writes.count() >= Policy.FEWEST_FOR_A_MEAN)
        .filter(any -> Durations.seconds(writes.mean()) >= Policy.MAJORITY * during.meanSeconds())
        .flatMap(any -> WaitSeries.longest(files, window));
  }

  private static List<WaitSeries> writes(Incident incident, DownstreamCalls during) {
    String library =
        Optional.of(library(during.busiest()))
            .filter(name -> isCalledByService(incident, name))
            .orElse("");
    return incident.timeline().waits(WaitKind.FILE).stream()
        .filter(series -> !series.site().onRequestThread())
        .filter(series -> !library.isEmpty() && library(series).equals(library))
        .toList();
  }

  /** Whether the service's own code that makes the calls is known, and no part of that library. */
  private static boolean isCalledByService(Incident incident, String library) {
    return new OwnPlaces(incident)
        .most(Activity.CALLING, Spot::own)
        .filter(seen -> !seen.place().method().startsWith(library))
        .isPresent();
  }

  /** Books the calls that wait for such writes. */
  @Judges(Hypothesis.SLOW_DISK)
  record Forced(String id) implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return DownstreamCalls.of(incident.timeline(), incident.window())
          .flatMap(
              during -> forced(incident, during).map(longest -> finding(incident, during, longest)))
          .stream()
          .toList();
    }

    private Finding finding(MeasuredIncident incident, DownstreamCalls during, WaitSeries longest) {
      WaitSeries.Totals writes = WaitSeries.totals(writes(incident, during), incident.window());
      String file = longest.site().name();
      return Finding.of(
              id,
              "calls to %s are answered in this JVM once %s is written, which takes %s"
                  .formatted(
                      during.busiest().site().label(), file, Durations.format(writes.mean())))
          .brief("calls wait for " + file)
          .figure("writes of " + file + ", mean", Durations.format(writes.mean()))
          .value(FROM_DISK, writes.count())
          .from(longest.source())
          .explains(Hypothesis.SLOW_DISK, Effect.DOWNSTREAM_WAIT, 1)
          .advises(
              Hypothesis.SLOW_DISK,
              file
                  + " is forced to disk before a call is answered: keep other writers off its disk,"
                  + " or give it a disk of its own")
          .build();
    }
  }

  /** The first names of the package that waits: {@code org.apache.zookeeper.}; may be empty. */
  private static String library(WaitSeries series) {
    Matcher names = LIBRARY.matcher(series.site().stack());
    return names.lookingAt() ? names.group() : "";
  }

  /**
   * That one thread, which serves no requests, answers the busiest calls and has no room left: in
   * both windows it makes one call for each of them, of unchanged length, now one after the other.
   * Then the calls wait for it.
   */
  static Optional<String> byOneThread(MeasuredIncident incident, DownstreamCalls during) {
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

  private static String words(
      MeasuredIncident incident, WaitSeries series, DownstreamCalls during) {
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
