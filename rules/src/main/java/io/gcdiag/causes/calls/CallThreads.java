package io.gcdiag.causes.calls;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.OptionalDouble;

/** How many request threads are in downstream calls, in words. */
final class CallThreads {

  private CallThreads() {}

  /** Whether they are more than print as none: others may wait for what fewer hold. */
  static boolean areFelt(EffectTimes times) {
    return times.during(Effect.DOWNSTREAM_WAIT) >= Policy.LEAST_THREADS_NAMED;
  }

  /**
   * Whether calls that the baseline does not have may be a job's that began: no load test shows
   * requests, and no thread that makes them is known to serve or to answer any.
   */
  static boolean mayBeNoRequests(Incident incident, String remote) {
    return incident.baseline().isPresent()
        && RequestRate.of(incident.timeline(), incident.window()).isEmpty()
        && incident.timeline().samples(AnsweringGroup.class).isEmpty()
        && UserWaits.of(incident.timeline(), WaitKind.DOWNSTREAM).stream()
            .noneMatch(calls -> calls.site().onRequestThread())
        && DownstreamCalls.areNew(incident, remote);
  }

  /** {@code 0.27 -> 6.8 on average}. */
  static String change(EffectTimes times) {
    if (!areFelt(times)) {
      return "less than " + Policy.LEAST_THREADS_NAMED + " on average";
    }
    OptionalDouble before = times.before(Effect.DOWNSTREAM_WAIT);
    return before.isPresent()
        ? course(before, times) + " on average"
        : course(before, times) + " on average; their normal duration is unknown";
  }

  /** {@code 0.27 -> 6.8 threads in calls on average}. */
  static String brief(EffectTimes times) {
    return course(times.before(Effect.DOWNSTREAM_WAIT), times) + " threads in calls on average";
  }

  private static String course(OptionalDouble before, EffectTimes times) {
    return (before.isPresent() ? Numbers.threeDigits(before.getAsDouble()) + " -> " : "")
        + Numbers.threeDigits(times.during(Effect.DOWNSTREAM_WAIT));
  }

  /** The host itself answers lookups and random numbers: these are no calls to a service. */
  static String meanCall(String label) {
    boolean own = HostService.isLookup(label) || HostService.isRandom(label);
    return (own ? "mean wait, " : "mean call to ") + label;
  }
}
