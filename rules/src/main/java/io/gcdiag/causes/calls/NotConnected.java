package io.gcdiag.causes.calls;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** The finding that threads wait to be connected to a remote host, or for its address. */
final class NotConnected {

  private static final String ADVICE =
      "check whether the remote host is up and accepts connections (backlog, firewall, DNS name): an"
          + " unanswered connect costs each request the whole timeout; shorten the timeout, and stop"
          + " calling for a while after one";

  private NotConnected() {}

  /** Absent where most of the time in calls is lost waiting for answers. */
  static Optional<Finding> of(String rule, Case incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    EffectTimes times = incident.effects();
    boolean byDumps = times.fromDumps().contains(Effect.DOWNSTREAM_WAIT);
    double now =
        byDumps ? ConnectWaits.inDumps(incident) : ConnectWaits.of(timeline).threads(window);
    double usual =
        byDumps
            ? 0
            : incident
                .baseline()
                .map(baseline -> ConnectWaits.of(timeline).threads(baseline))
                .orElse(0.0);
    double lost = times.excessSeconds(Effect.DOWNSTREAM_WAIT) / window.seconds();
    if (now - usual < Policy.FEWEST_QUEUED || now - usual < Policy.MAJORITY * lost) {
      return Optional.empty();
    }
    String where =
        times.sites(Effect.DOWNSTREAM_WAIT, window).entrySet().stream()
            .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
            .map(site -> ", most in " + site.getKey())
            .orElse("");
    FindingBuilder finding =
        Finding.of(
                rule,
                ("threads wait in connect or in a host lookup: %s on average %s%s%s; no event names"
                        + " the remote host")
                    .formatted(
                        Numbers.threeDigits(now),
                        byDumps ? "in thread dumps" : "by samples",
                        byDumps || incident.baseline().isEmpty()
                            ? ""
                            : ", against " + Numbers.threeDigits(usual) + " in the baseline",
                        where))
            .value("threadsNotConnected", now)
            .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1)
            .advises(Hypothesis.SLOW_DOWNSTREAM, ADVICE);
    return Optional.of(
        byDumps
            ? finding
                .from(timeline.dumps(window).stream().map(dump -> dump.source()).toList())
                .build()
            : finding.from(timeline.recorded("jdk.NativeMethodSample")).build());
  }
}
