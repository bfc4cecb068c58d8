package io.gcdiag.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Incident;
import io.gcdiag.ledger.Effect;
import java.util.List;

/** Asks a rule, and a finding what it says. */
final class Findings {

  private Findings() {}

  /** What the rule finds, which must be one finding that bears the rule's id. */
  static Finding only(Rule rule, IncidentBuilder builder) {
    Incident incident = builder.build();
    List<Finding> findings = rule.examine(incident);
    NeedsCheck.assertNeeded(rule, incident);
    assertEquals(1, findings.size(), () -> "one finding expected, got " + findings);
    assertEquals(rule.id(), findings.get(0).rule());
    return findings.get(0);
  }

  /** Checks that the rule has nothing to say. */
  static void assertSilent(Rule rule, IncidentBuilder builder) {
    Incident incident = builder.build();
    assertEquals(List.of(), rule.examine(incident));
  }

  static boolean supports(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Supports(hypothesis, false))
        || warns(finding, hypothesis);
  }

  static boolean warns(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Supports(hypothesis, true));
  }

  static boolean proves(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Proves(hypothesis));
  }

  static boolean weakens(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Weakens(hypothesis));
  }

  static boolean refutes(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Refutes(hypothesis));
  }

  /** The fraction of an effect that the finding accounts for by this cause; 0 if none. */
  static double explains(Finding finding, Hypothesis hypothesis, Effect effect) {
    return finding.bearings().stream()
        .filter(Bearing.Explains.class::isInstance)
        .map(Bearing.Explains.class::cast)
        .filter(bearing -> bearing.hypothesis() == hypothesis && bearing.effect() == effect)
        .mapToDouble(Bearing.Explains::fraction)
        .sum();
  }

  /** The fraction of an effect that the finding hands on to another; 0 if none. */
  static double passes(Finding finding, Effect from, Effect to) {
    return finding.transfers().stream()
        .filter(transfer -> transfer.from() == from && transfer.to() == to)
        .mapToDouble(Finding.Transfer::fraction)
        .sum();
  }

  static double value(Finding finding, String name) {
    Double value = finding.values().get(name);
    if (value == null) {
      throw new AssertionError("no value " + name + " in " + finding.values());
    }
    return value;
  }
}
