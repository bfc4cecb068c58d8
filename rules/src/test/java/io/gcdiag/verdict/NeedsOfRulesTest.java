package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.NeedsCheck;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What rules say they need, held against the recorded incidents in which they speak for a cause.
 * The tests of each rule do the same for the incidents that they make by hand.
 */
@Tag("slow")
@Tag("incidents")
class NeedsOfRulesTest {

  /** Incidents in which a rule speaks for a cause that are tried. */
  private static final int OF_A_RULE = 2;

  @Test
  void whatRulesSayForACauseRestsOnEachSignalThatTheyNeed() {
    Map<Class<?>, Integer> tried = new HashMap<>();
    for (io.gcdiag.fixtures.RecordedIncident recorded : IncidentDiagnoses.all()) {
      Timeline timeline = IncidentDiagnoses.timeline(recorded.folder());
      MeasuredIncident incident =
          new MeasuredIncident(timeline, IncidentDiagnoses.of(recorded).windows());
      for (Rule rule : Causes.sensors()) {
        boolean asked =
            rule.needs().stream().allMatch(need -> timeline.coverage().of(need).recorded());
        if (asked
            && !rule.needs().isEmpty()
            && tried.getOrDefault(rule.getClass(), 0) < OF_A_RULE
            && !NeedsCheck.claims(rule, incident).isEmpty()) {
          tried.merge(rule.getClass(), 1, Integer::sum);
          NeedsCheck.assertNeeded(rule, incident);
        }
      }
    }
    assertTrue(tried.size() > Causes.sensors().size() / 2, tried::toString);
  }
}
