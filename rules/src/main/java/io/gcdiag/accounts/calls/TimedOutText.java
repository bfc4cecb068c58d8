package io.gcdiag.accounts.calls;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.effects.TimedOutReads;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;

/** What is said of calls that end by their timeout and so leave no event. */
final class TimedOutText {

  private TimedOutText() {}

  static Finding of(String rule, Incident incident, TimedOutReads reads, EffectTimes times) {
    String change =
        reads.before().map(before -> Numbers.threeDigits(before) + " -> ").orElse("")
            + Numbers.threeDigits(reads.during());
    FindingBuilder finding =
        Finding.of(
                rule,
                ("request threads in calls by samples: %s on average, of which events show %s:"
                        + " reads end by their timeout, and such reads have no event on JDK 22 and later")
                    .formatted(change, Numbers.threeDigits(reads.recorded())))
            .brief(change + " threads in calls by samples")
            .value("threadsInCalls", reads.during())
            .value("threadsInRecordedCalls", reads.recorded())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"));
    reads.before().ifPresent(before -> finding.value("threadsInCallsBefore", before));
    if (times.fromDumps().contains(Effect.DOWNSTREAM_WAIT)) {
      // Dumps meet these calls as well, and those that events show are few among them.
      finding.explains(
          Hypothesis.SLOW_DOWNSTREAM,
          Effect.DOWNSTREAM_WAIT,
          1 - reads.recorded() / reads.during());
    } else if (reads.shareOfUnaccounted() >= Policy.NOTABLE) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, reads.shareOfUnaccounted());
    } else {
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    }
    return finding.build();
  }
}
