package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import java.util.List;
import java.util.Set;

/**
 * One check. Stateless and total: it answers for every incident, with an empty list where it has
 * nothing to say.
 */
public interface Rule {

  /** Its public name; also the name of its page under {@code docs/rules/}. */
  String id();

  /** Signals without which it is not asked; the engine then reports them as missing. */
  Set<Signal> needs();

  /** The root causes it may speak about. */
  Set<Hypothesis> judges();

  /** What it finds. */
  List<Finding> examine(Incident incident);
}
