package io.gcdiag.sketches;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.EvidenceWithout;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds what a rule says it needs against what it reads. A rule is not asked where a signal that it
 * needs was not recorded. So whatever it says for a cause must rest on each of them: if it says it
 * as well once the signal's evidence is taken away, and no other rule does, the need is wrong, and
 * hides the cause in incidents that lack only that.
 */
public final class NeedsCheck {

  private NeedsCheck() {}

  /** Checks that no sensor says anything for a cause without one of the signals that it needs. */
  public static void assertNeeded(Rule rule, MeasuredIncident incident) {
    rule.sensors().forEach(sensor -> assertNeededBySensor(sensor, incident));
  }

  private static void assertNeededBySensor(Rule rule, MeasuredIncident incident) {
    if (claims(rule, incident).isEmpty()) {
      return;
    }
    for (Signal needed : rule.needs()) {
      MeasuredIncident rest = without(incident, needed);
      for (Signal other : rule.standIns()) {
        rest = without(rest, other);
      }
      Set<Hypothesis> hidden = claims(rule, rest);
      for (Rule other : Causes.sensors()) {
        if (other.getClass() != rule.getClass() && !other.needs().contains(needed)) {
          hidden.removeAll(claims(other, rest));
        }
      }
      assertEquals(
          Set.of(),
          hidden,
          rule.id()
              + " needs "
              + needed
              + " and says the same without it: mend its needs(), or name what it reads for that"
              + " signal in rules/src/test/java/io/gcdiag/evidence/EvidenceWithout.java");
    }
  }

  /** The causes that the rule speaks for. */
  public static Set<Hypothesis> claims(Rule rule, MeasuredIncident incident) {
    return rule.examine(incident).stream()
        .flatMap(finding -> finding.bearings().stream())
        .filter(Bearing::isClaim)
        .map(Bearing::hypothesis)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Hypothesis.class)));
  }

  private static MeasuredIncident without(MeasuredIncident incident, Signal gone) {
    return new MeasuredIncident(EvidenceWithout.of(incident.timeline(), gone), incident.windows());
  }
}
