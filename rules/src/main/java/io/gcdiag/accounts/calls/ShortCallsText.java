package io.gcdiag.accounts.calls;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.measures.calls.CallGrowth;
import io.gcdiag.measures.effects.ShortCalls;
import io.gcdiag.measures.pool.PoolMeters;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.Optional;

/** What is said of calls that are each too short for events and together make requests slow. */
final class ShortCallsText {

  private static final String FEWER_CALLS =
      "count the calls per request (a database's statement log, the client's metrics): if there are more than before,"
          + " fetch everything in one call instead of one per row; if not, each call is slower: look at"
          + " the remote host";

  private ShortCallsText() {}

  /** Such calls, of which a load test says by how much they lengthen a request. */
  static Finding ofRequests(String rule, Incident incident, ShortCalls calls, boolean holdLonger) {
    String under = Durations.format(calls.threshold());
    boolean several = calls.leastCalls() >= Policy.RECURRING;
    FindingBuilder finding =
        Finding.of(
                rule,
                ("a request spends %s more than before in calls that each take less than %s"
                        + " (by samples %s -> %s threads on average)%s")
                    .formatted(
                        Durations.format(calls.perRequest()),
                        under,
                        Numbers.threeDigits(calls.before()),
                        Numbers.threeDigits(calls.during()),
                        several ? ": at least " + calls.leastCalls() + " of them in sequence" : ""))
            .value("threadsInShortCalls", calls.during())
            .value("threadsInShortCallsBefore", calls.before())
            .value("perRequestSeconds", Durations.seconds(calls.perRequest()))
            .from(incident.timeline().recorded("jdk.NativeMethodSample"));
    if (several) {
      finding
          .value("leastCallsPerRequest", calls.leastCalls())
          .sum(sum(calls.perRequest(), under, calls.leastCalls()))
          .advises(Hypothesis.SLOW_DOWNSTREAM, FEWER_CALLS);
    }
    if (calls.shareOfUnaccounted() >= Policy.NOTABLE) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED, calls.shareOfUnaccounted());
    } else {
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    }
    if (holdLonger) {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1);
    }
    return finding.build();
  }

  /** Such calls, for which connections are held longer. */
  static Finding ofHolds(String rule, Incident incident, CallGrowth calls) {
    String under = Durations.format(calls.threshold());
    Optional<Duration> hold =
        PoolMeters.of(incident.timeline()).flatMap(pool -> pool.hold(incident.window()));
    long least = hold.map(held -> held.dividedBy(calls.threshold())).orElse(0L);
    FindingBuilder finding =
        Finding.of(
                rule,
                "threads in calls that each take less than "
                    + under
                    + ": "
                    + Numbers.threeDigits(calls.before())
                    + " -> "
                    + Numbers.threeDigits(calls.during())
                    + " on average by samples; each connection hold has more of them, or slower ones"
                    + hold.filter(any -> least >= Policy.RECURRING)
                        .map(
                            held ->
                                "; a hold takes %s, at least %s calls in sequence"
                                    .formatted(Durations.format(held), least))
                        .orElse(""))
            .value("threadsInShortCalls", calls.during())
            .value("threadsInShortCallsBefore", calls.before())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"))
            .advises(Hypothesis.SLOW_DOWNSTREAM, FEWER_CALLS)
            .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1);
    hold.filter(any -> least >= Policy.RECURRING)
        .ifPresent(held -> finding.value("leastCallsPerHold", least).sum(sum(held, under, least)));
    return finding.build();
  }

  private static String sum(Duration all, String under, long least) {
    return Durations.format(all) + " / " + under + " = " + least + " calls or more";
  }
}
