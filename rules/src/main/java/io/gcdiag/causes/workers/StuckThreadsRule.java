package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceText;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Names request threads that are in the same wait in consecutive dumps. */
@Judges(
    value = {Hypothesis.SLOW_DOWNSTREAM, Hypothesis.LOCK_CONTENTION},
    needs = Signal.THREAD_DUMPS)
final class StuckThreadsRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    StuckThreads stuck = StuckThreads.in(DumpTimes.during(incident));
    if (stuck.threads().isEmpty()) {
      return List.of();
    }
    int count = stuck.threads().size();
    long calling = stuck.inCalls();
    FindingBuilder finding =
        Finding.of(
                id(),
                ("%s stuck in %s dumps or more, for at least %s (same stack, hardly any CPU time"
                        + " used): %s")
                    .formatted(
                        Numbers.counted(count, "request thread") + (count == 1 ? " is" : " are"),
                        stuck.dumps(),
                        Durations.format(stuck.length()),
                        places(stuck)))
            .value("threads", count)
            .value("dumps", stuck.dumps())
            .value("seconds", Durations.seconds(stuck.length()))
            .from(stuck.sources());
    if (calling > 0) {
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
      if (DownstreamCalls.inflation(incident) <= 1) {
        // No event shows the duration of calls that do not end.
        finding.explains(
            Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, ofCalls(incident, calling));
      }
    }
    if (stuck.threads().stream().anyMatch(one -> one.is(ThreadActivity.WAITING_FOR_LOCK))) {
      finding.supports(Hypothesis.LOCK_CONTENTION);
    }
    return List.of(finding.build());
  }

  /** Share of the request threads in calls that are stuck in one, by the last dump. */
  private static double ofCalls(Case incident, long stuck) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    long all = dumps.get(dumps.size() - 1).requestsAt(ThreadActivity.IN_DOWNSTREAM_CALL);
    return Math.min(1, stuck / (double) Math.max(1, all));
  }

  /** {@code 9 in a call (JDBC) at com.shop.Orders.find, ...}. */
  private static String places(StuckThreads stuck) {
    Map<String, Integer> places = new TreeMap<>();
    stuck.threads().forEach(thread -> places.merge(PlaceText.of(thread), 1, Integer::sum));
    String named =
        Ordered.largestFirst(places).stream()
            .limit(Policy.MOST_NAMED)
            .map(place -> Numbers.count(place.getValue()) + " " + place.getKey())
            .collect(Collectors.joining(", "));
    return places.size() > Policy.MOST_NAMED ? named + ", ..." : named;
  }
}
