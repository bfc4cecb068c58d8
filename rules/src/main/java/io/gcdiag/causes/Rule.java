package io.gcdiag.causes;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import java.util.List;
import java.util.Set;

/**
 * One check. Stateless and total: it answers for every incident, with an empty list where it has
 * nothing to say.
 */
public interface Rule {

  /**
   * Its public name, that of the class in kebab case: {@code HeapFreeRatioRule} is {@code
   * heap-free-ratio}. Also the name of its page under {@code docs/rules/}.
   */
  default String id() {
    String name = getClass().getSimpleName();
    StringBuilder id = new StringBuilder();
    for (char one : name.substring(0, name.length() - "Rule".length()).toCharArray()) {
      if (Character.isUpperCase(one) && !id.isEmpty()) {
        id.append('-');
      }
      id.append(Character.toLowerCase(one));
    }
    return id.toString();
  }

  /**
   * Signals without which it is not asked; the engine then reports them as missing. What it says
   * for a cause must rest on each of them.
   */
  Set<Signal> needs();

  /**
   * Signals of which one will do in place of what it needs to support a cause, though not to
   * contradict one. What it needs is still reported as missing.
   */
  default Set<Signal> standIns() {
    return Set.of();
  }

  /** The root causes it may speak about. */
  Set<Hypothesis> judges();

  /** What it finds. */
  List<Finding> examine(Incident incident);
}
