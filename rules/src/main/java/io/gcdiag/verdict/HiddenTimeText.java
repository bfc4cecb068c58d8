package io.gcdiag.verdict;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.HiddenTime;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** Text about time that a recording does not show. */
record HiddenTimeText(Incident incident, HiddenTime hidden) {

  /**
   * How it was measured, and what it may be.
   *
   * @param booked thread-seconds of the incident that the ledger has
   */
  String note(double booked) {
    double calls = hidden.during().shortCalls();
    double more = hidden.more() * incident.window().seconds();
    return ("an upper bound: of %s, those in no recorded wait, not running and not stopped"
            + " (jdk.ThreadCPULoad): in waits%s, waiting for CPU, or idle for as short a time%s%s")
        .formatted(
            requestThreads(),
            shorter(),
            calls < Policy.LEAST_THREADS_FELT
                ? ""
                : "; by samples about " + Numbers.threads(calls) + " in short calls",
            booked <= 0 || Math.round(1_000 * more / (more + booked)) == 0
                ? ""
                : "; at most "
                    + new Ratio(more / (more + booked))
                    + " of the lost time can lie here");
  }

  /** For a summary: how many threads are in no recorded state. */
  String sentence() {
    return ("Up to %s of %s are in no recorded state: they were in waits%s, waiting for"
            + " CPU, or idle for as short a time; to see which, %s")
        .formatted(
            Numbers.threeDigits(hidden.more()),
            requestThreads(),
            shorter(),
            Signal.THREAD_PARKS.howToRecord());
  }

  private String requestThreads() {
    String text = Numbers.threeDigits(hidden.during().present());
    return text + (text.equals("1") ? " request thread" : " request threads");
  }

  private String shorter() {
    Optional<Duration> longest =
        incident.timeline().threshold(Signal.THREAD_PARKS).stream().max(Comparator.naturalOrder());
    return longest
        .map(threshold -> " shorter than " + Durations.format(threshold))
        .orElse(" that are not recorded");
  }
}
