package io.gcdiag.sketches;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import java.util.List;

/** Asks a rule, and a finding what it says. */
public final class Findings {

  private Findings() {}

  /** What the rule finds, which must be one finding that bears the rule's id. */
  public static Finding only(Rule rule, IncidentBuilder builder) {
    MeasuredIncident incident = builder.build();
    List<Finding> findings = rule.examine(incident);
    NeedsCheck.assertNeeded(rule, incident);
    assertEquals(1, findings.size(), () -> "one finding expected, got " + findings);
    assertEquals(rule.id(), findings.get(0).rule());
    return findings.get(0);
  }

  /** Checks that the rule has nothing to say. */
  public static void assertSilent(Rule rule, IncidentBuilder builder) {
    MeasuredIncident incident = builder.build();
    assertEquals(List.of(), rule.examine(incident));
  }

  public static boolean supports(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Supports(hypothesis, false))
        || warns(finding, hypothesis);
  }

  public static boolean warns(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Supports(hypothesis, true));
  }

  public static boolean proves(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Proves(hypothesis));
  }

  public static boolean weakens(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Weakens(hypothesis));
  }

  public static boolean leavesOpen(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.LeavesOpen(hypothesis));
  }

  public static boolean refutes(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().contains(new Bearing.Refutes(hypothesis));
  }

  /** The fraction of an effect that the finding accounts for by this cause; 0 if none. */
  public static double explains(Finding finding, Hypothesis hypothesis, Effect effect) {
    return finding.bearings().stream()
        .filter(Bearing.Explains.class::isInstance)
        .map(Bearing.Explains.class::cast)
        .filter(bearing -> bearing.hypothesis() == hypothesis && bearing.effect() == effect)
        .mapToDouble(Bearing.Explains::fraction)
        .sum();
  }

  /** The fraction of an effect that the finding hands on to another; 0 if none. */
  public static double passes(Finding finding, Effect from, Effect to) {
    return finding.transfers().stream()
        .filter(transfer -> transfer.from() == from && transfer.to() == to)
        .mapToDouble(Finding.Transfer::fraction)
        .sum();
  }

  public static double value(Finding finding, String name) {
    Double value = finding.values().get(name);
    if (value == null) {
      throw new AssertionError("no value " + name + " in " + finding.values());
    }
    return value;
  }
}
