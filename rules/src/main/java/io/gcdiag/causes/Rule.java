package io.gcdiag.causes;

import io.gcdiag.evidence.source.Signal;
import io.gcdiag.measures.Case;
import java.util.List;
import java.util.Set;

/** One check. Stateless and total: it returns findings for every incident, or an empty list. */
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
   * Signals without which the rule is skipped; the report names them as missing. Evidence for a
   * cause must use each of them.
   */
  Set<Signal> needs();

  /**
   * Alternative signals: one of them suffices to support a cause, but not to contradict one. The
   * needed signals are still reported as missing.
   */
  default Set<Signal> standIns() {
    return Set.of();
  }

  /** The root causes it may speak about. */
  Set<Hypothesis> judges();

  /** The findings for an incident, from its evidence and its figures. */
  List<Finding> examine(Case incident);
}
