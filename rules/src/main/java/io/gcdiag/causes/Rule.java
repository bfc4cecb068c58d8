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

  /** {@link Judges#needs}. */
  default Set<Signal> needs() {
    return Set.of(getClass().getAnnotation(Judges.class).needs());
  }

  /** {@link Judges#standIns}. */
  default Set<Signal> standIns() {
    return Set.of(getClass().getAnnotation(Judges.class).standIns());
  }

  /** The root causes it may speak about: {@link Judges#value}. */
  default Set<Hypothesis> judges() {
    return Set.of(getClass().getAnnotation(Judges.class).value());
  }

  /** The findings for an incident, from its evidence and its figures. */
  List<Finding> examine(Case incident);
}
